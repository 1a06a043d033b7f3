/**
 * The sessions of one endpoint, for clients of the protocol up to 2025-11-25. A session is a small record until its
 * client sends a request: `initialize` and `notifications/initialized` are answered from the profile alone, and the
 * SDK's server (1.5 ms of CPU and 50 KB) is created for the first request after them. So many clients can connect at
 * once, and clients that only connect cost little.
 */
import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { type InitializeRequest, isInitializeRequest, isJSONRPCRequest } from '@modelcontextprotocol/server';
import { isRecord } from '../../model/runtime/is-record.ts';
import type { ProfileHost } from '../host.ts';
import { ProfileServer } from '../profile-server.ts';
import { BATCH_VERSION, LEGACY_VERSIONS } from '../protocol/capabilities.ts';
import { greet } from '../protocol/greeting.ts';
import { EventBudget, EventLog } from './event-log.ts';
import { sendError } from './http-errors.ts';

const IDLE_MS = 30 * 60 * 1000;
const SWEEP_MS = 60 * 1000;
const MAX_SESSIONS = 2000;
/** A session that was used within this time is not evicted: its client would lose it in the middle of its work. */
const SAFE_MS = 60_000;
/** Limit of a client's `initialize` message, which every session keeps. */
const MAX_GREETING_LENGTH = 64 * 1024;
const ACCEPTED = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const REQUIRED_PARAMS = 'protocolVersion, capabilities and clientInfo with name and version are needed';
const INITIALIZED = 'notifications/initialized';

export interface SessionLimits {
  readonly sessionIdleMs?: number;
  readonly maxSessions?: number;
  /** How long after its last use a session is not evicted for a new one. */
  readonly sessionSafeMs?: number;
}

interface Session {
  readonly id: string;
  /** The client's `initialize` message as JSON. */
  readonly greeting: string;
  isInitialized: boolean;
  usedAtMs: number;
  openRequests: number;
  /** Null until the client's first request. */
  live: Promise<LiveSession> | null;
}

interface LiveSession {
  readonly server: ProfileServer;
  readonly transport: NodeStreamableHTTPServerTransport;
}

export class HttpSessions {
  readonly #host: ProfileHost;
  readonly #idleMs: number;
  readonly #safeMs: number;
  readonly #max: number;
  /** Least recently used first. */
  readonly #sessions = new Map<string, Session>();
  readonly #budget = new EventBudget();
  readonly #sweeper: NodeJS.Timeout;

