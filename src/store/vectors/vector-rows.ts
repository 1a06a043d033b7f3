/**
 * Vectors that are added one by one and never change, as int8 rows in WebAssembly memory, scanned by the kernel of the
 * index's own vectors. Layout of the memory: query (int16), added vector (float32), rows (int8), scale per row
 * (float32), result per row (float32). The last two are placed after the rows at each search.
 */
import { createKernel, MAX_INT8, ROWS_PER_STEP, type VectorKernel } from './vector-kernel.ts';

const PAGE = 65536;
/** Memory grows by at least this many pages, so that few calls are needed. */
const MIN_GROWTH_PAGES = 32;
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
  /** The number of rows whose lengths are computed. */
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

  /** The cosine of each row with the query, in the order of the rows. Valid until the next call. */
  cosines(query: ArrayLike<number>): Float32Array {
    const count = Math.ceil(this.#count / ROWS_PER_STEP) * ROWS_PER_STEP;
    const scales = this.#rows + count * this.#stride;
    const results = scales + count * 4;
    this.#reserve(results + count * 4);
    const { memory } = this.#kernel;
    if (count > 0 && this.#measured !== this.#count) {
      // The padding after the rows may hold results of an earlier search.
      new Int8Array(memory.buffer, this.#rows + this.#count * this.#stride, (count - this.#count) * this.#stride).fill(
        0,
      );
      this.#kernel.norms(this.#rows, scales, count, this.#stride);
      this.#measured = this.#count;
    }
    const scaledQuery = new Int16Array(memory.buffer, 0, this.#stride);
    // Sums are int32 and must not overflow for a vector whose components are all equal.
    quantise(query, scaledQuery, Math.min(MAX_INT16, Math.floor(MAX_INT32 / (MAX_INT8 * this.#stride))));
    let square = 0;
    for (const value of scaledQuery) square += value * value;
    const factor = square > 0 ? 1 / Math.sqrt(square) : 0;
    if (count > 0) this.#kernel.scan(0, this.#rows, scales, results, count, this.#stride, factor);
    return new Float32Array(memory.buffer, results, this.#count);
  }

  #reserve(bytes: number): void {
    const { memory } = this.#kernel;
    const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE);
    if (missing > 0) memory.grow(Math.max(missing, MIN_GROWTH_PAGES));
  }
}

/** Scales the vector so that its largest component becomes `maxValue`: a cosine does not depend on length. */
function quantise(vector: ArrayLike<number>, out: Int16Array, maxValue: number): void {
  const values = Float32Array.from(vector);
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  const factor = largest > 0 ? maxValue / largest : 0;
  values.forEach((value, d) => {
    out[d] = Math.floor(value * factor + 0.5);
  });
}
