/** Accepts clients of the same user at the engine's address, and notices when the last one disconnects. */
import type { Server, Socket } from 'node:net';
import type { Log } from '../../contracts/contract.ts';
import type { EngineAddress } from './engine-address.ts';
import { receiveClient } from './engine-handshake.ts';

export interface EngineHostOptions {
  readonly address: EngineAddress;
  readonly server: Server;
  readonly log: Log;
  /** Serves a client until it disconnects; `signal` is aborted when the engine shuts down. */
  serve(wish: unknown, socket: Socket, signal: AbortSignal): Promise<void>;
}

export class EngineHost {
  readonly #options: EngineHostOptions;
  readonly #sockets = new Set<Socket>();
  readonly #shutdown = new AbortController();
  #onChange: () => void = () => {};

  constructor(options: EngineHostOptions) {
    this.#options = options;
    options.server.on('connection', (socket) => void this.#accept(socket));
    options.server.on('error', (error) => options.log('warn', 'engine address', { error }));
  }

  get clientCount(): number {
    return this.#sockets.size;
  }

  async #accept(socket: Socket): Promise<void> {
    const { address, log, serve } = this.#options;
    this.#sockets.add(socket);
    this.#onChange();
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#onChange();
    });
    try {
      await serve(await receiveClient(socket, address), socket, this.#shutdown.signal);
    } catch (error) {
      log('debug', 'client of the engine', { error });
    } finally {
      socket.destroySoon();
    }
  }

  /** Resolves when no client has been connected for `ms`, or the signal is aborted. */
  waitIdle(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const done = () => {
        clearTimeout(timer);
        this.#onChange = () => {};
        resolve();
      };
      this.#onChange = () => {
        clearTimeout(timer);
        timer = this.#sockets.size === 0 ? setTimeout(done, ms) : undefined;
      };
      signal.addEventListener('abort', done, { once: true });
      if (signal.aborted) done();
      else this.#onChange();
    });
  }

  /** Disconnects all clients, which continue with another engine. Closing the server removes its socket. */
  close(): void {
    this.#shutdown.abort(new DOMException('The engine is going down.', 'AbortError'));
    this.#options.server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
