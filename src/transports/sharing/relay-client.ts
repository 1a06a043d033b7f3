/**
 * A client's standard input and output in front of the machine's engine. Lines pass as they are. When the engine dies,
 * or goes down, the relay connects to the next one, or becomes it, and repeats what has no answer yet: the client
 * notices nothing but the time.
 */
import type { Readable, Writable } from 'node:stream';
import { OpenRequests } from './open-requests.ts';
import { splitLines } from './split-lines.ts';

const NEWLINE = Buffer.from('\n');

/** Where the relay sends the client's lines. */
export interface Upstream {
  readonly readable: Readable;
  readonly writable: Writable;
}

export interface RelayOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** `failures`: how many engines have gone in a row without a word. */
  connect(failures: number): Promise<Upstream>;
  readonly signal: AbortSignal;
}

/** Ends when the client has gone and everything is answered, or the signal is aborted. */
export async function relayClient({ input, output, connect, signal }: RelayOptions): Promise<void> {
  const requests = new OpenRequests();
  let upstream: Upstream | null = null;
  let hasEnded = false;
  const pass = (bytes: Buffer) => {
    if (upstream && !upstream.writable.write(bytes)) {
      input.pause();
      upstream.writable.once('drain', () => input.resume());
    }
  };
  const fromClient = splitLines({
    // Without an engine the line waits among the open requests, or is a remark that a new engine has no use for.
    onLine: (line) => {
      if (!requests.noteClient(line, upstream !== null)) return;
      pass(Buffer.concat([line, NEWLINE]));
    },
    onLongPart: pass,
  });
  const end = () => {
    hasEnded = true;
    upstream?.writable.end();
  };
  input.on('data', fromClient).once('end', end).once('close', end);
  const gone = new Promise<void>((resolve) => {
    output.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  let isGone = false;
  void gone.then(() => {
    isGone = true;
    upstream?.readable.destroy();
  });
  for (let failures = 0; !isGone; ) {
    const opened = await connect(failures);
    const { lines, givenUp } = requests.repeat();
    for (const id of givenUp) output.write(`${JSON.stringify(notRepeated(id))}\n`);
    for (const line of lines) opened.writable.write(Buffer.concat([line, NEWLINE]));
    upstream = opened;
    if (hasEnded) opened.writable.end();
    const received = await pump(opened, output, requests, gone);
    upstream = null;
    opened.writable.destroy();
    // The client may have been paused for an engine that takes nothing any more.
    input.resume();
    if (hasEnded && requests.count === 0) break;
    failures = received ? 0 : failures + 1;
  }
  input.off('data', fromClient);
  input.pause();
}

/** Hands the engine's lines to the client until the engine's side closes; whether there were any. */
async function pump(
  { readable, writable }: Upstream,
  output: Writable,
  requests: OpenRequests,
  gone: Promise<void>,
): Promise<boolean> {
  let received = false;
  const hand = (bytes: Buffer) => {
    received = true;
    if (output.write(bytes)) return;
    readable.pause();
    output.once('drain', () => readable.resume());
  };
  readable.on(
    'data',
    splitLines({
      onLine: (line) => {
        if (requests.noteEngine(line)) hand(Buffer.concat([line, NEWLINE]));
      },
      onLongPart: hand,
    }),
  );
  const closed = new Promise<void>((resolve) => {
    for (const stream of [readable, writable]) stream.on('error', () => resolve());
    readable.once('end', resolve).once('close', resolve);
  });
  readable.resume();
  await Promise.race([closed, gone]);
  return received;
}

function notRepeated(id: string | number) {
  const message = 'The engine ended while it worked on this request, which may have run; it is not sent again.';
  return { jsonrpc: '2.0', id, error: { code: -32603, message } };
}
