/** The last messages of a session's streams, so that a client whose connection broke can pick up where it was. Bounded: there are many sessions. */
import type { EventId, EventStore, JSONRPCMessage, StreamId } from '@modelcontextprotocol/server';

const KEPT = 64;
const KEPT_BYTES = 1024 * 1024;

interface Event {
  readonly id: number;
  readonly stream: StreamId;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

export class EventLog implements EventStore {
  readonly #events: Event[] = [];
  #bytes = 0;
  #next = 1;

  async storeEvent(stream: StreamId, message: JSONRPCMessage): Promise<EventId> {
    const event = { id: this.#next++, stream, message, bytes: roughBytes(message) };
    this.#events.push(event);
    this.#bytes += event.bytes;
    // The newest one stays, however large: it is the answer that somebody waits for.
    while (this.#events.length > 1 && (this.#events.length > KEPT || this.#bytes > KEPT_BYTES))
      this.#bytes -= this.#events.shift()!.bytes;
    return String(event.id);
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

/** By the texts of a result, which make nearly all of it; writing it out once more to measure it would cost more than it saves. */
function roughBytes(message: JSONRPCMessage): number {
  const content = 'result' in message ? message.result.content : undefined;
  if (!Array.isArray(content)) return 500;
  return content.reduce(
    (sum: number, block: { text?: unknown }) => sum + 200 + 2 * String(block.text ?? '').length,
    500,
  );
}
