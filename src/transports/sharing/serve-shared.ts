/**
 * One engine for all processes of a user that serve agents. The first process is the engine: it serves its own client
 * and listens at the engine's address. Later ones pass their client's messages to it. Where there can be no sharing,
 * a process serves its client by itself.
 */
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../contracts/contract.ts';
import type { EngineAddress } from './engine-address.ts';
import { greetEngine, HandshakeLost } from './engine-handshake.ts';
import { EngineHost } from './engine-host.ts';
import { type Joined, joinEngine } from './join-engine.ts';
import { relayClient, type Upstream } from './relay-client.ts';

/** Engines that go one after the other without an answer: the next try is made without them. */
const MOST_FAILURES = 3;
/** An engine that was killed accepts connections until the system has cleared it away. */
const MOST_TRIES = 40;
const RETRY_MS = 25;

export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

export interface SharedOptions extends Streams {
  /** Null: not shared. */
  readonly address: EngineAddress | null;
  /** The wish of this process's client, as it travels to the engine. */
  readonly wish: unknown;
  /** Serves a client of this or another process; ends when the client has gone or the signal is aborted. */
  serve(wish: unknown, streams: Streams, signal: AbortSignal): Promise<void>;
  /** How long an engine whose own client has gone waits for others, after the last one. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
  readonly log: Log;
}

export async function serveShared(options: SharedOptions): Promise<void> {
  const { address, wish, signal, input, output } = options;
  const joined = address && (await joinEngine(address.path).catch(() => null));
  if (!joined) return options.serve(wish, { input, output }, signal);
  const process = new SharingProcess(options, address);
  try {
    if (joined.role === 'engine') {
      process.becomeEngine(joined);
      await options.serve(wish, { input, output }, signal);
    } else await process.relay(joined);
    await process.lastClient();
  } finally {
    process.close();
  }
}

class SharingProcess {
  #host: EngineHost | null = null;
  /** Why this process cannot serve its client by itself. */
  #failure: unknown;

  constructor(
    private readonly options: SharedOptions,
    private readonly address: EngineAddress,
  ) {}

  becomeEngine({ server }: Extract<Joined, { role: 'engine' }>): void {
    const { log, serve } = this.options;
    this.#host = new EngineHost({
      address: this.address,
      server,
      log,
      serve: (wish, socket, signal) => serve(wish, { input: socket, output: socket }, signal),
    });
  }

  async relay(first: Joined): Promise<void> {
    let next: Joined | null = first;
    const { input, output, signal } = this.options;
    await relayClient({
      input,
      output,
      signal,
      connect: async (failures) => {
        const joined = next;
        next = null;
        if (this.#failure !== undefined) throw this.#failure;
        return (failures < MOST_FAILURES && (await this.#reachEngine(joined))) || this.#serveHere();
      },
    });
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Null where this process has to answer by itself, as the engine of all or of its own client. */
  async #reachEngine(first: Joined | null): Promise<Upstream | null> {
    let joined = first;
    for (let tries = 0; tries < MOST_TRIES && !this.#host; tries++) {
      joined ??= await joinEngine(this.address.path).catch(() => null);
      if (!joined) return null;
      if (joined.role === 'engine') {
        this.becomeEngine(joined);
        return null;
      }
      const { socket } = joined;
      joined = null;
      try {
        await greetEngine(socket, this.address, this.options.wish);
        return { readable: socket, writable: socket };
      } catch (error) {
        socket.destroy();
        // Another version, one that is stopped, or no engine at all.
        if (!(error instanceof HandshakeLost)) return null;
        await pause(RETRY_MS);
      }
    }
    return null;
  }

  #serveHere(): Upstream {
    const [requests, answers] = [new PassThrough(), new PassThrough()];
    const { serve, wish, signal } = this.options;
    serve(wish, { input: requests, output: answers }, signal)
      .catch((error: unknown) => {
        this.#failure = error;
      })
      .finally(() => answers.end());
    return { readable: answers, writable: requests };
  }

  /** Waits for clients of other processes; a process that has none ends with its own. */
  async lastClient(): Promise<void> {
    const { idleMs, signal } = this.options;
    if (this.#host && this.#host.clientCount > 0) await this.#host.idle(idleMs, signal);
  }

  close(): void {
    this.#host?.close();
  }
}
