/**
 * The only file that imports the OpenSearch client library. Requests are written by hand, as in the REST interface: the
 * library provides connections, TLS and node selection only.
 */
import { Client, errors } from '@opensearch-project/opensearch';
import { EngineError } from '../../model/records/engine-errors.ts';

export interface ClusterAddress {
  /** URLs of one node or several; all are tried. */
  readonly urls: readonly string[];
  readonly user?: string;
  readonly password?: string;
  /** PEM texts. */
  readonly ca?: string;
  readonly certificate?: string;
  readonly key?: string;
}

export interface Reply<T> {
  readonly status: number;
  readonly body: T;
}

export interface Ask {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  /** Lines of a bulk request or a multi-search. */
  readonly lines?: readonly unknown[];
  /** Statuses that the caller handles itself: 404, 409. All other non-2xx statuses are errors. */
  readonly expected?: readonly number[];
  /** A multi-search. Fails if any of its searches fails, because the other results would look complete. */
  readonly parts?: true;
  /** Retried only if the request certainly reached no node. */
  readonly once?: true;
  readonly signal?: AbortSignal;
}

export interface SearchCluster {
  ask<T>(ask: Ask): Promise<Reply<T>>;
  close(): Promise<void>;
}

/** Timeout of one attempt; bulk requests get longer. */
const REQUEST_TIMEOUT_MS = 12_000;
const BULK_TIMEOUT_MS = 30_000;
/** Timeout of the single attempt after another request gave up. */
const SHORT_TIMEOUT_MS = 3_000;
/** No retry after this time: a cluster that elects a manager or is overloaded rejects requests for some seconds. */
const RETRY_LIMIT_MS = 15_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 3_000;
/**
 * For this time after a request gave up, other requests are attempted once and briefly, so that they do not all wait
 * for their retries.
 */
const NO_RETRY_MS = 5_000;
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** The Retry-After value for clients. */
const RETRY_SECONDS = 15;

export function connectCluster(address: ClusterAddress): SearchCluster {
  const { user, password, ca, certificate, key } = address;
  const tls = { ...(ca ? { ca } : {}), ...(certificate ? { cert: certificate } : {}), ...(key ? { key } : {}) };
  const client = new Client({
    nodes: [...address.urls],
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Attempts are limited here, by time; each goes to the next node.
    maxRetries: 0,
    ...(user === undefined ? {} : { auth: { username: user, password: password ?? '' } }),
    ...(Object.keys(tls).length > 0 ? { ssl: tls } : {}),
  });
  const retryPolicy = { noRetryUntilMs: 0, nodes: address.urls.length };
  return {
    ask: <T>(ask: Ask) => askWithRetries<T>(client, ask, retryPolicy),
    close: () => client.close(),
  };
}

async function askWithRetries<T>(
  client: Client,
  ask: Ask,
  retryPolicy: { noRetryUntilMs: number; readonly nodes: number },
): Promise<Reply<T>> {
  const started = Date.now();
  const isSingleAttempt = started < retryPolicy.noRetryUntilMs;
  const deadline = isSingleAttempt ? started : started + RETRY_LIMIT_MS;
  for (let attempt = 1; ; attempt++) {
    const outcome = await askOnce<T>(client, ask, timeoutOf(ask, isSingleAttempt));
    if (!(outcome instanceof Error)) {
      retryPolicy.noRetryUntilMs = 0;
      return outcome;
    }
    if (ask.signal?.aborted) throw new EngineError('cancelled', {}, outcome);
    if (!isTransient(outcome) || (ask.once && !neverArrived(outcome))) throw inWords(outcome);
    // Every node is tried at least once, however short the time.
    if (Date.now() >= deadline && (attempt >= retryPolicy.nodes || outcome instanceof errors.TimeoutError)) {
      retryPolicy.noRetryUntilMs = Date.now() + NO_RETRY_MS;
      throw inWords(outcome);
    }
    const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random() / 2)));
  }
}

/** Bulk writes always get the long timeout: a short one would leave half of the work to be repeated. */
function timeoutOf({ lines, parts }: Ask, isSingleAttempt: boolean): number {
  if (lines && !parts) return BULK_TIMEOUT_MS;
  return isSingleAttempt ? SHORT_TIMEOUT_MS : REQUEST_TIMEOUT_MS;
}

/** Maximum concurrent requests of one process; others wait here, where no timeout runs for them. */
const IN_FLIGHT = 24;
let inFlight = 0;
const queue: (() => void)[] = [];

async function askOnce<T>(client: Client, ask: Ask, timeoutMs: number): Promise<Reply<T> | Error> {
  if (inFlight >= IN_FLIGHT) await new Promise<void>((resolve) => queue.push(resolve));
  inFlight++;
  try {
    return await send<T>(client, ask, timeoutMs);
  } finally {
    inFlight--;
    queue.shift()?.();
  }
}

