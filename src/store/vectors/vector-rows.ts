/**
 * Vectors that are added one by one and never change, in one block of WebAssembly memory: int8 rows with the kernel
 * that scans the index's own vectors. Memory: query (int16) | added vector (float32) | rows (int8) | scale a row
 * (float32) | result a row (float32); the last two are put there when all rows have come.
 */
import { createKernel, MAX_INT8, ROWS_PER_STEP, type VectorKernel } from './vector-kernel.ts';

const PAGE = 65536;
/** Growing costs a call, and leaves at most this much unused. */
const GROWN_PAGES = 32;
const LANES = 16;
const MAX_INT16 = 32_767;
const MAX_INT32 = 2 ** 31 - 1;

export class VectorRows {
  readonly dims: number;
  readonly #kernel: VectorKernel = createKernel();
  readonly #stride: number;
  readonly #added: number;
  readonly #rows: number;
  #count = 0;
  /** Rows whose lengths are known. */
  #measured = -1;

  constructor(dims: number) {
    this.dims = dims;
    this.#stride = Math.ceil(dims / LANES) * LANES;
    this.#added = this.#stride * 2;
    this.#rows = this.#added + this.#stride * 4;
  }

  add(vector: ArrayLike<number>): void {
    const at = this.#rows + this.#count++ * this.#stride;
    this.#reserve(at + this.#stride);
    new Float32Array(this.#kernel.memory.buffer, this.#added, this.dims).set(vector);
    this.#kernel.quantise(this.#added, at, this.#stride);
  }

  /** The cosine of each row with the query, in the order of the rows; valid until the next call. */
  cosines(query: ArrayLike<number>): Float32Array {
    const count = Math.ceil(this.#count / ROWS_PER_STEP) * ROWS_PER_STEP;
    const scales = this.#rows + count * this.#stride;
    const results = scales + count * 4;
    this.#reserve(results + count * 4);
    const { memory } = this.#kernel;
    if (count > 0 && this.#measured !== this.#count) {
      // The last rows are padding, or were results before more rows came.
      new Int8Array(memory.buffer, this.#rows + this.#count * this.#stride, (count - this.#count) * this.#stride).fill(
        0,
      );
      this.#kernel.norms(this.#rows, scales, count, this.#stride);
      this.#measured = this.#count;
    }
    const held = new Int16Array(memory.buffer, 0, this.#stride);
    // Sums are int32: a vector whose components are all alike must not overflow them.
    quantise(query, held, Math.min(MAX_INT16, Math.floor(MAX_INT32 / (MAX_INT8 * this.#stride))));
    let square = 0;
    for (const value of held) square += value * value;
    const factor = square > 0 ? 1 / Math.sqrt(square) : 0;
    if (count > 0) this.#kernel.scan(0, this.#rows, scales, results, count, this.#stride, factor);
    return new Float32Array(memory.buffer, results, this.#count);
  }

  #reserve(bytes: number): void {
    const { memory } = this.#kernel;
    const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE);
    if (missing > 0) memory.grow(Math.max(missing, GROWN_PAGES));
  }
}

/** The largest component becomes `most`: a cosine does not depend on length. */
function quantise(vector: ArrayLike<number>, out: Int16Array, most: number): void {
  const values = Float32Array.from(vector);
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  const factor = largest > 0 ? most / largest : 0;
  values.forEach((value, d) => {
    out[d] = Math.floor(value * factor + 0.5);
  });
}
