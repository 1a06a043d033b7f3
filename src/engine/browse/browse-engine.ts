/** The calls of the engine's interface that serve people who read a repository in a browser. */
import type {
  CallNeighbours,
  FileSummary,
  IdentifierLinks,
  KnownProject,
  LineHistory,
  LineHistoryRequest,
  RepositoryActivity,
  RepositoryMap,
} from '../../model/records/browse.ts';
import type { EarlyAnswer, ReadFileAnswer, ResearchAnswer, SearchRequest } from '../../model/records/query.ts';

export interface BrowseEngine {
  /**
   * search() over the files that the first index has read so far. Returns null if this engine makes no first index, or
   * has read no more than `knownFiles` files. No other call sees those files before they are published.
   */
  searchSoFar(path: string, request: SearchRequest, knownFiles?: number): Promise<EarlyAnswer | null>;
  /** Every indexed file, sorted by path. Throws not_indexed. */
  files(path: string, ref?: string): Promise<readonly FileSummary[]>;
  /**
   * A file as it was indexed, with its imports and importers. Works for a ref, which has no files on disk. Throws
   * file_not_found.
   */
  indexedFile(path: string, file: string, ref?: string): Promise<ReadFileAnswer>;
  /** The definitions that the identifiers of an indexed file refer to. Throws file_not_found. */
  identifierLinks(path: string, file: string, ref?: string): Promise<IdentifierLinks>;
  /**
   * The commits that last changed the lines, and the discoveries whose evidence is one of those commits or overlaps the
   * lines.
   */
  lineHistory(path: string, request: LineHistoryRequest): Promise<LineHistory>;
  /** The callers and callees of the symbol with this symbol_id. Throws symbol_not_found. */
  callNeighbours(path: string, id: string, ref?: string): Promise<CallNeighbours>;
  /** The repository map as data; map() renders it as text within a token budget. */
  repositoryMap(path: string, ref?: string): Promise<RepositoryMap>;
  /**
   * Commits and changed lines per day of the git history; empty outside of a repository. Reads for a few seconds at
   * most.
   */
  activity(path: string): Promise<RepositoryActivity>;
  /**
   * Indexed projects of this machine whose folder exists. An engine restricted to a folder lists the projects inside
   * it.
   */
  knownProjects(): Promise<readonly KnownProject[]>;
  /** The question about code structure that a query asks, or `open`. Needs no index. */
  questionOf(query: string): Promise<ResearchAnswer['question']>;
}
