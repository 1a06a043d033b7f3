/**
 * Maps the identifiers of a text to numbers without creating a string per occurrence. Hashing during the scan and
 * comparing in place is three times as fast as slice() and a Map, and most of what indexing reads are identifiers. It
 * finds the same identifiers as forEachIdentifier(). It scans bytes, because reading the characters of a string would
 * take more time than all the rest; a text with bytes beyond ASCII is scanned as a string.
 */

import { isIdentifierAt, isIdentifierByte } from '../../model/text/terms.ts';
import { grow } from './posting-log.ts';

const INITIAL_SLOTS = 1 << 14;
const INITIAL_NAMES = 1 << 16;
const SLOT = 4;

export class IdentifierTable {
  /** Four numbers per slot, in one cache line: entry + 1 (0 if free), hash, start of its units, number of units. */
  #slots = new Int32Array(INITIAL_SLOTS * SLOT);
  readonly #names: string[] = [];
  /**
   * UTF-16 units of the names, one after the other; units beyond ASCII are stored as 0, which no identifier contains.
   */
  #units = new Uint8Array(INITIAL_NAMES);
  #used = 0;
  /** Entries of the last scan, in order. */
  found = new Int32Array(1024);

  get size(): number {
    return this.#names.length;
  }

  name(entry: number): string {
    return this.#names[entry]!;
  }

  clear(): void {
    this.#slots = new Int32Array(INITIAL_SLOTS * SLOT);
    this.#names.length = 0;
    this.#used = 0;
  }

  /** Fills `found` with the identifiers of text[from, to) and returns their number. */
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

  /** scan() for the bytes of a text; -1 if one of them is not ASCII. */
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
    const slots = this.#slots;
    for (let slot = firstSlot(hash, slots); ; slot = (slot + SLOT) & (slots.length - 1)) {
      const taken = slots[slot]!;
      if (taken === 0) return this.#add(text.slice(start, end), hash, slot);
      if (slots[slot + 1] === hash && sameText(this.#names[taken - 1]!, text, start, end)) return taken - 1;
    }
  }

  #entryOfBytes(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const length = end - start;
    for (let slot = firstSlot(hash, slots); ; slot = (slot + SLOT) & (slots.length - 1)) {
      const taken = slots[slot]!;
      if (taken === 0) return this.#add(asciiText(bytes, start, end), hash, slot);
      if (slots[slot + 1] !== hash || slots[slot + 3] !== length) continue;
      const units = this.#units;
      const from = slots[slot + 2]!;
      let same = 0;
      while (same < length && units[from + same] === bytes[start + same]) same++;
      if (same === length) return taken - 1;
    }
  }

  #add(name: string, hash: number, slot: number): number {
    const start = this.#used;
    this.#used += name.length;
    if (this.#used > this.#units.length)
      this.#units = grow(this.#units, new Uint8Array(Math.max(this.#used, this.#units.length * 2)));
    for (let i = 0; i < name.length; i++) {
      const unit = name.charCodeAt(i);
      this.#units[start + i] = unit < 128 ? unit : 0;
    }
    const count = this.#names.push(name);
    this.#slots[slot] = count;
    this.#slots[slot + 1] = hash;
    this.#slots[slot + 2] = start;
    this.#slots[slot + 3] = name.length;
    if (count * 2 * SLOT > this.#slots.length) this.#grow();
    return count - 1;
  }

  #grow(): void {
    const old = this.#slots;
    const slots = new Int32Array(old.length * 2);
    for (let from = 0; from < old.length; from += SLOT) {
      if (old[from] === 0) continue;
      let slot = firstSlot(old[from + 1]!, slots);
      while (slots[slot] !== 0) slot = (slot + SLOT) & (slots.length - 1);
      for (let i = 0; i < SLOT; i++) slots[slot + i] = old[from + i]!;
    }
    this.#slots = slots;
  }

  #growFound(): void {
    this.found = grow(this.found, new Int32Array(this.found.length * 2));
  }
}

/** Mixes the high bits into the low ones, which multiplication alone mixes badly. */
function firstSlot(hash: number, slots: Int32Array): number {
  return ((hash ^ (hash >>> 15)) * SLOT) & (slots.length - 1);
}

function sameText(name: string, text: string, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) !== text.charCodeAt(start + i)) return false;
  return true;
}

function asciiText(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}
