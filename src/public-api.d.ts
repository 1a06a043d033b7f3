/**
 * The types of `sextant-mcp` for those who import it; docs/api.md explains them. Kept by hand, so that what is promised
 * is small: package-entry.ts does not compile where it keeps less.
 */

export interface SettingsOptions {
  /**
   * Where indexes and the user's config.yml live. Default: the command line's own (`SEXTANT_HOME`, else the
   * platform's).
   */
  readonly dataFolder?: string | undefined;
  /** The folder whose `.sextant/config.yml` counts, or that of a folder above it. Default: the current folder. */
  readonly project?: string | undefined;
  /** Settings by the names of docs/cli.md (`'index.exclude': ['fixtures/**']`): they win over files and environment. */
  readonly settings?: Readonly<Record<string, string | number | boolean | readonly string[]>> | undefined;
  /** Hears warnings and faults. Nothing is written to standard output or standard error. */
  readonly log?: Log | undefined;
}

export type Log = (
  level: 'debug' | 'info' | 'notice' | 'warn' | 'error',
  message: string,
  fields?: Record<string, unknown>,
) => void;

/** One engine serves any number of projects. Close it when you are done. */
export function createEngine(options?: SettingsOptions): Promise<Engine>;

/** Every failure of the engine. `code` is one of docs/errors.md. */
export class EngineError extends Error {
  private constructor();
  readonly code: string;
  readonly fix: string;
}

/** `path` is the project's folder, absolute or relative to the current one. Methods throw EngineError. */
export interface Engine {
  /** Indexes what changed and waits for it. */
  index(path: string, options?: IndexOptions): Promise<IndexReport>;
  /** Follows changes of the files until the returned function is called. */
  watch(path: string): Promise<() => Promise<void>>;
  status(path: string, ref?: string): Promise<ProjectStatus>;
  search(path: string, request: SearchRequest): Promise<SearchAnswer>;
  locate(path: string, request: LocateRequest): Promise<LocateAnswer>;
  grep(path: string, request: GrepRequest): Promise<GrepAnswer>;
  readFile(path: string, request: ReadFileRequest): Promise<ReadFileAnswer>;
  /** The repository on a page, as Markdown. */
  map(path: string, options?: { readonly maxTokens?: number; readonly ref?: string }): Promise<string>;
  /** Ends background work and worker processes, closes stores. */
  close(): Promise<void>;
}

export interface IndexOptions {
  readonly force?: boolean;
  /** A branch, tag or commit; the work tree when absent. */
  readonly ref?: string;
  readonly onProgress?: (progress: {
    readonly phase: 'walk' | 'parse' | 'embed' | 'publish' | 'done';
    readonly done: number;
    readonly total: number;
  }) => void;
  readonly signal?: AbortSignal;
}
export interface IndexReport {
  readonly ref: string;
  readonly mode: 'full' | 'incremental';
  readonly filesTotal: number;
  readonly filesIndexed: number;
  readonly filesFailed: number;
  readonly symbolCount: number;
  readonly chunkCount: number;
  readonly durationMs: number;
}
export interface ProjectStatus {
  readonly ref: string;
  readonly indexing: 'not_indexed' | 'indexing' | 'ready' | 'failed';
  readonly freshness: 'fresh' | 'stale' | 'syncing';
  readonly pending: readonly string[];
  readonly fileCount: number;
  readonly symbolCount: number;
}

export interface SearchRequest {
  readonly query: string;
  readonly limit?: number;
  readonly mode?: 'hybrid' | 'keyword' | 'vector';
  readonly ref?: string;
  readonly filters?: {
    /** Globs; any may match. */
    readonly paths?: readonly string[];
    readonly languages?: readonly string[];
    readonly kinds?: readonly string[];
    readonly includeTests?: boolean;
  };
  readonly signal?: AbortSignal;
}
export interface SearchAnswer {
  readonly hits: readonly Hit[];
  /** The nearest names of the index where nothing matches. */
  readonly nearestNames: readonly string[];
  /** Why the answer is less than was asked for. */
  readonly notices: readonly string[];
  readonly freshness: Freshness;
}
export interface Hit {
  readonly resultId: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly language: string;
  readonly title: string;
  /** Calibrated relevance, 0 to 1. */
  readonly score: number;
  readonly content: string;
  readonly symbol: CodeSymbol | null;
}
export interface Freshness {
  readonly status: 'fresh' | 'stale' | 'syncing';
  readonly pending: readonly string[];
}

