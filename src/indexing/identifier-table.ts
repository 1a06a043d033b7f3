/**
 * Identifiers of a text as numbers, without making a string for each occurrence: hashing while scanning and comparing in place is three
 * times faster than slicing and asking a Map, and identifiers are most of what indexing reads. Finds exactly what forEachIdentifier finds.
 * A content is scanned as bytes, for reading a character of a string costs more than all the rest; where a byte is not ASCII, its string is.
 */
import { isIdentifierAt, isIdentifierByte } from '../model/terms.ts';

const INITIAL_SLOTS = 1 << 14;
const INITIAL_NAMES = 1 << 16;

export class IdentifierTable {
  /** Entry + 1 by slot, 0 when free. */
  #slots = new Int32Array(INITIAL_SLOTS);
  #hashes = new Int32Array(INITIAL_SLOTS);
  readonly #names: string[] = [];
  /** Units of the names, one after the other; what is beyond a byte is kept as 0 and compared with the name itself. */
  #units = new Uint8Array(INITIAL_NAMES);
  /** Where each name begins in #units; one more than there are names. */
  #starts = new Int32Array(INITIAL_SLOTS);
  /** Entries of the last scan, in order. */
  found = new Int32Array(1024);

  get size(): number {
    return this.#names.length;
  }

  name(entry: number): string {
    return this.#names[entry]!;
  }

  clear(): void {
    this.#slots = new Int32Array(INITIAL_SLOTS);
    this.#names.length = 0;
  }

  /** Fills `found` with the identifiers of text[from, to) and returns how many there are. */
  scan(text: string, from: number, to: number): number {
    let count = 0;
    let i = from;
    while (i < to) {
      if (!isIdentifierAt(text, i)) {
        i++;
        continue;
      }
      const start = i;
      let hash = 0x811c9dc5;
      do {
        hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
        i++;
      } while (i < to && isIdentifierAt(text, i));
      if (count === this.found.length) this.#growFound();
      this.found[count++] = this.#entryOfText(text, start, i, hash);
    }
    return count;
  }

  /** The same for the bytes of a text; -1 as soon as one is not ASCII. */
  scanBytes(bytes: Uint8Array, from: number, to: number): number {
    let count = 0;
    let i = from;
    while (i < to) {
      let byte = bytes[i]!;
      if (isIdentifierByte[byte] === 0) {
        if (byte > 127) return -1;
        i++;
        continue;
      }
      const start = i;
      let hash = 0x811c9dc5;
      do {
        hash = Math.imul(hash ^ byte, 0x01000193);
        byte = ++i < to ? bytes[i]! : 0;
      } while (isIdentifierByte[byte] === 1);
      if (byte > 127) return -1;
      if (count === this.found.length) this.#growFound();
      this.found[count++] = this.#entryOfBytes(bytes, start, i, hash);
    }
    return count;
  }

  #entryOfText(text: string, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    // The multiplication leaves the low bits weak.
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const taken = this.#slots[slot]!;
      if (taken === 0) return this.#add(text.slice(start, end), hash, slot);
      if (this.#hashes[taken - 1] === hash && sameText(this.#names[taken - 1]!, text, start, end)) return taken - 1;
      slot = (slot + 1) & mask;
    }
  }

  #entryOfBytes(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const taken = this.#slots[slot]!;
      if (taken === 0) return this.#add(asciiText(bytes, start, end), hash, slot);
      if (this.#hashes[taken - 1] === hash && this.#sameBytes(taken - 1, bytes, start, end)) return taken - 1;
      slot = (slot + 1) & mask;
    }
  }

  #sameBytes(entry: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#starts[entry]!;
    const length = end - start;
    if (this.#starts[entry + 1]! - from !== length) return false;
    const units = this.#units;
    for (let i = 0; i < length; i++) if (units[from + i] !== bytes[start + i]) return false;
    return true;
  }

  #add(name: string, hash: number, slot: number): number {
    const entry = this.#names.length;
    this.#names.push(name);
    this.#hashes[entry] = hash;
    this.#slots[slot] = entry + 1;
    const start = this.#starts[entry]!;
    const end = start + name.length;
    if (end > this.#units.length)
      this.#units = larger(this.#units, new Uint8Array(Math.max(end, this.#units.length * 2)));
    for (let i = 0; i < name.length; i++) {
      const unit = name.charCodeAt(i);
      this.#units[start + i] = unit < 128 ? unit : 0;
    }
    this.#starts[entry + 1] = end;
    if (this.#names.length * 2 > this.#slots.length) this.#grow();
    return entry;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let entry = 0; entry < this.#names.length; entry++) {
      const hash = this.#hashes[entry]!;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = entry + 1;
    }
    this.#slots = slots;
    this.#hashes = larger(this.#hashes, new Int32Array(slots.length));
    this.#starts = larger(this.#starts, new Int32Array(slots.length));
  }

  #growFound(): void {
    this.found = larger(this.found, new Int32Array(this.found.length * 2));
  }
}

function larger<T extends Int32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

function sameText(name: string, text: string, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) !== text.charCodeAt(start + i)) return false;
  return true;
}

function asciiText(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}
