/** Questions and answers of the engine, free of any contract's wording. Profiles translate from and to these. */
import type { ChunkType, DddRole } from './chunk.ts';
import type { ImportRecord, ReferenceKind, SymbolKind, Visibility } from './symbol.ts';

export type SearchMode = 'hybrid' | 'keyword' | 'vector';
export type QueryIntent = 'symbol' | 'path' | 'error' | 'natural_language';

export interface SearchFilters {
  /** Any of KIND_ALIASES' keys or SymbolKind values. */
  readonly kinds?: readonly string[];
  /** Exact kinds, without aliases: `function` does not mean methods. */
  readonly exactKinds?: readonly SymbolKind[];
  /** A folder relative to the root. Results outside of it are left out. */
  readonly folder?: string;
  /** Globs on the path; any may match. */
  readonly paths?: readonly string[];
  readonly languages?: readonly string[];
  /** File extensions with or without the dot. */
  readonly extensions?: readonly string[];
  /** Package names as declared in the content, or folder names of a package. */
  readonly packages?: readonly string[];
  readonly module?: string;
  readonly dddRoles?: readonly DddRole[];
  readonly chunkTypes?: readonly ChunkType[];
  /** All must be present. */
  readonly tags?: readonly string[];
  readonly includeTests?: boolean;
  readonly minRelevance?: number;
  /** Filters that exclude: paths, languages, extensions, packages, tags and kinds. */
  readonly without?: Pick<SearchFilters, 'paths' | 'languages' | 'extensions' | 'packages' | 'tags' | 'kinds'>;
}

export interface SearchRequest {
  readonly query: string;
  /** Branch, tag or commit; the work tree when absent. */
  readonly ref?: string;
  readonly limit?: number;
  readonly mode?: SearchMode;
  /** 0 keyword only … 1 vectors only; the trained balance when absent. */
  readonly semanticWeight?: number;
  readonly filters?: SearchFilters;
  readonly explain?: boolean;
  /** Lines to show around each hit, as they were indexed (Hit.contextBefore, Hit.contextAfter). */
  readonly contextLines?: number;
  /** Shows the overview of a file by this many first lines of its code; without it, as a list of its symbols. */
  readonly overviewLines?: number;
  /** A hit shows the whole code of its symbol, however long. */
  readonly wholeSymbols?: boolean;
  /** Searches for related words, too, at a low weight. */
  readonly expandQuery?: boolean;
  /** Related words from the caller (the client's model), which replace the engine's own. */
  readonly expansion?: Expansion;
  readonly synthesize?: boolean;
  /** Waits at most this long until pending changes are indexed. */
  readonly waitFreshMs?: number;
  /** The client's session, which records the question and its results. */
  readonly session?: string;
  /** Answered from the index alone: the access log is neither written nor used for ranking. */
  readonly stateless?: boolean;
  /** Shows chunks as the index has them: neighbours are not joined, and no hit is reduced to the queried symbol. */
  readonly plainChunks?: boolean;
  /**
   * Ranked by the cosine with the question's vector alone, which is the score; needs `requireVector`. An engine that
   * asks several machines ranks as ever.
   */
  readonly cosineOnly?: boolean;
  /**
   * Throws where the question cannot be compared by meaning, instead of answering by words: not_indexed,
   * provider_unavailable, provider_misconfigured.
   */
  readonly requireVector?: boolean;
  readonly signal?: AbortSignal;
}

export interface Contribution {
  readonly feature: string;
  readonly value: number;
  readonly weight: number;
  readonly contribution: number;
}

/** A symbol in an answer. */
export interface SymbolInfo {
  readonly symbolId: string;
  readonly stableId: string;
  readonly name: string;
  readonly kind: SymbolKind;
  /** Module prefix from the path or package + the name in the file. */
  readonly qualifiedName: string;
  readonly signature: string;
  readonly doc: string;
  readonly visibility: Visibility;
  readonly language: string;
  readonly package: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Enclosing names, outermost first. */
  readonly breadcrumb: readonly string[];
  readonly dddRole: DddRole | null;
}

/** The imports and definitions of a file. */
export interface FileCounts {
  readonly imports: number;
  readonly types: number;
  readonly functions: number;
}

export interface Hit {
  readonly resultId: string;
  /** Global chunk id inside this store, for contracts that want a number. */
  readonly chunkId: number;
  readonly resultType: 'symbol' | 'snippet' | 'file' | 'documentation';
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly language: string;
  readonly package: string;
  readonly module: string;
  readonly chunkType: ChunkType;
  readonly title: string;
  readonly tags: readonly string[];
  /** Calibrated relevance, 0..1. */
  readonly score: number;
  readonly content: string;
  /** Set when the request asked for context lines. */
  readonly contextBefore?: string;
  readonly contextAfter?: string;
  readonly symbol: SymbolInfo | null;
  /** All symbol names in the chunk; for the overview of a file, those that it defines at its top level. */
  readonly symbolNames: readonly string[];
  /** Set for the overview of a file. */
  readonly counts?: FileCounts;
  readonly isTest: boolean;
  /** The file's time in the index. Files of a ref have no time, so it is the time of indexing. */
  readonly modifiedMs: number;
  readonly explanation?: readonly Contribution[];
}

