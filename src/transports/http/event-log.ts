/**
 * Keeps the last messages of a session's streams, so that a client can resume after a broken connection. Bounded,
 * because there may be many sessions.
 */
import type { EventId, EventStore, JSONRPCMessage, StreamId } from '@modelcontextprotocol/server';

const MAX_MESSAGES = 64;
const MAX_BYTES = 1024 * 1024;
/** Limit over all sessions of an endpoint. */
const MAX_TOTAL_BYTES = 8 * 1024 * 1024;
/** Messages are dropped after this time: a client whose connection broke returns within seconds. */
const MAX_AGE_MS = 60_000;

/** The shared limit of one endpoint's logs: drops expired messages, and the oldest ones beyond the limit. */
export class EventBudget {
  readonly #now: () => number;
  #entries: { readonly log: EventLog; readonly id: number; readonly bytes: number; readonly atMs: number }[] = [];
  #bytes = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  add(log: EventLog, id: number, bytes: number): void {
    const atMs = this.#now();
    this.#entries.push({ log, id, bytes, atMs });
    this.#bytes += bytes;
    let dropped = 0;
    for (const oldest of this.#entries) {
      const expired = oldest.atMs < atMs - MAX_AGE_MS;
      if ((this.#bytes <= MAX_TOTAL_BYTES && !expired) || dropped === this.#entries.length - 1) break;
      dropped++;
      this.#bytes -= oldest.bytes;
      oldest.log.dropUntil(oldest.id);
    }
    if (dropped > 0) this.#entries = this.#entries.slice(dropped);
  }

  /** Releases the log of a session that has ended. */
  release(log: EventLog): void {
    this.#entries = this.#entries.filter((entry) => entry.log !== log || this.#giveBack(entry.bytes));
    log.dropUntil(Number.POSITIVE_INFINITY);
  }

  #giveBack(bytes: number): false {
    this.#bytes -= bytes;
    return false;
  }
}

interface Event {
  readonly id: number;
  readonly stream: StreamId;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

export class EventLog implements EventStore {
  readonly #events: Event[] = [];
  readonly #budget: EventBudget;
  #bytes = 0;
  #next = 1;

  constructor(budget = new EventBudget()) {
    this.#budget = budget;
  }

  async storeEvent(stream: StreamId, message: JSONRPCMessage): Promise<EventId> {
    const event = { id: this.#next++, stream, message, bytes: roughBytes(message) };
    this.#events.push(event);
    this.#bytes += event.bytes;
    // The newest message stays, whatever its size: its client waits for it.
    while (this.#events.length > 1 && (this.#events.length > MAX_MESSAGES || this.#bytes > MAX_BYTES))
      this.#bytes -= this.#events.shift()!.bytes;
    this.#budget.add(this, event.id, event.bytes);
    return String(event.id);
  }

  /** Drops all messages up to this id. */
  dropUntil(id: number): void {
    while (this.#events.length > 0 && this.#events[0]!.id <= id) this.#bytes -= this.#events.shift()!.bytes;
  }

  async getStreamIdForEventId(id: EventId): Promise<StreamId | undefined> {
    return this.#events.find((event) => event.id === Number(id))?.stream;
  }

  async replayEventsAfter(
    last: EventId,
    { send }: { send: (id: EventId, message: JSONRPCMessage) => Promise<void> },
  ): Promise<StreamId> {
    const stream = await this.getStreamIdForEventId(last);
    for (const event of this.#events)
      if (event.id > Number(last) && event.stream === stream) await send(String(event.id), event.message);
    return stream ?? '';
  }
}

/**
 * Estimates a message's size from the texts of its result; serialising it again to measure it would cost more than the
 * estimate saves.
 */
function roughBytes(message: JSONRPCMessage): number {
  const content = 'result' in message ? message.result.content : undefined;
  if (!Array.isArray(content)) return 500;
  return content.reduce(
    // Twice the text's length, and the same again for the structured form beside it.
    (sum: number, block: { text?: unknown }) => sum + 200 + 4 * String(block.text ?? '').length,
    500,
  );
}
