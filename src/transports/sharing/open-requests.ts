/**
 * Tracks what a relay must repeat after its engine dies: the handshake, settings of the connection, and every
 * unanswered request. Reads messages and changes none.
 */
import { isRecord } from '../../model/runtime/is-record.ts';

type RequestId = string | number;

interface SentLine {
  readonly line: Buffer;
  readonly open: Set<RequestId>;
  /** True if all requests of the line may run twice: the engine that died may have run them. */
  readonly isRepeatable: boolean;
  attempts: number;
}

/** Attempts before a request is given up: a request that kills an engine would kill the next one, too. */
const MAX_ATTEMPTS = 2;
/**
 * Methods that may run twice. `tools/call` is one because every tool only reads or is idempotent, as its annotations
 * say; a test checks the tools for that. Any other method is sent to one engine only.
 */
const REPEATABLE = new Set([
  ...['initialize', 'server/discover', 'ping', 'logging/setLevel', 'completion/complete'],
  ...['tools/list', 'tools/call', 'prompts/list', 'prompts/get'],
  ...['resources/list', 'resources/templates/list', 'resources/read', 'resources/subscribe', 'resources/unsubscribe'],
  ...['subscriptions/listen', 'tasks/get', 'tasks/list', 'tasks/result', 'tasks/cancel'],
]);
/** Requests that change the state of the whole connection. */
const CONNECTION_SETUP = new Set(['initialize', 'logging/setLevel', 'resources/subscribe']);

export class OpenRequests {
  readonly #unanswered: SentLine[] = [];
  /** Lines that set up the connection, by setupKey(). */
  readonly #setupLines = new Map<string, { readonly line: Buffer; readonly id: RequestId | null }>();
  /** Ids of repeated setup requests: the client already has an answer to them. */
  readonly #unwanted = new Set<RequestId>();
  /** Ids of the engine's requests that the client has not answered. */
  readonly #questions = new Set<RequestId>();
  readonly #lostQuestions = new Set<RequestId>();

  get count(): number {
    return this.#unanswered.length;
  }

  /**
   * Records a line of the client. Returns false if it answers a request of an engine that is gone: the line must not be
   * sent.
   */
  noteClient(line: Buffer, isSent: boolean): boolean {
    const messages = parse(line);
    const open = new Set<RequestId>();
    let isRepeatable = true;
    for (const message of messages) {
      const id = idOf(message);
      if (typeof message.method !== 'string') {
        if (id !== null && this.#lostQuestions.delete(id)) return false;
        if (id !== null) this.#questions.delete(id);
      } else if (id !== null) {
        open.add(id);
        isRepeatable &&= REPEATABLE.has(message.method);
        if (CONNECTION_SETUP.has(message.method)) this.#setupLines.set(setupKey(message), { line, id });
        if (message.method === 'resources/unsubscribe') this.#setupLines.delete(setupKey(message));
      } else if (message.method === 'notifications/initialized')
        this.#setupLines.set(message.method, { line, id: null });
      else if (message.method === 'notifications/cancelled') this.#forget(paramsOf(message).requestId);
    }
    if (open.size > 0) this.#unanswered.push({ line, open, isRepeatable, attempts: isSent ? 1 : 0 });
    return true;
  }

  /** Records a line of the engine. Returns false if the client has already had this answer. */
  noteEngine(line: Buffer): boolean {
    let isWanted = true;
    for (const message of parse(line)) {
      const id = idOf(message);
      if (id === null) continue;
      if (typeof message.method === 'string') this.#questions.add(id);
      else if (this.#unwanted.delete(id)) isWanted = false;
      else this.#forget(id);
    }
    return isWanted;
  }

  /** Returns the lines to send to a new engine, and the ids of requests that are given up. */
  repeat(): { readonly lines: readonly Buffer[]; readonly givenUp: readonly RequestId[] } {
    for (const id of this.#questions) this.#lostQuestions.add(id);
    this.#questions.clear();
    this.#unwanted.clear();
    const lines: Buffer[] = [];
    for (const { line, id } of this.#setupLines.values()) {
      if (id !== null && this.#unanswered.some(({ open }) => open.has(id))) continue;
      if (id !== null) this.#unwanted.add(id);
      lines.push(line);
    }
    const lost = this.#unanswered.filter(({ attempts, isRepeatable }) => attempts >= (isRepeatable ? MAX_ATTEMPTS : 1));
    for (const sent of lost) this.#unanswered.splice(this.#unanswered.indexOf(sent), 1);
    for (const sent of this.#unanswered) {
      sent.attempts++;
      lines.push(sent.line);
    }
    return { lines, givenUp: lost.flatMap(({ open }) => [...open]) };
  }

  #forget(id: unknown): void {
    const at = this.#unanswered.findIndex(({ open }) => open.delete(id as RequestId));
    if (at >= 0 && this.#unanswered[at]!.open.size === 0) this.#unanswered.splice(at, 1);
  }
}

type Message = Readonly<Record<string, unknown>>;

/** The messages of a line; empty if it is not JSON, which the engine answers with an error. */
function parse(line: Buffer): readonly Message[] {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    return (Array.isArray(value) ? value : [value]).filter(isRecord);
  } catch {
    return [];
  }
}

function idOf({ id }: Message): RequestId | null {
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function paramsOf({ params }: Message): Message {
  return isRecord(params) ? params : {};
}

/** The key of a setup request; `resources/subscribe` and `resources/unsubscribe` share one for each resource. */
function setupKey(message: Message): string {
  const { uri } = paramsOf(message);
  return `${String(message.method).replace('unsubscribe', 'subscribe')} ${typeof uri === 'string' ? uri : ''}`;
}
