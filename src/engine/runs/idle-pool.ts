/** Keeps the pool of parser workers that no run is using, so that a server has one ready while files change. */
import type { WorkerPool } from '../../indexing/index.ts';
import { toEngineError } from '../../model/records/engine-errors.ts';
import { deriverSetup, type EngineConfig } from '../engine-config.ts';

/**
 * How long an idle worker is kept. A worker that read a few files holds about 25 MB, and starting a new one takes
 * longer than the work it is started for; a worker that read a whole project holds much more. Of the servers that watch
 * a folder, only the leader warms one up (mustIndex).
 */
const IDLE_WORKER_MS = { few: 1_800_000, many: 30_000 };
/** Attempts of a forced run to start a parser while other runs take its pool. */
const MAX_START_ATTEMPTS = 5;

export class IdlePool {
  readonly #config: EngineConfig;
  #pool: WorkerPool | null = null;
  #closed = false;

  constructor(config: EngineConfig) {
    this.#config = config;
  }

  /** Returns the idle pool or a new one; the caller must close it or give it back. */
  async take(): Promise<WorkerPool> {
    const indexing = await loadIndexing();
    // Two runs that begin at the same time must not take the same pool, so nothing is awaited between these lines.
    const pool = this.#ready(indexing);
    this.#pool = null;
    return pool;
  }

  /** Keeps the pool for the next run; a command, which makes one run only, closes it. */
  giveBack(pool: WorkerPool): void {
    if (this.#config.inline || this.#pool || this.#closed) pool.close();
    else {
      pool.keepOneIdle(IDLE_WORKER_MS);
      this.#pool = pool;
    }
  }

  /** Waits until a parser runs. Another run may take the pool and stop it first; then a new one is started. */
  async start(signal: AbortSignal | undefined): Promise<void> {
    for (let attempts = 0; ; attempts++) {
      try {
        return await this.#startOnce(signal);
      } catch (error) {
        const isStopped = toEngineError(error).code === 'cancelled' && !signal?.aborted && !this.#closed;
        if (!isStopped || attempts >= MAX_START_ATTEMPTS) throw error;
      }
    }
  }

  async #startOnce(signal: AbortSignal | undefined): Promise<void> {
    const pool = this.#ready(await loadIndexing());
    const stop = () => pool.close();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      await pool.started();
    } catch (error) {
      // Only the run that took a pool may close it.
      if (this.#pool === pool) this.discard();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Starts a worker that loads the grammars of these files, unless `isNeeded` returns false by then. */
  async warm(paths: readonly string[], isNeeded: () => boolean): Promise<void> {
    if (!isNeeded()) return;
    const indexing = await loadIndexing();
    if (!isNeeded()) return;
    const pool = this.#ready(indexing);
    pool.warm(1, 'few');
    pool.expect(paths);
  }

  discard(): void {
    this.#pool?.close();
    this.#pool = null;
  }

  close(): void {
    this.#closed = true;
    this.discard();
  }

  #ready({ WorkerPool }: Awaited<ReturnType<typeof loadIndexing>>): WorkerPool {
    this.#pool ??= new WorkerPool({ entry: this.#config.workerEntry, setup: deriverSetup(this.#config) });
    return this.#pool;
  }
}

/** Loaded on demand: a search needs no parser. */
function loadIndexing() {
  return import('../../indexing/index.ts');
}
