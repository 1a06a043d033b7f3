/** Sends requests to the server at `/api/`. */
import type { Answers, Changes, Refused } from '../../api/page-api.ts';
import { currentHash, fromHash } from './addresses.ts';
import { tokenOfTab } from './token.ts';

/** An error of the server, with its message and suggested fix. */
export class Refusal extends Error {
  readonly code: string;
  readonly fix: string;

  constructor(code: string, message: string, fix = '') {
    super(message);
    this.code = code;
    this.fix = fix;
  }
}

export type Parameters = Readonly<Record<string, string | number | undefined>>;

export function ask<K extends keyof Answers>(
  name: K,
  parameters: Parameters = {},
  signal?: AbortSignal,
): Promise<Answers[K]> {
  return send(addressOf(name, parameters), { ...(signal && { signal }) }) as Promise<Answers[K]>;
}

export function change<K extends keyof Changes>(name: K, sent: Changes[K]['sent']): Promise<Changes[K]['answer']> {
  const body = JSON.stringify(sent);
  const headers = { 'Content-Type': 'application/json' };
  return send(addressOf(name, {}), { method: 'POST', body, headers }) as Promise<Changes[K]['answer']>;
}

/** The URL of a route, with the current project and ref. */
export function addressOf(name: string, parameters: Parameters): string {
  const query = new URLSearchParams();
  const { parameters: shown } = fromHash(currentHash(), null);
  for (const name of ['project', 'ref']) if (shown.get(name)) query.set(name, shown.get(name)!);
  for (const [key, value] of Object.entries(parameters))
    if (value !== undefined && value !== '') query.set(key, String(value));
  return `/api/${name}${query.size > 0 ? `?${query}` : ''}`;
}

let asking = 0;

/** Marks the page while a request is pending: CSS shows a line for slow ones. */
async function send(address: string, init: RequestInit): Promise<unknown> {
  const mark = (by: 1 | -1) => {
    asking += by;
    const root = (globalThis as { document?: Document }).document?.documentElement;
    root?.toggleAttribute('data-asking', asking > 0);
  };
  mark(1);
  try {
    return await request(address, init);
  } finally {
    mark(-1);
  }
}

async function request(address: string, init: RequestInit): Promise<unknown> {
  const token = tokenOfTab();
  const wrong = new Refusal('unauthorized', 'The server does not know this token.');
  // A header cannot contain this text, so it is no token.
  if (token !== null && !/^[\x21-\x7e]+$/.test(token)) throw wrong;
  let response: Response;
  try {
    const headers = { ...init.headers, ...(token !== null && { Authorization: `Bearer ${token}` }) };
    response = await fetch(address, { ...init, headers });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Refusal('unreachable', 'The server does not answer.', 'Is `sextant serve` still running?');
  }
  if (response.status === 401)
    throw token === null ? new Refusal('unauthorized', 'This server wants its token.') : wrong;
  const answer = (await response.json().catch(() => null)) as unknown;
  if (response.ok && answer !== null) return answer;
  const refused = (answer as Partial<Refused> | null)?.error;
  throw refused && typeof refused.code === 'string'
    ? new Refusal(refused.code, refused.message, refused.fix)
    : new Refusal(String(response.status), `The server answered with status ${response.status}.`);
}
