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
  /** Indexes into `IdentifierLinks.symbols`; several where the reference is ambiguous. */
  readonly targets: readonly number[];
  /** The file that an import leads to, where the link is the source of an import. */
  readonly path?: string;
  readonly confidence: Confidence;
  /** The identifier is the name of a definition: its target is itself. */
  readonly isDefinition: boolean;
}

export interface IdentifierLinks {
  readonly symbols: readonly SymbolInfo[];
  /** Ordered by place; no two overlap. */
  readonly links: readonly IdentifierLink[];
}

export interface LineHistoryRequest {
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly signal?: AbortSignal;
}

export interface LineCommit {
  /** Null: the lines are not committed yet. */
  readonly id: string | null;
  readonly author: string;
  readonly dateMs: number;
  readonly subject: string;
  /** Lines of the range that this commit wrote last. */
  readonly lines: number;
}

/** Why the lines are as they are: the commits that last wrote them, and what is remembered about them. */
export interface LineHistory {
  /** Newest first; empty outside of a git repository. */
  readonly commits: readonly LineCommit[];
  readonly discoveries: readonly Discovery[];
}

/** A symbol at the other end of calls. */
export interface CallNeighbour {
  /** Null: the calls stand outside of all symbols, in the file of the sites. */
  readonly symbol: SymbolInfo | null;
  /** The symbol calls itself. */
  readonly isSelf: boolean;
  /** Of the surest call. */
  readonly confidence: Confidence;
  /** The first few. */
  readonly sites: readonly { readonly path: string; readonly line: number }[];
  readonly count: number;
}

export interface CallNeighbours {
  readonly symbol: SymbolInfo;
  /** Surest first, then the program before its tests, then by number. */
  readonly callers: readonly CallNeighbour[];
  readonly callees: readonly CallNeighbour[];
}

export interface MapModule {
  readonly name: string;
  readonly files: number;
  readonly lines: number;
  /** Share of the PageRank of all modules, from 0 to 1. */
  readonly rank: number;
  /** The file that most others refer to. */
  readonly topFile: string;
  /** The longest folder that all of its files share; '' for the root. */
  readonly folder: string;
}

export interface MapDependency {
  readonly from: string;
  readonly to: string;
  /** Imports, or names where the language needs no imports. */
  readonly count: number;
  /** The first place that shows it. */
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
  /** Most central first. */
  readonly modules: readonly MapModule[];
  /** Modules that are not listed, for there are too many. */
  readonly moreModules: number;
  readonly dependencies: readonly MapDependency[];
  /** Groups of modules that depend on one another. */
  readonly cycles: readonly (readonly string[])[];
  readonly entryPoints: readonly string[];
  readonly centralFiles: readonly CentralFile[];
  /** The dependencies are those of a part of the files: there was no time for all. */
  readonly partial: boolean;
}

export interface ActivityDay {
  /** 00:00 UTC. */
  readonly startMs: number;
  readonly commits: number;
  readonly added: number;
  readonly removed: number;
}

/** Growth and change as the git history shows them. */
export interface RepositoryActivity {
  /** Oldest first; days without a commit are left out. */
  readonly days: readonly ActivityDay[];
  readonly commits: number;
  /** Files by how many of these commits changed them, most changed first. */
  readonly changedFiles: readonly { readonly path: string; readonly commits: number }[];
  /** Modules of the index in the same way. */
  readonly changedModules: readonly { readonly name: string; readonly commits: number }[];
  /** Older commits were not read: there was no time for them. */
  readonly partial: boolean;
}

export interface KnownProject {
  readonly root: string;
  readonly name: string;
  /** Where agents reach it on the server that lists it. */
  readonly mcpPath: string;
}
