/**
 * Machine code of the parser's runtime and of the grammars, kept by the build. V8 compiles wasm in every process anew: first quickly, then what
 * is hot once more and well, which takes a twentieth of a full index and is not done for the lexers at all (grammar.ts). Node has no way to keep
 * what it made; V8 has one for its own tests, and this is the only file that calls it. What was kept serves the same program of Node, with the
 * same settings, on a processor with the same features; V8 looks at the last two itself. Anything else compiles as ever.
 */
import { closeSync, fstatSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { checksum } from '../../../model/runtime/checksum.ts';
import { wasm } from '../../../model/runtime/load-wasm.ts';

/** Digits before the code that tell what it was made from, and that it is whole. */
const ORIGIN_BYTES = 8;
/** The version it was tried with: what is meant for tests may change with any other. */
const NODE_MAJOR = '20';
/**
 * Everything is compiled, and at once with the optimising compiler. Turning Liftoff off turns dynamic tiering off with it. Small functions go into
 * those that call them, and loops stay as they are: parsing takes a fifteenth less, and who only loads the code does not pay for making it.
 */
const COMPILE_ALL = [
  '--no-wasm-lazy-compilation',
  '--no-liftoff',
  '--experimental-wasm-inlining',
  '--no-wasm-loop-unrolling',
];
const COMPILE_AS_EVER = [
  '--wasm-lazy-compilation',
  '--liftoff',
  '--wasm-dynamic-tiering',
  '--no-experimental-wasm-inlining',
  '--wasm-loop-unrolling',
];
/** What compileForFewFiles and its absence differ in: nothing that kept code depends on. */
const TIERING = ['--wasm-dynamic-tiering', '--wasm-tier-up'];
const NO_TIERING = ['--no-wasm-dynamic-tiering', '--no-wasm-tier-up'];

let tiering = true;
let disguise: Disguise = { before: [], after: [] };

/** Settings for a moment, and those before them again. */
export interface Disguise {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** For a process with other settings than those that the code was kept under, where they make no difference to it. */
export function takeCodeAs(other: Disguise): void {
  disguise = other;
}

/** For a process that reads a handful of files: what is not kept is compiled quickly, and never again. */
export function withoutTiering(): void {
  tiering = false;
  set(NO_TIERING);
}

/** The module with its code; null where none is kept, or none that fits. */
export function loadModule(folder: string, name: string, bytes: Uint8Array): object | null {
  if (!isKnownNode()) return null;
  const kept = readKept(codePath(folder, name));
  // V8 reads the code as it is: so it must not be damaged or another module's.
  if (!kept || originOf(bytes, kept.code) !== kept.origin) return null;
  if (!tiering) set(TIERING);
  set(disguise.before);
  try {
    const module = callNative('(code, wasm) => %DeserializeWasmModule(code, wasm)', kept.code.buffer, bytes);
    return module instanceof wasm.Module ? module : null;
  } catch {
    // This process does not let its settings be changed.
    return null;
  } finally {
    set(disguise.after);
    if (!tiering) set(NO_TIERING);
  }
}

/** For the build, in a process with the settings that the code is meant for. */
export function saveModule(folder: string, name: string, bytes: Uint8Array): void {
  set(COMPILE_ALL);
  let module: object;
  try {
    module = new wasm.Module(bytes);
  } finally {
    set(COMPILE_AS_EVER);
  }
  const code = new Uint8Array(callNative('(module) => %SerializeWasmModule(module)', module) as ArrayBuffer);
  writeFileSync(codePath(folder, name), Buffer.concat([Buffer.from(originOf(bytes, code)), code]));
}

export function codePath(folder: string, name: string): string {
  return join(folder, `${name}.code`);
}

/** Whether this Node can keep code and take it back. */
export function isKnownNode(): boolean {
  return process.versions.node.split('.')[0] === NODE_MAJOR;
}

/** Two programs of the same version may be built differently. */
function originOf(bytes: Uint8Array, code: Uint8Array): string {
  const program = `${process.version} ${process.platform} ${process.arch} ${statSync(process.execPath).size}`;
  return checksum(Buffer.from(program), bytes, code).toString(16).padStart(ORIGIN_BYTES, '0');
}

/** The syntax is allowed while its function is read, which is when it is called for the first time. */
function callNative(source: string, ...values: readonly unknown[]): unknown {
  setFlagsFromString('--allow-natives-syntax');
  try {
    return (runInThisContext(source) as (...values: readonly unknown[]) => unknown)(...values);
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}

function set(flags: readonly string[]): void {
  for (const flag of flags) setFlagsFromString(flag);
}

/** The code is in memory of its own, from where words begin: V8 wants it so, and copying it would take as long as reading it. Null: none, or none whole. */
function readKept(path: string): { readonly origin: string; readonly code: Uint8Array<ArrayBuffer> } | null {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    const origin = Buffer.alloc(ORIGIN_BYTES);
    const code = new Uint8Array(Math.max(0, fstatSync(file).size - ORIGIN_BYTES));
    const whole = readSync(file, origin) === origin.length && readSync(file, code) === code.length;
    return whole ? { origin: origin.toString('latin1'), code } : null;
  } catch {
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}
