import { readFileSync } from 'node:fs';

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The used part of the global WebAssembly object, which TypeScript's libraries for Node do not declare. */
const wasm = (
  globalThis as unknown as {
    readonly WebAssembly: {
      readonly Memory: new (limits: { initial: number }) => WasmMemory;
      readonly Module: new (bytes: Uint8Array) => object;
      readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
      validate(bytes: Uint8Array): boolean;
    };
  }
).WebAssembly;

/** The compiled kernels in base64, defined by the build (scripts/kernels.mjs). */
declare const WASM_KERNELS: Readonly<Record<string, string>> | undefined;

const compiled = new Map<string, object | null>();

export function createMemory(pages: number): WasmMemory {
  return new wasm.Memory({ initial: pages });
}

/** The functions of a kernel over the memory; null if this version of Node cannot run them (no SIMD). */
export function loadKernel<Functions>(name: string, memory: WasmMemory): Functions | null {
  if (!compiled.has(name)) compiled.set(name, compile(name));
  const module = compiled.get(name);
  return module ? (new wasm.Instance(module, { env: { memory } }).exports as Functions) : null;
}

function compile(name: string): object | null {
  const bytes = kernelBytes(name);
  return bytes && wasm.validate(bytes) ? new wasm.Module(bytes) : null;
}

function kernelBytes(name: string): Uint8Array | null {
  if (typeof WASM_KERNELS !== 'undefined') return Buffer.from(WASM_KERNELS[name]!, 'base64');
  try {
    return readFileSync(new URL(`../../../dist/kernels/${name}.wasm`, import.meta.url));
  } catch {
    // The program runs from its sources without a build.
    return null;
  }
}
