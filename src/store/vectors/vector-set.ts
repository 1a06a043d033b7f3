/**
 * The vectors of one model in WebAssembly memory, loaded once and extended as contents arrive. A content's vectors
 * never change, so nothing loaded goes stale; what was collected since is skipped when scores are handed out and
 * dropped when too much of it gathers.
 *
 * Memory: query (int16) | its signs | histogram | scale a row (float32) | result a row (float32) | rows (int8) | and,
 * when first needed, signs a row | a list of rows.
 */

import { readVectorBlob } from '../sqlite/checked-blobs.ts';
import type { Database } from '../sqlite/database.ts';
import type { NearestChunks } from '../store.ts';
import { createKernel, ROWS_PER_STEP, SIGN_BYTES, type VectorKernel } from './vector-kernel.ts';

const PAGE = 65536;
const LANES = 16;
/** Numbers a content in a vector blob's directory: content row, first chunk, chunk count. */
export const VECTOR_ENTRY = 3;
/** Fewer rows than this are all multiplied in less time than it takes to choose among them. */
const MIN_ROWS_FOR_SIGNS = 20_000;

export class VectorSet {
  readonly #model: string;
  readonly #chunkOf: (contentRow: number) => number;
  readonly #dims: number;
  readonly #stride: number;
  readonly #signBytes: number;
  #kernel: VectorKernel = createKernel();
  #capacity = 0;
  #count = 0;
  /** Rows whose signs are there. */
  #signed = 0;
  /** First row, first chunk, count: rows whose chunks are consecutive, as those of one bulk run are. */
  #runs: { readonly row: number; readonly chunk: number; count: number }[] = [];
  readonly #blobs = new Set<number>();
  /** First row of each content. */
  readonly #contents = new Map<number, number>();

  /** `chunkOf`: the number of a content's first chunk, -1 for a content that is gone. */
  constructor(model: string, dims: number, chunkOf: (contentRow: number) => number) {
    this.#chunkOf = chunkOf;
    this.#model = model;
    this.#dims = dims;
    this.#stride = Math.ceil(dims / LANES) * LANES;
    this.#signBytes = Math.ceil(dims / (8 * SIGN_BYTES)) * SIGN_BYTES;
  }

  /** Takes in the blobs that were not there before. */
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
    if (this.#count > live * 1.5 + 1000) this.#forget();
    let coming = 0;
    for (const row of this.#blobs.size === 0 ? rows : fresh) coming += (row[2] as number) / this.#dims;
    this.#reserve(this.#count + coming);
    db.mapped(coming * this.#dims, () => {
      for (const [id, contents] of this.#blobs.size === 0 ? rows : fresh) {
        const data = readVectorBlob(db, id as number);
        if (data) this.#take(id as number, readVectorEntries(contents as Uint8Array), data);
      }
    });
  }

