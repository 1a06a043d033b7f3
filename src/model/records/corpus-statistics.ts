/**
 * What a word weighs: counts over everything that is searched together. A tree alone counts itself. A tree that is one
 * of many (candidates of several repositories, ranked together) carries the counts of all of them as `TreeView.corpus`,
 * and then a hit scores the same as it would in one index of everything.
 */
export interface CorpusStatistics {
  readonly files: number;
  /** Chunks that words are counted in: all but the overviews of files. */
  readonly chunks: number;
  /** Terms on average: of a field of such a chunk, and of the bodies of all chunks of a file. */
  readonly averageTerms: Readonly<Record<'body' | 'names' | 'docs' | 'file', number>>;
  /** Files by the number of folders above them. */
  readonly filesByDepth: readonly number[];
  /** Chunks that have the term in a field. */
  chunksWith(term: string): number;
  /** Files whose path has the term. */
  pathsWith(term: string): number;
  /** Contents that refer to a name (as nameKey, or behind a mark of the reference space). */
  contentsReferring(name: string): number;
}
