/** Access control of the HTTP server: accepted host names, origins and tokens. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);
/** A host name or address with an optional port, without user, path or escapes. */
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i;

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.has(host) || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Normalises a host for binding and comparison: lower case, an IPv6 address without brackets. */
export function normaliseHost(host: string): string {
  return host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
}

export interface GuardOptions {
  /** Normalised by normaliseHost(). */
  readonly host: string;
  readonly token: string | null;
}

/**
 * Returns null to admit the request. A malformed or foreign Host, or a foreign Origin, is refused before the token is
 * compared.
 */
export function checkAccess(request: IncomingMessage, target: URL, { host, token }: GuardOptions): Refusal | null {
  const hostHeader = hostName(request);
  if (hostHeader === null || target.username !== '' || target.password !== '')
    return { status: 400, message: 'Bad Request: send one Host header with a name and an optional port.' };
  // A request line may contain an absolute URL, which takes precedence over Host (RFC 9112, section 3.2.2).
  if (![hostHeader, normaliseHost(target.hostname)].every((name) => answersTo(host, name)))
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
 * Prevents DNS rebinding: a loopback server accepts loopback names only; any other server accepts its address, this
 * machine's name and loopback names.
 */
function answersTo(host: string, hostHeader: string): boolean {
  if (LOOPBACK_NAMES.has(hostHeader) || hostHeader === host) return true;
  if (isLoopback(host)) return false;
  const machineName = hostname().toLowerCase();
  if (hostHeader === machineName || hostHeader === `${machineName}.local`) return true;
  // Bound to every address: accepts any IP address; another name may be an attacker's.
  return isEveryAddress(host) && isIP(hostHeader) !== 0;
}

export function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function mayCallFrom(origin: string, host: string): boolean {
  try {
    const { protocol, hostname: name } = new URL(origin);
    return (protocol === 'http:' || protocol === 'https:') && answersTo(host, normaliseHost(name));
  } catch {
    return false;
  }
}

/** Returns null if Host is missing, repeated or malformed, which RFC 9112 answers with 400. */
function hostName({ rawHeaders, headers }: IncomingMessage): string | null {
  const count = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
  const name = count === 1 ? HOST.exec(headers.host ?? '')?.[1] : undefined;
  return name === undefined ? null : normaliseHost(name);
}

/** Compares digests, so that the time reveals neither the content nor the length of the token. */
function hasToken(request: IncomingMessage, token: string): boolean {
  const [scheme, given] = (request.headers.authorization ?? '').split(' ');
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given ?? ''), digest(token)) && scheme?.toLowerCase() === 'bearer';
}
