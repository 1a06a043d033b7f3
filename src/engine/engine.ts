/**
 * The engine's interface: all that the edges (profiles, transports, command line) may know. One engine serves any
 * number of projects; it opens a store at the first call and keeps it open. Every method throws only EngineError.
 */
import type {
  ContextAnswer,
  Discovery,
  DiscoveryChanges,
  ImportReport,
  SkippedMemory,
} from '../model/records/discovery.ts';
import type { CommitsAnswer, CommitsRequest } from '../model/records/history.ts';
import type { ImpactAnswer, ImpactRequest } from '../model/records/impact.ts';
import type {
  GrepAnswer,
  GrepRequest,
  LocateAnswer,
  LocateRequest,
  QueryIntent,
  ReadFileAnswer,
  ReadFileRequest,
  ResearchAnswer,
  ResearchRequest,
  SearchAnswer,
  SearchRequest,
  SymbolDetail,
} from '../model/records/query.ts';
import type { FileAccess, SessionRecord } from '../model/records/session.ts';
import type { SkippedFile } from '../model/records/source-file.ts';
import type { BrowseEngine } from './browse/browse-engine.ts';
import type { ContextRequest, DiscoveryFilter, RememberRequest } from './memory/memory-records.ts';
import type { ProjectInfo, WorkspaceInfo, WorkspaceMember } from './project-records.ts';
import type {
  ChunkExport,
  ContentsExport,
  Freed,
  GarbageReport,
  IndexOptions,
  IndexReport,
  JobInfo,
  OnChange,
  ProjectStatus,
  Verification,
} from './runs/index-records.ts';

export type * from './memory/memory-records.ts';
export type * from './project-records.ts';
export type * from './runs/index-records.ts';

export interface CheckResult {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** How to fix it, for `warn` and `fail`. */
  readonly fix: string | null;
}

/**
 * search, locate, symbol, research, map, grep, readFile, findPaths, contextSearch and remember accept a scope
 * (model/records/scope.ts) in place of a project's path: several repositories that are queried as one.
 */
