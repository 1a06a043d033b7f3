/**
 * Shares one engine among all of a user's processes that serve agents. The first process becomes the engine: it serves
 * its own client and listens at the engine's address. Later processes relay their client's messages to it. Where
 * sharing is impossible, a process serves its client by itself.
 */
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../contracts/contract.ts';
import type { EngineAddress } from './engine-address.ts';
import { greetEngine, HandshakeLost } from './engine-handshake.ts';
import { EngineHost } from './engine-host.ts';
import { type Joined, joinEngine } from './join-engine.ts';
import { relayClient, type Upstream } from './relay-client.ts';

/** Engines in a row that may disconnect without an answer before this process serves its client itself. */
const MAX_FAILURES = 3;
/** Connection attempts: a killed engine accepts connections until the system has cleaned up. */
const MAX_ATTEMPTS = 40;
const RETRY_MS = 25;

export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

export interface SharedOptions extends Streams {
  /** The shared engine's address; null to share nothing. */
  readonly address: EngineAddress | null;
  /** The wish of this process's client, sent to the engine. */
  readonly wish: unknown;
  /** Serves a client of this or another process until it disconnects or the signal is aborted. */
  serve(wish: unknown, streams: Streams, signal: AbortSignal): Promise<void>;
  /** How long an engine waits for new clients after the last one has disconnected. */
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
    await process.waitForClients();
  } finally {
    process.close();
  }
}

class SharingProcess {
  #host: EngineHost | null = null;
  /** Why this process cannot serve its client itself; undefined if it can. */
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
        return (failures < MAX_FAILURES && (await this.#reachEngine(joined))) || this.#serveHere();
      },
    });
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * Connects to the engine. Returns null if this process must serve its client itself, as the shared engine or for its
   * own client only.
   */
  async #reachEngine(first: Joined | null): Promise<Upstream | null> {
    let joined = first;
    for (let attempt = 0; attempt < MAX_ATTEMPTS && !this.#host; attempt++) {
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
        // An engine of another version, a stopped one, or no engine at all.
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

  /** Waits until the clients of other processes have disconnected; a process without any ends with its own client. */
  async waitForClients(): Promise<void> {
    const { idleMs, signal } = this.options;
    if (this.#host && this.#host.clientCount > 0) await this.#host.waitIdle(idleMs, signal);
  }

  close(): void {
    this.#host?.close();
  }
}