  constructor(host: ProfileHost, { sessionIdleMs, maxSessions, sessionSafeMs }: SessionLimits) {
    this.#host = host;
    this.#idleMs = sessionIdleMs ?? IDLE_MS;
    this.#safeMs = sessionSafeMs ?? SAFE_MS;
    this.#max = maxSessions ?? MAX_SESSIONS;
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(SWEEP_MS, this.#idleMs));
    this.#sweeper.unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  async handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const id = request.headers['mcp-session-id'];
    const session = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    if (!session) return this.#open(request, response, body);
    this.#use(session, response);
    if (session.live === null && this.#answerWithoutServer(session, request, response, body)) return;
    session.live ??= this.#createServer(session);
    const { server, transport } = await session.live;
    if (Array.isArray(body) && server.getNegotiatedProtocolVersion() !== BATCH_VERSION)
      return sendError(response, 400, -32600, 'Invalid Request: this protocol version has no batches.', body);
    await transport.handleRequest(request, response, body);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.allSettled([...this.#sessions.values()].map((session) => this.#end(session)));
  }

  #open(request: IncomingMessage, response: ServerResponse, body: unknown): void {
    const refused = checkInitialize(request, body) ?? this.#refuseNew();
    if (refused) {
      if (refused.status === 503) response.setHeader('Retry-After', Math.ceil(this.#safeMs / 1000));
      sendError(response, refused.status, refused.code, refused.message, body);
      return;
    }
    const message = body as InitializeRequest & { readonly id: string | number };
    const result = greet(this.#host.profile, message.params);
    const id = randomUUID();
    const greeting = JSON.stringify(message);
    const usedAtMs = performance.now();
    this.#sessions.set(id, { id, greeting, usedAtMs, openRequests: 0, isInitialized: false, live: null });
    response.writeHead(200, { 'Content-Type': 'application/json', 'Mcp-Session-Id': id });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
  }

  #refuseNew(): Refused | null {
    if (this.#sessions.size < this.#max || this.#evictOne()) return null;
    return { status: 503, code: -32603, message: `Too many sessions: ${this.#max} are open. Try again later.` };
  }

  /**
   * Answers what needs no server: the end of the handshake, and the end of a session that never sent a request. Returns
   * false for anything else.
   */
  #answerWithoutServer(session: Session, request: IncomingMessage, response: ServerResponse, body: unknown): boolean {
    const version = request.headers['mcp-protocol-version'];
    if (version !== undefined && !LEGACY_VERSIONS.includes(String(version))) return false;
    if (request.method === 'DELETE') {
      this.#sessions.delete(session.id);
      response.writeHead(200).end();
      return true;
    }
    const isEnd = isRecord(body) && body.jsonrpc === '2.0' && body.method === INITIALIZED && !('id' in body);
    if (request.method !== 'POST' || !isEnd || !acceptsAnswers(request)) return false;
    session.isInitialized = true;
    response.writeHead(202).end();
    return true;
  }

  async #createServer(session: Session): Promise<LiveSession> {
    const events = new EventLog(this.#budget);
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => session.id,
      eventStore: events,
      retryInterval: 1000,
    });
    const server = new ProfileServer(this.#host, 'legacy');
    await server.connect(transport);
    const closed = transport.onclose;
    transport.onclose = () => {
      this.#sessions.delete(session.id);
      this.#budget.release(events);
      closed?.();
    };
    await replay(transport, JSON.parse(session.greeting), {});
    if (session.isInitialized)
      await replay(transport, { jsonrpc: '2.0', method: INITIALIZED }, { 'mcp-session-id': session.id });
    // The session may have ended meanwhile: then the transport answers that there is no such session.
    if (!this.#sessions.has(session.id)) await transport.close();
    return { server, transport };
  }

  #use(session: Session, response: ServerResponse): void {
    const touch = () => {
      session.usedAtMs = performance.now();
      if (this.#sessions.delete(session.id)) this.#sessions.set(session.id, session);
    };
    touch();
    session.openRequests++;
    response.once('close', () => {
      session.openRequests--;
      touch();
    });
  }

  /**
   * Evicts the least recently used session, so that clients that never disconnect do not lock others out. Returns false
   * if all are in use.
   */
  #evictOne(): boolean {
    const before = performance.now() - this.#safeMs;
    for (const session of this.#sessions.values()) {
      if (session.usedAtMs > before) return false;
      if (session.openRequests > 0) continue;
      void this.#end(session);
      return true;
    }
    return false;
  }

  #sweep(): void {
    const before = performance.now() - this.#idleMs;
    for (const session of this.#sessions.values()) {
      if (session.usedAtMs >= before) return;
      if (session.openRequests === 0) void this.#end(session);
    }
  }

  async #end(session: Session): Promise<void> {
    this.#sessions.delete(session.id);
    const live = await session.live?.catch(() => null);
    await live?.transport.close();
  }
}

interface Refused {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

/** Returns null if the request is a valid `initialize`, which opens a session. */
function checkInitialize(request: IncomingMessage, body: unknown): Refused | null {
  const isInitialize = request.method === 'POST' && isRecord(body) && body.method === 'initialize';
  if (!isInitialize && request.headers['mcp-session-id'] !== undefined)
    return { status: 404, code: -32001, message: 'Session not found: it has ended. Send "initialize" again.' };
  if (!isInitialize) return { status: 400, code: -32600, message: 'Server not initialized: send "initialize" first.' };
  if (!acceptsAnswers(request))
    return {
      status: 406,
      code: -32000,
      message: 'Not Acceptable: accept both application/json and text/event-stream.',
    };
  if (!isJSONRPCRequest(body))
    return { status: 400, code: -32600, message: 'Invalid Request: not a JSON-RPC 2.0 request.' };
  if (!isInitializeRequest(body))
    return { status: 400, code: -32602, message: `Invalid params for initialize: ${REQUIRED_PARAMS}.` };
  if (JSON.stringify(body).length > MAX_GREETING_LENGTH)
    return {
      status: 413,
      code: -32600,
      message: `Request too large: initialize may have ${MAX_GREETING_LENGTH} bytes.`,
    };
  return null;
}

function acceptsAnswers({ headers: { accept = '' } }: IncomingMessage): boolean {
  return accept.includes('application/json') && accept.includes('text/event-stream');
}

/** Passes the SDK a message that the client already has an answer to; the SDK's answer is dropped. */
async function replay(
  transport: NodeStreamableHTTPServerTransport,
  message: unknown,
  more: Readonly<Record<string, string>>,
): Promise<void> {
  const nowhere = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() }) as Socket;
  const headers = { host: 'localhost', ...ACCEPTED, ...more };
  const request = new IncomingMessage(nowhere);
  Object.assign(request, { method: 'POST', url: '/', headers, rawHeaders: Object.entries(headers).flat() });
  request.push(null);
  const response = new ServerResponse(request);
  response.assignSocket(nowhere);
  await transport.handleRequest(request, response, message);
}
