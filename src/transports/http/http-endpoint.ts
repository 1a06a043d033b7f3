/**
 * One profile under one path: sessions for clients up to 2025-11-25, requests on their own for 2026-07-28. A session ends with DELETE, after
 * lying idle, or with the server.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } from '@modelcontextprotocol/node';
import { createMcpHandler, isInitializeRequest, isLegacyRequest } from '@modelcontextprotocol/server';
import { isRecord } from '../../model/runtime/is-record.ts';
import type { ProfileHost } from '../host.ts';
import { ProfileServer } from '../profile-server.ts';
import { BATCH_VERSION } from '../protocol/capabilities.ts';
import { EventBudget, EventLog } from './event-log.ts';
import { BodyError, requestId } from './http-guard.ts';
import { serveListen, wantedByHttp } from './http-listen.ts';
import { HEADER_MISMATCH, paramHeaderMismatch } from './param-headers.ts';

const IDLE_MS = 30 * 60 * 1000;
const SWEEP_MS = 60 * 1000;
const MAX_SESSIONS = 2000;
const GREETING_WANTS = 'protocolVersion, capabilities and clientInfo with name and version are needed';

interface Session {
  readonly server: ProfileServer;
  readonly transport: NodeStreamableHTTPServerTransport;
  usedAtMs: number;
  openRequests: number;
}

export interface Endpoint {
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
  readonly sessionCount: number;
  close(): Promise<void>;
}

export interface SessionLimits {
  readonly sessionIdleMs?: number;
  readonly maxSessions?: number;
}

export function createEndpoint(
  host: ProfileHost,
  { sessionIdleMs: idleMs = IDLE_MS, maxSessions = MAX_SESSIONS }: SessionLimits,
): Endpoint {
  const sessions = new Map<string, Session>();
  const budget = new EventBudget();
  const onerror = (error: Error) => host.log('debug', 'http', { profile: host.profile.name, error: error.message });
  const modern = createMcpHandler(() => new ProfileServer(host, 'modern'), { legacy: 'reject', onerror });
  const handleModern = toNodeHandler(modern, { onerror });
  const stopListening = host.profile.tools.onChange(() => modern.notify.toolsChanged());

  const sweeper = setInterval(
    () => {
      const before = performance.now() - idleMs;
      for (const session of sessions.values())
        if (session.openRequests === 0 && session.usedAtMs < before) void session.transport.close();
    },
    Math.min(SWEEP_MS, idleMs),
  );
  sweeper.unref();

  const open = async (): Promise<Session> => {
    const events = new EventLog(budget);
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: events,
      retryInterval: 1000,
      onsessioninitialized: (id) => {
        sessions.set(id, session);
      },
      onsessionclosed: (id) => {
        sessions.delete(id);
      },
    });
    const server = new ProfileServer(host, 'legacy');
    const session: Session = { server, transport, usedAtMs: performance.now(), openRequests: 0 };
    await server.connect(transport);
    const closed = transport.onclose;
    transport.onclose = () => {
      if (transport.sessionId) sessions.delete(transport.sessionId);
      budget.release(events);
      closed?.();
    };
    return session;
  };

  /** Clients that never say goodbye must not keep others out: the session that lay idle longest ends. False when all are in use. */
  const makeRoom = async (): Promise<boolean> => {
    const idle = [...sessions.values()].filter(({ openRequests }) => openRequests === 0);
    const oldest = idle.reduce<Session | null>((a, b) => (a && a.usedAtMs <= b.usedAtMs ? a : b), null);
    await oldest?.transport.close();
    return oldest !== null;
  };

  const handleLegacy = async (request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> => {
    const id = request.headers['mcp-session-id'];
    let session = typeof id === 'string' ? sessions.get(id) : undefined;
    if (!session) {
      const opens = request.method === 'POST' && isInitializeRequest(body);
      if (typeof id === 'string' && !opens)
        return sendError(response, 404, -32001, 'Session not found: it has ended. Send "initialize" again.', body);
      if (isRecord(body) && body.method === 'initialize' && !opens)
        return sendError(response, 400, -32602, `Invalid params for initialize: ${GREETING_WANTS}.`, body);
      if (!opens) return sendError(response, 400, -32600, 'Server not initialized: send "initialize" first.', body);
      if (sessions.size >= maxSessions && !(await makeRoom()))
        return sendError(response, 503, -32603, 'Too many sessions.', body);
      session = await open();
    }
    if (Array.isArray(body) && session.server.getNegotiatedProtocolVersion() !== BATCH_VERSION)
      return sendError(response, 400, -32600, 'Invalid Request: this protocol version has no batches.', body);
    const current = session;
    current.usedAtMs = performance.now();
    current.openRequests++;
    response.once('close', () => {
      current.openRequests--;
      current.usedAtMs = performance.now();
    });
    await current.transport.handleRequest(request, response, body);
  };

  return {
    get sessionCount() {
      return sessions.size;
    },
    async handle(request, response, body) {
      const web = await toWebRequest(request, body).catch((error: unknown) => {
        // The body is written out again on the way.
        if (error instanceof RangeError) throw new BodyError(400, -32600, 'Invalid Request: nested too deeply.');
        throw error;
      });
      if (await isLegacyRequest(web, body)) return handleLegacy(request, response, body);
      const wanted = wantedByHttp(request, body);
      if (wanted) return serveListen(host, wanted, response);
      const mismatch = checkParamHeaders(host, request, body);
      if (mismatch) return sendError(response, 400, HEADER_MISMATCH, `Header and body disagree: ${mismatch}.`, body);
      await handleModern(request, response, body);
    },
    async close() {
      clearInterval(sweeper);
      stopListening();
      await Promise.allSettled([modern.close(), ...[...sessions.values()].map(({ transport }) => transport.close())]);
      await host.profile.stop?.();
    },
  };
}

function checkParamHeaders(host: ProfileHost, request: IncomingMessage, body: unknown): string | null {
  if (!isRecord(body) || body.method !== 'tools/call' || !isRecord(body.params)) return null;
  const tool = host.profile.tools.get(String(body.params.name));
  return tool ? paramHeaderMismatch(tool, body.params.arguments, request.headers) : null;
}

export function sendError(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
  body: unknown,
): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: requestId(body), error: { code, message } }));
}
