/**
 * Posts JSON to an HTTP provider, with a timeout per attempt. Temporary failures (no connection, 408, 425, 429, 5xx)
 * are retried after growing, jittered pauses; other failures throw at once. Keys never appear in an error.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../../model/records/engine-errors.ts';
import { startPatientTimeout } from '../../model/runtime/patient-timeout.ts';

export interface Endpoint {
  /** 'embedding' or 'language model', for messages. */
  readonly kind: string;
  /** Name and address as shown to the user. */
  readonly provider: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Strings that are removed from every message. */
  readonly secrets?: readonly string[];
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  /** The first pause; it doubles with each attempt. */
  readonly backoffMs: number;
  /** Fails after a timeout or instead of a long pause: for questions, which words can answer without vectors. */
  readonly isInteractive?: boolean;
}

const MAX_PAUSE_MS = 20_000;
const MAX_INTERACTIVE_PAUSE_MS = 2_000;
/** Twice the size of the largest batch of the longest vectors; a larger response is not an answer of a provider. */
const MAX_ANSWER_BYTES = 64 << 20;
const MAX_REASON_CHARACTERS = 300;
const TEMPORARY_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504, 529]);

export async function postJson(endpoint: Endpoint, body: unknown, signal?: AbortSignal): Promise<unknown> {
  const payload = JSON.stringify(body);
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOnce(endpoint, payload, signal);
    if ('value' in outcome) return outcome.value;
    if (!outcome.isTemporary)
      throw failure('provider_misconfigured', endpoint, outcome.reason, outcome.cause, outcome.status);
    const isTooLate = outcome.timedOut === true || (outcome.retryAfterMs ?? 0) > MAX_INTERACTIVE_PAUSE_MS;
    if (attempt >= endpoint.maxAttempts || (endpoint.isInteractive && isTooLate))
      throw failure('provider_unavailable', endpoint, outcome.reason, outcome.cause);
    await pause(outcome.retryAfterMs ?? jittered(endpoint.backoffMs * 2 ** (attempt - 1)), signal);
  }
}

type Outcome =
  | { readonly value: unknown }
  | {
      readonly isTemporary: boolean;
      readonly reason: string;
      readonly status?: number;
      readonly retryAfterMs?: number;
      readonly timedOut?: boolean;
      readonly cause?: unknown;
    };

async function attemptOnce(endpoint: Endpoint, payload: string, signal?: AbortSignal): Promise<Outcome> {
  const { signal: timeout, stop } = startPatientTimeout(endpoint.timeoutMs);
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...endpoint.headers },
      body: payload,
      // Following a redirect could send the key and the code to another host.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await readText(response);
    if (text === null)
      return {
        isTemporary: false,
        reason: `the answer is larger than ${MAX_ANSWER_BYTES >> 20} MB; is the address right?`,
      };
    if (response.ok) return parseBody(text);
    const shown = describeStatus(endpoint, response) ?? describeBody(text);
    return {
      isTemporary: TEMPORARY_STATUSES.has(response.status),
      status: response.status,
      reason: `HTTP ${response.status}${shown ? `: ${shown}` : ''}`,
      ...retryAfter(response.headers.get('retry-after')),
    };
  } catch (error) {
    if (signal?.aborted) throw new EngineError('cancelled', {}, error);
    if (timeout.aborted)
      return { isTemporary: true, timedOut: true, reason: `no answer within ${endpoint.timeoutMs} ms` };
    if (isUnsendable(error)) return { isTemporary: false, reason: 'the address or the key cannot be sent over HTTP' };
    return { isTemporary: true, reason: networkReason(error), cause: error };
  } finally {
    stop();
  }
}

/** Null for a response of more than MAX_ANSWER_BYTES. */
async function readText(response: Response): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > MAX_ANSWER_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** A reason for statuses whose cause is known better than from the provider's message; null for others. */
function describeStatus({ kind, url, secrets }: Endpoint, { status, headers }: Response): string | null {
  if (status === 401 || status === 403)
    return secrets?.length
      ? 'the key was refused'
      : 'a key is wanted, and none is set in the environment variable that ' +
          `${kind === 'embedding' ? 'embedding' : 'llm'}.api_key_env names`;
  const location = headers.get('location');
  if (status < 300 || status > 399 || !location) return null;
  const there = URL.canParse(location, url) ? ` to ${new URL(location, url).host}` : '';
  return `a redirect${there}, which is not followed; set the right address`;
}

function parseBody(text: string): Outcome {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { isTemporary: false, reason: 'the answer is not JSON; is the address right?' };
  }
}

/** The provider's message, if its error is JSON in one of the usual shapes; '' otherwise. */
function describeBody(text: string): string {
  try {
    const body = JSON.parse(text) as { error?: unknown; message?: unknown; detail?: unknown };
    const reason =
      (body.error as { message?: unknown } | undefined)?.message ?? body.error ?? body.message ?? body.detail;
    return typeof reason === 'string' ? reason : (JSON.stringify(reason) ?? '');
  } catch {
    return '';
  }
}

function retryAfter(header: string | null): { retryAfterMs?: number } {
  if (!header) return {};
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return ms > 0 ? { retryAfterMs: Math.min(ms, MAX_PAUSE_MS) } : {};
}

/**
 * A malformed address or a header value that HTTP cannot carry: fetch says so with a TypeError that has no network
 * cause.
 */
function isUnsendable(error: unknown): boolean {
  return error instanceof TypeError && (!error.cause || (error.cause as { code?: string }).code === 'ERR_INVALID_URL');
}

function networkReason(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as { code?: string; message?: string } | undefined) : undefined;
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error));
}

/** A pause that is half fixed and half random, so that clients that failed together do not retry together. */
function jittered(ms: number): number {
  return Math.min(MAX_PAUSE_MS, ms) * (0.5 + Math.random() / 2);
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    throw new EngineError('cancelled', {}, error);
  }
}

export function failure(
  code: 'provider_unavailable' | 'provider_misconfigured',
  endpoint: Pick<Endpoint, 'kind' | 'provider' | 'secrets'>,
  reason: string,
  cause?: unknown,
  status?: number,
): EngineError {
  let shown = reason;
  for (const secret of endpoint.secrets ?? []) if (secret) shown = shown.replaceAll(secret, '…');
  // Cut only after the secrets are removed, so that no part of a key remains.
  shown = shown
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON_CHARACTERS);
  if (!/[.?!…]$/.test(shown)) shown += '.';
  const { kind, provider } = endpoint;
  return new EngineError(code, { kind, provider, reason: shown, ...(status && { status }) }, cause);
}
