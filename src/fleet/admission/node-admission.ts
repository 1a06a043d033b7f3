/**
 * Access control of a node: static tokens and tokens of an identity provider, quotas, the metadata of the protected
 * resource (RFC 9728), and webhooks.
 */
import type { Repositories } from '../catalogue/repositories.ts';
import { asSubject, bearerOf, type Subject, subjectOf, type Tokens } from '../serving/subjects.ts';
import { type IssuerOptions, IssuerTokens } from './issuer-tokens.ts';
import { SubjectQuota } from './subject-quota.ts';
import { concerns, readPush } from './webhooks.ts';

export type Within = <T>(work: () => Promise<T>) => Promise<T>;

export interface Refused {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that the node answers itself. */
export interface OpenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  body(): Promise<Buffer>;
}

export interface OpenReply {
  readonly status: number;
  readonly json: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface AdmissionOptions {
  readonly tokens: Tokens;
  readonly issuer: IssuerOptions | null;
  readonly requestsPerMinute: number;
  /** Null to accept no webhooks. */
  readonly webhookSecret: string | null;
}

const MINUTE_MS = 60_000;
const METADATA_PATH = '/.well-known/oauth-protected-resource';
const WEBHOOK_PATH = '/webhooks/push';

export class NodeAdmission {
  readonly #options: AdmissionOptions;
  readonly #repositories: Repositories;
  readonly #issuer: IssuerTokens | null;
  readonly #quota: SubjectQuota;

  constructor(repositories: Repositories, options: AdmissionOptions) {
    this.#options = options;
    this.#repositories = repositories;
    this.#issuer = options.issuer && new IssuerTokens(options.issuer);
    this.#quota = new SubjectQuota(options.requestsPerMinute, MINUTE_MS);
  }

  async admit(authorization: string | undefined): Promise<Within | Refused> {
    const known = subjectOf(this.#options.tokens, authorization);
    const token = bearerOf(authorization);
    if (known) return this.#within(known);
    if (token === null || !this.#issuer) return this.#refuse(token === null ? null : 'invalid_token');
    const verdict = await this.#issuer.judge(token);
    if (verdict.kind === 'subject') return this.#within(verdict.subject);
    if (verdict.kind === 'invalid') return this.#refuse('invalid_token', verdict.reason);
    const { scope } = verdict;
    const message = `Forbidden: the token lacks the scope ${scope}.`;
    return { status: 403, message, headers: this.#challenge({ error: 'insufficient_scope', scope }) };
  }

  #within(subject: Subject): Within | Refused {
    const seconds = this.#quota.take(subject.name);
    if (seconds === 0) return (work) => asSubject(subject, work);
    const { requestsPerMinute } = this.#options;
    const message = `Too many requests: ${requestsPerMinute} a minute are allowed. Try again in ${seconds} s.`;
    return { status: 429, message, headers: { 'Retry-After': String(seconds) } };
  }

  #refuse(error: string | null, reason?: string): Refused {
    const what = reason === undefined ? '' : ` The token was refused: ${reason}.`;
    const message = `Unauthorized: send your own token as "Authorization: Bearer …".${what}`;
    return { status: 401, message, headers: this.#challenge(error === null ? {} : { error }) };
  }

  /** The challenge header leads clients to the metadata, and that to the issuer (RFC 9728, section 5.1). */
  #challenge(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const { issuer } = this.#options;
    const place = issuer && { resource_metadata: new URL(METADATA_PATH, issuer.audience).href };
    const values = Object.entries({ ...given, ...place }).map(([name, value]) => `${name}="${value}"`);
    return { 'WWW-Authenticate': ['Bearer', values.join(', ')].filter(Boolean).join(' ') };
  }

  /** Answers requests that need no token; null for other paths. */
  async answerOpen(request: OpenRequest): Promise<OpenReply | null> {
    const { issuer, webhookSecret } = this.#options;
    // A client may request the metadata of a path: /mcp has the same metadata under a suffix of the name.
    if (issuer && (request.path === METADATA_PATH || request.path.startsWith(`${METADATA_PATH}/`)))
      return { status: 200, json: metadataOf(issuer) };
    if (webhookSecret === null || request.path !== WEBHOOK_PATH) return null;
    if (request.method !== 'POST') return { status: 405, json: { error: 'POST a push here.' } };
    return this.#takePush(request, webhookSecret);
  }

  async #takePush(request: OpenRequest, secret: string): Promise<OpenReply> {
    const push = readPush({ headers: request.headers, body: await request.body() }, secret);
    if (push.kind === 'refused') return { status: 401, json: { error: 'The signature is missing or wrong.' } };
    if (push.kind === 'malformed') return { status: 400, json: { error: 'This is no push that can be read.' } };
    if (push.kind === 'other') return { status: 202, json: { queued: 0 } };
    const wanted = (await this.#repositories.list()).filter((record) => concerns(push, record));
    // Sets a new time even if the repository is waiting: a worker that is syncing it checks it once more.
    for (const { name } of wanted) await this.#repositories.update(name, () => ({ wantedAtMs: Date.now() }));
    return { status: 202, json: { queued: wanted.length } };
  }
}

function metadataOf({ issuer, audience, scope }: IssuerOptions) {
  return {
    resource: audience,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    resource_name: 'Sextant fleet',
    ...(scope === null ? {} : { scopes_supported: [scope] }),
  };
}
