/**
 * Verifies bearer tokens of an identity provider: JWTs whose signature is checked against the issuer's published keys,
 * and whose issuer, audience, time and scope must match. The only file that imports `jose`.
 */
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { Subject } from '../serving/subjects.ts';

export interface IssuerOptions {
  readonly issuer: string;
  /** The audience of accepted tokens: this resource's URL as clients know it. */
  readonly audience: string;
  /** URL of the issuer's keys; null to read it from the issuer's metadata. */
  readonly jwksUrl: string | null;
  /** A scope that tokens must have; null for none. */
  readonly scope: string | null;
  /** The claim that lists a subject's groups. */
  readonly groupsClaim: string;
}

export type TokenVerdict =
  | { readonly kind: 'subject'; readonly subject: Subject }
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'scope'; readonly scope: string };

/** Asymmetric signatures only: with a shared secret, every node could issue tokens. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const CLOCK_TOLERANCE_S = 30;
const FETCH_TIMEOUT_MS = 5_000;
const METADATA = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

export class IssuerTokens {
  readonly #options: IssuerOptions;
  #keys: Promise<JWTVerifyGetKey> | null = null;

  /** Throws invalid_input for URLs without TLS, which an attacker on the network could answer for. */
  constructor(options: IssuerOptions) {
    for (const url of [options.issuer, options.jwksUrl]) if (url !== null) requireSafe(url);
    this.#options = options;
  }

  /** Verifies a token. Throws fleet_unavailable if the issuer's keys cannot be loaded. */
  async judge(token: string): Promise<TokenVerdict> {
    const { issuer, audience, scope, groupsClaim } = this.#options;
    try {
      const { payload } = await jwtVerify(token, await this.#load(), {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_S,
        requiredClaims: ['exp', 'sub'],
      });
      if (scope !== null && !scopesOf(payload).includes(scope)) return { kind: 'scope', scope };
      return { kind: 'subject', subject: { name: payload.sub!, groups: new Set(textsOf(payload[groupsClaim])) } };
    } catch (error) {
      if (error instanceof EngineError) throw error;
      if (isUnreachable(error)) throw unavailable(error);
      return {
        kind: 'invalid',
        reason: error instanceof errors.JWTExpired ? 'it has expired' : 'it is not valid here',
      };
    }
  }

  #load(): Promise<JWTVerifyGetKey> {
    this.#keys ??= this.#keySet().catch((error: unknown) => {
      this.#keys = null;
      throw unavailable(error);
    });
    return this.#keys;
  }

  async #keySet(): Promise<JWTVerifyGetKey> {
    const url = this.#options.jwksUrl ?? (await this.#discover());
    requireSafe(url);
    return createRemoteJWKSet(new URL(url), { timeoutDuration: FETCH_TIMEOUT_MS });
  }

  async #discover(): Promise<string> {
    const { issuer } = this.#options;
    for (const path of METADATA) {
      const url = issuer.replace(/\/$/, '') + path;
      const reply = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS), redirect: 'error' });
      if (!reply.ok) continue;
      const { issuer: named, jwks_uri: keys } = (await reply.json()) as { issuer?: string; jwks_uri?: string };
      // Ignores metadata of another issuer: its keys must not be accepted.
      if (named === issuer && typeof keys === 'string') return keys;
    }
    throw new Error(`${issuer} publishes no metadata that names its keys`);
  }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError);
}

function unavailable(error: unknown): EngineError {
  const reason = `the keys of the issuer cannot be had (${(error as Error).message})`;
  return error instanceof EngineError ? error : new EngineError('fleet_unavailable', { reason, seconds: 15 }, error);
}

function scopesOf({ scope, scp }: JWTPayload): readonly string[] {
  return [...(typeof scope === 'string' ? scope.split(' ') : []), ...textsOf(scp)];
}

function textsOf(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(/[ ,]+/).filter((text) => text !== '');
  return Array.isArray(claim) ? claim.filter((text): text is string => typeof text === 'string') : [];
}

function requireSafe(url: string): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) return;
  throw new EngineError('invalid_input', { reason: `${url} is not https: anybody on the way could answer for it.` });
}
