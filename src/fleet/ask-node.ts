/** A request to a node of a fleet from a laptop, which knows nothing of its OpenSearch. */
import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '../model/records/engine-errors.ts';

export interface NodeAddress {
  /** Of a node, as clients know it; `/mcp` behind it is left out. */
  readonly url: string;
  readonly token: string | undefined;
  readonly signal?: AbortSignal;
}

export interface NodeReply {
  readonly status: number;
  readonly json: unknown;
}

const TIMEOUT_MS = 120_000;
/** A node that says when to come back is asked again for so long. */
const PATIENCE_MS = 120_000;
const TOO_MANY = 429;

/** Throws fleet_unavailable where nothing answers in time, and fleet_refused for a token that is not taken. */
export async function askNode(node: NodeAddress, path: string, body: unknown): Promise<NodeReply> {
  const url = node.url.replace(/\/+$/, '').replace(/\/mcp$/, '') + path;
  const content = JSON.stringify(body);
  const until = performance.now() + PATIENCE_MS;
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

/** For a reply of a status that the caller has no use for. */
export function unusable({ url }: NodeAddress, { status, json }: NodeReply): EngineError {
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
