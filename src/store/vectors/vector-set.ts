/**
 * The vectors of one model in WebAssembly memory, loaded once and extended when contents are added. The vectors of a
 * content never change, so they are never stale. Those of deleted contents are skipped in results, and the set is
 * reloaded when there are too many of them.
 *
 * Layout of the memory: query (int16), signs of the query, histogram, scale per row (float32), result per row
 * (float32), rows (int8); from the first search by signs on also the signs per row and a list of rows.
 */

import { readVectorBlob } from '../sqlite/checked-blobs.ts';
import type { Database } from '../sqlite/database.ts';
import type { NearestChunks } from '../store.ts';
import { nearestBySigns } from './nearest-by-signs.ts';
import { readVectorEntries, VECTOR_ENTRY } from './vector-entries.ts';
import { createKernel, ROWS_PER_STEP, SIGN_BYTES, type VectorKernel } from './vector-kernel.ts';

const PAGE = 65536;
const LANES = 16;

export class VectorSet {
  readonly #model: string;
  readonly #chunkOf: (contentRow: number) => number;
  readonly #dims: number;
  readonly #stride: number;
  readonly #signBytes: number;
  #kernel: VectorKernel = createKernel();
  #capacity = 0;
  #count = 0;
  /** The number of rows whose signs are computed. */
  #signed = 0;
  /** Runs of rows whose chunks are consecutive, as those of one indexing run are. */
  #runs: { readonly row: number; readonly chunk: number; count: number }[] = [];
  readonly #blobs = new Set<number>();
  /** The first row of each content. */
  readonly #contents = new Map<number, number>();

  /** `chunkOf` returns the id of a content's first chunk, -1 for a content that is deleted. */
  constructor(model: string, dims: number, chunkOf: (contentRow: number) => number) {
    this.#chunkOf = chunkOf;
    this.#model = model;
    this.#dims = dims;
    this.#stride = Math.ceil(dims / LANES) * LANES;
    this.#signBytes = Math.ceil(dims / (8 * SIGN_BYTES)) * SIGN_BYTES;
  }

