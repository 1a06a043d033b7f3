/**
 * Tasks: work that outlives its request. A tool call creates a task, the client polls it, and it ends with its work, by
 * cancellation or with the process; its result is kept for its time to live. Both protocol forms show the same record:
 * 2025-11-25 (`task` on tools/call, tasks/list|get|cancel|result) and the 2026-07-28 extension
 * (tasks/get|update|cancel).
 */
import { randomUUID } from 'node:crypto';
import type { ClientAnswer, ClientQuestion } from '../../contracts/index.ts';
import { RpcError } from '../../contracts/index.ts';

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

const DEFAULT_TTL_MS = 15 * 60 * 1000;
const MAX_TTL_MS = 24 * 60 * 60 * 1000;
const POLL_INTERVAL_MS = 500;
const MAX_RUNNING = 64;
/**
 * Limits of finished tasks and of their results together; the oldest are dropped first, before their time to live ends.
 */
const MAX_FINISHED = 256;
const MAX_FINISHED_BYTES = 16 * 1024 * 1024;
const PAGE_SIZE = 50;
const INVALID_PARAMS = -32602;
const TERMINAL: ReadonlySet<TaskStatus> = new Set(['completed', 'failed', 'cancelled']);

export type TaskOutcome =
  | { readonly kind: 'result'; readonly result: Record<string, unknown> }
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly data?: unknown };

interface PendingQuestion {
  readonly question: ClientQuestion;
  readonly resolve: (answer: unknown) => void;
}

export class TaskRecord {
  readonly taskId = randomUUID();
  readonly createdAtMs = Date.now();
  readonly pollIntervalMs = POLL_INTERVAL_MS;
  readonly questions = new Map<string, PendingQuestion>();
  readonly session: string;
  readonly ttlMs: number;
  status: TaskStatus = 'working';
  statusMessage: string | undefined;
  updatedAtMs = this.createdAtMs;
  outcome: TaskOutcome | undefined;
  readonly #statusListeners = new Set<() => void>();
  #controller = new AbortController();
  readonly #ended: Promise<void>;
  #end!: () => void;