export interface SearchAnswer {
  readonly hits: readonly Hit[];
  readonly intent: QueryIntent;
  /** The number of results that pass the filters, shown or not. */
  readonly totalCandidates: number;
  readonly durationMs: number;
  readonly cacheHit: boolean;
  /** Set if no result is above the floor: the names of the index that are nearest to the query. */
  readonly nearestNames: readonly string[];
  /** With `explain`: the related words that were searched for, too, and their weights. */
  readonly related?: readonly { readonly term: string; readonly weight: number }[];
  readonly expansion?: Expansion;
  readonly synthesis?: Synthesis;
  readonly mode: SearchMode;
  /** Limits of the answer, for people ("embedding provider down: keyword answer"). */
  readonly notices: readonly string[];
  readonly freshness: Freshness;
}

/** Results over the files that an unfinished first run has read so far. */
export interface EarlyAnswer {
  readonly answer: SearchAnswer;
  readonly filesDone: number;
  readonly filesTotal: number;
}

/** The model that was used: a configured language model, the client's own model, or the built-in rules. */
export type AssistSource = 'llm' | 'client' | 'builtin';
export interface Expansion {
  readonly source: AssistSource;
  /** The name of the configured model, if it was used. */
  readonly model?: string;
  readonly terms: readonly string[];
}
export interface Synthesis {
  readonly source: AssistSource;
  readonly model?: string;
  readonly summary: string;
  readonly followUps: readonly string[];
}

export interface Freshness {
  readonly status: 'fresh' | 'stale' | 'syncing';
  /** Changed paths that are not indexed yet, as far as they are known. */
  readonly pending: readonly string[];
  /** The ref has moved since it was indexed, or was deleted. `pending` then has the ref instead of paths. */
  readonly moved?: true;
  /** Another version of the program made the index, and may have derived other data from the same files. */
  readonly outdated?: true;
  /** Why the last run failed. */
  readonly failure?: string;
  readonly ref: string;
  readonly indexedAtMs: number;
  /** In a workspace: the repositories that did not answer, and why. */
  readonly missing?: readonly MissingRepository[];
  /** In a fleet: the commits that answer and their age, for people. */
  readonly snapshot?: string;
}

export interface MissingRepository {
  readonly name: string;
  readonly root: string;
  /** A sentence with the problem and its fix. */
  readonly reason: string;
}

export interface LocateRequest {
  /** A name, a qualified name, or a symbol_id or symbol_stable_id of an earlier answer. */
  readonly name: string;
  readonly kind?: string;
  /** Exact kinds, without aliases: `function` does not mean methods. */
  readonly exactKinds?: readonly SymbolKind[];
  readonly language?: string;
  /** A folder relative to the root. Symbols that are defined outside of it are left out. */
  readonly folder?: string;
  readonly ref?: string;
  readonly limit?: number;
  readonly includeReferences?: boolean;
  /** Returns symbols with similar names only if no symbol has the name. */
  readonly exactFirst?: boolean;
  /** Session that asks. */
  readonly session?: string;
}

export interface LocatedSymbol extends SymbolInfo {
  readonly score: number;
  readonly match: 'exact' | 'qualified' | 'prefix' | 'subword' | 'typo';
}

export interface LocateAnswer {
  readonly symbols: readonly LocatedSymbol[];
  /** The result's hit, if the requested id belongs to a result without a symbol. */
  readonly chunks: readonly Hit[];
  readonly references: readonly ReferenceSite[];
  readonly referenceCounts: ReferenceCounts;
  readonly totalCandidates: number;
  readonly nearestNames: readonly string[];
  readonly freshness: Freshness;
}

export type Confidence = 'exact' | 'likely' | 'ambiguous';

/** The number of references, including those that the answer leaves out. */
export interface ReferenceCounts extends Readonly<Record<Confidence, number>> {
  readonly total: number;
  readonly inTests: number;
  /** The number of first symbols that the references lead to, if several symbols match equally well. */
  readonly symbols: number;
}

export interface ReferenceSite {
  readonly kind: ReferenceKind;
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly confidence: Confidence;
  /** The symbol around the reference. */
  readonly from: SymbolInfo | null;
  /** The ids of the symbols that an ambiguous reference may mean. */
  readonly candidates: readonly string[];
  /** The reference is in a test. References outside of tests come first. */
  readonly isTest: boolean;
}

