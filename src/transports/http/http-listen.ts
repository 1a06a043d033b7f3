/**
 * Serves `subscriptions/listen` over HTTP: acknowledges the subscription, then sends notifications until the client or
 * the server ends the stream.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProfileHost } from '../host.ts';
import { MODERN_VERSION } from '../protocol/capabilities.ts';
import {
  ACKNOWLEDGED,
  LISTEN,
  readSubscription,
  type Subscription,
  SubscriptionFeed,
  subscriptionMeta,
} from '../protocol/change-listeners.ts';
import { sendError } from './http-errors.ts';

const KEEP_ALIVE_MS = 15_000;
/** The same limit as for sessions, which have one stream each. */
const MAX_STREAMS = 2000;
/** A client that does not read is disconnected before its queue fills the memory. */
const MAX_UNREAD_BYTES = 1024 * 1024;
const streams = new WeakMap<ProfileHost, number>();

/** Returns null if the SDK must answer: for another request, or one whose headers it will reject. */
export function readHttpSubscription(request: IncomingMessage, body: unknown): Subscription | null {
  const { 'mcp-method': method, 'mcp-protocol-version': version } = request.headers;
  return request.method === 'POST' && method === LISTEN && version === MODERN_VERSION ? readSubscription(body) : null;
}

export function serveListen(host: ProfileHost, subscription: Subscription, response: ServerResponse): void {
  const open = streams.get(host) ?? 0;
  if (open >= MAX_STREAMS) {
    sendError(response, 503, -32603, `Too many streams: ${MAX_STREAMS} are open. Try again later.`, {
      id: subscription.id,
    });
    return;
  }
  streams.set(host, open + 1);
  response.once('close', () => streams.set(host, streams.get(host)! - 1));
  const write = (message: Record<string, unknown>) => {
    response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
  };
  const listening = new SubscriptionFeed(host, subscription, (method, params) => write({ method, params }));
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  });
  write({ method: ACKNOWLEDGED, params: { notifications: listening.honored, ...subscriptionMeta(subscription.id) } });
  const finish = () => {
    write({ id: subscription.id, result: { resultType: 'complete', ...subscriptionMeta(subscription.id) } });
    response.end();
  };
  if (Object.keys(listening.honored).length === 0) {
    finish();
    return;
  }
  const alive = setInterval(() => response.write(': keepalive\n\n'), KEEP_ALIVE_MS);
  alive.unref();
  host.shutdown.addEventListener('abort', finish, { once: true });
  response.once('close', () => {
    clearInterval(alive);
    host.shutdown.removeEventListener('abort', finish);
    listening.stop();
  });
  listening.start();
  listening.followTools();
}
