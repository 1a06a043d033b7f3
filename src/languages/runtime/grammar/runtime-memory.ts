/**
 * Reduces the memory that the parser's runtime starts with. It is built to request 32 MB at once, and a few files need
 * one. V8 reacts to a large request with a full garbage collection, a twentieth of the time of a short command. The
 * memory grows on demand.
 */
const PAGE_BYTES = 65_536;
const PAGES = 48;

/**
 * The start of the memory import: `env`, `memory`, its kind, and the flag for a maximum. The initial number of pages
 * follows in two bytes.
 */
const IMPORT = Buffer.concat([named('env'), named('memory'), Buffer.of(2, 1)]);

/** The bytes that a runtime requests, as it was built or as our build changed it. */
export function memoryOf(runtime: Uint8Array): number {
  const bytes = Buffer.from(runtime.buffer, runtime.byteOffset, runtime.byteLength);
  const at = placeOf(bytes);
  return ((bytes[at]! & 0x7f) | (bytes[at + 1]! << 7)) * PAGE_BYTES;
}

/** For the build: the runtime with a smaller request. The number keeps its two bytes, so no offset changes. */
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
