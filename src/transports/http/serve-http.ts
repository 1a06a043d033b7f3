/**
 * The HTTP server: /mcp for the default profile, /mcp/PROFILE for each profile, the same below /p/NAME for every
 * project, /metrics, /healthz, and the page. It listens on loopback unless the user names another address, which
 * requires a token.
 */
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type Log, Metrics } from '../../contracts/index.ts';
import type { Engine } from '../../engine/engine.ts';
import { servedProjects } from '../../engine/projects/restricted-engine.ts';
import { toEngineError } from '../../model/records/engine-errors.ts';
import { withoutNulls } from '../protocol/without-nulls.ts';
import { BodyError, readBytes, readJson } from './http-body.ts';
import { sendError } from './http-errors.ts';
import { checkAccess, isEveryAddress, isLoopback, normaliseHost, type Refusal } from './http-guard.ts';
import { loadToken, type TokenFile } from './http-token.ts';
import { type FindProject, ProjectEndpoints } from './project-endpoints.ts';
import { type ProfilesOptions, type ServedProfiles, startProfiles } from './served-profiles.ts';

/** Timeout for receiving a request. Answers have no timeout: indexing can take minutes. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Timeout for receiving headers, against clients that deliberately hold connections open. */
const HEADERS_TIMEOUT_MS = 20_000;
/** A session has at most a stream and a request; the rest is for clients that are refused. */
const MAX_CONNECTIONS = 10_000;
/** The listen queue for clients that connect at the same time; the system silently drops clients beyond it. */
const BACKLOG = 4096;
const CLOSE_GRACE_MS = 3_000;
const NOT_SERVED =
  'The project of this address is no longer served here. Use an address with a name in it, /p/NAME/mcp: ' +
  '`sextant projects list` shows the names.';
const METHODS: readonly (string | undefined)[] = ['POST', 'GET', 'DELETE'];

/** What a page handler needs for a request that passed the guard (200), or that lacks the token (401). */
export interface PageSite {
  readonly status: 200 | 401;
  /** An engine restricted to the projects that this server serves. */
  readonly engine: () => Promise<Engine>;
  readonly workspace: string | null;
  readonly metrics: Metrics;
  readonly log: Log;
  /** The JSON body of the request. Throws BodyError. */
  body(): Promise<unknown>;
}

/**
 * Serves a request that no endpoint handles; returns false if the page does not either. With status 401 it serves a
 * page that shows nothing of the project and lets a person enter the token.
 */
export type PageHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  site: PageSite,
) => boolean | Promise<boolean>;

export interface HttpServeOptions extends ProfilesOptions {
  readonly host: string;
  readonly port: number;
  /** Null for no token, on loopback only. */
  readonly tokenFile: TokenFile | null;
  readonly page: PageHandler | null;
  /** Authenticates subjects, in place of one token for all. */
  readonly admission?: Admission;
  /** Finds the projects of URLs with a project name; without it, there are none. */
  readonly findProject?: FindProject;
  /** Whether URLs without a project name are served. */
  readonly isServed?: () => boolean;
}

export interface OwnReply {
  readonly status: number;
  readonly json: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface OpenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  body(): Promise<Buffer>;
}

/** Authenticates the subject of each request. Replaces the token file. */
export interface Admission {
  /** Returns a refusal, or a function that runs the request on behalf of the subject. */
  admit(authorization: string | undefined): Promise<(<T>(work: () => Promise<T>) => Promise<T>) | Refusal>;
  /** Answers the admission's own requests that need no token; null for all others. */
  answerOpen(request: OpenRequest): Promise<OwnReply | null>;
  /** Answers the admission's own requests that need a token; null for all others. */
  answerAdmitted(request: OpenRequest): Promise<OwnReply | null>;
  /** Throws if questions cannot be answered now; `/readyz` reports it. */
  checkReady(): Promise<void>;
}

export interface HttpHandle {
  readonly url: string;
  readonly port: number;
  /** The token that clients present. */
  readonly token: string | null;
  close(): Promise<void>;
}

