/** Who may speak to the HTTP server: names it answers to, pages it may be called from, the token it wants, how much it reads. */
import { isUtf8 } from 'node:buffer';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { jsonExcess } from '../protocol/json-limits.ts';

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** What is too large is read to its end and dropped up to here: a client that is cut off while it sends never sees the refusal. */
const MAX_DROPPED_BYTES = 64 * 1024 * 1024;
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);
/** A name or an address with an optional port: no user, no path, no escapes. */
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i;

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.has(host) || (isIP(host) === 4 && host.startsWith('127.'));
}

/** As it is bound and compared: in small letters, an IPv6 address without its brackets. */
export function plainHost(host: string): string {
  return host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
}

export interface GuardOptions {
  /** In its plain form. */
  readonly host: string;
  readonly token: string | null;
}

/** Null admits the request. A malformed or foreign name and a foreign page are refused before the token is compared. */
export function refuse(request: IncomingMessage, target: URL, { host, token }: GuardOptions): Refusal | null {
  const named = hostName(request);
  if (named === null || target.username !== '' || target.password !== '')
    return { status: 400, message: 'Bad Request: send one Host header with a name and an optional port.' };
  // A request line may hold a whole address, which then counts more than Host (RFC 9112, section 3.2.2).
  if (![named, plainHost(target.hostname)].every((name) => answersTo(host, name)))
    return { status: 403, message: 'Forbidden: this Host is not served.' };
  const { origin } = request.headers;
  if (origin !== undefined && !mayCallFrom(origin, host))
    return { status: 403, message: 'Forbidden: this Origin may not call.' };
  if (token !== null && !hasToken(request, token))
    return {
      status: 401,
      message: 'Unauthorized: send the token as "Authorization: Bearer …".',
      headers: { 'WWW-Authenticate': 'Bearer' },
    };
  return null;
}

/** Against DNS rebinding: a loopback server answers to loopback names only; any other to its address, to this machine's name and loopback. */
function answersTo(host: string, named: string): boolean {
  if (LOOPBACK_NAMES.has(named) || named === host) return true;
  if (isLoopback(host)) return false;
  const own = hostname().toLowerCase();
  if (named === own || named === `${own}.local`) return true;
  // Bound to every address: any literal address is ours, another name may be an attacker's.
  return isEveryAddress(host) && isIP(named) !== 0;
}

export function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function mayCallFrom(origin: string, host: string): boolean {
  try {
    const { protocol, hostname: name } = new URL(origin);
    return (protocol === 'http:' || protocol === 'https:') && answersTo(host, plainHost(name));
  } catch {
    return false;
  }
}

/** Null where Host is missing, repeated or malformed, which RFC 9112 answers with 400. */
function hostName({ rawHeaders, headers }: IncomingMessage): string | null {
  const count = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
  const name = count === 1 ? HOST.exec(headers.host ?? '')?.[1] : undefined;
  return name === undefined ? null : plainHost(name);
}

/** Digests are compared, so neither content nor length of the token shows in the time it takes. */
function hasToken(request: IncomingMessage, token: string): boolean {
  const [scheme, given] = (request.headers.authorization ?? '').split(' ');
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given ?? ''), digest(token)) && scheme?.toLowerCase() === 'bearer';
}

export class BodyError extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The request's JSON body. Throws BodyError when it is too large, has too many parts, or is no JSON. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  // A browser asks before it sends this type to another origin, and is refused then: a form or a plain text it would just send.
  if (!JSON_TYPE.test(request.headers['content-type'] ?? ''))
    throw new BodyError(415, -32000, 'Unsupported Media Type: Content-Type must be application/json.');
  const tooLarge = () => new BodyError(413, -32600, `Request too large; the limit is ${MAX_BODY_BYTES} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > MAX_DROPPED_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_DROPPED_BYTES) throw tooLarge();
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk as Buffer);
  }
  if (bytes > MAX_BODY_BYTES) throw tooLarge();
  const body = Buffer.concat(chunks);
  const excess = jsonExcess(body);
  if (excess) throw new BodyError(413, -32600, `Request too large: ${excess}.`);
  if (!isUtf8(body)) throw new BodyError(400, -32700, 'Parse error: the body is not UTF-8.');
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new BodyError(400, -32700, `Parse error: ${(error as Error).message}`);
  }
}
