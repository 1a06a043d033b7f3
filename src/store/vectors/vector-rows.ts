/**
 * Vectors that are added one by one and never change, in one block of WebAssembly memory: int8 rows with the kernel
 * that scans the index's own vectors. Memory: query (int16) | rows (int8) | scale a row (float32) | result a row
 * (float32); the last two are put there when all rows have come.
 */
import { createKernel, ROWS_AT_ONCE, type VectorKernel } from './vector-kernel.ts';

const PAGE = 65536;
/** Growing costs a call, and leaves at most this much unused. */
const GROWN_PAGES = 32;
const LANES = 16;
const MAX_INT8 = 127;
const MAX_INT16 = 32_767;
const MAX_INT32 = 2 ** 31 - 1;

export class VectorRows {
  readonly dims: number;
  readonly #kernel: VectorKernel = createKernel();
  readonly #stride: number;
  readonly #rows: number;
  #count = 0;
  /** Rows whose lengths are known. */
  #measured = -1;

  constructor(dims: number) {
    this.dims = dims;
    this.#stride = Math.ceil(dims / LANES) * LANES;
    this.#rows = this.#stride * 2;
  }

  add(vector: ArrayLike<number>): void {
    const at = this.#rows + this.#count++ * this.#stride;
    this.#reserve(at + this.#stride);
    const row = new Int8Array(this.#kernel.memory.buffer, at, this.#stride);
    // Results of an earlier question may have been here.
    row.fill(0, this.dims);
    quantise(vector, row, this.dims, MAX_INT8);
  }

  /** The cosine of each row with the query, in the order of the rows; valid until the next call. */
  cosines(query: ArrayLike<number>): Float32Array {
    const count = Math.ceil(this.#count / ROWS_AT_ONCE) * ROWS_AT_ONCE;
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
    quantise(query, held, this.dims, Math.min(MAX_INT16, Math.floor(MAX_INT32 / (MAX_INT8 * this.#stride))));
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
function quantise(vector: ArrayLike<number>, out: Int8Array | Int16Array, dims: number, most: number): void {
  // One kind of array in the loops: they run for each number of a chunk file.
  const values = vector instanceof Float32Array ? vector : Float32Array.from(vector);
  let largest = 0;
  for (let d = 0; d < dims; d++) {
    const size = Math.abs(values[d]!);
    if (size > largest) largest = size;
  }
  const factor = largest > 0 ? most / largest : 0;
  for (let d = 0; d < dims; d++) out[d] = Math.floor(values[d]! * factor + 0.5);
}
