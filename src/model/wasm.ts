export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The part of the global WebAssembly object that is used: the compiler's library without a browser does not know it. */
export const wasm = (
  globalThis as unknown as {
    readonly WebAssembly: {
      readonly Memory: new (limits: { initial: number }) => WasmMemory;
      readonly Module: new (bytes: Uint8Array) => object;
      readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
      validate(bytes: Uint8Array): boolean;
    };
  }
).WebAssembly;
