/** Turns events into updates: one update at a time, after a pause, and another one if events arrived meanwhile. */

export interface CycleOptions {
  /** Updates the index. `retry`: another process is indexing, so try again later. */
  readonly update: () => Promise<{ readonly retry: boolean }>;
  /** Called with changed paths as they arrive, for the status that people see. */
  readonly onDirty: (paths: readonly string[]) => void;
  readonly onSettled: () => void;
  readonly onError: (error: unknown) => void;
  /** Whether git holds its lock: an update now would read half of a change. */
  readonly isBusy?: () => boolean;
}

/** An update starts this long after the last event. */
const DEBOUNCE_MS = 500;
/** Under steady change, it starts this long after the first event. */
const MAX_WAIT_MS = 2_000;
const RETRY_MS = 1_000;
/** Wait after a failed update: a full disk or a missing permission may be temporary. */
const FAILED_RETRY_MS = 10_000;
/** How long to wait for git's index lock, and how often to check it. */
const MAX_BUSY_MS = 8_000;
const BUSY_CHECK_MS = 100;

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
      this.#schedule(Math.max(0, Math.min(DEBOUNCE_MS, this.#firstMs + MAX_WAIT_MS - performance.now())));
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
      // A caller waits, so the update starts without the pause.
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
    if (this.#options.isBusy?.() && performance.now() - this.#firstMs < MAX_BUSY_MS) {
      this.#schedule(BUSY_CHECK_MS);
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

  /** stop() ends the pause, so that its caller does not wait for an unreferenced timer. */
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
