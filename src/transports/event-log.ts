/** The last messages of a session's streams, so that a client whose connection broke can pick up where it was. */
import type { EventId, EventStore, JSONRPCMessage, StreamId } from '@modelcontextprotocol/server';

const KEPT = 256;

export class EventLog implements EventStore {
  readonly #events: { readonly id: number; readonly stream: StreamId; readonly message: JSONRPCMessage }[] = [];
  #next = 1;

  async storeEvent(stream: StreamId, message: JSONRPCMessage): Promise<EventId> {
    const id = this.#next++;
    this.#events.push({ id, stream, message });
    if (this.#events.length > KEPT) this.#events.shift();
    return String(id);
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