  /** Loads the blobs that were added to the file since the last call. */
  refresh(db: Database): void {
    const rows = db.all(
      `SELECT v.id, v.contents, length(v.data)
       FROM vec v JOIN model m ON m.id = v.model JOIN segment s ON s.id = v.segment
       WHERE m.name = ? AND v.dims = ? ORDER BY v.id`,
      this.#model,
      this.#dims,
    );
    const fresh = rows.filter(([id]) => !this.#blobs.has(id as number));
    if (fresh.length === 0) return;
    const live = rows.reduce((sum, row) => sum + (row[2] as number) / this.#dims, 0);
    if (this.#count > live * 1.5 + 1000) this.#clear();
    let added = 0;
    for (const row of this.#blobs.size === 0 ? rows : fresh) added += (row[2] as number) / this.#dims;
    this.#reserve(this.#count + added);
    db.mapped(added * this.#dims, () => {
      for (const [id, contents] of this.#blobs.size === 0 ? rows : fresh) {
        const data = readVectorBlob(db, id as number);
        if (data) this.#addBlob(id as number, readVectorEntries(contents as Uint8Array), data);
      }
    });
  }

  /** Adds the vectors of one content that is in memory only. */
  add(contentRow: number, count: number, vectors: Int8Array): void {
    this.#reserve(this.#count + count);
    const bytes = new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength);
    this.#addBlob(-1 - contentRow, Int32Array.of(contentRow, 0, count), bytes);
  }

  /** Writes into `out` the cosine of every chunk for which `wanted` is not negative, and 0 for the others. */
  score(query: Float32Array, wanted: Int32Array, out: Float32Array): void {
    const factor = this.#loadQuery(query);
    if (factor === 0) return;
    this.#scan(0, this.#count, factor);
    const scores = new Float32Array(this.#kernel.memory.buffer, this.#resultsAt(), this.#count);
    const length = out.length;
    for (const { row, chunk, count } of this.#runs)
      if (chunk < length) out.set(scores.subarray(row, row + Math.min(count, length - chunk)), chunk);
    for (let chunk = 0; chunk < length; chunk++) if (wanted[chunk]! < 0) out[chunk] = 0;
  }

  /**
   * Calls `take` with the cosines of each content's chunks, which begin at `from` and are valid until `take` returns.
   * Leaves out contents without vectors.
   */
  scoreContents(
    query: Float32Array,
    contents: readonly { readonly row: number; readonly chunks: number }[],
    take: (index: number, scores: Float32Array, from: number) => void,
  ): void {
    const factor = this.#loadQuery(query);
    if (factor === 0) return;
    const scores = new Float32Array(this.#kernel.memory.buffer, this.#resultsAt(), this.#capacity);
    for (let index = 0; index < contents.length; index++) {
      const { row, chunks } = contents[index]!;
      const from = this.#contents.get(row);
      if (from === undefined) continue;
      this.#scan(from, chunks, factor);
      take(index, scores, from);
    }
  }

  /**
   * About `count` of the chunks for which `wanted` is not negative, with their cosines: those whose signs differ least
   * from the query's. Signs are an eighth of the bytes. For every question tried, the ten nearest files were among a
   * thousand chosen of a hundred thousand chunks. Null if there are so few rows that all should be scored.
   */
  nearest(query: Float32Array, wanted: Int32Array, count: number): NearestChunks | null {
    const differences = this.signDifferences(query);
    return differences && nearestBySigns(differences, count, (max) => this.within(query, wanted, max));
  }

  /** A histogram of the rows by the number of signs that differ from the query; null without rows, or for no query. */
  signDifferences(query: Float32Array): Uint32Array | null {
    if (this.#count === 0 || this.#loadQuery(query) === 0) return null;
    this.#computeSigns();
    const { buffer } = this.#kernel.memory;
    const histogram = new Uint32Array(buffer, this.#histogramAt(), this.#signBytes * 8 + 1).fill(0);
    this.#kernel.differ(
      this.#stride * 2,
      this.#signsAt(),
      this.#resultsAt(),
      this.#count,
      this.#signBytes,
      this.#histogramAt(),
    );
    return histogram.slice();
  }

  /**
   * The wanted chunks that differ in at most `maxDifferences` signs, with their cosines. It uses the results of the
   * signDifferences() call before.
   */
  within(query: Float32Array, wanted: Int32Array, maxDifferences: number): NearestChunks {
    const factor = this.#loadQuery(query);
    const { buffer } = this.#kernel.memory;
    const list = new Int32Array(buffer, this.#listAt(), this.#capacity);
    const chunks = this.#chooseChunks(maxDifferences, wanted, list);
    const padded = Math.ceil(chunks.length / ROWS_PER_STEP) * ROWS_PER_STEP;
    list.fill(0, chunks.length, padded);
    this.#kernel.pick(0, this.#rowsAt(), this.#scalesAt(), this.#listAt(), padded, this.#stride, factor);
    return { chunks, scores: new Float32Array(buffer, this.#listAt(), chunks.length) };
  }

  /** The wanted chunks that differ in at most `maxDifferences` signs. Writes their rows into `list`. */
  #chooseChunks(maxDifferences: number, wanted: Int32Array, list: Int32Array): number[] {
    const padded = Math.ceil(this.#count / ROWS_PER_STEP) * ROWS_PER_STEP;
    const found = this.#kernel.gather(this.#resultsAt(), this.#listAt(), padded, maxDifferences);
    const chunks: number[] = [];
    let at = 0;
    for (const { row, chunk, count } of this.#runs)
      for (; at < found && list[at]! < row + count; at++) {
        const id = chunk + list[at]! - row;
        if (id >= wanted.length || wanted[id]! < 0) continue;
        list[chunks.length] = list[at]!;
        chunks.push(id);
      }
    return chunks;
  }

  /**
   * Writes the query into the kernel's memory. Returns the factor from sums to cosines, 0 for a query without
   * direction.
   */
  #loadQuery(query: Float32Array): number {
    if (this.#count === 0) return 0;
    const { buffer } = this.#kernel.memory;
    const signs = new Uint8Array(buffer, this.#stride * 2, this.#signBytes).fill(0);
    for (let d = 0; d < query.length; d++) if (query[d]! < 0) signs[d >> 3]! |= 1 << (d & 7);
    return quantise(query, new Int16Array(buffer, 0, this.#stride));
  }

  #scan(row: number, count: number, factor: number): void {
    const results = this.#resultsAt() + row * 4;
    const rows = this.#rowsAt() + row * this.#stride;
    const padded = Math.ceil(count / ROWS_PER_STEP) * ROWS_PER_STEP;
    this.#kernel.scan(0, rows, this.#scalesAt() + row * 4, results, padded, this.#stride, factor);
  }

  #computeSigns(): void {
    if (this.#signed === this.#count) return;
    this.#growTo(this.#listAt() + this.#capacity * 4);
    const from = this.#signed;
    const rows = this.#rowsAt() + from * this.#stride;
    const signs = this.#signsAt() + from * this.#signBytes;
    this.#kernel.signs(rows, signs, this.#count - from, this.#stride, this.#signBytes);
    this.#signed = this.#count;
  }

  /** A copy of a content's rows, padded to the stride; null if it has none. */
  vectorsOf(contentRow: number, count: number): Int8Array | null {
    const at = this.#contents.get(contentRow);
    if (at === undefined) return null;
    const start = this.#rowsAt() + at * this.#stride;
    return new Int8Array(this.#kernel.memory.buffer, start, count * this.#stride).slice();
  }

  #histogramAt(): number {
    return this.#stride * 2 + this.#signBytes;
  }

  /** A histogram has one number more than there are signs, and the scales have to be aligned. */
  #scalesAt(): number {
    return this.#histogramAt() + this.#signBytes * 32 + LANES;
  }

  #resultsAt(): number {
    return this.#scalesAt() + this.#capacity * 4;
  }

  #rowsAt(): number {
    return this.#scalesAt() + this.#capacity * 8;
  }

  #signsAt(): number {
    return this.#rowsAt() + this.#capacity * this.#stride;
  }

  #listAt(): number {
    return this.#signsAt() + this.#capacity * this.#signBytes;
  }

  #growTo(bytes: number): void {
    const { memory } = this.#kernel;
    if (bytes > memory.buffer.byteLength) memory.grow(Math.ceil((bytes - memory.buffer.byteLength) / PAGE));
  }

  #addBlob(id: number, entries: Int32Array, data: Uint8Array): void {
    this.#blobs.add(id);
    const first = this.#count;
    let copyFrom = -1;
    let copyTo = 0;
    let from = 0;
    for (let e = 0; e < entries.length; e += VECTOR_ENTRY) {
      const row = entries[e]!;
      const count = entries[e + 2]!;
      const to = from + count * this.#dims;
      const chunk = this.#contents.has(row) ? -1 : this.#chunkOf(row);
      if (chunk >= 0) {
        this.#contents.set(row, this.#count);
        // Usually all contents of a blob are new, so consecutive vectors are copied together.
        if (copyFrom < 0) {
          copyFrom = from;
          copyTo = this.#count;
        }
        this.#extendRuns(chunk, count);
        this.#count += count;
      } else if (copyFrom >= 0) {
        this.#copy(data, copyFrom, from, copyTo);
        copyFrom = -1;
      }
      from = to;
    }
    if (copyFrom >= 0) this.#copy(data, copyFrom, from, copyTo);
    const rows = this.#rowsAt() + first * this.#stride;
    this.#kernel.norms(rows, this.#scalesAt() + first * 4, this.#count - first, this.#stride);
  }

  #extendRuns(chunk: number, count: number): void {
    const last = this.#runs[this.#runs.length - 1];
    if (last && last.chunk + last.count === chunk) last.count += count;
    else this.#runs.push({ row: this.#count, chunk, count });
  }

  /** Copies the bytes `from` to `to` of a blob to the rows from `row` on. */
  #copy(data: Uint8Array, from: number, to: number, row: number): void {
    const memory = new Uint8Array(this.#kernel.memory.buffer);
    let at = this.#rowsAt() + row * this.#stride;
    if (this.#dims === this.#stride) memory.set(data.subarray(from, to), at);
    else
      for (let i = from; i < to; i += this.#dims, at += this.#stride) memory.set(data.subarray(i, i + this.#dims), at);
  }

  #reserve(count: number): void {
    if (count <= this.#capacity) return;
    const old = { rowsAt: this.#rowsAt(), capacity: this.#capacity };
    // The first load reserves little more than it needs. Later growth is generous, so that rows seldom move.
    const wanted = old.capacity === 0 ? count + 1024 : Math.max(count, Math.ceil(old.capacity * 1.25));
    // A scan of the last rows reads up to a multiple of ROWS_PER_STEP.
    this.#capacity = Math.ceil((wanted + ROWS_PER_STEP) / LANES) * LANES;
    this.#growTo(this.#signsAt());
    this.#signed = 0;
    const all = new Uint8Array(this.#kernel.memory.buffer);
    all.copyWithin(this.#rowsAt(), old.rowsAt, old.rowsAt + this.#count * this.#stride);
    // The scales keep their place, and the results after them are not needed between two scans.
  }

  #clear(): void {
    this.#kernel = createKernel();
    this.#capacity = 0;
    this.#count = 0;
    this.#signed = 0;
    this.#runs = [];
    this.#blobs.clear();
    this.#contents.clear();
  }
}

/**
 * Writes the query as int16, scaled as large as int32 sums allow. Returns 1 / length of the written query; 0 for a zero
 * query and for one with a component that is not finite.
 */
function quantise(query: Float32Array, out: Int16Array): number {
  let largest = 0;
  for (let i = 0; i < query.length; i++) largest = Math.max(largest, Math.abs(query[i]!));
  out.fill(0);
  if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return 0;
  const maxValue = Math.min(32767, Math.floor(2 ** 31 / (128 * out.length)) - 1);
  let squares = 0;
  for (let i = 0; i < query.length; i++) {
    const value = Math.round((query[i]! / largest) * maxValue);
    out[i] = value;
    squares += value * value;
  }
  return 1 / Math.sqrt(squares);
}
