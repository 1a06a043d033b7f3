/** A stream of ours for `subscriptions/listen` over HTTP: acknowledged, then fed until the client leaves or the server ends it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProfileHost } from '../host.ts';
import { MODERN_VERSION } from '../protocol/capabilities.ts';
import { ACKNOWLEDGED, LISTEN, Listening, stamp, type Wanted, wantedOf } from '../protocol/change-listeners.ts';

const KEEP_ALIVE_MS = 15_000;

/** Null where the SDK shall answer: another request, or one whose headers it will refuse. */
export function wantedByHttp(request: IncomingMessage, body: unknown): Wanted | null {
  const { 'mcp-method': method, 'mcp-protocol-version': version } = request.headers;
  return request.method === 'POST' && method === LISTEN && version === MODERN_VERSION ? wantedOf(body) : null;
}

export function serveListen(host: ProfileHost, wanted: Wanted, response: ServerResponse): void {
  const write = (message: Record<string, unknown>) =>
    response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
  const listening = new Listening(host, wanted, (method, params) => write({ method, params }));
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  });
  write({ method: ACKNOWLEDGED, params: { notifications: listening.honored, ...stamp(wanted.id) } });
  const finish = () => {
    write({ id: wanted.id, result: { resultType: 'complete', ...stamp(wanted.id) } });
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
