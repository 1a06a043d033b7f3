/** static.bin of the built-in model, read in the parts that are needed. */
import { closeSync, openSync, readSync } from 'node:fs';
import { modelDamaged } from '../../model/records/engine-errors.ts';

/**
 * Words stand in the order of how often they are written: two thirds of those in a file are among the first, and these
 * take one read.
 */
const COMMON_ROWS = 1_024;
/** Rows that passages read one by one before the rest follows at once. */
const MOST_SINGLE_ROWS = 800;

/**
 * The vectors of a model, read row by row as questions need them, or all at once before many passages are embedded. The
 * questions of a server and a changed file touch a few hundred words: the other 14 MB stay in the system's page cache,
 * shared by all processes.
 */
export class RowFile {
  /** Zero where nothing was read yet; memory that is not touched is not taken. */
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

  /** Passages come in numbers: reading this many rows one by one takes as long as reading all at once. */
  needForPassage(row: number): void {
    if (this.#whole || this.#present[row] === 1) return;
    if (row < COMMON_ROWS) this.readFirst(Math.min(COMMON_ROWS, this.#present.length));
    else if (++this.#singles > MOST_SINGLE_ROWS) this.readAll();
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
