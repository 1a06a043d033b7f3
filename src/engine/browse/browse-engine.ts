/** The part of the engine's face that serves people who read the repository in a browser. */
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
   * search() over the files that the first index has read by now. Null where this engine makes none, and where there is
   * nothing to say about more files than `knownFiles`. No other call knows of those files before they are published.
   */
  searchSoFar(path: string, request: SearchRequest, knownFiles?: number): Promise<EarlyAnswer | null>;
  /** Every file of the index, ordered by path. Throws not_indexed. */
  files(path: string, ref?: string): Promise<readonly FileSummary[]>;
  /** A file as the index holds it, with its links: for a ref, which has no files on disk. Throws file_not_found. */
  indexedFile(path: string, file: string, ref?: string): Promise<ReadFileAnswer>;
  /** The meanings of the identifiers of an indexed file. Throws file_not_found. */
  identifierLinks(path: string, file: string, ref?: string): Promise<IdentifierLinks>;
  /** The commits that last wrote the lines, and the discoveries whose evidence is one of them or lies in the lines. */
  lineHistory(path: string, request: LineHistoryRequest): Promise<LineHistory>;
  /** The callers and callees of a symbol, by symbol_id. Throws symbol_not_found. */
  callNeighbours(path: string, id: string, ref?: string): Promise<CallNeighbours>;
  /** The map as data; map() is the same as text within a budget. */
  repositoryMap(path: string, ref?: string): Promise<RepositoryMap>;
  /**
   * Days of the git history with what they added and removed; empty outside of a repository. Read for a few seconds at
   * most.
   */
  activity(path: string): Promise<RepositoryActivity>;
  /**
   * Indexed projects of this machine whose folder is still there. Over an engine that is bound to a folder: those
   * inside it.
   */
  knownProjects(): Promise<readonly KnownProject[]>;
  /** Which question about structure a query asks; `open` for any other. No index is needed. */
  questionOf(query: string): Promise<ResearchAnswer['question']>;
}
