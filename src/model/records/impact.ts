/** The impact of a change: the change itself as git reports it, and the answer about it. */
import type { Confidence, Freshness } from './query.ts';
import type { SymbolKind } from './symbol.ts';

/** First and last line, both included. */
export type LineRange = readonly [first: number, last: number];

export interface FileChange {
  /** The path on the new side; of a deleted file, its old one. */
  readonly path: string;
  readonly oldPath: string | null;
  /** `named`: the request names these lines; nothing has changed yet. */
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'named';
  readonly isBinary: boolean;
  /** Lines of the new side that were added or rewritten. */
  readonly added: readonly LineRange[];
  /** Lines of the new side right before which others were taken away; 0 stands for the beginning of the file. */
  readonly cuts: readonly number[];
  /** Lines of the old side that are gone, as text. */
  readonly removed: readonly string[];
}

export interface Diff {
  readonly files: readonly FileChange[];
  /** Files that changed besides those: the diff was longer than is read. */
  readonly moreFiles: number;
}

export interface ImpactRequest {
  /** A symbol (name, qualified name or id), FILE, FILE:LINE or FILE:FIRST-LAST. */
  readonly target?: string;
  /** REV (the files as they are against it), A..B, A...B, or REV^! for what one commit changed. */
  readonly diff?: string;
  /** The staged changes against HEAD. */
  readonly staged?: boolean;
  /** The indexed ref to look for dependants and tests in; the files as they are without it. */
  readonly ref?: string;
  readonly signal?: AbortSignal;
}

export interface ChangedSummary {
  readonly path: string;
  readonly oldPath: string | null;
  readonly status: FileChange['status'];
  readonly module: string;
  readonly isTest: boolean;
  /** Why nothing is known of its symbols; null where something is. */
  readonly remark: string | null;
}

export interface TouchedSymbol {
  /** Null for what is gone. */
  readonly symbolId: string | null;
  readonly name: string;
  readonly kind: SymbolKind;
  readonly path: string;
  /** Of the definition; of what is gone, 0. */
  readonly line: number;
  readonly change: 'changed' | 'added' | 'removed' | 'named';
  readonly isTest: boolean;
}

/** A place that uses something touched. */
export interface Dependant {
  /** The touched symbol it uses. */
  readonly uses: string;
  /** The symbol around the place; '' outside of all. */
  readonly from: string;
  readonly symbolId: string | null;
  readonly path: string;
  readonly line: number;
  /** `unresolved`: the place has the name, and nothing tells what it means. */
  readonly confidence: Confidence | 'unresolved';
  /** 1: uses it directly; 2: uses what uses it. */
  readonly hop: number;
}

export interface DependantModule {
  readonly module: string;
  readonly exact: number;
  readonly likely: number;
  readonly ambiguous: number;
  readonly unresolved: number;
  /** The surest first. */
  readonly places: readonly Dependant[];
}

/** A sign that a test has to do with a change. */
export interface TestReason {
  readonly kind: string;
  /** From 0 to 1. */
  readonly strength: number;
  readonly description: string;
}

export interface TestToRun {
  readonly path: string;
  /** Test functions that lead to the change, as far as they are known; empty means the whole file. */
  readonly names: readonly string[];
  /** The strongest first. */
  readonly reasons: readonly TestReason[];
  /** From 0 to 1; they are in this order. */
  readonly score: number;
}

export interface TestCommand {
  /** "pytest", "go test". */
  readonly runner: string;
  /** To be run at the root of the project. */
  readonly line: string;
}

/** A file that used to change in the same commits. */
export interface Companion {
  readonly path: string;
  /** Commits in which both changed, of those in which the changed file did. */
  readonly together: number;
  readonly commits: number;
  /** The changed file that it goes with. */
  readonly with: string;
}

export interface ImpactAnswer {
  /** The change in words: "the work tree against HEAD". */
  readonly change: string;
  readonly files: readonly ChangedSummary[];
  readonly moreFiles: number;
  readonly symbols: readonly TouchedSymbol[];
  readonly modules: readonly DependantModule[];
  /** Tests to run, the likeliest to tell something first. */
  readonly tests: readonly TestToRun[];
  /** Tests that may reach the change besides those named. */
  readonly moreTests: number;
  /** Files of tests in the index. */
  readonly suiteFiles: number;
  readonly commands: readonly TestCommand[];
  readonly companions: readonly Companion[];
  /** Commits that were looked at for companions; 0 without a history. */
  readonly commitsRead: number;
  /** Sentences that say what the answer lacks. */
  readonly notices: readonly string[];
  readonly nextSteps: readonly string[];
  readonly freshness: Freshness;
}
