/**
 * The embedder port. The built-in model embeds term lists synchronously inside the indexing workers; providers embed
 * texts over HTTP.
 */
export type EmbedMode = 'query' | 'passage';

export interface Embedder {
  /** Names the model and its version; vectors of different ids never mix. */
  readonly id: string;
  readonly dims: number;
  /** Unit vectors (or zero where a text has nothing the model knows). */
  embed(texts: readonly string[], mode: EmbedMode, signal?: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** A model that needs nothing but memory: usable in the middle of indexing, no promise in the way. */
export interface TermEmbedder extends Embedder {
  /**
   * Adds up the terms (model/terms.ts, repeats count) with a weight each, normalises, writes `dims` floats to `out`.
   */
  embedTerms(terms: readonly string[], weights: Float32Array | null, mode: EmbedMode, out: Float32Array): void;
  /**
   * Where a term stands in the model, for embedRows: who embeds many passages asks once a term. -1: not in the
   * vocabulary.
   */
  rowOf(term: string): number;
  /**
   * embedTerms for a passage of `count` distinct terms by their rows; a term itself is read only where its row is -1.
   */
  embedRows(rows: Int32Array, terms: readonly string[], weights: Float32Array, count: number, out: Float32Array): void;
}

export interface NearWord {
  /** A term of model/text/terms.ts. */
  readonly word: string;
  /** Cosine. */
  readonly similarity: number;
}

/** A model that knows words one by one. */
export interface WordModel extends TermEmbedder {
  /** The frequent words nearest to a vector, nearest first. */
  nearestWords(vector: Float32Array, count: number): readonly NearWord[];
}
