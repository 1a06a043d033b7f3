/** The words of a model by their row, found among their bytes: making a string and an entry of a Map for each of 48,000 takes every process three times as long. */
export class Vocabulary {
  readonly #bytes: Uint8Array;
  /** Where each word begins; one more than there are words, as if a line break followed the last. */
  readonly #starts: Int32Array;
  /** Row + 1 by hash, 0 where there is none. */
  readonly #slots: Int32Array;

  /** The words in UTF-8, one a line. */
  constructor(bytes: Uint8Array, words: number) {
    this.#bytes = bytes;
    this.#starts = new Int32Array(words + 1);
    let size = 16;
    while (size < words * 2) size *= 2;
    this.#slots = new Int32Array(size);
    const slots = this.#slots;
    const starts = this.#starts;
    let hash = SEED;
    for (let i = 0, row = 0; row < words; i++) {
      const byte = i < bytes.length ? bytes[i]! : NEWLINE;
      if (byte !== NEWLINE) {
        hash = Math.imul(hash ^ byte, STEP);
        continue;
      }
      let slot = (hash ^ (hash >>> 15)) & (size - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
      slots[slot] = ++row;
      starts[row] = i + 1;
      hash = SEED;
    }
  }

  /** -1: no word of this model. */
  rowOf(word: string): number {
    // Nearly all words are ASCII, whose units are their bytes.
    for (let i = 0; i < word.length; i++)
      if (word.charCodeAt(i) > 127) return this.#find(Buffer.from(word).toString('latin1'));
    return this.#find(word);
  }

  /** `bytes`: a unit each. */
  #find(bytes: string): number {
    let hash = SEED;
    for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes.charCodeAt(i), STEP);
    const slots = this.#slots;
    for (let slot = hash ^ (hash >>> 15); ; slot++) {
      const row = slots[slot & (slots.length - 1)]! - 1;
      if (row < 0) return -1;
      if (this.#is(row, bytes)) return row;
    }
  }

  word(row: number): string {
    const start = this.#starts[row]!;
    return Buffer.from(this.#bytes.subarray(start, this.#starts[row + 1]! - 1)).toString('utf8');
  }

  #is(row: number, bytes: string): boolean {
    const start = this.#starts[row]!;
    if (this.#starts[row + 1]! - 1 - start !== bytes.length) return false;
    for (let i = 0; i < bytes.length; i++) if (this.#bytes[start + i] !== bytes.charCodeAt(i)) return false;
    return true;
  }
}

const NEWLINE = 10;
const SEED = 0x811c9dc5;
const STEP = 0x01000193;
