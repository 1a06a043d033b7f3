/**
 * The vectors of one model in WebAssembly memory, loaded once and extended as contents arrive. A content's vectors never change, so
 * nothing loaded goes stale; what was collected since is skipped when scores are handed out and dropped when too much of it gathers.
 *
 * Memory: query (int16) | scale a row (float32) | result a row (float32) | rows (int8).
 */
import type { Database } from './database.ts';
import { readVectorBlob } from './sealed.ts';
import { createKernel, ROWS_AT_ONCE, type VectorKernel } from './vector-kernel.ts';

const PAGE = 65536;
const LANES = 16;
/** Numbers a content in a vector blob's directory: content row, first chunk, chunk count. */
export const VECTOR_ENTRY = 3;

export class VectorSet {
  readonly #model: string;
  readonly #dims: number;
  readonly #stride: number;
  #kernel: VectorKernel = createKernel();
  #capacity = 0;
  #count = 0;
  /** First row, first chunk, count: rows whose chunks are consecutive, as those of one bulk run are. */
  #runs: { readonly row: number; readonly chunk: number; count: number }[] = [];
  readonly #blobs = new Set<number>();
  /** First row of each content. */
  readonly #contents = new Map<number, number>();

  constructor(model: string, dims: number) {
    this.#model = model;
    this.#dims = dims;
    this.#stride = Math.ceil(dims / LANES) * LANES;
  }

  /** Takes in the blobs that were not there before. */
  refresh(db: Database): void {
    const rows = db.all(
      `SELECT v.id, v.contents, length(v.data) FROM vec v JOIN model m ON m.id = v.model JOIN segment s ON s.id = v.segment
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
        if (data) this.#take(id as number, directory(contents as Uint8Array), data);
      }
    });
  }

  /** Writes the cosine with every chunk for which `wanted` is not negative into `out`, 0 for the others. */
  score(query: Float32Array, wanted: Int32Array, out: Float32Array): void {
    if (this.#count === 0) return;
    const { memory } = this.#kernel;
    const factor = quantise(query, new Int16Array(memory.buffer, 0, this.#stride));
    if (factor === 0) return;
    const scales = this.#stride * 2;
    const results = scales + this.#capacity * 4;
    const padded = Math.ceil(this.#count / ROWS_AT_ONCE) * ROWS_AT_ONCE;
    this.#kernel.scan(0, results + this.#capacity * 4, scales, results, padded, this.#stride, factor);
    const scores = new Float32Array(memory.buffer, results, this.#count);
    const length = out.length;
    for (const { row, chunk, count } of this.#runs)
      if (chunk < length) out.set(scores.subarray(row, row + Math.min(count, length - chunk)), chunk);
    for (let chunk = 0; chunk < length; chunk++) if (wanted[chunk]! < 0) out[chunk] = 0;
  }

  /** The stored vectors of a content, null where there are none. For dumps. */
  vectorsOf(contentRow: number, count: number): Int8Array | null {
    const at = this.#contents.get(contentRow);
    if (at === undefined) return null;
    const start = this.#rowsAt() + at * this.#stride;
    return new Int8Array(this.#kernel.memory.buffer, start, count * this.#stride).slice();
  }

  #rowsAt(): number {
    return this.#stride * 2 + this.#capacity * 8;
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
      if (!this.#contents.has(row)) {
        this.#contents.set(row, this.#count);
        // Mostly all contents of a blob are new: what lies together is copied together.
        if (copyFrom < 0) {
          copyFrom = from;
          copyTo = this.#count;
        }
        this.#extendRuns(entries[e + 1]!, count);
        this.#count += count;
      } else if (copyFrom >= 0) {
        this.#copy(data, copyFrom, from, copyTo);
        copyFrom = -1;
      }
      from = to;
    }
    if (copyFrom >= 0) this.#copy(data, copyFrom, from, copyTo);
    const rows = this.#rowsAt() + first * this.#stride;
    this.#kernel.norms(rows, this.#stride * 2 + first * 4, this.#count - first, this.#stride);
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
    // The first load takes what is there and a little more; later growth is generous so that moving stays rare.
    const wanted = old.capacity === 0 ? count + 1024 : Math.max(count, Math.ceil(old.capacity * 1.25));
    this.#capacity = Math.ceil(wanted / LANES) * LANES;
    const bytes = this.#rowsAt() + this.#capacity * this.#stride;
    const { memory } = this.#kernel;
    if (bytes > memory.buffer.byteLength) memory.grow(Math.ceil((bytes - memory.buffer.byteLength) / PAGE));
    const all = new Uint8Array(memory.buffer);
    all.copyWithin(this.#rowsAt(), old.rowsAt, old.rowsAt + this.#count * this.#stride);
    // Scales stay where they are; the results behind them hold nothing between two scans.
  }

  #forget(): void {
    this.#kernel = createKernel();
    this.#capacity = 0;
    this.#count = 0;
    this.#runs = [];
    this.#blobs.clear();
    this.#contents.clear();
  }
}

export function directory(bytes: Uint8Array): Int32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Int32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}

/**
 * The query as int16, as large as the sums allow: |dot| stays below 2^31. Returns 1 / |query as written|, 0 for a zero query (or one
 * with something that is not a number in it).
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
