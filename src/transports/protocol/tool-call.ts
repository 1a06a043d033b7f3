/**
 * One tool call, resource read or prompt: the CallContext that handlers see, bound to the client's protocol era. In the
 * 2025 era, a question is a request to the client; in the 2026 era, the call ends with `input_required` and is repeated
 * with the answers, while earlier answers travel in a signed state.
 */
import { fileURLToPath } from 'node:url';
import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import {
  AnswerAwaited,
  type CallContext,
  type ClientAnswer,
  type ClientQuestion,
  type Log,
  type LogLevel,
  type QuestionKind,
} from '../../contracts/index.ts';
import type { Engine } from '../../engine/engine.ts';
import { inSession } from '../../engine/memory/session-engine.ts';
import { waitingForFirstIndex } from '../../engine/runs/first-index-wait.ts';
import { isRecord } from '../../model/runtime/is-record.ts';
import { revealHidden, revealIn } from '../../model/untrusted/visible-text.ts';
import type { ProfileHost } from '../host.ts';
import type { TaskRecord } from '../tasks/task-list.ts';
import { declaredCapabilities } from './capabilities.ts';
import { answerFromWire, questionToWire, type WireRequest } from './client-questions.ts';
import { hasFeature } from './wire-shape.ts';

/** Minimum interval of progress notifications. Runs of few steps report every step. */
const PROGRESS_INTERVAL_MS = 50;
const FEW_STEPS = 10;
const ROOTS_TIMEOUT_MS = 5_000;
/**
 * Timeout for the client's answer: many clients give a tool a minute, and the call must end before that without the
 * answer, too.
 */
const ANSWER_TIMEOUT_MS = 45_000;
/**
 * Accepts any answer; client-questions.ts checks it. The SDK would reject a whole answer for one root with another URI
 * scheme.
 */
const anyAnswer = z.looseObject({});

export interface Connection {
  readonly host: ProfileHost;
  readonly server: Server;
  readonly modern: boolean;
  readonly version: string;
  /** The client's roots, once requested (2025 era). */
  roots: Promise<ClientAnswer | null> | undefined;
}

export interface CallOptions {
  readonly engine: Engine;
  readonly sdk: ServerContext;
  /** The answers sent with this call, including those of earlier rounds. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** False for methods that cannot ask the client. */
  readonly mayAsk: boolean;
}

export class Call implements CallContext {
  readonly engine: Engine;
  readonly session: string;
  readonly log: Log;
  /** Questions without an answer in this round (2026 era). */
  readonly unanswered = new Map<string, WireRequest>();
  releaseStream?: () => void;
  readonly #connection: Connection;
  readonly #mayAsk: boolean;
  readonly #sdk: ServerContext;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly #controller = new AbortController();
  #task: TaskRecord | undefined;
  #lastProgress = Number.NEGATIVE_INFINITY;
  #lastProgressAt = 0;

