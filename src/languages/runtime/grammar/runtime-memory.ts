/**
 * The memory that the parser's runtime starts with. It is built to ask for 32 MB at once, of which a few files need
 * one; V8 takes them for a reason to look through the whole heap, a twentieth of what a short command does. More is
 * claimed as it is needed.
 */
const PAGE_BYTES = 65_536;
const PAGES = 48;

/**
 * How the import of the memory begins: `env`, `memory`, its kind, and that a limit is named. The first number of pages
 * follows in two bytes.
 */
const IMPORT = Buffer.concat([named('env'), named('memory'), Buffer.of(2, 1)]);

/** Bytes that a runtime asks for, as it was built or as our build left it. */
export function memoryOf(runtime: Uint8Array): number {
  const bytes = Buffer.from(runtime.buffer, runtime.byteOffset, runtime.byteLength);
  const at = placeOf(bytes);
  return ((bytes[at]! & 0x7f) | (bytes[at + 1]! << 7)) * PAGE_BYTES;
}

/** For the build: the runtime, content with less. The figure keeps its two bytes, so that nothing else moves. */
export function withLessMemory(runtime: Uint8Array): Uint8Array {
  const bytes = Buffer.from(runtime);
  const at = placeOf(bytes);
  bytes[at] = 0x80 | (PAGES & 0x7f);
  bytes[at + 1] = PAGES >> 7;
  return bytes;
}

function placeOf(bytes: Buffer): number {
  const at = bytes.indexOf(IMPORT) + IMPORT.length;
  if (at < IMPORT.length || bytes[at]! < 0x80 || bytes[at + 1]! >= 0x80)
    throw new Error("The parser's runtime imports its memory in another way than it did.");
  return at;
}

function named(name: string): Buffer {
  return Buffer.concat([Buffer.of(name.length), Buffer.from(name)]);
}
