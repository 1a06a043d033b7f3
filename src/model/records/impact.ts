/** The impact of a change: the change itself as git reports it, and the answer about it. */
import type { Confidence, Freshness } from './query.ts';
import type { SymbolKind } from './symbol.ts';

/** First and last line, both included. */
export type LineRange = readonly [first: number, last: number];

export interface FileChange {
  /** The new path; for a deleted file, its old path. */
  readonly path: string;
  readonly oldPath: string | null;
  /** `named`: the request names these lines; nothing has changed yet. */
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'named';
  readonly isBinary: boolean;
  /** Lines of the new version that were added or changed. */
  readonly added: readonly LineRange[];
  /** Lines of the new version after which lines were removed; 0 is the beginning of the file. */
  readonly cuts: readonly number[];
  /** The text of the lines that were removed from the old version. */
  readonly removed: readonly string[];
}

export interface Diff {
  readonly files: readonly FileChange[];
  /** The number of further changed files: the diff was too long to read. */
  readonly moreFiles: number;
}

export interface ImpactRequest {
  /** A symbol (name, qualified name or id), FILE, FILE:LINE or FILE:FIRST-LAST. */
  readonly target?: string;
  /** REV (compared with the files on disk), A..B, A...B, or REV^! for the changes of one commit. */
  readonly diff?: string;
  /** The staged changes against HEAD. */
  readonly staged?: boolean;
  /** The indexed ref in which to search for dependants and tests; by default the work tree. */
  readonly ref?: string;
  readonly signal?: AbortSignal;
}

export interface ChangedSummary {
  readonly path: string;
  readonly oldPath: string | null;
  readonly status: FileChange['status'];
  readonly module: string;
  readonly isTest: boolean;
  /** Why the file's symbols are not known; null if they are. */
  readonly remark: string | null;
}

export interface TouchedSymbol {
  /** Null for a removed symbol. */
  readonly symbolId: string | null;
  readonly name: string;
  readonly kind: SymbolKind;
  readonly path: string;
  /** The line of the definition; 0 for a removed symbol. */
  readonly line: number;
  readonly change: 'changed' | 'added' | 'removed' | 'named';
  readonly isTest: boolean;
}

/** A place that uses a touched symbol. */
export interface Dependant {
  /** The touched symbol that the place uses. */
  readonly uses: string;
  /** The symbol around the place; '' outside of all. */
  readonly from: string;
  readonly symbolId: string | null;
  readonly path: string;
  readonly line: number;
  /** `unresolved`: the place has the symbol's name, but the reference could not be resolved. */
  readonly confidence: Confidence | 'unresolved';
  /** 1: uses the symbol directly; 2: uses a symbol that uses it. */
  readonly hop: number;
}

export interface DependantModule {
  readonly module: string;
  readonly exact: number;
  readonly likely: number;
  readonly ambiguous: number;
  readonly unresolved: number;
  /** The surest place comes first. */
  readonly places: readonly Dependant[];
}

/** Evidence that a test covers a change. */
export interface TestReason {
  readonly kind: string;
  /** From 0 to 1. */
  readonly strength: number;
  readonly description: string;
}

export interface TestToRun {
  readonly path: string;
  /** The test functions that reach the change, as far as they are known; empty for the whole file. */
  readonly names: readonly string[];
  /** The strongest evidence comes first. */
  readonly reasons: readonly TestReason[];
  /** From 0 to 1. Tests are sorted by it. */
  readonly score: number;
}

export interface TestCommand {
  /** "pytest", "go test". */
  readonly runner: string;
  /** To be run at the root of the project. */
  readonly line: string;
}

/** A file that often changed in the same commits. */
export interface Companion {
  readonly path: string;
  /** The number of commits that changed both files, of those that changed the changed file. */
  readonly together: number;
  readonly commits: number;
  /** The changed file. */
  readonly with: string;
}

export interface ImpactAnswer {
  /** The two compared states: "the work tree against HEAD". */
  readonly change: string;
  readonly files: readonly ChangedSummary[];
  readonly moreFiles: number;
  readonly symbols: readonly TouchedSymbol[];
  readonly modules: readonly DependantModule[];
  /** The tests to run, most likely ones first. */
  readonly tests: readonly TestToRun[];
  /** The number of further tests that may reach the change. */
  readonly moreTests: number;
  /** The number of test files in the index. */
  readonly suiteFiles: number;
  readonly commands: readonly TestCommand[];
  readonly companions: readonly Companion[];
  /** The number of commits that were searched for companions; 0 without a history. */
  readonly commitsRead: number;
  /** Limits of the answer, in sentences. */
  readonly notices: readonly string[];
  readonly nextSteps: readonly string[];
  readonly freshness: Freshness;
}
