import type { Contribution } from './query.ts';

/** Discoveries: recorded by agents and people, or mined from the repository. */
export const DISCOVERY_TYPES = ['pattern', 'rule', 'decision', 'issue'] as const;
export type DiscoveryType = (typeof DISCOVERY_TYPES)[number];
/** The type of text that gives orders to a language model: it is data, never a rule of the project. */
export const UNTRUSTED_INSTRUCTION = 'untrusted_instruction';
export type KnownType = DiscoveryType | typeof UNTRUSTED_INSTRUCTION;

export interface Evidence {
  readonly path?: string;
  readonly startLine?: number;
  readonly endLine?: number;
  readonly commit?: string;
}

export interface Discovery {
  readonly id: string;
  readonly type: KnownType;
  readonly content: string;
  readonly module: string;
  readonly session: string;
  readonly dateMs: number;
  /** 'agent', 'person', or the source of a mined one: 'adr', 'guide', 'config', 'comment', 'commit', 'code'. */
  readonly origin: string;
  /** The user who recorded it, in a fleet. */
  readonly author?: string;
  /** 1 for a recorded discovery; lower for a mined one. */
  readonly confidence: number;
  readonly evidence: readonly Evidence[];
  /** Ids of discoveries that this one contradicts or replaces. */
  readonly contradicts: readonly string[];
  readonly supersededBy: string | null;
  /** The status that a mined decision record states: "Accepted", "Superseded by ADR 32". */
  readonly status?: string;
  /** Earlier wordings of the statement, if it was recorded again in other words. */
  readonly formerly?: string;
}

/** The fields of a discovery that may be changed; absent fields stay. */
export interface DiscoveryChanges {
  readonly type?: DiscoveryType;
  readonly content?: string;
  readonly module?: string;
  readonly evidence?: readonly Evidence[];
  /** The id of the discovery that replaces this one; null for none. */
  readonly supersededBy?: string | null;
}

/** The result of an import: how many discoveries were added, updated or refused. */
export interface ImportReport {
  readonly created: number;
  readonly updated: number;
  /** Discoveries that were known in this or a newer state. */
  readonly unchanged: number;
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

export interface ContextResult {
  readonly id: string;
  readonly type: KnownType | 'session' | 'code';
  readonly content: string;
  readonly module: string;
  readonly session: string;
  readonly dateMs: number;
  readonly score: number;
  readonly source: 'discovery' | 'session' | 'code';
  readonly evidence: readonly Evidence[];
  /** The next four are set for discoveries only. */
  readonly status?: string;
  readonly supersededBy?: string;
  readonly author?: string;
  readonly contradicts?: readonly string[];
  /** The parts of the score, if the request asked for them. */
  readonly explanation?: readonly Contribution[];
}

export interface ContextAnswer {
  readonly results: readonly ContextResult[];
  readonly totalFound: number;
  /** Limits of the answer, for people ("embedding provider down: keyword answer"). */
  readonly notices: readonly string[];
  readonly durationMs: number;
  /** In a fleet: the commits that answer and their age, for people. */
  readonly snapshot?: string;
}

/** A file of the memory that is not shown, with the reason. */
export interface SkippedMemory {
  readonly file: string;
  readonly reason: string;
}
