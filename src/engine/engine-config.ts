/**
 * The engine's settings, filled in by the composition root. Plain values: the engine reads neither the environment nor
 * configuration files.
 */
import type { Embedder } from '../embed/embedder.ts';
import type { LanguageModel } from '../embed/index.ts';
import type { DeriverSetup } from '../indexing/index.ts';
import type { Scope } from '../model/records/scope.ts';
import type { WalkOptions } from '../walk/index.ts';
import type { WorkspaceMember } from './engine.ts';

export interface EngineConfig {
  /** The user's data folder; stores are in `projects/` inside it. */
  readonly home: string;
  /** Script of the worker processes, folders of grammars, queries and models. */
  readonly workerEntry: string;
  readonly grammarFolder: string;
  readonly queryFolder: string;
  readonly modelFolder: string;
  /** Short-lived commands set this: a few small changes are derived in this process, without starting a worker. */
  readonly inline: boolean;
  readonly index: IndexDefaults;
  /** The configured embedding provider; null for the built-in model. */
  readonly provider: Embedder | null;
  /** Upper bound of the score that recently read or found files gain; 0 turns it off. */
  readonly contextBound?: number;
  /** Replaces access tokens in indexed and shown text by a marker. On by default. */
  readonly redact?: boolean;
  /** The configured language model for expansion and synthesis; null for the built-in methods. */
  readonly languageModel?: LanguageModel | null;
  /**
   * Projects change only when their owner publishes a snapshot (a fleet node), so the index is always fresh and no call
   * looks for changes.
   */
  readonly frozen?: boolean;
  /** Resolves a scope to named repositories; without it, the workspaces of the data folder are used. */
  readonly membersOf?: (scope: Scope) => readonly WorkspaceMember[];
}

export function isRedacting({ redact }: Pick<EngineConfig, 'redact'>): boolean {
  return redact ?? true;
}

/** Default of `contextBound`: about a tenth of the score difference between a first and a second place. */
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

/** The settings that workers derive blobs by. */
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
