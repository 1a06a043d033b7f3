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

/** Set by the build for processes that end soon: putting a module together from its instructions takes them milliseconds. */
declare const ASSEMBLED: Readonly<Record<string, string>> | undefined;

/** The module as the build has assembled it, or as it is assembled now. */
export function assembled(name: string, assemble: () => Uint8Array): Uint8Array {
  const ahead = typeof ASSEMBLED === 'undefined' ? undefined : ASSEMBLED[name];
  return ahead === undefined ? assemble() : Buffer.from(ahead, 'base64');
}