export interface SymbolDetail {
  readonly symbol: SymbolInfo;
  readonly source: string;
  readonly contextBefore: string;
  readonly contextAfter: string;
  readonly outline: readonly OutlineEntry[];
  readonly references: readonly ReferenceSite[];
  readonly callers: readonly ReferenceSite[];
  readonly callees: readonly { readonly site: ReferenceSite; readonly target: SymbolInfo | null }[];
  readonly implementers: readonly SymbolInfo[];
  readonly tests: readonly SymbolInfo[];
  /** The number of each, including those that the answer leaves out. */
  readonly totals: Readonly<Record<'references' | 'callers' | 'callees' | 'implementers' | 'tests', number>>;
}

export interface OutlineEntry {
  readonly symbolId: string;
  readonly name: string;
  readonly kind: SymbolKind;
  readonly signature: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly depth: number;
}

export type ResearchFocus = 'architecture' | 'dependencies' | 'patterns' | 'flow';
export interface ResearchRequest {
  readonly query: string;
  readonly ref?: string;
  readonly depth?: number;
  readonly focus?: ResearchFocus;
  readonly onHop?: (hop: number, total: number, found: number) => void;
  /** Session that asks. */
  readonly session?: string;
  readonly signal?: AbortSignal;
}
export interface ResearchEvidence {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly snippet: string;
  readonly why: string;
  readonly hop: number;
}
export interface ResearchNode {
  readonly id: string;
  readonly label: string;
  readonly kind: string;
  readonly path: string;
  readonly line: number;
  readonly hop: number;
}
export interface ResearchEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: string;
  readonly confidence: Confidence;
  readonly path: string;
  readonly line: number;
}
export interface ResearchAnswer {
  readonly question:
    | 'implementations'
    | 'callers'
    | 'callees'
    | 'path'
    | 'configuration'
    | 'dependants'
    | 'architecture'
    | 'unreferenced'
    | 'open';
  readonly summary: string;
  readonly evidence: readonly ResearchEvidence[];
  readonly nodes: readonly ResearchNode[];
  readonly edges: readonly ResearchEdge[];
  readonly cycles: readonly (readonly string[])[];
  readonly hubs: readonly { readonly id: string; readonly degree: number }[];
  readonly mermaid: string;
  readonly nextQuestions: readonly string[];
  readonly truncated: boolean;
  readonly freshness: Freshness;
}

export interface ReadFileRequest {
  readonly path: string;
  readonly startLine?: number;
  readonly endLine?: number;
  readonly outlineOnly?: boolean;
  readonly includeDependencies?: boolean;
  readonly includeDependencyContent?: boolean;
  readonly includeDependants?: boolean;
  /** Waits at most this long until the index has the current content. */
  readonly waitFreshMs?: number;
  /**
   * Why a file shall not be read, on top of the engine's own rules, or null. Asked about the path as given and as links
   * lead, with names as a careless file system compares them (lower case, without invisible characters).
   */
  readonly refuse?: (path: string) => string | null;
  /** The client's session. */
  readonly session?: string;
}
export interface FileDependency {
  readonly path: string;
  readonly type: 'import';
  readonly level: 1;
  readonly source: string;
  readonly content?: string;
  /** Empty if the index does not have the file. */
  readonly outline?: readonly OutlineEntry[];
}
export type FileRole =
  | 'core'
  | 'test'
  | 'config'
  | 'entry'
  | 'barrel'
  | 'generated'
  | 'vendored'
  | 'example'
  | 'documentation';
export interface ReadFileAnswer {
  readonly path: string;
  readonly content: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly size: number;
  readonly lines: number;
  readonly language: string;
  readonly module: string;
  readonly role: FileRole;
  readonly lastModifiedMs: number;
  /**
   * The index holds this very content: otherwise its outline, imports, dependencies and problems are not known, and
   * empty.
   */
  readonly indexed: boolean;
  readonly outline: readonly OutlineEntry[];
  readonly imports: readonly ImportRecord[];
  readonly dependencies: readonly FileDependency[];
  readonly externalDependencies: readonly string[];
  readonly dependants: readonly string[];
  /** Syntax errors, after which imports may be incomplete. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
  /** In a fleet: the commits that answer and their age, for people. */
  readonly snapshot?: string;
}

export interface GrepRequest {
  readonly pattern: string;
  readonly filePattern?: string;
  /** `smart`: sensitive unless all letters of the pattern are lower case. Default: false. */
  readonly caseSensitive?: boolean | 'smart';
  readonly literal?: boolean;
  readonly limit?: number;
  readonly contextLines?: number;
  /** Names of folders to skip, besides the ignore rules. */
  readonly exclude?: readonly string[];
  readonly signal?: AbortSignal;
}
export interface GrepMatch {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}
export interface GrepAnswer {
  readonly matches: readonly GrepMatch[];
  readonly totalMatches: number;
  readonly filesSearched: number;
  readonly filesMatched: number;
  readonly durationMs: number;
  readonly truncated: boolean;
  /** In a fleet: the commits that answer and their age, for people. */
  readonly snapshot?: string;
}