export interface CodeSymbol {
  readonly symbolId: string;
  readonly name: string;
  readonly qualifiedName: string;
  readonly kind: string;
  readonly signature: string;
  readonly doc: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}
export interface LocateRequest {
  /** A name, a qualified name, or an id of an earlier answer. */
  readonly name: string;
  readonly kind?: string;
  readonly limit?: number;
  readonly ref?: string;
  readonly includeReferences?: boolean;
}
export interface LocateAnswer {
  readonly symbols: readonly (CodeSymbol & { readonly score: number })[];
  readonly references: readonly {
    readonly kind: string;
    readonly path: string;
    readonly line: number;
    readonly text: string;
    readonly confidence: 'exact' | 'likely' | 'ambiguous';
  }[];
  readonly nearestNames: readonly string[];
  readonly freshness: Freshness;
}

export interface GrepRequest {
  /** A regular expression in the words of ripgrep. */
  readonly pattern: string;
  readonly literal?: boolean;
  /** `smart`: sensitive unless the pattern is all lower case. Default: false. */
  readonly caseSensitive?: boolean | 'smart';
  /** A glob on paths. */
  readonly filePattern?: string;
  readonly limit?: number;
  readonly contextLines?: number;
  readonly signal?: AbortSignal;
}
export interface GrepAnswer {
  readonly matches: readonly { readonly path: string; readonly line: number; readonly text: string }[];
  readonly totalMatches: number;
  readonly truncated: boolean;
}

export interface ReadFileRequest {
  readonly path: string;
  readonly startLine?: number;
  readonly endLine?: number;
}
export interface ReadFileAnswer {
  readonly path: string;
  readonly content: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly lines: number;
  readonly language: string;
}

export type ProfileName = 'sextant' | 'gocontext' | 'context-tool' | 'codecompass' | 'swiftindex' | 'cortex';

export interface ProfileOptions extends SettingsOptions {
  /** Made by `createEngine`; it stays yours to close. */
  readonly engine: Engine;
  /** The folder that is meant by calls that name none. */
  readonly workspace?: string | undefined;
}

/** One set of tools by name (docs/mcp.md). */
export const profiles: Readonly<Record<ProfileName, (options: ProfileOptions) => Promise<Profile>>>;

export interface Profile {
  readonly name: string;
  /** For the `instructions` of your server: when an agent should use which tool. */
  readonly instructions: string;
  /** As `tools/list` shows them. */
  readonly tools: readonly McpTool[];
  /**
   * As `tools/call` answers: arguments are checked, and what fails is an answer with `isError`. Throws an error with a
   * JSON-RPC `code` where the contract asks for one, and for an unknown name unless the contract words that, too.
   */
  call(name: string, args?: unknown, options?: ToolCallOptions): Promise<McpToolResult>;
  close(): Promise<void>;
}
export interface McpTool {
  name: string;
  title?: string;
  description: string;
  inputSchema: { type: 'object'; [key: string]: unknown };
  outputSchema?: { type: 'object'; [key: string]: unknown };
  annotations?: { [key: string]: unknown };
  [key: string]: unknown;
}
export interface McpToolResult {
  content: { type: string; [key: string]: unknown }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  [key: string]: unknown;
}
export interface ToolCallOptions {
  readonly signal?: AbortSignal;
  /** The client's session: what an agent read and found in it raises what is near. Default: one per profile. */
  readonly session?: string;
  readonly onProgress?: (done: number, total?: number, message?: string) => void;
}
