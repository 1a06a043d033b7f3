/** One client over standard input and output. The promise ends when the client has gone and everything is closed. */
import type { Readable, Writable } from 'node:stream';
import { serveStdio as serveConnection } from '@modelcontextprotocol/server/stdio';
import type { Log, Metrics, Profile } from '../contracts/index.ts';
import type { Engine } from '../engine/engine.ts';
import { createHost } from './host.ts';
import { ProfileServer } from './profile-server.ts';
import { StdioWire } from './stdio-wire.ts';

export interface StdioOptions {
  readonly profile: Profile;
  readonly engine: () => Promise<Engine>;
  readonly workspace: string | null;
  readonly fallbackWorkspace?: string | null;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly input: Readable;
  readonly output: Writable;
  /** Ends serving from outside (SIGINT, SIGTERM). */
  readonly signal?: AbortSignal;
}

export async function serveStreams(options: StdioOptions): Promise<void> {
  const { profile, log, input, output } = options;
  const shutdown = new AbortController();
  const host = createHost({ ...options, shutdown: shutdown.signal });
  await profile.start?.();
  const wire = new StdioWire(input, output);
  const gone = new Promise<void>((resolve) => {
    options.signal?.addEventListener('abort', () => resolve(), { once: true });
    if (options.signal?.aborted) resolve();
    input.once('end', resolve);
    input.once('close', resolve);
    output.once('error', () => resolve());
  });
  const connection = serveConnection(({ era }) => new ProfileServer(host, era), {
    transport: wire,
    onerror: (error) => log('debug', 'protocol', { error: error.message }),
  });
  await gone;
  shutdown.abort(new DOMException('The client has gone.', 'AbortError'));
  await connection.close();
  await profile.stop?.();
}