export interface Engine extends BrowseEngine {
  /** Id of the configured language model, which expands queries and summarises answers; null without one. */
  readonly languageModel: string | null;
  /** False on a fleet node: the client's machine does not have the files that answers name. */
  readonly hasLocalFiles: boolean;
  /**
   * The project that `path` (absolute or relative to the current folder) belongs to. Throws path_not_found,
   * not_a_directory, permission_denied.
   */
  project(path: string): Promise<ProjectInfo>;
  /** The roots of every project that `register` or a first index has registered. */
  registeredRoots(): Promise<readonly string[]>;
  /** The named workspaces, sorted by name. */
  workspaces(): Promise<readonly WorkspaceInfo[]>;
  /**
   * Creates a workspace of these folders, or adds them to it. A folder inside a repository adds that folder only.
   * Throws path_not_found, not_a_directory.
   */
  addToWorkspace(name: string, roots: readonly string[]): Promise<WorkspaceInfo>;
  /**
   * Removes repositories, given by name or folder, from a workspace; without any, removes the workspace. No index is
   * deleted.
   */
  removeFromWorkspace(name: string, repos?: readonly string[]): Promise<WorkspaceInfo>;
  /** The repositories of a scope; for a path, the project itself. Throws workspace_not_found, repository_not_found. */
  members(scope: string): Promise<readonly WorkspaceMember[]>;
  /**
   * The folder that paths in answers about `path` are relative to: inside an indexed project, the project's root.
   * Throws as project().
   */
  root(path: string): Promise<string>;
  /**
   * `sextant init`: registers the project; writes `config` to .sextant/config.yml unless that file exists; with `team`,
   * creates .sextant/memory and keeps discoveries there from then on.
   */
  register(path: string, options?: { readonly config?: string; readonly team?: boolean }): Promise<ProjectInfo>;
  /**
   * Indexes the changed files and waits for the result. Waits a few seconds for a run of this engine's own watch.
   * Throws index_in_progress while another process or call indexes the same project.
   */
  index(path: string, options?: IndexOptions): Promise<IndexReport>;
  /** As index(), but in the background: returns at once. status() reports the progress. */
  startIndex(path: string, options?: IndexOptions): Promise<JobInfo>;
  /**
   * Waits for a first index that this engine makes or is about to make, for a watch or a call. Returns true once an
   * index exists, false if this engine makes none. Throws index_not_ready after `timeoutMs`.
   */
  firstIndex(path: string, options: { readonly timeoutMs: number; readonly signal?: AbortSignal }): Promise<boolean>;
  /** A ref that is not indexed is a state, not an error. Throws not_a_repository, ref_not_found. */
  status(path: string, ref?: string): Promise<ProjectStatus>;
  skipped(path: string, ref?: string): Promise<readonly SkippedFile[]>;
  search(path: string, request: SearchRequest): Promise<SearchAnswer>;
  /** The intent that search() reads from a query; needs no index. */
  intentOf(query: string): Promise<QueryIntent>;
  locate(path: string, request: LocateRequest): Promise<LocateAnswer>;
  /** Everything about one symbol, found by symbol_id or symbol_stable_id. */
  symbol(path: string, id: string, ref?: string): Promise<SymbolDetail>;
  research(path: string, request: ResearchRequest): Promise<ResearchAnswer>;
  /**
   * The commits that changed a symbol or lines, or whose message or diff matches the query. A call reads for a few
   * seconds; the next call continues. Throws not_a_repository.
   */
  commits(path: string, request: CommitsRequest): Promise<CommitsAnswer>;
  /**
   * The symbols that a change touches, their dependants, and the tests to run. Without a target or a diff, the change
   * is the work tree against HEAD. Throws not_a_repository, ref_not_found, symbol_not_found.
   */
  impact(path: string, request?: ImpactRequest): Promise<ImpactAnswer>;
  readFile(path: string, request: ReadFileRequest): Promise<ReadFileAnswer>;
  /** Files read through readFile with their read counts, times and a score that decays; highest score first. */
  accesses(path: string): Promise<readonly FileAccess[]>;
  grep(path: string, request: GrepRequest): Promise<GrepAnswer>;
  /** Indexed paths that contain `part`; paths and file names that begin with it come first. */
  findPaths(path: string, part: string, limit?: number): Promise<readonly string[]>;
  /** Every chunk of the index. Throws not_indexed; unsupported if the index has no vectors of the configured model. */
  exportChunks(path: string, ref?: string): Promise<ChunkExport>;
  /** The text of every indexed blob. Throws not_indexed. */
  exportContents(path: string, ref?: string): Promise<ContentsExport>;
  /** Map of the repository within a token budget, as Markdown. */
  map(path: string, options?: { readonly maxTokens?: number; readonly ref?: string }): Promise<string>;
  remember(
    path: string,
    request: RememberRequest,
  ): Promise<{ readonly discovery: Discovery; readonly outcome: 'created' | 'updated' | 'linked' }>;
  /** Searches discoveries, sessions and code. A query that is a discovery's id returns that discovery. */
  contextSearch(path: string, request: ContextRequest): Promise<ContextAnswer>;
  discoveries(path: string, filter?: DiscoveryFilter): Promise<readonly Discovery[]>;
  /** One discovery and its file; the file is null for a mined discovery. Throws discovery_not_found. */
  discovery(path: string, id: string): Promise<{ readonly discovery: Discovery; readonly file: string | null }>;
  /** Editing a mined discovery records it under its id. Throws discovery_not_found, secret_refused. */
  editDiscovery(path: string, id: string, changes: DiscoveryChanges): Promise<Discovery>;
  /** Imports exported discoveries; where an id exists already, the newer discovery stays. */
  importDiscoveries(path: string, discoveries: readonly Discovery[]): Promise<ImportReport>;
  /** Removes a recorded discovery and hides a mined one. Returns false if the id is unknown. */
  forget(path: string, id: string): Promise<boolean>;
  /** Notices that say what the last list of discoveries lacks. */
  memoryNotices(path: string): Promise<readonly string[]>;
  /** Memory files that are no valid discovery. They are skipped, never deleted. */
  brokenMemories(path: string): Promise<readonly SkippedMemory[]>;
  /** Agent sessions, latest first. */
  sessions(path: string): Promise<readonly SessionRecord[]>;
  /**
   * Starts to watch the project; with `onceIndexed`, only after this engine has indexed it. The returned function stops
   * the watch.
   */
  watch(path: string, onChange?: OnChange, options?: { readonly onceIndexed?: boolean }): Promise<() => Promise<void>>;
  /**
   * Removes an indexed branch, tag or commit from the index (or the work tree, named by its branch or `live`). Returns
   * null if there was none.
   */
  dropRef(path: string, ref: string): Promise<Freed | null>;
  /**
   * Drops trees whose folder or ref is gone, frees blobs that no tree names, and merges segments. Throws not_indexed,
   * index_in_progress.
   */
  collectGarbage(path: string): Promise<GarbageReport>;
  /**
   * Compares the index with the folder (or the ref) and checks the whole store file. Throws not_indexed, ref_not_found,
   * store_corrupt.
   */
  verify(path: string, ref?: string): Promise<Verification>;
  doctor(path: string | null): Promise<readonly CheckResult[]>;
  /** Stops background work, closes stores. */
  close(): Promise<void>;
}
