/**
 * Counts over a corpus, from which the weights of terms are computed. A single tree counts itself. A tree that is one
 * of many (candidates of several repositories that are ranked together) has the counts of all of them as
 * `TreeView.corpus`, so that a hit scores the same as in one index of all repositories.
 */
export interface CorpusStatistics {
  readonly files: number;
  /** The number of chunks, without the overviews of files. */
  readonly chunks: number;
  /** The average number of terms per field of such a chunk, and per file in the bodies of its chunks. */
  readonly averageTerms: Readonly<Record<'body' | 'names' | 'docs' | 'file', number>>;
  /** The number of files by the number of folders above them. */
  readonly filesByDepth: readonly number[];
  /** The number of chunks that have the term in a field. */
  chunksWith(term: string): number;
  /** The number of files whose path has the term. */
  pathsWith(term: string): number;
  /** The number of contents that refer to a name: a nameKey, or a key of the reference space with its mark. */
  contentsReferring(name: string): number;
}