async function send<T>(
  client: Client,
  { method, path, query, body, lines, parts, expected = [] }: Ask,
  requestTimeout: number,
): Promise<Reply<T> | Error> {
  try {
    const reply = await client.transport.request(
      {
        method,
        path,
        ...(query ? { querystring: { ...query } } : {}),
        ...(lines
          ? { bulkBody: lines as Record<string, unknown>[] }
          : body === undefined
            ? {}
            : { body: body as object }),
      },
      { ignore: [...expected], requestTimeout },
    );
    const answer = reply.body as unknown as T;
    if (parts) return withoutFailures(answer);
    return unreadDocument(answer) ?? { status: reply.statusCode ?? 0, body: answer };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** One failed search of a multi-search. */
class PartFailed extends Error {
  readonly status: number;

  constructor(status: number, reason: string) {
    super(reason);
    this.status = status;
  }
}

interface PartReply {
  readonly status?: number;
  readonly error?: { readonly type?: string; readonly reason?: string };
}

/** A multi-get with status 200 reports a document on an unavailable shard as an error: it is not missing. */
function unreadDocument(body: unknown): Error | null {
  const { docs } = (body ?? {}) as { readonly docs?: readonly PartReply[] };
  const error = Array.isArray(docs) ? docs.find((one) => one?.error !== undefined)?.error : undefined;
  if (!error || error.type === 'index_not_found_exception') return null;
  return new PartFailed(503, `${error.type ?? 'error'}: ${error.reason ?? ''}`);
}

function withoutFailures<T>(body: T): Reply<T> | Error {
  const { responses } = body as { readonly responses: readonly PartReply[] };
  const failed = responses.find(({ error }) => error !== undefined);
  if (!failed) return { status: 200, body };
  return new PartFailed(failed.status ?? 500, `${failed.error?.type ?? 'error'}: ${failed.error?.reason ?? ''}`);
}

/** Some shards are unavailable: a search reports that as an error of its own, with status 500. */
export function isBusy(status: number, reason: string): boolean {
  const isShardAway = /search_phase_execution|no_shard_available|retry_on_primary/;
  const isNodeAway = /not_discovered|node_(?:not_connected|disconnected|closed)/;
  return BUSY.has(status) || (status >= 500 && (isShardAway.test(reason) || isNodeAway.test(reason)));
}

function neverArrived(error: Error): boolean {
  return error instanceof errors.NoLivingConnectionsError || /ECONNREFUSED/.test(error.message);
}

/** Certificate or authentication failure: a retry would fail again. */
function isUntrusted(error: Error): boolean {
  return error instanceof errors.ConnectionError && /certificate|altnames|SSL routines/i.test(error.message);
}

function reasonOfTls({ message }: Error): string {
  if (!/wrong version number/.test(message)) return message.trim();
  return 'the address begins with https://, but what answers there speaks no TLS';
}

/** Whether another node, or a retry, may succeed. */
function isTransient(error: Error): boolean {
  if (isUntrusted(error)) return false;
  if (error instanceof PartFailed) return isBusy(error.status, error.message);
  if (error instanceof errors.ResponseError) return isBusy(error.statusCode, reasonOf(error));
  return (
    error instanceof errors.ConnectionError ||
    error instanceof errors.TimeoutError ||
    error instanceof errors.NoLivingConnectionsError
  );
}

function inWords(error: Error): EngineError {
  if (error instanceof PartFailed && !isBusy(error.status, error.message))
    return new EngineError(
      'internal_error',
      { reason: `OpenSearch answered ${error.status}: ${error.message}` },
      error,
    );
  if (isUntrusted(error)) return new EngineError('fleet_refused', { reason: reasonOfTls(error) }, error);
  if (!(error instanceof errors.ResponseError))
    return new EngineError('fleet_unavailable', { reason: error.message, seconds: RETRY_SECONDS }, error);
  const { statusCode } = error;
  const reason = reasonOf(error);
  if (statusCode === 401 || statusCode === 403) {
    if (/cluster_block|create_block|read.only/i.test(reason))
      return new EngineError('fleet_read_only', { reason }, error);
    return new EngineError('fleet_refused', { reason: `OpenSearch answered ${statusCode}, ${reason}` }, error);
  }
  if (/read_only_allow_delete|flood.?stage/i.test(reason)) return new EngineError('fleet_read_only', { reason }, error);
  if (isBusy(statusCode, reason))
    return new EngineError('fleet_unavailable', { reason, seconds: RETRY_SECONDS }, error);
  if (statusCode === 404 && /no such index/i.test(reason)) return new EngineError('fleet_not_set_up', {}, error);
  return new EngineError('internal_error', { reason: `OpenSearch answered ${statusCode}: ${reason}` }, error);
}

function reasonOf({ body, message }: InstanceType<typeof errors.ResponseError>): string {
  const error = (body as unknown as { error?: { reason?: string; type?: string } | string } | null)?.error;
  if (typeof error === 'string') return error;
  return error?.reason ? `${error.type ?? 'error'}: ${error.reason}` : message;
}
