/** Access control of the HTTP server: accepted host names, origins and tokens. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';

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

/** In the form that is bound and compared: lower case, an IPv6 address without brackets. */
export function plainHost(host: string): string {
  return host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
}

export interface GuardOptions {
  /** In its plain form. */
  readonly host: string;
  readonly token: string | null;
}

/**
 * Null admits the request. A malformed or foreign Host and a foreign Origin are refused before the token is compared.
 */
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

/**
 * Against DNS rebinding: a loopback server answers to loopback names only; any other to its address, to this machine's
 * name and loopback.
 */
function answersTo(host: string, named: string): boolean {
  if (LOOPBACK_NAMES.has(named) || named === host) return true;
  if (isLoopback(host)) return false;
  const own = hostname().toLowerCase();
  if (named === own || named === `${own}.local`) return true;
  // Bound to every address: any IP address is accepted; another name may be an attacker's.
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

/** Compares digests, so that the time reveals neither the content nor the length of the token. */
function hasToken(request: IncomingMessage, token: string): boolean {
  const [scheme, given] = (request.headers.authorization ?? '').split(' ');
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given ?? ''), digest(token)) && scheme?.toLowerCase() === 'bearer';
}
