/** The parser processes that no run uses at the moment: a server keeps one ready while changes come. */
import type { WorkerPool } from '../../indexing/index.ts';
import { toEngineError } from '../../model/records/engine-errors.ts';
import { deriverSetup, type EngineConfig } from '../engine-config.ts';

/**
 * A worker for a few files holds some 25 MB, and starting another takes longer than what it is started for; one that
 * has read a whole project, much more. Watching alone starts one in a single server (waitTurn).
 */
const IDLE_WORKER_MS = { few: 1_800_000, many: 30_000 };
/** A forced run asks for a parser so often where other runs take theirs away. */
const MOST_POOLS = 5;

export class IdlePool {
  readonly #config: EngineConfig;
  #pool: WorkerPool | null = null;
  #closed = false;

  constructor(config: EngineConfig) {
    this.#config = config;
  }

  /** The idle pool, or a new one; from now on the caller must close it or give it back. */
  async take(): Promise<WorkerPool> {
    const indexing = await loadIndexing();
    // Two runs that begin at once must not take the same pool: nothing may be awaited between these lines.
    const pool = this.#ready(indexing);
    this.#pool = null;
    return pool;
  }

  /** A command needs no worker afterwards. */
  giveBack(pool: WorkerPool): void {
    if (this.#config.inline || this.#pool || this.#closed) pool.close();
    else {
      pool.rest(IDLE_WORKER_MS);
      this.#pool = pool;
    }
  }

  /** Waits until a parser runs. Another run may take the pool and stop it before: then a new one is made. */
  async start(signal: AbortSignal | undefined): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        return await this.#startOnce(signal);
      } catch (error) {
        const isStopped = toEngineError(error).code === 'cancelled' && !signal?.aborted && !this.#closed;
        if (!isStopped || tries >= MOST_POOLS) throw error;
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
      // A pool that another run has taken is that run's to close.
      if (this.#pool === pool) this.discard();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Starts a worker that loads what these files need, unless `isNeeded` says otherwise by then. */
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

/** Loaded by runs only: searching needs no parser. */
function loadIndexing() {
  return import('../../indexing/index.ts');
}
