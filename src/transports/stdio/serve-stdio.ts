/**
 * Serves one client over standard input and output. The promise resolves when the client has disconnected and
 * everything is closed.
 */
import type { Readable, Writable } from 'node:stream';
import { createHost, type HostOptions } from '../host.ts';
import { greet } from '../protocol/greeting.ts';
import { StdioWire } from './stdio-wire.ts';

export interface StdioOptions extends Omit<HostOptions, 'shutdown'> {
  readonly input: Readable;
  readonly output: Writable;
  /** Stops the server from outside (SIGINT, SIGTERM). */
  readonly signal?: AbortSignal;
}

export async function serveStreams(options: StdioOptions): Promise<void> {
  const { profile, input, output } = options;
  const shutdown = new AbortController();
  const host = createHost({ ...options, shutdown: shutdown.signal });
  await profile.start?.();
  const wire = new StdioWire(input, output, (params) => greet(profile, params));
  const stopped = new Promise<void>((resolve) => {
    options.signal?.addEventListener('abort', () => resolve(), { once: true });
    if (options.signal?.aborted) resolve();
  });
  const disconnected = Promise.race([wire.closed, stopped]);
  await Promise.race([wire.listen(), disconnected]);
  const { connectWire } = await import('./stdio-connection.ts');
  const connection = connectWire(wire, host);
  await disconnected;
  shutdown.abort(new DOMException('The client has disconnected.', 'AbortError'));
  await connection.close();
  await profile.stop?.();
}
