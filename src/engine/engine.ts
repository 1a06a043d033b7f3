/**
 * The engine's face: all that the edges (profiles, transports, command line) may know. One Engine serves any number of
 * projects; it opens stores when they are asked for and keeps them open. Every method throws EngineError and nothing
 * else.
 */
import type { ChunkType } from '../model/records/chunk.ts';
import type {
  ContextAnswer,
  Discovery,
  DiscoveryChanges,
  DiscoveryType,
  Evidence,
  ImportReport,
  KnownType,
  SkippedMemory,
} from '../model/records/discovery.ts';
import type { EngineError } from '../model/records/engine-errors.ts';
import type { CommitsAnswer, CommitsRequest } from '../model/records/history.ts';
import type { ImpactAnswer, ImpactRequest } from '../model/records/impact.ts';
import type { IndexProgress, OnProgress } from '../model/records/progress.ts';
import type {
  FileCounts,
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
import type { ProjectKind, SkippedFile } from '../model/records/source-file.ts';
import type { ContentSource } from '../store/snapshot-source.ts';
import type { BrowseEngine } from './browse/browse-engine.ts';

export interface ProjectInfo {
  /** Numeric id, stable for this root on this machine. */
  readonly numericId: number;
  /** 16 hex digits. */
  readonly projectId: string;
  readonly root: string;
  readonly registered: boolean;
  /** From go.mod, package.json, Cargo.toml, pyproject.toml …; the folder's name otherwise. */
  readonly moduleName: string;
  /** "go 1.22", "node >=20", "rust 1.75": the ecosystem's version; '' where none is declared. */
  readonly languageVersion: string;
  readonly isGit: boolean;
  readonly storeFolder: string;
}

export interface IndexOptions {
  readonly force?: boolean;
  /**
   * A folder inside an indexed project means that project, as it does for questions; without it, every folder is a
   * project of its own.
   */
  readonly enclosing?: boolean;
  readonly ref?: string;
  /** The branch that is checked out stays addressable by its name when another one is. */
  readonly keepBranch?: boolean;
  readonly includeTests?: boolean;
  readonly includeVendor?: boolean;
  /** Throws no_project where there is prose or data, but neither a source file nor a manifest. */
  readonly requireSource?: boolean;
  /** Throws no_project where no file is of this kind. */
  readonly requireProject?: ProjectKind;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
  /** Where contents that this version derived may be had from, by the name of what it derives by. */
  readonly headStart?: (extractor: string) => Pick<ContentSource, 'read'>;
}

export interface IndexReport {
  readonly jobId: string;
  readonly project: ProjectInfo;
  readonly ref: string;
  readonly mode: 'full' | 'incremental';
  /** False where the tree is the one that was there before. */
  readonly isNew: boolean;
  readonly filesTotal: number;
  /** Parsed in this run. */
  readonly filesIndexed: number;
  readonly filesUnchanged: number;
  /**
   * Of those that did not need parsing: new to this tree, since a copy, a branch or an enclosing project has their
   * content.
   */
  readonly filesAdded: number;
  readonly filesRemoved: number;
  readonly filesSkipped: number;
  readonly filesFailed: number;
  /** Of filesIndexed: with syntax errors, found by what could be read of them. */
  readonly filesBroken: number;
  readonly linesIndexed: number;
  /** Derived in this run; the counts below are of the whole index. */
  readonly made: { readonly symbols: number; readonly chunks: number; readonly vectors: number };
  readonly symbolCount: number;
  readonly chunkCount: number;
  readonly vectorCount: number;
  readonly durationMs: number;
  readonly indexBytes: number;
  readonly problems: readonly { readonly path: string; readonly line: number; readonly message: string }[];
  /**
   * Why the embedding provider's vectors are not all there (words answer meanwhile, the next run asks for the rest);
   * null where they are.
   */
  readonly vectorError: EngineError | null;
}

/** A repository of a workspace; its name is the folder that its paths begin with in answers about the workspace. */
export interface WorkspaceMember {
  readonly name: string;
  readonly root: string;
}

/** Repositories that are asked as one. */
export interface WorkspaceInfo {
  readonly name: string;
  readonly members: readonly WorkspaceMember[];
}

/** Hears of every change of a watched index; null where another process has made it. */
export type OnChange = (report: IndexReport | null) => void;

export interface JobInfo {
  readonly jobId: string;
  readonly ref: string;
  readonly mode: 'full' | 'incremental';
  readonly status: 'queued' | 'running' | 'published' | 'failed' | 'cancelled';
  readonly changedFiles: number | null;
  readonly durationMs: number | null;
  readonly createdAtMs: number;
  readonly error: string | null;
  readonly done: number;
  readonly total: number;
}

export type SchemaStatus = 'compatible' | 'not_indexed' | 'reindex_required' | 'corrupt_manifest';

export interface ProjectStatus {
  readonly project: ProjectInfo;
  readonly ref: string;
  readonly indexing: 'not_indexed' | 'indexing' | 'ready' | 'failed';
  readonly schema: SchemaStatus;
  readonly schemaVersion: number;
  readonly requiredSchemaVersion: number;
  readonly freshness: 'fresh' | 'stale' | 'syncing';
  readonly pending: readonly string[];
  /** A ref that stands elsewhere than where it was indexed; `pending` names it then. */
  readonly moved: boolean;
  /** Another version made it; see Freshness. */
  readonly outdated: boolean;
  /**
   * Why the last try of this process to bring it up to date failed, or the last one of all where there is no index yet;
   * else null.
   */
  readonly failure: string | null;
  readonly watching: 'events' | 'polling' | 'off';
  readonly fileCount: number;
  readonly symbolCount: number;
  readonly chunkCount: number;
  readonly vectorCount: number;
  readonly lineCount: number;
  readonly indexBytes: number;
  readonly lastIndexedAtMs: number | null;
  readonly lastDurationMs: number | null;
  readonly modelId: string;
  readonly languages: readonly { readonly language: string; readonly files: number; readonly lines: number }[];
  readonly skippedByReason: Readonly<Record<string, number>>;
  readonly activeJob: JobInfo | null;
  /** How far a run of this process is, with the file it is at; null where another process indexes, or none. */
  readonly progress: IndexProgress | null;
  readonly recentJobs: readonly JobInfo[];
  readonly refs: readonly {
    readonly ref: string;
    readonly commit: string | null;
    readonly indexedAtMs: number;
    readonly files: number;
  }[];
  readonly health: {
    readonly storeReadable: boolean;
    readonly vectorsAvailable: boolean;
    readonly postingsBuilt: boolean;
  };
}

export interface RememberRequest {
  readonly type: DiscoveryType;
  readonly content: string;
  readonly module?: string;
  readonly evidence?: readonly Evidence[];
  readonly session?: string;
  readonly origin?: 'agent' | 'person';
}

export interface ContextRequest {
  /** Session that asks: its own doings are no answer, and the question is noted in it. */
  readonly session?: string;
  readonly query: string;
  readonly type?: 'all' | DiscoveryType;
  readonly module?: string;
  readonly limit?: number;
  readonly explain?: boolean;
  /**
   * Throws where the question cannot be compared by meaning, instead of answering by words: not_indexed,
   * provider_unavailable, provider_misconfigured.
   */
  readonly requireVector?: boolean;
  readonly signal?: AbortSignal;
}

export interface DiscoveryFilter {
  readonly type?: KnownType;
  readonly module?: string;
  readonly limit?: number;
  /** Only recorded discoveries (true) or only mined ones (false). */
  readonly recorded?: boolean;
  /** With all of the history, however long that takes; otherwise a call reads on for a while. */
  readonly whole?: boolean;
}

/** A chunk as the index holds it, for files that others read. */
export interface ExportedChunk {
  readonly path: string;
  readonly type: ChunkType;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly language: string;
  readonly package: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly modifiedMs: number;
  /** Of a file's overview. */
  readonly counts?: FileCounts;
  /** Unit length; null where the index has no vector for it. */
  readonly vector: Float32Array | null;
}

export interface ChunkExport {
  readonly ref: string;
  readonly modelId: string;
  readonly dims: number;
  readonly indexedAtMs: number;
  /** In the order of paths; read while it is walked. */
  readonly chunks: Iterable<ExportedChunk>;
}

/** Whether an index holds what the folder holds, and whether its file is sound. */
export interface Verification {
  readonly ref: string;
  readonly fileCount: number;
  readonly chunkCount: number;
  /** The commit that was indexed, and the one the ref stands at now (the same for a work tree). */
  readonly commit: string | null;
  readonly currentCommit: string | null;
  /** Paths that differ between folder (or ref) and index, the first hundred. */
  readonly pending: readonly string[];
  /** Another version or another model made it: the same files may give something else by now. */
  readonly outdated: boolean;
  /** What is wrong with the file, in words; empty when it is sound. */
  readonly faults: readonly string[];
}

/** What a collection gave back. */
export interface Freed {
  readonly contents: number;
  readonly bytes: number;
}

export interface DroppedRef {
  readonly root: string;
  readonly ref: string;
  /** Its folder (a work tree) is there no more, or git does not know the ref any more. */
  readonly reason: 'folder_gone' | 'ref_gone';
}

export interface GarbageReport {
  readonly dropped: readonly DroppedRef[];
  /** Trees that are left, those of other work trees included. */
  readonly keptRefs: number;
  /** Contents that no tree named. */
  readonly contents: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

export interface CheckResult {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** What to do, for warn and fail. */
  readonly fix: string | null;
}

/**
 * Where a method takes the path of a project, search, locate, symbol, research, map, grep, readFile, findPaths,
 * contextSearch and remember take a scope, too (model/records/scope.ts): several repositories that are asked as one.
 */
export interface Engine extends BrowseEngine {
  /** Name of the language model that helps with expansion and synthesis; null where none is configured. */
  readonly languageModel: string | null;
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
  /** What the last list of discoveries lacks, in words. */
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