  /** Takes in the vectors of one content that lies in no file. */
  add(contentRow: number, count: number, vectors: Int8Array): void {
    this.#reserve(this.#count + count);
    const bytes = new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength);
    this.#take(-1 - contentRow, Int32Array.of(contentRow, 0, count), bytes);
  }

  /** Writes the cosine with every chunk for which `wanted` is not negative into `out`, 0 for the others. */
  score(query: Float32Array, wanted: Int32Array, out: Float32Array): void {
    const factor = this.#ask(query);
    if (factor === 0) return;
    this.#scan(0, this.#count, factor);
    const scores = new Float32Array(this.#kernel.memory.buffer, this.#resultsAt(), this.#count);
    const length = out.length;
    for (const { row, chunk, count } of this.#runs)
      if (chunk < length) out.set(scores.subarray(row, row + Math.min(count, length - chunk)), chunk);
    for (let chunk = 0; chunk < length; chunk++) if (wanted[chunk]! < 0) out[chunk] = 0;
  }

  /**
   * Hands the cosines with the chunks of each content to `take`, to be read at once, from a place on; contents without
   * vectors are left out.
   */
  scoreContents(
    query: Float32Array,
    contents: readonly { readonly row: number; readonly chunks: number }[],
    take: (index: number, scores: Float32Array, from: number) => void,
  ): void {
    const factor = this.#ask(query);
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
   * from the query's, which is an eighth of the bytes; the ten nearest files were among a thousand of a hundred
   * thousand chunks for every question tried. Null where there are so few that all can be scored.
   */
  nearest(query: Float32Array, wanted: Int32Array, count: number): NearestChunks | null {
    const differences = this.signDifferences(query);
    return differences && nearestBySigns(differences, count, (most) => this.within(query, wanted, most));
  }

  /** How many rows differ from the query in so many signs, by that number; null where nothing can be found. */
  signDifferences(query: Float32Array): Uint32Array | null {
    if (this.#count === 0 || this.#ask(query) === 0) return null;
    this.#sign();
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

  /** Right after `signDifferences`: the wanted chunks that differ in at most so many signs, with their cosines. */
  within(query: Float32Array, wanted: Int32Array, most: number): NearestChunks {
    const factor = this.#ask(query);
    const { buffer } = this.#kernel.memory;
    const list = new Int32Array(buffer, this.#listAt(), this.#capacity);
    const chunks = this.#choose(most, wanted, list);
    const padded = Math.ceil(chunks.length / ROWS_PER_STEP) * ROWS_PER_STEP;
    list.fill(0, chunks.length, padded);
    this.#kernel.pick(0, this.#rowsAt(), this.#scalesAt(), this.#listAt(), padded, this.#stride, factor);
    return { chunks, scores: new Float32Array(buffer, this.#listAt(), chunks.length) };
  }

  /** Wanted chunks that differ from the query in at most so many signs; the list is given their rows. */
  #choose(most: number, wanted: Int32Array, list: Int32Array): number[] {
    const padded = Math.ceil(this.#count / ROWS_PER_STEP) * ROWS_PER_STEP;
    const found = this.#kernel.gather(this.#resultsAt(), this.#listAt(), padded, most);
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
   * Puts the query where the kernel reads it. Returns what makes sums into cosines, 0 where there is nothing to be
   * found.
   */
  #ask(query: Float32Array): number {
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

  #sign(): void {
    if (this.#signed === this.#count) return;
    this.#growTo(this.#listAt() + this.#capacity * 4);
    const from = this.#signed;
    const rows = this.#rowsAt() + from * this.#stride;
    const signs = this.#signsAt() + from * this.#signBytes;
    this.#kernel.signs(rows, signs, this.#count - from, this.#stride, this.#signBytes);
    this.#signed = this.#count;
  }

  /** The stored vectors of a content, null where there are none. For dumps. */
  vectorsOf(contentRow: number, count: number): Int8Array | null {
    const at = this.#contents.get(contentRow);
    if (at === undefined) return null;
    const start = this.#rowsAt() + at * this.#stride;
    return new Int8Array(this.#kernel.memory.buffer, start, count * this.#stride).slice();
  }

  #histogramAt(): number {
    return this.#stride * 2 + this.#signBytes;
  }

  /** Whole registers later: a histogram has a number more than there are signs. */
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

  #take(id: number, entries: Int32Array, data: Uint8Array): void {
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
        // Mostly all contents of a blob are new: what lies together is copied together.
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

  /** Vectors from `from` to `to` of a blob, to the given row on. */
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
    // The first load reserves a little more than it needs; later growth is generous, so that moves stay rare.
    const wanted = old.capacity === 0 ? count + 1024 : Math.max(count, Math.ceil(old.capacity * 1.25));
    // A scan of the last rows continues to a multiple of ROWS_PER_STEP.
    this.#capacity = Math.ceil((wanted + ROWS_PER_STEP) / LANES) * LANES;
    this.#growTo(this.#signsAt());
    this.#signed = 0;
    const all = new Uint8Array(this.#kernel.memory.buffer);
    all.copyWithin(this.#rowsAt(), old.rowsAt, old.rowsAt + this.#count * this.#stride);
    // Scales stay where they are; the results behind them hold nothing between two scans.
  }

  #forget(): void {
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
 * Takes what differs least, of one set or of several whose differences were added up. Rows of other trees are counted
 * too: where they are many, a wider look is needed. Null where there are so few rows that all can be scored.
 */
export function nearestBySigns(
  differences: Uint32Array,
  count: number,
  within: (most: number) => NearestChunks,
): NearestChunks | null {
  const rows = differences.reduce((sum, each) => sum + each, 0);
  if (rows < MIN_ROWS_FOR_SIGNS) return null;
  for (let goal = count; ; goal *= 2) {
    const near = within(reach(differences, goal));
    if (near.chunks.length >= count / 2 || goal >= rows) return near;
  }
}

/** The least difference within which so many rows are. */
function reach(histogram: Uint32Array, count: number): number {
  let most = 0;
  for (let sum = histogram[0]!; sum < count && most < histogram.length - 1; ) sum += histogram[++most]!;
  return most;
}

export function readVectorEntries(bytes: Uint8Array): Int32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Int32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}

/**
 * The query as int16, as large as the sums allow: |dot| stays below 2^31. Returns 1 / |query as written|, 0 for a zero
 * query (or one with something that is not a number in it).
 */
function quantise(query: Float32Array, out: Int16Array): number {
  let largest = 0;
  for (let i = 0; i < query.length; i++) largest = Math.max(largest, Math.abs(query[i]!));
  out.fill(0);
  if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return 0;
  const top = Math.min(32767, Math.floor(2 ** 31 / (128 * out.length)) - 1);
  let squares = 0;
  for (let i = 0; i < query.length; i++) {
    const value = Math.round((query[i]! / largest) * top);
    out[i] = value;
    squares += value * value;
  }
  return 1 / Math.sqrt(squares);
}