  constructor(connection: Connection, { engine, sdk, answers, mayAsk }: CallOptions) {
    this.session = sdk.sessionId ?? connection.host.session;
    this.engine = waitingForFirstIndex(inSession(engine, this.session), this.signal);
    this.log = connection.host.log;
    this.#connection = connection;
    this.#sdk = sdk;
    this.answers = answers;
    this.#mayAsk = mayAsk;
    // The request's signal applies only while the request is open: a task continues without it.
    sdk.mcpReq.signal.addEventListener('abort', () => this.#onRequestAbort(), { once: true });
    if (sdk.mcpReq.signal.aborted) this.#onRequestAbort();
    const release = sdk.http?.closeSSE;
    if (release) this.releaseStream = release;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Runs the tool; a shutdown aborts it. AbortSignal.any() of both signals would be referenced by the server's signal
   * forever.
   */
  async during<T>(work: (call: Call) => Promise<T>): Promise<T> {
    const { shutdown } = this.#connection.host;
    const stop = () => this.#controller.abort(shutdown.reason);
    shutdown.addEventListener('abort', stop, { once: true });
    if (shutdown.aborted) stop();
    try {
      return await work(this);
    } finally {
      shutdown.removeEventListener('abort', stop);
    }
  }

  /** Moves the call to a task: the task's signal aborts it, and its messages and questions go to the task. */
  moveTo(task: TaskRecord): void {
    this.#task = task;
    const abort = () => this.#controller.abort(task.signal.reason);
    task.signal.addEventListener('abort', abort, { once: true });
    if (task.signal.aborted) abort();
  }

  async workspace(): Promise<string | null> {
    const { host } = this.#connection;
    if (host.workspace !== null) return host.workspace;
    // A 2025-era task has no request to ask the client in, so it uses the roots that were requested when it was
    // created.
    const answer = this.canAsk('roots') ? await this.#askRoots() : await this.#connection.roots;
    const folder = (answer?.kind === 'roots' ? firstFolder(answer.roots) : null) ?? host.fallbackWorkspace;
    if (folder !== null) host.lastProject.folder = folder;
    return folder;
  }

  progress(done: number, total?: number, message?: string): void {
    const token = this.#sdk.mcpReq._meta?.progressToken;
    const now = Date.now();
    const isShortRun = total !== undefined && total <= FEW_STEPS;
    const isTooSoon = !isShortRun && now - this.#lastProgressAt < PROGRESS_INTERVAL_MS && done !== total;
    if (token === undefined || done <= this.#lastProgress || isTooSoon) return;
    this.#lastProgress = done;
    this.#lastProgressAt = now;
    this.#send('notifications/progress', {
      progressToken: token,
      progress: done,
      ...(total !== undefined && { total }),
      ...(message !== undefined &&
        hasFeature(this.#connection.version, 'progressMessage') && { message: revealHidden(message) }),
    });
  }

  notify(level: LogLevel, data: unknown): void {
    // Log messages are deprecated in the newest protocol version and required by earlier ones.
    this.#sdk.mcpReq.log(level, revealIn(data), this.#connection.host.profile.name).catch(() => {});
  }

  canAsk(kind: QuestionKind): boolean {
    if (!this.#mayAsk || (this.#task && !this.#connection.modern)) return false;
    const capabilities: unknown = this.#connection.modern
      ? declaredCapabilities(this.#sdk)
      : this.#connection.server.getClientCapabilities();
    return isRecord(capabilities) && isRecord(capabilities[kind]);
  }

  async ask(key: string, question: ClientQuestion): Promise<ClientAnswer | null> {
    if (!this.canAsk(question.kind)) return null;
    const read = (answer: unknown) => answerFromWire(question.kind, answer);
    if (!this.#connection.modern)
      return this.#request(questionToWire(question), { timeout: ANSWER_TIMEOUT_MS, signal: this.signal }).then(
        read,
        (error: unknown) => {
          // Declined, unreadable or too late: the call continues without the answer, unless it was cancelled itself.
          if (this.signal.aborted) throw error;
          this.log('debug', 'the client did not answer', { key, error: String(error) });
          return null;
        },
      );
    // An unreadable answer counts as declined: the client would send the same one again.
    if (Object.hasOwn(this.answers, key)) return read(this.answers[key]);
    if (this.#task) return this.#task.ask(key, question, read);
    this.unanswered.set(key, questionToWire(question));
    throw new AnswerAwaited();
  }

  #askRoots(): Promise<ClientAnswer | null> {
    if (this.#connection.modern) return this.ask('sextant.workspace', { kind: 'roots' });
    // Requested once per connection. A client that changes its roots notifies the server; one that does not answer is
    // not asked again.
    this.#connection.roots ??= this.#request(questionToWire({ kind: 'roots' }), { timeout: ROOTS_TIMEOUT_MS }).then(
      (answer) => answerFromWire('roots', answer),
      () => null,
    );
    return this.#connection.roots;
  }

  #request({ method, params }: WireRequest, options: { timeout: number; signal?: AbortSignal }): Promise<unknown> {
    return this.#sdk.mcpReq.send({ method, params }, anyAnswer, options);
  }

  #send(method: string, params: Record<string, unknown>): void {
    const sent = this.#task
      ? this.#connection.server.notification({ method, params })
      : this.#sdk.mcpReq.notify({ method, params });
    sent.catch((error: unknown) => this.log('debug', 'notification not delivered', { method, error: String(error) }));
  }

  #onRequestAbort(): void {
    if (!this.#task) this.#controller.abort(new DOMException('The request was cancelled.', 'AbortError'));
  }
}

/** The first root that is a path on this machine; other roots (`http:`, `file://server/share`) are not. */
function firstFolder(roots: readonly { readonly uri: string }[]): string | null {
  for (const { uri } of roots) {
    try {
      return fileURLToPath(uri);
    } catch {
      // Try the next root.
    }
  }
  return null;
}
