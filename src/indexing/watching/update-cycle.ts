/** Events in, updates out: at most one at a time, after a pause, and again when something happened meanwhile. */

export interface CycleOptions {
  /** Brings the index up to date; true when another process is at it and we should look again. */
  readonly update: () => Promise<{ readonly retry: boolean }>;
  /** Paths seen since the last update, for people. */
  readonly onDirty: (paths: readonly string[]) => void;
  readonly onSettled: () => void;
  readonly onError: (error: unknown) => void;
  /** Git holds its lock: a read now would see half of a change. */
  readonly isBusy?: () => boolean;
}

/** Quiet time after the last event; longest wait under steady change. */
const DEBOUNCE_MS = 500;
const LONGEST_WAIT_MS = 2_000;
const RETRY_MS = 1_000;
/** After a run that failed for a reason that may go away: a full disk, a folder without permission. */
const FAILED_RETRY_MS = 10_000;
/** How long to wait for git's index lock, and how often to look at it. */
const LONGEST_BUSY_MS = 8_000;
const BUSY_LOOK_MS = 100;

export class UpdateCycle {
  readonly #options: CycleOptions;
  #timer: NodeJS.Timeout | null = null;
  #firstMs = 0;
  #dirty = false;
  #running: Promise<void> | null = null;
  #waiting: (() => void)[] = [];
  #stopped = false;
  #wake: (() => void) | null = null;

  constructor(options: CycleOptions) {
    this.#options = options;
  }

  mark(paths: readonly string[]): void {
    if (this.#stopped) return;
    if (!this.#dirty) this.#firstMs = performance.now();
    this.#dirty = true;
    this.#options.onDirty(paths);
    if (!this.#running)
      this.#schedule(Math.max(0, Math.min(DEBOUNCE_MS, this.#firstMs + LONGEST_WAIT_MS - performance.now())));
  }

  get isSettled(): boolean {
    return !this.#dirty && !this.#running;
  }

  settled(timeoutMs: number): Promise<void> {
    if (this.isSettled) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
      // A caller waits, so the pause is skipped.
      if (!this.#running) this.#schedule(0);
    });
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#wake?.();
    this.#release();
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  #schedule(delayMs: number): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#run(), delayMs);
    this.#timer.unref();
  }

  #run(): void {
    if (this.#options.isBusy?.() && performance.now() - this.#firstMs < LONGEST_BUSY_MS) {
      this.#schedule(BUSY_LOOK_MS);
      return;
    }
    this.#dirty = false;
    this.#running = this.#update().finally(() => {
      this.#running = null;
      if (this.#stopped) return;
      if (this.#dirty) {
        this.#firstMs = performance.now();
        this.#schedule(DEBOUNCE_MS);
        return;
      }
      this.#options.onSettled();
      this.#release();
    });
  }

  async #update(): Promise<void> {
    try {
      while (!this.#stopped && (await this.#options.update()).retry) await this.#pause(RETRY_MS);
    } catch (error) {
      this.#options.onError(error);
      setTimeout(() => this.mark([]), FAILED_RETRY_MS).unref();
    }
  }

  /** stop() ends the pause: its caller must not wait for an unreferenced timer. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
