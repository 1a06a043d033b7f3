/**
 * Connects the SDK's server to an open wire. A file of its own, because it is loaded after `initialize` is answered.
 */
import { isJSONRPCRequest, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { isRecord } from '../../model/runtime/is-record.ts';
import type { ProfileHost } from '../host.ts';
import { ProfileServer } from '../profile-server.ts';
import { ACKNOWLEDGED, readSubscription, SubscriptionFeed, subscriptionIdOf } from '../protocol/change-listeners.ts';
import { isRequest, type StdioWire } from './stdio-wire.ts';

export function connectWire(wire: StdioWire, host: ProfileHost): { close(): Promise<void> } {
  return serveStdio(({ era }) => new ProfileServer(host, era), {
    transport: new ListeningWire(wire, host),
    onerror: (error) => host.log('debug', 'protocol', { error: error.message }),
  });
}

/**
 * The wire, extended by the subscriptions that the SDK's router does not support (change-listeners.ts): they are added
 * to the acknowledgement, and their notifications are sent.
 */
class ListeningWire implements Transport {
  readonly #wire: StdioWire;
  readonly #host: ProfileHost;
  readonly #subscriptions = new Map<unknown, SubscriptionFeed>();
  #onmessage: Transport['onmessage'];

  constructor(wire: StdioWire, host: ProfileHost) {
    this.#wire = wire;
    this.#host = host;
  }

  get onmessage(): Transport['onmessage'] {
    return this.#onmessage;
  }

  set onmessage(listener: Transport['onmessage']) {
    this.#onmessage = listener;
    this.#wire.onmessage = (message, extra) => {
      // The SDK ignores a request that does not match its schema, and the client would wait forever.
      if (isRequest(message) && !isJSONRPCRequest(message)) return this.#wire.refuse(message);
      this.#trackSubscriptions(message);
      listener?.(message, extra);
    };
  }

  get onclose(): Transport['onclose'] {
    return this.#wire.onclose;
  }

  set onclose(listener: Transport['onclose']) {
    this.#wire.onclose = () => {
      for (const listening of this.#subscriptions.values()) listening.stop();
      listener?.();
    };
  }

  get onerror(): Transport['onerror'] {
    return this.#wire.onerror;
  }

  set onerror(listener: Transport['onerror']) {
    if (listener) this.#wire.onerror = listener;
  }

  start(): Promise<void> {
    return this.#wire.start();
  }

  close(): Promise<void> {
    return this.#wire.close();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message) || message.method !== ACKNOWLEDGED) return this.#wire.send(message);
    const listening = this.#subscriptions.get(subscriptionIdOf(message.params));
    const requested = isRecord(message.params?.notifications) ? message.params.notifications : {};
    const notifications = { ...requested, ...listening?.honored };
    await this.#wire.send({ ...message, params: { ...message.params, notifications } });
    listening?.start();
  }

  #trackSubscriptions(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if (message.method === 'notifications/cancelled') {
      this.#subscriptions.get(message.params?.requestId)?.stop();
      this.#subscriptions.delete(message.params?.requestId);
      return;
    }
    const wanted = readSubscription(message);
    if (!wanted) return;
    const notify = (method: string, params: Record<string, unknown>) => {
      void this.#wire.send({ jsonrpc: '2.0', method, params });
    };
    this.#subscriptions.set(wanted.id, new SubscriptionFeed(this.#host, wanted, notify));
  }
}
