/**
 * A hash table from the words of a model to their rows, over the UTF-8 bytes of the vocabulary: building a Map with a
 * string for each of 48,000 words takes three times as long at every start.
 */
export class Vocabulary {
  readonly #bytes: Uint8Array;
  /** Offset of each word, with one more entry as if a line break followed the last word. */
  readonly #starts: Int32Array;
  /** Row + 1 by hash; 0 for a free slot. */
  readonly #slots: Int32Array;

  /** `bytes`: the words in UTF-8, one per line. `table`: the result of makeTable for them, if it is stored. */
  constructor(bytes: Uint8Array, words: number, table: Int32Array = makeTable(bytes, words)) {
    this.#bytes = bytes;
    this.#starts = table.subarray(0, words + 1);
    this.#slots = table.subarray(words + 1);
  }

  /** The row of a word; -1 for an unknown word. */
  rowOf(word: string): number {
    // Nearly all words are ASCII, whose units are their bytes.
    for (let i = 0; i < word.length; i++)
      if (word.charCodeAt(i) > 127) return this.#find(Buffer.from(word).toString('latin1'));
    return this.#find(word);
  }

  /** `bytes`: a string with one UTF-8 byte per code unit. */
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

/** Builds the starts and slots in one array. It takes 6 ms for 48,000 words, so the build stores it (word-table.ts). */
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
