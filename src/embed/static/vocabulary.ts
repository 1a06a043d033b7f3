/**
 * The words of a model by their row, found among their bytes: making a string and an entry of a Map for each of 48,000
 * takes every process three times as long.
 */
export class Vocabulary {
  readonly #bytes: Uint8Array;
  /** Where each word begins; one more than there are words, as if a line break followed the last. */
  readonly #starts: Int32Array;
  /** Row + 1 by hash, 0 where there is none. */
  readonly #slots: Int32Array;

  /** The words in UTF-8, one a line; `table` as another vocabulary of the same words has it, which saves making it. */
  constructor(bytes: Uint8Array, words: number, table: Int32Array = makeTable(bytes, words)) {
    this.#bytes = bytes;
    this.#starts = table.subarray(0, words + 1);
    this.#slots = table.subarray(words + 1);
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

function slotCount(words: number): number {
  let size = 16;
  while (size < words * 2) size *= 2;
  return size;
}

export function tableLength(words: number): number {
  return words + 1 + slotCount(words);
}

/**
 * Starts and slots, one behind the other: 6 ms for 48,000 words, so the build keeps it beside the model
 * (word-table.ts).
 */
export function makeTable(bytes: Uint8Array, words: number): Int32Array {
  const table = new Int32Array(tableLength(words));
  const starts = table.subarray(0, words + 1);
  const slots = table.subarray(words + 1);
  const mask = slots.length - 1;
  let hash = SEED;
  for (let i = 0, row = 0; row < words; i++) {
    const byte = i < bytes.length ? bytes[i]! : NEWLINE;
    if (byte !== NEWLINE) {
      hash = Math.imul(hash ^ byte, STEP);
      continue;
    }
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = ++row;
    starts[row] = i + 1;
    hash = SEED;
  }
  return table;
}
