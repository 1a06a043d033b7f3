/**
 * Relays a client's standard input and output to the shared engine. Lines pass unchanged. When the engine dies or shuts
 * down, the relay connects to the next one, or becomes it, and repeats the unanswered requests: the client notices a
 * delay at most.
 */
import type { Readable, Writable } from 'node:stream';
import { OpenRequests } from './open-requests.ts';
import { splitLines } from './split-lines.ts';

const NEWLINE = Buffer.from('\n');

/** The connection to the engine that serves the client. */
export interface Upstream {
  readonly readable: Readable;
  readonly writable: Writable;
}

export interface RelayOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Connects to an engine. `failures` counts the engines in a row that disconnected without sending anything. */
  connect(failures: number): Promise<Upstream>;
  readonly signal: AbortSignal;
}

/** Resolves when the client has disconnected and every request is answered, or the signal is aborted. */
export async function relayClient({ input, output, connect, signal }: RelayOptions): Promise<void> {
  const requests = new OpenRequests();
  let upstream: Upstream | null = null;
  let hasEnded = false;
  const sendUpstream = (bytes: Buffer) => {
    if (upstream && !upstream.writable.write(bytes)) {
      input.pause();
      upstream.writable.once('drain', () => input.resume());
    }
  };
  const fromClient = splitLines({
    // Without an engine, a request waits in `requests`, and a new engine does not need a notification.
    onLine: (line) => {
      if (!requests.noteClient(line, upstream !== null)) return;
      sendUpstream(Buffer.concat([line, NEWLINE]));
    },
    onLongPart: sendUpstream,
  });
  const end = () => {
    hasEnded = true;
    upstream?.writable.end();
  };
  input.on('data', fromClient).once('end', end).once('close', end);
  const disconnected = new Promise<void>((resolve) => {
    output.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  let isDisconnected = false;
  void disconnected.then(() => {
    isDisconnected = true;
    upstream?.readable.destroy();
  });
  for (let failures = 0; !isDisconnected; ) {
    const opened = await connect(failures);
    const { lines, givenUp } = requests.repeat();
    for (const id of givenUp) output.write(`${JSON.stringify(notRepeated(id))}\n`);
    for (const line of lines) opened.writable.write(Buffer.concat([line, NEWLINE]));
    upstream = opened;
    if (hasEnded) opened.writable.end();
    const received = await pump(opened, output, requests, disconnected);
    upstream = null;
    opened.writable.destroy();
    // The input may be paused because the previous engine stopped reading.
    input.resume();
    if (hasEnded && requests.count === 0) break;
    failures = received ? 0 : failures + 1;
  }
  input.off('data', fromClient);
  input.pause();
}

/** Forwards the engine's lines to the client until the engine disconnects; returns whether there were any. */
async function pump(
  { readable, writable }: Upstream,
  output: Writable,
  requests: OpenRequests,
  disconnected: Promise<void>,
): Promise<boolean> {
  let received = false;
  const forward = (bytes: Buffer) => {
    received = true;
    if (output.write(bytes)) return;
    readable.pause();
    output.once('drain', () => readable.resume());
  };
  readable.on(
    'data',
    splitLines({
      onLine: (line) => {
        if (requests.noteEngine(line)) forward(Buffer.concat([line, NEWLINE]));
      },
      onLongPart: forward,
    }),
  );
  const closed = new Promise<void>((resolve) => {
    for (const stream of [readable, writable]) stream.on('error', () => resolve());
    readable.once('end', resolve).once('close', resolve);
  });
  readable.resume();
  await Promise.race([closed, disconnected]);
  return received;
}

function notRepeated(id: string | number) {
  const message = 'The engine ended while it worked on this request, which may have run; it is not sent again.';
  return { jsonrpc: '2.0', id, error: { code: -32603, message } };
}
