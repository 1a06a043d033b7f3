/** Reads the needed parts of static.bin, the vectors of the built-in model. */
import { closeSync, openSync, readSync } from 'node:fs';
import { modelDamaged } from '../../model/records/engine-errors.ts';

/** Rows are sorted by word frequency: the first ones hold two thirds of a file's words and are read together. */
const COMMON_ROWS = 1_024;
/** After this many single rows for passages, the remaining rows are read at once. */
const MAX_SINGLE_ROWS = 800;

/**
 * The vectors of a model, read row by row for questions and all at once for many passages. The questions of a server
 * and a changed file need a few hundred rows; the other 14 MB stay in the page cache that all processes share.
 */
export class RowFile {
  /** Zero in rows that are not read yet; the system allocates no memory for untouched pages. */
  readonly vectors: Int8Array;
  readonly #file: string;
  readonly #offset: number;
  readonly #dims: number;
  readonly #present: Uint8Array;
  #whole = false;
  #singles = 0;
  #handle = -1;

  constructor(file: string, offset: number, vectors: Int8Array, rows: number, dims: number) {
    this.#file = file;
    this.#offset = offset;
    this.#dims = dims;
    this.vectors = vectors;
    this.#present = new Uint8Array(rows);
  }

  need(row: number): void {
    if (this.#whole || this.#present[row] === 1) return;
    this.#read(row, 1);
    this.#present[row] = 1;
  }

  /** As need(), but reads ahead: many passages follow, and MAX_SINGLE_ROWS reads take as long as reading all rows. */
  needForPassage(row: number): void {
    if (this.#whole || this.#present[row] === 1) return;
    if (row < COMMON_ROWS) this.readFirst(Math.min(COMMON_ROWS, this.#present.length));
    else if (++this.#singles > MAX_SINGLE_ROWS) this.readAll();
    else this.need(row);
  }

  readFirst(rows: number): void {
    if (this.#whole || this.#present.subarray(0, rows).every((one) => one === 1)) return;
    this.#read(0, rows);
    this.#present.fill(1, 0, rows);
  }

  readAll(): void {
    if (this.#whole) return;
    this.#read(0, this.#present.length);
    this.#whole = true;
    closeSync(this.#handle);
  }

  #read(row: number, count: number): void {
    if (this.#handle < 0) this.#handle = openSync(this.#file, 'r');
    const start = row * this.#dims;
    readFully(this.#handle, this.vectors.subarray(start, start + count * this.#dims), this.#offset + start);
  }
}

export function readPart(file: string, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from);
  const handle = openSync(file, 'r');
  try {
    readFully(handle, bytes, from);
  } finally {
    closeSync(handle);
  }
  return bytes;
}

function readFully(handle: number, into: Uint8Array | Int8Array, position: number): void {
  for (let done = 0; done < into.byteLength; ) {
    const read = readSync(handle, into, done, into.byteLength - done, position + done);
    if (read === 0) throw modelDamaged('static.bin is incomplete');
    done += read;
  }
}
