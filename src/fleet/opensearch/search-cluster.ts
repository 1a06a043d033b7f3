/**
 * The only file that names the client library of OpenSearch. Requests are written by hand as the REST interface has
 * them: the library gives connections, TLS, retries on another node, and no more.
 */
import { Client, errors } from '@opensearch-project/opensearch';
import { EngineError } from '../../model/records/engine-errors.ts';

export interface ClusterAddress {
  /** Of one node or several; all are tried. */
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
  /** Answers that mean something to the caller: 404, 409. All others below 200 and from 300 on are errors. */
  readonly expected?: readonly number[];
  /** A multi-search: it fails where any of its searches does, since what is left would pass for the whole. */
  readonly parts?: true;
  readonly signal?: AbortSignal;
}

export interface SearchCluster {
  ask<T>(ask: Ask): Promise<Reply<T>>;
  close(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 30_000;
/**
 * Beyond the library's own tries on the other nodes: a cluster that elects a manager or is flooded refuses for some
 * seconds.
 */
const ATTEMPTS = 8;
const FIRST_PAUSE_MS = 150;
const LONGEST_PAUSE_MS = 4_000;
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Told to those who may come back. */
const RETRY_SECONDS = 15;

export function connectCluster(address: ClusterAddress): SearchCluster {
  const { user, password, ca, certificate, key } = address;
  const tls = { ...(ca ? { ca } : {}), ...(certificate ? { cert: certificate } : {}), ...(key ? { key } : {}) };
  const client = new Client({
    nodes: [...address.urls],
    requestTimeout: REQUEST_TIMEOUT_MS,
    maxRetries: Math.max(2, address.urls.length),
    ...(user === undefined ? {} : { auth: { username: user, password: password ?? '' } }),
    ...(Object.keys(tls).length > 0 ? { ssl: tls } : {}),
  });
  return {
    ask: <T>(ask: Ask) => askPatiently<T>(client, ask),
    close: () => client.close(),
  };
}

async function askPatiently<T>(client: Client, ask: Ask): Promise<Reply<T>> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await askOnce<T>(client, ask);
    if (!(outcome instanceof Error)) return outcome;
    if (ask.signal?.aborted) throw new EngineError('cancelled', {}, outcome);
    if (!isPassing(outcome) || attempt === ATTEMPTS) throw inWords(outcome);
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random() / 2)));
  }
}

async function askOnce<T>(
  client: Client,
  { method, path, query, body, lines, parts, expected = [] }: Ask,
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
      { ignore: [...expected] },
    );
    const answer = reply.body as unknown as T;
    return parts ? withoutFailures(answer) : { status: reply.statusCode ?? 0, body: answer };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** One search of several that failed. */
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

function withoutFailures<T>(body: T): Reply<T> | Error {
  const { responses } = body as { readonly responses: readonly PartReply[] };
  const failed = responses.find(({ error }) => error !== undefined);
  if (!failed) return { status: 200, body };
  return new PartFailed(failed.status ?? 500, `${failed.error?.type ?? 'error'}: ${failed.error?.reason ?? ''}`);
}

/** Another node, or the same one a moment later, may answer. */
function isPassing(error: Error): boolean {
  if (error instanceof PartFailed) return BUSY.has(error.status);
  if (error instanceof errors.ResponseError) return BUSY.has(error.statusCode);
  return (
    error instanceof errors.ConnectionError ||
    error instanceof errors.TimeoutError ||
    error instanceof errors.NoLivingConnectionsError
  );
}

function inWords(error: Error): EngineError {
  if (error instanceof PartFailed && !BUSY.has(error.status))
    return new EngineError(
      'internal_error',
      { reason: `OpenSearch answered ${error.status}: ${error.message}` },
      error,
    );
  if (!(error instanceof errors.ResponseError))
    return new EngineError('fleet_unavailable', { reason: error.message, seconds: RETRY_SECONDS }, error);
  const { statusCode } = error;
  const reason = reasonOf(error);
  if (statusCode === 401 || statusCode === 403) {
    if (/cluster_block|read.only/i.test(reason)) return new EngineError('fleet_read_only', { reason }, error);
    return new EngineError('fleet_refused', { reason: `${statusCode}, ${reason}` }, error);
  }
  if (/read_only_allow_delete|flood.?stage/i.test(reason)) return new EngineError('fleet_read_only', { reason }, error);
  if (BUSY.has(statusCode)) return new EngineError('fleet_unavailable', { reason, seconds: RETRY_SECONDS }, error);
  if (statusCode === 404 && /no such index/i.test(reason)) return new EngineError('fleet_not_set_up', {}, error);
  return new EngineError('internal_error', { reason: `OpenSearch answered ${statusCode}: ${reason}` }, error);
}

function reasonOf({ body, message }: InstanceType<typeof errors.ResponseError>): string {
  const error = (body as unknown as { error?: { reason?: string; type?: string } | string } | null)?.error;
  if (typeof error === 'string') return error;
  return error?.reason ? `${error.type ?? 'error'}: ${error.reason}` : message;
}
