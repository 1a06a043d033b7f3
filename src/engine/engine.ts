/**
 * The engine's interface: all that the edges (profiles, transports, command line) may know. One Engine serves any
 * number of projects; it opens a store at its first call and keeps it open. Every method throws EngineError and nothing
 * else.
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
  /** The fix, for warn and fail. */
  readonly fix: string | null;
}

/**
 * Where a method takes the path of a project, search, locate, symbol, research, map, grep, readFile, findPaths,
 * contextSearch and remember take a scope, too (model/records/scope.ts): several repositories that are asked as one.
 */
export interface Engine extends BrowseEngine {
  /** Name of the language model that helps with expansion and synthesis; null where none is configured. */
  readonly languageModel: string | null;
  /** False on a node of a fleet: the files of its answers do not lie on the machine that asked. */
  readonly hasLocalFiles: boolean;
  /**
   * The project that `path` (absolute or relative to the current folder) belongs to. Throws path_not_found,
   * not_a_directory, permission_denied.
   */
  project(path: string): Promise<ProjectInfo>;
  /** The roots of all projects that `register` or the first index has made known. */
  registeredRoots(): Promise<readonly string[]>;
  /** The named workspaces, in order. */
  workspaces(): Promise<readonly WorkspaceInfo[]>;
  /**
   * Makes a workspace of these folders, or adds them to it; a folder inside a repository means that folder. Throws
   * path_not_found, not_a_directory.
   */
  addToWorkspace(name: string, roots: readonly string[]): Promise<WorkspaceInfo>;
  /**
   * Takes repositories out of a workspace, by name or folder; without any, removes it. Nothing of an index is deleted.
   */
  removeFromWorkspace(name: string, repos?: readonly string[]): Promise<WorkspaceInfo>;
  /**
   * The repositories that a scope means; the project itself for a path. Throws workspace_not_found,
   * repository_not_found.
   */
  members(scope: string): Promise<readonly WorkspaceMember[]>;
  /**
   * Where the paths of answers about `path` start: a folder inside an indexed project means that project. Throws as
   * project().
   */
  root(path: string): Promise<string>;
  /**
   * `sextant init`: remembers the project; writes `config` as .sextant/config.yml unless there is one; with `team`
   * makes .sextant/memory, where discoveries are kept from then on.
   */
  register(path: string, options?: { readonly config?: string; readonly team?: boolean }): Promise<ProjectInfo>;
  /**
   * Indexes what changed and waits for it; a short run of its own watch is waited for. Throws index_in_progress while
   * another process or call indexes the same project.
   */
  index(path: string, options?: IndexOptions): Promise<IndexReport>;
  /** The same in the background: returns at once; follow with status(). */
  startIndex(path: string, options?: IndexOptions): Promise<JobInfo>;
  /**
   * Waits for the first index where this engine makes it or is about to: by a watch or by a call. True when there is an
   * index now, false if this engine makes none. Throws index_not_ready when the time is up.
   */
  firstIndex(path: string, options: { readonly timeoutMs: number; readonly signal?: AbortSignal }): Promise<boolean>;
  /** Throws not_a_repository, ref_not_found; a ref that is not indexed is a state. */
  status(path: string, ref?: string): Promise<ProjectStatus>;
  skipped(path: string, ref?: string): Promise<readonly SkippedFile[]>;
  search(path: string, request: SearchRequest): Promise<SearchAnswer>;
  /** How search() understands a query; no index is needed for that. */
  intentOf(query: string): Promise<QueryIntent>;
  locate(path: string, request: LocateRequest): Promise<LocateAnswer>;
  /** Everything about one symbol, by symbol_id or symbol_stable_id. */
  symbol(path: string, id: string, ref?: string): Promise<SymbolDetail>;
  research(path: string, request: ResearchRequest): Promise<ResearchAnswer>;
  /**
   * The commits that changed a symbol or lines, or that speak of something. Read for a few seconds; asking again reads
   * on. Throws not_a_repository.
   */
  commits(path: string, request: CommitsRequest): Promise<CommitsAnswer>;
  /**
   * What a change touches, who depends on it, which tests to run. Without a target or a diff: the work tree against
   * HEAD. Throws not_a_repository, ref_not_found, symbol_not_found.
   */
  impact(path: string, request?: ImpactRequest): Promise<ImpactAnswer>;
  readFile(path: string, request: ReadFileRequest): Promise<ReadFileAnswer>;
  /** Files read through readFile, with how often, when, and a score that fades; highest first. */
  accesses(path: string): Promise<readonly FileAccess[]>;
  grep(path: string, request: GrepRequest): Promise<GrepAnswer>;
  /** Indexed paths that contain `part`, those whose file name or path begins with it first. */
  findPaths(path: string, part: string, limit?: number): Promise<readonly string[]>;
  /**
   * Every chunk of the index. Throws not_indexed, and unsupported where it holds no vectors of the model that is
   * configured.
   */
  exportChunks(path: string, ref?: string): Promise<ChunkExport>;
  /** The contents of all indexed files. Throws not_indexed. */
  exportContents(path: string, ref?: string): Promise<ContentsExport>;
  /** Map of the repository within a token budget, as Markdown. */
  map(path: string, options?: { readonly maxTokens?: number; readonly ref?: string }): Promise<string>;
  remember(
    path: string,
    request: RememberRequest,
  ): Promise<{ readonly discovery: Discovery; readonly outcome: 'created' | 'updated' | 'linked' }>;
  /** A question, or the id of a discovery. */
  contextSearch(path: string, request: ContextRequest): Promise<ContextAnswer>;
  discoveries(path: string, filter?: DiscoveryFilter): Promise<readonly Discovery[]>;
  /** One discovery and the file that it is kept in (null: it was mined). Throws discovery_not_found. */
  discovery(path: string, id: string): Promise<{ readonly discovery: Discovery; readonly file: string | null }>;
  /** A mined one becomes a recorded one under its id. Throws discovery_not_found, secret_refused. */
  editDiscovery(path: string, id: string, changes: DiscoveryChanges): Promise<Discovery>;
  /** Takes over discoveries of an export; of two with one id the newer stays. */
  importDiscoveries(path: string, discoveries: readonly Discovery[]): Promise<ImportReport>;
  /** Removes a recorded discovery; a mined one is not shown again. False where there is none. */
  forget(path: string, id: string): Promise<boolean>;
  /** Notices about what is missing from the last list of discoveries. */
  memoryNotices(path: string): Promise<readonly string[]>;
  /** Files of memory that cannot be read as a discovery: skipped, never deleted. */
  brokenMemories(path: string): Promise<readonly SkippedMemory[]>;
  /** Sessions of agents, the latest first. */
  sessions(path: string): Promise<readonly SessionRecord[]>;
  /**
   * Starts watching the project, or will as soon as this engine has indexed it (`onceIndexed`); the returned function
   * stops it.
   */
  watch(path: string, onChange?: OnChange, options?: { readonly onceIndexed?: boolean }): Promise<() => Promise<void>>;
  /**
   * Forgets an indexed branch, tag or commit (or the work tree, by its branch or `live`); null where there was none.
   */
  dropRef(path: string, ref: string): Promise<Freed | null>;
  /**
   * Drops trees whose folder or ref is gone, frees what no tree names, merges the rest. Throws not_indexed,
   * index_in_progress.
   */
  collectGarbage(path: string): Promise<GarbageReport>;
  /**
   * Compares the index with the folder (or the ref) and checks the whole file. Throws not_indexed, ref_not_found,
   * store_corrupt.
   */
  verify(path: string, ref?: string): Promise<Verification>;
  doctor(path: string | null): Promise<readonly CheckResult[]>;
  /** Stops background work, closes stores. */
  close(): Promise<void>;
}
