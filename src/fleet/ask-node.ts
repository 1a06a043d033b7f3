/** Sends a request from a laptop to a fleet node; the laptop never talks to OpenSearch. */
import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '../model/records/engine-errors.ts';

export interface NodeAddress {
  /** The node's URL as clients know it; a trailing `/mcp` is ignored. */
  readonly url: string;
  readonly token: string | undefined;
  readonly signal?: AbortSignal;
}

export interface NodeReply {
  readonly status: number;
  readonly json: unknown;
}

const TIMEOUT_MS = 120_000;
/** A node that answers with Retry-After is asked again within this time. */
const MAX_RETRY_MS = 120_000;
const TOO_MANY = 429;

/** Sends the request. Throws fleet_unavailable without an answer in time, and fleet_refused for a rejected token. */
export async function askNode(node: NodeAddress, path: string, body: unknown): Promise<NodeReply> {
  const url = node.url.replace(/\/+$/, '').replace(/\/mcp$/, '') + path;
  const content = JSON.stringify(body);
  const until = performance.now() + MAX_RETRY_MS;
  for (;;) {
    const reply = await post(url, node, content);
    const waitMs = Number(reply.headers.get('retry-after') ?? Number.NaN) * 1000;
    if (reply.status === TOO_MANY && performance.now() + waitMs <= until) {
      await reply.body?.cancel();
      await delay(waitMs, undefined, node.signal && { signal: node.signal });
      continue;
    }
    return { status: reply.status, json: await reply.json().catch(() => null) };
  }
}

/** The error for a reply with an unexpected status. */
export function unexpectedReply({ url }: NodeAddress, { status, json }: NodeReply): EngineError {
  const { error } = (json ?? {}) as { readonly error?: unknown };
  const words = typeof error === 'string' ? `: ${error}` : '';
  return new EngineError('fleet_unavailable', { reason: `${url} answered ${status}${words}`, seconds: 15 });
}

async function post(url: string, { token, signal }: NodeAddress, body: string): Promise<Response> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  const headers = {
    'Content-Type': 'application/json',
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  };
  const reply = await fetch(url, {
    method: 'POST',
    headers,
    body,
    redirect: 'error',
    signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
  }).catch((error: Error) => {
    if (signal?.aborted) throw new EngineError('cancelled', {}, error);
    const reason = `${url} does not answer: ${error.message}`;
    throw new EngineError('fleet_unavailable', { reason, seconds: 15 }, error);
  });
  if (reply.status !== 401) return reply;
  const reason = `${url} refused the token: set the variable that fleet.token_env names (SEXTANT_FLEET_TOKEN).`;
  throw new EngineError('fleet_refused', { reason });
}
