/**
 * What the engine is given by the composition root. Plain values: the engine reads no environment and no files of
 * configuration.
 */
import type { Embedder } from '../embed/embedder.ts';
import type { LanguageModel } from '../embed/index.ts';
import type { DeriverSetup } from '../indexing/index.ts';
import type { Scope } from '../model/records/scope.ts';
import type { WalkOptions } from '../walk/index.ts';
import type { WorkspaceMember } from './engine.ts';

export interface EngineConfig {
  /** Data folder of the user; stores live in `projects/` below it. */
  readonly home: string;
  /** Script of the worker processes, folders of grammars, queries and models. */
  readonly workerEntry: string;
  readonly grammarFolder: string;
  readonly queryFolder: string;
  readonly modelFolder: string;
  /** Derive a handful of small changes in this process instead of starting a worker: for short-lived commands. */
  readonly inline: boolean;
  readonly index: IndexDefaults;
  /** A configured embedding provider; null: the built-in model. */
  readonly provider: Embedder | null;
  /** The most that files read or found lately are raised by in a ranking; 0: not at all. */
  readonly contextBound?: number;
  /** Access tokens in files are marked instead of shown and indexed, unless this is false. */
  readonly redact?: boolean;
  /** A configured language model for expansion and synthesis; without one, what is built in. */
  readonly languageModel?: LanguageModel | null;
  /**
   * Every project is a copy that only its owner writes and publishes: the index always matches it, so no call looks for
   * changes.
   */
  readonly frozen?: boolean;
  /** Which repositories a scope means, under which names; without it, the workspaces of the data folder say so. */
  readonly membersOf?: (scope: Scope) => readonly WorkspaceMember[];
}

export function isRedacting({ redact }: Pick<EngineConfig, 'redact'>): boolean {
  return redact ?? true;
}

/**
 * What the current work may add to a file's score when nothing else is said: about a tenth of what tells a first from a
 * second place.
 */
export const CONTEXT_BOUND = 0.1;

export type IndexDefaults = Pick<
  WalkOptions,
  'includeTests' | 'includeVendor' | 'includeGenerated' | 'exclude' | 'include' | 'maxFileBytes'
>;

export const INDEX_DEFAULTS: IndexDefaults = {
  includeTests: true,
  includeVendor: false,
  includeGenerated: false,
  exclude: [],
  include: [],
  maxFileBytes: 1024 * 1024,
};

/** The settings that decide what workers derive. */
export function deriverSetup(config: EngineConfig): DeriverSetup {
  return {
    grammarFolder: config.grammarFolder,
    queryFolder: config.queryFolder,
    maxFileBytes: config.index.maxFileBytes,
    modelFolder: config.provider ? null : config.modelFolder,
    includeGenerated: config.index.includeGenerated,
    redact: isRedacting(config),
  };
}
