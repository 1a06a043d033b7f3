/**
 * All chunks of a folder with their vectors. A set does not change once it answers queries: a reload builds another one
 * and swaps them. Texts are compressed outside of the JavaScript heap and parsed only for the results shown.
 */
import { VectorRows } from '../../../engine/index.ts';
import { type ChunkHead, type CortexChunk, type CortexQuery, type CortexResult, chunkOf } from '../cortex-chunk.ts';
import { PackedTexts } from './packed-texts.ts';

/** The contract's default: a negative cosine is no match. */
const MIN_SCORE = 0;

/** The fields that filters compare; most chunks share one record with others. */
interface Labels {
  readonly type: string;
  readonly tags: ReadonlySet<string>;
}

export class ChunkSet {
  readonly #vectors: VectorRows;
  readonly #texts = new PackedTexts();
  readonly #ids: string[] = [];
  #labelOf = new Uint32Array(1024);
  readonly #labels: Labels[] = [];
  readonly #labelNumbers = new Map<string, number>();
  #rowOf: Map<string, number> | null = new Map();
  /** Rows that a later chunk with the same id has replaced. */
  readonly #replaced = new Set<number>();

  constructor(dims: number) {
    this.#vectors = new VectorRows(dims);
  }

  get dims(): number {
    return this.#vectors.dims;
  }

  get size(): number {
    return this.#ids.length - this.#replaced.size;
  }

  /** A later chunk replaces an earlier one with the same id. `json`: the chunk's entry in its file, in parts. */
  add(chunk: ChunkHead, json: readonly Uint8Array[], vector: ArrayLike<number>): void {
    const row = this.#ids.push(chunk.id) - 1;
    const before = this.#rowOf!.get(chunk.id);
    if (before !== undefined) this.#replaced.add(before);
    this.#rowOf!.set(chunk.id, row);
    if (row === this.#labelOf.length) this.#labelOf = grown(this.#labelOf);
    this.#texts.add(json);
    this.#labelOf[row] = this.#numberOf(chunk);
    this.#vectors.add(vector);
  }

  /** Frees the memory that only loading needs; no chunks may be added afterwards. */
  close(): this {
    this.#rowOf = null;
    this.#texts.close();
    return this;
  }

  /**
   * The chunks that pass the filters, by cosine, best first. Filters apply before the limit. Chunks with equal scores
   * are ordered by id, independent of their file.
   */
  search(vector: ArrayLike<number>, { limit, tags, chunkTypes }: CortexQuery): CortexResult[] {
    const cosines = this.#vectors.cosines(vector);
    const wanted = tags.map(normalise);
    const fits = this.#labels.map(
      (label) =>
        (chunkTypes.length === 0 || chunkTypes.includes(label.type)) && wanted.every((tag) => label.tags.has(tag)),
    );
    const isBefore = (a: number, b: number) =>
      cosines[a]! > cosines[b]! || (cosines[a] === cosines[b] && this.#ids[a]! < this.#ids[b]!);
    const best: number[] = [];
    let minScore = MIN_SCORE;
    for (let row = 0; row < this.#ids.length; row++) {
      if (!(cosines[row]! >= minScore) || !fits[this.#labelOf[row]!] || this.#replaced.has(row)) continue;
      insert(best, row, isBefore);
      if (best.length > limit) best.pop();
      if (best.length === limit) minScore = cosines[best.at(-1)!]!;
    }
    return best.map((row) => ({ chunk: this.#chunkOf(row), combined_score: Math.min(1, cosines[row]!) }));
  }

  #numberOf({ chunk_type: type, tags }: ChunkHead): number {
    const key = JSON.stringify([type, ...tags]);
    const known = this.#labelNumbers.get(key);
    if (known !== undefined) return known;
    this.#labelNumbers.set(key, this.#labels.length);
    return this.#labels.push({ type, tags: new Set(tags.map(normalise)) }) - 1;
  }

  #chunkOf(row: number): CortexChunk {
    const entry: unknown = JSON.parse(this.#texts.read(row));
    return chunkOf(entry, this.#labels[this.#labelOf[row]!]!.type)!;
  }
}

function grown(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(numbers.length * 2);
  more.set(numbers);
  return more;
}

/** Inserts into a sorted list at the place found by binary search. */
function insert(list: number[], value: number, isBefore: (a: number, b: number) => boolean): void {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(value, list[middle]!)) high = middle;
    else low = middle + 1;
  }
  list.splice(low, 0, value);
}

function normalise(tag: string): string {
  return tag.trim().toLowerCase().replace(/^#/, '');
}