export async function serveProfiles(options: HttpServeOptions): Promise<HttpHandle> {
  const host = normaliseHost(options.host);
  const token = options.admission ? null : await loadToken(host, options.tokenFile);
  const rule = { workspace: options.workspace, registered: isLoopback(host) };
  const engine = () => options.engine().then((opened) => servedProjects(opened, rule));
  const shutdown = new AbortController();
  const served = await startProfiles({ ...options, engine }, shutdown.signal);
  const projects = new ProjectEndpoints(
    options,
    restrictProjects(options.findProject, rule.registered),
    shutdown.signal,
  );
  const server = listenerOf(new Router({ ...options, engine, host }, token, served, projects), options.log);
  const closeEndpoints = () => Promise.allSettled([served.close(), projects.close()]);
  try {
    await listen(server, host, options.port);
  } catch (error) {
    await closeEndpoints();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  return {
    port,
    token,
    url: `http://${urlHost(isEveryAddress(host) ? ownAddress() : host)}:${port}`,
    async close() {
      shutdown.abort(new DOMException('The server is going down.', 'AbortError'));
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await closeEndpoints();
      server.closeIdleConnections();
      const hurry = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
      await closed;
      clearTimeout(hurry);
    },
  };
}

/** Restricts calls to a project's URL to that project and, on loopback, to registered projects that they name. */
function restrictProjects(find: FindProject | undefined, registered: boolean): FindProject {
  return async (kind, name) => {
    const found = (await find?.(kind, name)) ?? null;
    if (!found) return null;
    const { workspace } = found;
    const open = async () => {
      const { profiles, engine } = await found.open();
      return { profiles, engine: () => engine().then((opened) => servedProjects(opened, { workspace, registered })) };
    };
    return { workspace, open };
  };
}

function listenerOf(router: Router, log: Log): HttpServer {
  // Node checks for late requests every 30 seconds by default, which would double their time. Keep-alive probes find
  // disconnected clients.
  const timeouts = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: 5_000,
    keepAliveTimeout: 65_000,
  };
  const server = createServer({ ...timeouts, keepAlive: true }, (request, response) => {
    router.route(request, response).catch((error: unknown) => {
      if (request.destroyed && !request.complete) return; // The client disconnected in the middle of its request.
      if (error instanceof BodyError) {
        response.setHeader('Connection', 'close');
        return sendError(response, error.status, error.code, error.message, null);
      }
      log('error', 'request failed', { error });
      sendError(response, 500, -32603, 'Internal error', null);
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

/** Answers one of the admission's own requests; returns false for any other. */
async function answerAdmission(
  answer: (request: OpenRequest) => Promise<OwnReply | null>,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<boolean> {
  const { method = 'GET', headers } = request;
  const reply = await answer({ method, path, headers, body: () => readBytes(request) });
  if (!reply) return false;
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  sendText(response, 'application/json', `${JSON.stringify(reply.json)}\n`, reply.status);
  return true;
}

/** Routes a request that passes the guard to a profile's endpoint, a fixed answer or the page. */
class Router {
  constructor(
    private readonly options: HttpServeOptions,
    private readonly token: string | null,
    private readonly served: ServedProfiles,
    private readonly projects: ProjectEndpoints,
  ) {}

  async route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const address = addressOf(request);
    if (address === null) return sendError(response, 400, -32600, 'Bad Request: not an address.', null);
    const { pathname } = address;
    // A proxy may send an absolute URL; the code below expects a path.
    request.url = pathname + address.search;
    const token = needsNoToken(pathname) ? null : this.token;
    const refusal = checkAccess(request, address, { host: this.options.host, token });
    if (refusal) return this.refuse(request, response, pathname, refusal);
    if (pathname === '/readyz') return this.sendReadiness(response);
    const { admission } = this.options;
    if (admission && (await answerAdmission((own) => admission.answerOpen(own), request, response, pathname))) return;
    if (!admission || needsNoToken(pathname)) return this.serve(request, response, pathname);
    const within = await admission.admit(request.headers.authorization);
    if (typeof within !== 'function') return this.refuse(request, response, pathname, within);
    return within(async () => {
      if (await answerAdmission((own) => admission.answerAdmitted(own), request, response, pathname)) return;
      await this.serve(request, response, pathname);
    });
  }

  private async serve(request: IncomingMessage, response: ServerResponse, pathname: string): Promise<void> {
    const path = pathname.replace(/(.)\/$/, '$1');
    const found = (await this.projects.find(pathname)) ?? { served: this.served, path };
    if (found.served === this.served && this.options.isServed?.() === false && !needsNoToken(pathname))
      return sendError(response, 404, -32601, NOT_SERVED, null);
    const endpoint = found.served.endpoints.get(found.path);
    if (endpoint && !METHODS.includes(request.method)) {
      response.setHeader('Allow', METHODS.join(', '));
      return sendError(response, 405, -32600, `Method not allowed: ${METHODS.join(', ')} are.`, null);
    }
    if (endpoint) {
      const body = request.method === 'POST' ? withoutNulls(await readJson(request)) : undefined;
      return endpoint.handle(request, response, body);
    }
    const reason = found.served.unavailable.get(found.path);
    if (reason !== undefined) return sendError(response, 503, -32603, `This profile cannot be served: ${reason}`, null);
    if (pathname === '/healthz') return sendText(response, 'application/json', '{"status":"ok"}\n');
    if (pathname === '/metrics') return this.sendMetrics(response);
    const name = ProjectEndpoints.nameIn(pathname);
    if (name !== null && found.served === this.served)
      return sendError(response, 404, -32601, `No project ${name}: \`sextant projects list\` shows the names.`, null);
    if (await this.servePage(request, response, 200)) return;
    sendError(response, 404, -32601, `Nothing is served at ${pathname}.`, null);
  }

  private async sendReadiness(response: ServerResponse): Promise<void> {
    try {
      await this.options.admission?.checkReady();
      sendText(response, 'application/json', '{"status":"ready"}\n');
    } catch (thrown) {
      const { message } = toEngineError(thrown);
      response.setHeader('Retry-After', '15');
      sendError(response, 503, -32603, `Not ready: ${message}`, null);
    }
  }

  private async refuse(request: IncomingMessage, response: ServerResponse, pathname: string, refusal: Refusal) {
    for (const [name, value] of Object.entries(refusal.headers ?? {})) response.setHeader(name, value);
    // A client that was refused must not hold a connection.
    response.setHeader('Connection', 'close');
    const isEndpoint = this.served.endpoints.has(pathname) || ProjectEndpoints.nameIn(pathname) !== null;
    const asksPage = refusal.status === 401 && !isEndpoint;
    if (asksPage && (await this.servePage(request, response, 401))) return;
    sendError(response, refusal.status, -32600, refusal.message, null);
  }

  private async servePage(request: IncomingMessage, response: ServerResponse, status: PageSite['status']) {
    const { page, engine, workspace, log, admission } = this.options;
    // Calls are private to their subject, so a page that many users share shows none.
    const metrics = admission ? new Metrics() : this.options.metrics;
    const site = { status, engine, workspace, metrics, log, body: () => readJson(request) };
    return page !== null && (await page(request, response, site));
  }

  private async sendMetrics(response: ServerResponse): Promise<void> {
    const open = this.served.sessionCount + (await this.projects.sessionCount());
    const gauge = `# HELP sextant_sessions Open sessions.\n# TYPE sextant_sessions gauge\nsextant_sessions ${open}\n`;
    sendText(response, 'text/plain; version=0.0.4; charset=utf-8', this.options.metrics.prometheus() + gauge);
  }
}

/**
 * Refused clients look for an authorization server below /.well-known; there is none, which they learn from a 404
 * instead of a 401.
 */
function needsNoToken(pathname: string): boolean {
  return pathname === '/healthz' || pathname === '/readyz' || pathname.startsWith('/.well-known/');
}

/** The request's URL, or null if it is malformed. */
function addressOf(request: IncomingMessage): URL | null {
  try {
    return new URL(request.url ?? '/', 'http://localhost');
  } catch {
    return null;
  }
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** An address at which other machines reach this one, for a server bound to every address. */
function ownAddress(): string {
  const outside = Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).filter(({ internal }) => !internal),
  );
  return outside.find(({ family }) => family === 'IPv4')?.address ?? '127.0.0.1';
}

function listen(server: HttpServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () => resolve());
  });
}

function sendText(response: ServerResponse, type: string, text: string, status = 200): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
  response.end(text);
}
