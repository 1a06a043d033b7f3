import type { Log } from '../contracts/contract.ts';
import type { Metrics } from '../contracts/kit/metrics/call-metrics.ts';
import type { Engine } from '../engine/engine.ts';

/** The server's services for a request. */
export interface Site {
  /** 401 for an unauthenticated client: it gets the page, which asks for the token, and no answers. */
  readonly status: 200 | 401;
  readonly engine: () => Promise<Engine>;
  readonly workspace: string | null;
  /** The calls that this server has answered. */
  readonly metrics: Metrics;
  readonly log: Log;
  /** The JSON body of the request. */
  body(): Promise<unknown>;
}
