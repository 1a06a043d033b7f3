/** One client over standard input and output. The promise ends when the client has gone and everything is closed. */
import type { Readable, Writable } from 'node:stream';
import type { Log, Metrics, Profile } from '../contracts/index.ts';
import type { Engine } from '../engine/engine.ts';
import { greet } from './greeting.ts';
import { createHost } from './host.ts';
import { StdioWire } from './stdio-wire.ts';

export interface StdioOptions {
  readonly profile: Profile;
  readonly engine: () => Promise<Engine>;
  readonly workspace: string | null;
  readonly fallbackWorkspace?: string | null;
  readonly standing?: { folder: string | null };
  readonly metrics: Metrics;
  readonly log: Log;
  readonly input: Readable;
  readonly output: Writable;
  /** Ends serving from outside (SIGINT, SIGTERM). */
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
  const gone = Promise.race([wire.closed, stopped]);
  await Promise.race([wire.listen(), gone]);
  const { connectWire } = await import('./stdio-connection.ts');
  const connection = connectWire(wire, host);
  await gone;
  shutdown.abort(new DOMException('The client has gone.', 'AbortError'));
  await connection.close();
  await profile.stop?.();
}
