/** Requests to a project's memory. */
import type { DiscoveryType, Evidence, KnownType } from '../../model/records/discovery.ts';

export interface RememberRequest {
  readonly type: DiscoveryType;
  readonly content: string;
  readonly module?: string;
  readonly evidence?: readonly Evidence[];
  readonly session?: string;
  readonly origin?: 'agent' | 'person';
  /** Of a fleet: the subject that records. */
  readonly author?: string;
}

export interface ContextRequest {
  /** Session that asks: its own doings are no answer, and the question is noted in it. */
  readonly session?: string;
  readonly query: string;
  readonly type?: 'all' | DiscoveryType;
  readonly module?: string;
  readonly limit?: number;
  readonly explain?: boolean;
  /**
   * Throws where the question cannot be compared by meaning, instead of answering by words: not_indexed,
   * provider_unavailable, provider_misconfigured.
   */
  readonly requireVector?: boolean;
  readonly signal?: AbortSignal;
}

export interface DiscoveryFilter {
  readonly type?: KnownType;
  readonly module?: string;
  readonly limit?: number;
  /** Only recorded discoveries (true) or only mined ones (false). */
  readonly recorded?: boolean;
  /** With all of the history, however long that takes; otherwise a call reads on for a while. */
  readonly whole?: boolean;
}
