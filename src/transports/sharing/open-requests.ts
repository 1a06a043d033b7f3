/**
 * What a relay repeats after its engine dies: the handshake, settings of the connection, and every unanswered request.
 * Reads messages and changes none.
 */
import { isRecord } from '../../model/runtime/is-record.ts';

type RequestId = string | number;

interface Sent {
  readonly line: Buffer;
  readonly open: Set<RequestId>;
  /** An engine that died may have done it already, and doing it twice has the same effect. */
  readonly isRepeatable: boolean;
  tries: number;
}

/** A request that kills an engine would kill the next one, too: it is given up after two. */
const MOST_TRIES = 2;
/**
 * Methods that may run twice. `tools/call` is among them because every tool only reads or is idempotent, as its
 * annotations say; a test holds the tools to that. A method that is not listed here is sent to one engine only.
 */
const REPEATABLE = new Set([
  ...['initialize', 'server/discover', 'ping', 'logging/setLevel', 'completion/complete'],
  ...['tools/list', 'tools/call', 'prompts/list', 'prompts/get'],
  ...['resources/list', 'resources/templates/list', 'resources/read', 'resources/subscribe', 'resources/unsubscribe'],
  ...['subscriptions/listen', 'tasks/get', 'tasks/list', 'tasks/result', 'tasks/cancel'],
]);
/** Requests that set something up for the whole connection. */
const LASTING = new Set(['initialize', 'logging/setLevel', 'resources/subscribe']);

export class OpenRequests {
  readonly #waiting: Sent[] = [];
  /** Lines that set the connection up, by what they set. */
  readonly #lasting = new Map<string, { readonly line: Buffer; readonly id: RequestId | null }>();
  /** Answers that the client has already, or asked no more for: requests that were only repeated. */
  readonly #unwanted = new Set<RequestId>();
  /** Questions of the engine that the client has not answered. */
  readonly #questions = new Set<RequestId>();
  readonly #lostQuestions = new Set<RequestId>();

  get count(): number {
    return this.#waiting.length;
  }

  /** A line of the client, which an engine is about to get or must wait for. False: the question it answers is gone. */
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
        if (LASTING.has(message.method)) this.#lasting.set(lastingKey(message), { line, id });
        if (message.method === 'resources/unsubscribe') this.#lasting.delete(lastingKey(message));
      } else if (message.method === 'notifications/initialized') this.#lasting.set(message.method, { line, id: null });
      else if (message.method === 'notifications/cancelled') this.#forget(paramsOf(message).requestId);
    }
    if (open.size > 0) this.#waiting.push({ line, open, isRepeatable, tries: isSent ? 1 : 0 });
    return true;
  }

  /** A line of the engine. False where the client has had it already. */
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

  /** The lines for a new engine, and the requests that no further engine shall see. */
  repeat(): { readonly lines: readonly Buffer[]; readonly givenUp: readonly RequestId[] } {
    for (const id of this.#questions) this.#lostQuestions.add(id);
    this.#questions.clear();
    this.#unwanted.clear();
    const lines: Buffer[] = [];
    for (const { line, id } of this.#lasting.values()) {
      if (id !== null && this.#waiting.some(({ open }) => open.has(id))) continue;
      if (id !== null) this.#unwanted.add(id);
      lines.push(line);
    }
    const lost = this.#waiting.filter(({ tries, isRepeatable }) => tries >= (isRepeatable ? MOST_TRIES : 1));
    for (const sent of lost) this.#waiting.splice(this.#waiting.indexOf(sent), 1);
    for (const sent of this.#waiting) {
      sent.tries++;
      lines.push(sent.line);
    }
    return { lines, givenUp: lost.flatMap(({ open }) => [...open]) };
  }

  #forget(id: unknown): void {
    const at = this.#waiting.findIndex(({ open }) => open.delete(id as RequestId));
    if (at >= 0 && this.#waiting[at]!.open.size === 0) this.#waiting.splice(at, 1);
  }
}

type Message = Readonly<Record<string, unknown>>;

/** Empty where the line is no message: the engine may answer it with an error. */
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

/** `resources/subscribe` and its contrary have one key for each resource. */
function lastingKey(message: Message): string {
  const { uri } = paramsOf(message);
  return `${String(message.method).replace('unsubscribe', 'subscribe')} ${typeof uri === 'string' ? uri : ''}`;
}
