/** All chunks of a folder with their vectors, never changed once made: a reload makes another one and swaps them. */
import type { CortexChunk, CortexQuery, CortexResult } from './cortex-chunk.ts';

/** The contract's default: what points away from the question is no answer. */
const MIN_SCORE = 0;

export class ChunkSet {
  readonly #chunks: readonly CortexChunk[];
  readonly #tags: readonly ReadonlySet<string>[];
  readonly #dims: number;
  /** Unit length each, or zero. */
  readonly #vectors: Float32Array;

  constructor(
    entries: readonly { readonly chunk: CortexChunk; readonly embedding: readonly number[] }[],
    dims: number,
  ) {
    // By id, so that equal scores come in the same order whatever file a chunk lies in.
    const sorted = [...entries].sort((a, b) => (a.chunk.id < b.chunk.id ? -1 : a.chunk.id > b.chunk.id ? 1 : 0));
    this.#chunks = sorted.map(({ chunk }) => chunk);
    this.#tags = sorted.map(({ chunk }) => new Set(chunk.tags.map(normalise)));
    this.#dims = dims;
    this.#vectors = new Float32Array(sorted.length * dims);
    sorted.forEach(({ embedding }, row) => {
      const length = Math.hypot(...embedding);
      if (length > 0)
        embedding.forEach((value, d) => {
          this.#vectors[row * dims + d] = value / length;
        });
    });
  }

  get size(): number {
    return this.#chunks.length;
  }

  /** Exact cosine over what the filters let through, best first: filters never leave fewer results than there are. */
  search(vector: ArrayLike<number>, { limit, tags, chunkTypes }: CortexQuery): CortexResult[] {
    const types = new Set(chunkTypes);
    const wanted = tags.map(normalise);
    const scored: { readonly row: number; readonly score: number }[] = [];
    for (let row = 0; row < this.#chunks.length; row++) {
      if (types.size > 0 && !types.has(this.#chunks[row]!.chunk_type)) continue;
      if (!wanted.every((tag) => this.#tags[row]!.has(tag))) continue;
      const score = this.#cosine(vector, row);
      if (score >= MIN_SCORE) scored.push({ row, score });
    }
    scored.sort((a, b) => b.score - a.score || a.row - b.row);
    return scored.slice(0, limit).map(({ row, score }) => ({ chunk: this.#chunks[row]!, combined_score: score }));
  }

  #cosine(vector: ArrayLike<number>, row: number): number {
    const at = row * this.#dims;
    let dot = 0;
    let square = 0;
    for (let d = 0; d < this.#dims; d++) {
      dot += vector[d]! * this.#vectors[at + d]!;
      square += vector[d]! * vector[d]!;
    }
    return square > 0 ? Math.max(-1, Math.min(1, dot / Math.sqrt(square))) : 0;
  }
}

function normalise(tag: string): string {
  return tag.trim().toLowerCase().replace(/^#/, '');
}
