/**
 * Answers for a person who reads the repository: its files, the symbols behind the identifiers of a file, its modules,
 * its history.
 */
import type { Discovery } from './discovery.ts';
import type { Confidence, SymbolInfo } from './query.ts';

export interface FileSummary {
  readonly path: string;
  readonly language: string;
  readonly lines: number;
  readonly bytes: number;
  readonly isTest: boolean;
}

/** An identifier in a file and what it means. */
export interface IdentifierLink {
  readonly line: number;
  /** 1-based, UTF-16. */
  readonly column: number;
  readonly length: number;
  /** Indexes into `IdentifierLinks.symbols`; several if the reference is ambiguous. */
  readonly targets: readonly number[];
  /** The file that the import leads to, if the link is the source of an import. */
  readonly path?: string;
  readonly confidence: Confidence;
  /** The identifier is the name of a definition, which is its own target. */
  readonly isDefinition: boolean;
}

export interface IdentifierLinks {
  readonly symbols: readonly SymbolInfo[];
  /** Sorted by position, without overlaps. */
  readonly links: readonly IdentifierLink[];
}

export interface LineHistoryRequest {
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly signal?: AbortSignal;
}

export interface LineCommit {
  /** Null for lines that are not committed yet. */
  readonly id: string | null;
  readonly author: string;
  readonly dateMs: number;
  readonly subject: string;
  /** The number of lines that this commit changed last. */
  readonly lines: number;
}

/** The commits that last changed the lines, and the discoveries about them. */
export interface LineHistory {
  /** Newest first; empty outside of a git repository. */
  readonly commits: readonly LineCommit[];
  readonly discoveries: readonly Discovery[];
}

/** A symbol at the other end of calls. */
export interface CallNeighbour {
  /** Null if the calls are outside of all symbols, in the file of the sites. */
  readonly symbol: SymbolInfo | null;
  /** The symbol calls itself. */
  readonly isSelf: boolean;
  /** The confidence of the surest call. */
  readonly confidence: Confidence;
  /** The first few sites. */
  readonly sites: readonly { readonly path: string; readonly line: number }[];
  readonly count: number;
}

export interface CallNeighbours {
  readonly symbol: SymbolInfo;
  /** Sorted by confidence; then code before tests; then by the number of calls. */
  readonly callers: readonly CallNeighbour[];
  readonly callees: readonly CallNeighbour[];
}

export interface MapModule {
  readonly name: string;
  readonly files: number;
  readonly lines: number;
  /** Share of the PageRank of all modules, from 0 to 1. */
  readonly rank: number;
  /** The file with references from the most other files. */
  readonly topFile: string;
  /** The longest folder that all of its files share; '' for the root. */
  readonly folder: string;
}

export interface MapDependency {
  readonly from: string;
  readonly to: string;
  /** The number of imports, or of references in a language without imports. */
  readonly count: number;
  /** The first place of the dependency. */
  readonly path: string;
  readonly line: number;
}

export interface CentralFile {
  readonly path: string;
  readonly rank: number;
  readonly lines: number;
  readonly symbols: readonly { readonly name: string; readonly line: number; readonly signature: string }[];
}

export interface RepositoryMap {
  readonly title: string;
  /** The most central module comes first. */
  readonly modules: readonly MapModule[];
  /** The number of modules that are not listed. */
  readonly moreModules: number;
  readonly dependencies: readonly MapDependency[];
  /** Groups of modules that depend on one another. */
  readonly cycles: readonly (readonly string[])[];
  readonly entryPoints: readonly string[];
  readonly centralFiles: readonly CentralFile[];
  /** The time was over before the dependencies of all files were found. */
  readonly partial: boolean;
}

export interface ActivityDay {
  /** 00:00 UTC. */
  readonly startMs: number;
  readonly commits: number;
  readonly added: number;
  readonly removed: number;
}

/** Growth and change of the project, from git's history. */
export interface RepositoryActivity {
  /** The oldest day comes first; days without a commit are left out. */
  readonly days: readonly ActivityDay[];
  readonly commits: number;
  /** The files with the number of these commits that changed them, most changed first. */
  readonly changedFiles: readonly { readonly path: string; readonly commits: number }[];
  /** The modules of the index, in the same way. */
  readonly changedModules: readonly { readonly name: string; readonly commits: number }[];
  /** The time was over before the oldest commits were read. */
  readonly partial: boolean;
}

export interface KnownProject {
  readonly root: string;
  readonly name: string;
  /** Where agents reach it on the server that lists it. */
  readonly mcpPath: string;
}
