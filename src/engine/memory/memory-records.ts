/** Requests to a project's memory. */
import type { DiscoveryType, Evidence, KnownType } from '../../model/records/discovery.ts';

export interface RememberRequest {
  readonly type: DiscoveryType;
  readonly content: string;
  readonly module?: string;
  readonly evidence?: readonly Evidence[];
  readonly session?: string;
  readonly origin?: 'agent' | 'person';
  /** On a fleet node: the subject that records it. */
  readonly author?: string;
}

export interface ContextRequest {
  /** The asking session: it is no result itself, and the query is recorded in it. */
  readonly session?: string;
  readonly query: string;
  readonly type?: 'all' | DiscoveryType;
  readonly module?: string;
  readonly limit?: number;
  readonly explain?: boolean;
  /** Throws not_indexed, provider_unavailable or provider_misconfigured instead of falling back to keywords. */
  readonly requireVector?: boolean;
  readonly signal?: AbortSignal;
}

export interface DiscoveryFilter {
  readonly type?: KnownType;
  readonly module?: string;
  readonly limit?: number;
  /** Only recorded discoveries (true) or only mined ones (false). */
  readonly recorded?: boolean;
  /** Reads the whole history, however long it takes; otherwise a call reads a part and the next continues. */
  readonly whole?: boolean;
}