  constructor(session: string, ttlMs: number) {
    this.session = session;
    this.ttlMs = ttlMs;
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isTerminal(): boolean {
    return TERMINAL.has(this.status);
  }

  abort(reason: Error): void {
    this.#controller.abort(reason);
  }

  /** Ends the task. A terminal status is final: later calls are ignored. */
  settle(status: TaskStatus, outcome: TaskOutcome | undefined, message?: string): void {
    if (this.isTerminal) return;
    this.outcome = outcome;
    this.questions.clear();
    this.set(status, message);
    this.#end();
    // Both reference the call and its connection, which must not live as long as the result.
    this.#statusListeners.clear();
    this.#controller = new AbortController();
  }

  set(status: TaskStatus, message?: string): void {
    this.status = status;
    this.statusMessage = message;
    this.updatedAtMs = Date.now();
    for (const notify of this.#statusListeners) notify();
  }

  /** Calls the listener after every change of status, until the returned function is called. */
  onStatus(notify: () => void): () => void {
    this.#statusListeners.add(notify);
    return () => this.#statusListeners.delete(notify);
  }

  /** Asks the client that polls the task; resolves when tasks/update brings the answer. */
  ask(
    key: string,
    question: ClientQuestion,
    read: (answer: unknown) => ClientAnswer | null,
  ): Promise<ClientAnswer | null> {
    return new Promise((resolve, reject) => {
      if (this.isTerminal || this.signal.aborted) return reject(this.signal.reason ?? new Error('The task has ended.'));
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
      this.questions.set(key, { question, resolve: (answer) => resolve(read(answer)) });
      this.set('input_required');
    });
  }

  /**
   * Passes answers to their pending questions and ignores others. The task is `working` again when no question is
   * pending.
   */
  answer(responses: Readonly<Record<string, unknown>>): void {
    for (const [key, response] of Object.entries(responses)) {
      const pending = this.questions.get(key);
      if (!pending) continue;
      this.questions.delete(key);
      pending.resolve(response);
    }
    if (this.status === 'input_required' && this.questions.size === 0) this.set('working');
  }

  async ended(signal: AbortSignal): Promise<void> {
    if (this.isTerminal) return;
    let leave!: (reason: unknown) => void;
    const left = new Promise<never>((_, reject) => {
      leave = reject;
    });
    const onAbort = () => leave(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await Promise.race([this.#ended, left]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }
}

export class TaskStore {
  readonly #tasks = new Map<string, TaskRecord>();
  readonly #expiry = new Map<string, NodeJS.Timeout>();
  /** Bytes of the results of finished tasks, oldest first. */
  readonly #finished = new Map<string, number>();
  #finishedBytes = 0;
  readonly #shutdown: AbortSignal;

  constructor(shutdown: AbortSignal) {
    this.#shutdown = shutdown;
    shutdown.addEventListener('abort', () => this.#cancelAll(), { once: true });
  }

  create(session: string, requestedTtlMs: number | null | undefined): TaskRecord {
    const running = this.#tasks.size - this.#finished.size;
    if (running >= MAX_RUNNING) throw new RpcError(-32603, `Too many tasks: ${running} are running.`);
    const ttlMs = Math.min(Math.max(1, Math.round(requestedTtlMs ?? DEFAULT_TTL_MS)), MAX_TTL_MS);
    const task = new TaskRecord(session, ttlMs);
    this.#tasks.set(task.taskId, task);
    this.#expiry.set(task.taskId, setTimeout(() => this.#expire(task), ttlMs).unref());
    if (this.#shutdown.aborted) task.abort(asError(this.#shutdown.reason));
    return task;
  }

  /** Runs `work` and ends the task with its outcome. */
  run(task: TaskRecord, work: () => Promise<Record<string, unknown>>): Promise<void> {
    return work().then(
      (result) => this.#settle(task, 'completed', { kind: 'result', result }),
      (thrown: unknown) => {
        const error = asError(thrown);
        const code = thrown instanceof RpcError ? thrown.code : -32603;
        const data = thrown instanceof RpcError ? thrown.data : undefined;
        this.#settle(
          task,
          'failed',
          { kind: 'error', code, message: error.message, ...(data !== undefined && { data }) },
          error.message,
        );
      },
    );
  }

  #forget(taskId: string): void {
    this.#tasks.delete(taskId);
    clearTimeout(this.#expiry.get(taskId));
    this.#expiry.delete(taskId);
    this.#finishedBytes -= this.#finished.get(taskId) ?? 0;
    this.#finished.delete(taskId);
  }

  has(taskId: string): boolean {
    return this.#tasks.has(taskId);
  }

  /** With a null `session`, the id alone is the key (protocol versions without sessions). */
  get(taskId: string, session: string | null): TaskRecord {
    const task = this.#tasks.get(taskId);
    if (!task || (session !== null && task.session !== session))
      throw new RpcError(INVALID_PARAMS, `Task not found: ${taskId}`, { taskId });
    return task;
  }

  list(
    session: string,
    cursor: string | undefined,
  ): { readonly tasks: readonly TaskRecord[]; readonly nextCursor?: string } {
    const own = [...this.#tasks.values()].filter((task) => task.session === session);
    const start = cursor === undefined ? 0 : own.findIndex((task) => task.taskId === cursor) + 1;
    if (cursor !== undefined && start === 0) throw new RpcError(INVALID_PARAMS, 'Invalid cursor', { cursor });
    const tasks = own.slice(start, start + PAGE_SIZE);
    return start + PAGE_SIZE < own.length ? { tasks, nextCursor: tasks.at(-1)!.taskId } : { tasks };
  }

  cancel(task: TaskRecord): void {
    if (task.isTerminal) return;
    task.abort(new DOMException('The task was cancelled.', 'AbortError'));
    this.#settle(task, 'cancelled', undefined, 'Cancelled on request.');
  }

  #settle(task: TaskRecord, status: TaskStatus, outcome: TaskOutcome | undefined, message?: string): void {
    if (task.isTerminal || !this.#tasks.has(task.taskId)) return;
    task.settle(status, outcome, message);
    const bytes = 2 * (JSON.stringify(outcome)?.length ?? 0);
    this.#finished.set(task.taskId, bytes);
    this.#finishedBytes += bytes;
    for (const oldest of this.#finished.keys()) {
      const tooMany = this.#finished.size > MAX_FINISHED || this.#finishedBytes > MAX_FINISHED_BYTES;
      // The newest result stays, however large: its client waits for it.
      if (!tooMany || oldest === task.taskId) break;
      this.#forget(oldest);
    }
  }

  #expire(task: TaskRecord): void {
    this.cancel(task);
    this.#forget(task.taskId);
  }

  #cancelAll(): void {
    for (const task of this.#tasks.values()) this.cancel(task);
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
