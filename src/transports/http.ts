/**
 * The HTTP server: /mcp for the default profile, /mcp/NAME for each, /metrics, /healthz, and room for a page. Loopback unless told
 * otherwise; any other address needs a token.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log, Metrics, Profile } from '../contracts/index.ts';
import type { Engine } from '../engine/engine.ts';
import { EngineError, toEngineError } from '../model/errors.ts';
import { createHost } from './host.ts';
import { createEndpoint, type Endpoint, sendError } from './http-endpoint.ts';
import { BodyError, isLoopback, readJson, refuse } from './http-guard.ts';

/** How long a client may take to send its request. Answers have no limit of their own: indexing takes what it takes. */
const REQUEST_TIMEOUT_MS = 30_000;
const CLOSE_GRACE_MS = 3_000;
const MIN_TOKEN_LENGTH = 16;

/**
 * Serves a request that is none of ours with the given status; false when it is none of its own either. With status 401 it is asked for a
 * page that shows nothing of the project and lets a person hand over the token.
 */
export type PageHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
) => boolean | Promise<boolean>;

export interface HttpServeOptions {
  readonly host: string;
  readonly port: number;
  readonly tokenFile: string | null;
  readonly workspace: string | null;
  /** The first one is the default. */
  readonly profiles: readonly Profile[];
  readonly engine: () => Promise<Engine>;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly page: PageHandler | null;
  readonly sessionIdleMs?: number;
}

export interface HttpHandle {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

export async function serveProfiles(options: HttpServeOptions): Promise<HttpHandle> {
  const { host, profiles, metrics, log } = options;
  const token = await loadToken(options);
  const shutdown = new AbortController();
  const endpoints = new Map<string, Endpoint>();
  const unavailable = new Map<string, string>();
  for (const profile of profiles) {
    try {
      await profile.start?.();
    } catch (thrown) {
      // One contract that cannot be served must not take the others down.
      const error = toEngineError(thrown);
      if (profiles.length === 1) throw error;
      log('warn', 'profile not served', { profile: profile.name, error: error.message });
      unavailable.set(`/mcp/${profile.name}`, error.message);
      continue;
    }
    const endpoint = createEndpoint(
      createHost({ ...options, profile, shutdown: shutdown.signal }),
      options.sessionIdleMs,
    );
    endpoints.set(`/mcp/${profile.name}`, endpoint);
    if (endpoints.size === 1) endpoints.set('/mcp', endpoint);
  }

  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const refusal = refuse(request, { host, token: pathname === '/healthz' ? null : token });
    if (refusal) {
      for (const [name, value] of Object.entries(refusal.headers ?? {})) response.setHeader(name, value);
      const asksPage = refusal.status === 401 && !endpoints.has(pathname);
      if (asksPage && options.page && (await options.page(request, response, 401))) return;
      return sendError(response, refusal.status, -32600, refusal.message, null);
    }
    const endpoint = endpoints.get(pathname.replace(/(.)\/$/, '$1'));
    if (endpoint)
      return endpoint.handle(request, response, request.method === 'POST' ? await readJson(request) : undefined);
    const reason = unavailable.get(pathname);
    if (reason !== undefined) return sendError(response, 503, -32603, `This profile cannot be served: ${reason}`, null);
    if (pathname === '/healthz') return sendText(response, 'application/json', '{"status":"ok"}\n');
    if (pathname === '/metrics') {
      const sessions = new Set(endpoints.values());
      const open = [...sessions].reduce((sum, { sessionCount }) => sum + sessionCount, 0);
      const gauge = `# HELP sextant_sessions Open sessions.\n# TYPE sextant_sessions gauge\nsextant_sessions ${open}\n`;
      return sendText(response, 'text/plain; version=0.0.4; charset=utf-8', metrics.prometheus() + gauge);
    }
    if (options.page && (await options.page(request, response, 200))) return;
    sendError(response, 404, -32601, `Nothing is served at ${pathname}.`, null);
  };

  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: 65_000 }, (request, response) => {
    route(request, response).catch((error: unknown) => {
      if (request.destroyed && !request.complete) return; // The client left in the middle of its request.
      if (error instanceof BodyError) {
        response.setHeader('Connection', 'close');
        return sendError(response, error.status, error.code, error.message, null);
      }
      log('error', 'request failed', { error });
      sendError(response, 500, -32603, 'Internal error', null);
    });
  });
  await listen(server, host, options.port);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    async close() {
      shutdown.abort(new DOMException('The server is going down.', 'AbortError'));
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.allSettled([...new Set(endpoints.values())].map((endpoint) => endpoint.close()));
      server.closeIdleConnections();
      const hurry = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
      await closed;
      clearTimeout(hurry);
    },
  };
}

async function loadToken({ host, tokenFile }: HttpServeOptions): Promise<string | null> {
  if (tokenFile === null) {
    if (isLoopback(host)) return null;
    throw new EngineError('invalid_input', {
      reason: `Serving on ${host} lets others reach this machine's code: pass --token-file with a secret of at least ${MIN_TOKEN_LENGTH} characters.`,
    });
  }
  const token = (await readFile(tokenFile, 'utf8')).trim();
  if (token.length < MIN_TOKEN_LENGTH)
    throw new EngineError('invalid_input', {
      reason: `The token in ${tokenFile} has ${token.length} characters; ${MIN_TOKEN_LENGTH} are the least.`,
    });
  return token;
}

function listen(server: HttpServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}

function sendText(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' });
  response.end(text);
}
