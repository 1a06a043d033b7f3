/**
 * The public types of `sextant-mcp`; docs/api.md explains them. Written by hand, so that the public interface stays
 * small: package-entry.ts compiles only if it implements them.
 */

export interface SettingsOptions {
  /**
   * The folder of indexes and the user's config.yml. Default: the command line's own (`SEXTANT_HOME`, else the
   * platform's).
   */
  readonly dataFolder?: string | undefined;
  /** The project whose `.sextant/config.yml` is used; parent folders are searched, too. Default: the current folder. */
  readonly project?: string | undefined;
  /** Settings by the names in docs/cli.md (`'index.exclude': ['fixtures/**']`); they override files and environment. */
  readonly settings?: Readonly<Record<string, string | number | boolean | readonly string[]>> | undefined;
  /** Called with warnings and errors. Nothing is written to standard output or standard error. */
  readonly log?: Log | undefined;
}

export type Log = (
  level: 'debug' | 'info' | 'notice' | 'warn' | 'error',
  message: string,
  fields?: Record<string, unknown>,
) => void;

/** One engine serves any number of projects. Close it when you are done. */
export function createEngine(options?: SettingsOptions): Promise<Engine>;

/** The error of every failed call. `code` is one of docs/errors.md. */
export class EngineError extends Error {
  private constructor();
  readonly code: string;
  readonly fix: string;
}

/** `path` is the project's folder, absolute or relative to the current one. Methods throw EngineError. */
export interface Engine {
  /** Indexes the changed files and waits for the result. */
  index(path: string, options?: IndexOptions): Promise<IndexReport>;
  /** Watches the files until the returned function is called. */
  watch(path: string): Promise<() => Promise<void>>;
  status(path: string, ref?: string): Promise<ProjectStatus>;
  search(path: string, request: SearchRequest): Promise<SearchAnswer>;
  locate(path: string, request: LocateRequest): Promise<LocateAnswer>;
  grep(path: string, request: GrepRequest): Promise<GrepAnswer>;
  readFile(path: string, request: ReadFileRequest): Promise<ReadFileAnswer>;
  /** A map of the repository as Markdown. */
  map(path: string, options?: { readonly maxTokens?: number; readonly ref?: string }): Promise<string>;
  /** Stops background work and worker processes, closes stores. */
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
  /** The nearest names in the index, if nothing matches. */
  readonly nearestNames: readonly string[];
  /** Reasons why the answer is incomplete. */
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
  /** A regular expression in ripgrep's syntax. */
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
  /** An engine of `createEngine`; the caller closes it. */
  readonly engine: Engine;
  /** The folder of calls that name none. */
  readonly workspace?: string | undefined;
}

/** The tool sets by name (docs/mcp.md). */
export const profiles: Readonly<Record<ProfileName, (options: ProfileOptions) => Promise<Profile>>>;

export interface Profile {
  readonly name: string;
  /** For the `instructions` of your server: when an agent should use which tool. */
  readonly instructions: string;
  /** The tools in the form of `tools/list`. */
  readonly tools: readonly McpTool[];
  /**
   * Calls a tool; the result has the form of `tools/call`: arguments are checked, and a failure is a result with
   * `isError`. Throws an error with a JSON-RPC `code` if the contract requires one, and for an unknown tool unless the
   * contract has a form for that.
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
  /** The client's session: files that it read and found rank higher. Default: one per profile. */
  readonly session?: string;
  readonly onProgress?: (done: number, total?: number, message?: string) => void;
}
