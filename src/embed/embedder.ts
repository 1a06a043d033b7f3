/**
 * The embedder port. The built-in model embeds term lists synchronously inside the indexing workers; providers embed
 * texts over HTTP.
 */
export type EmbedMode = 'query' | 'passage';

export interface Embedder {
  /** Identifies the model and its version; vectors of different ids are never compared. */
  readonly id: string;
  readonly dims: number;
  /** Unit vectors; zero for a text without a word that the model knows. */
  embed(texts: readonly string[], mode: EmbedMode, signal?: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** A model that embeds synchronously in memory, for use inside the indexing workers. */
export interface TermEmbedder extends Embedder {
  /** Writes the normalised sum of the weighted term vectors to `out`; repeated terms count repeatedly. */
  embedTerms(terms: readonly string[], weights: Float32Array | null, mode: EmbedMode, out: Float32Array): void;
  /** The row of a term for embedRows; -1 for an unknown term. A caller with many passages looks up each term once. */
  rowOf(term: string): number;
  /** embedTerms for a passage of `count` distinct terms, given by row. Only terms with row -1 are read from `terms`. */
  embedRows(rows: Int32Array, terms: readonly string[], weights: Float32Array, count: number, out: Float32Array): void;
}

export interface NearWord {
  /** A term of model/text/terms.ts. */
  readonly word: string;
  /** Cosine with the vector. */
  readonly similarity: number;
}

/** A model with a vector per word. */
export interface WordModel extends TermEmbedder {
  /** The frequent words nearest to a vector, nearest first. */
  nearestWords(vector: Float32Array, count: number): readonly NearWord[];
}
