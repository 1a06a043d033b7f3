/**
 * Keeps an index fresh: file events (or polling where there are none) become one run after a pause, never one per event. The watcher only
 * says that something happened; what changed is found by the run itself, so a missed or doubled event cannot make the index wrong.
 */
import type { AsyncSubscription, BackendType, Options } from '@parcel/watcher';

export type WatchMode = 'events' | 'polling';

export interface WatchOptions {
  readonly root: string;
  /** Other folders whose changes matter: the git directory of a linked worktree. */
  readonly alsoWatch: readonly string[];
  /** Brings the index up to date; true when another process is at it and we should look again. */
  readonly update: () => Promise<{ readonly retry: boolean }>;
  /** Paths seen since the last update, for people. */
  readonly onDirty: (paths: readonly string[]) => void;
  readonly onSettled: () => void;
  readonly onError: (error: unknown) => void;
  /** Somebody is still at it (git holds its lock): what would be read now is half of what is coming. */
  readonly isBusy?: () => boolean;
}

export interface Watch {
  readonly mode: WatchMode;
  /** Why there are no events; null where there are. */
  readonly reason: string | null;
  /** Nothing is due or under way. */
  readonly isSettled: boolean;
  /** Looks at once, whether or not something happened. */
  poke(): void;
  /** Resolves when what has changed until now is indexed, or after `timeoutMs`. */
  settled(timeoutMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** Quiet time after the last event; longest wait under steady change. */
const DEBOUNCE_MS = 500;
const LONGEST_WAIT_MS = 2_000;
const RETRY_MS = 1_000;
/** After a run that failed for a reason that may go away: a full disk, a folder without permission. */
const FAILED_RETRY_MS = 10_000;
const POLL_MS = 2_000;
/** How long a lock of git's is waited for, and how often it is looked at. */
const LONGEST_BUSY_MS = 8_000;
const BUSY_LOOK_MS = 100;

/** Folders that only ever produce noise. Ignored by the watcher itself, so that `npm install` costs nothing. */
const IGNORED = [
  '**/node_modules/**',
  '**/.git/objects/**',
  '**/.git/logs/**',
  '**/.git/*.lock',
  '**/.git/fsmonitor*/**',
  '**/.hg/**',
  '**/.svn/**',
];

/** The same for a git directory that is watched by itself: patterns are relative to the folder watched. */
const IGNORED_IN_GIT = ['objects/**', '**/logs/**', '**/*.lock', 'fsmonitor*/**'];

/** Named, since the library would look for a service of another maker first, and leave the shell it asked as a zombie. */
const BACKENDS: Partial<Record<NodeJS.Platform, BackendType>> = {
  darwin: 'fs-events',
  linux: 'inotify',
  win32: 'windows',
};

function subscribeOptions(ignore: string[]): Options {
  const backend = BACKENDS[process.platform];
  return backend ? { ignore, backend } : { ignore };
}

/** Can this machine report file events at all? Throws what stands against it. */
export async function loadWatcher(): Promise<typeof import('@parcel/watcher')> {
  const loaded = await import('@parcel/watcher');
  return 'default' in loaded && loaded.default ? (loaded.default as typeof loaded) : loaded;
}

/** Subscribes to the folder and leaves again; throws where no events can be had. */
export async function probeEvents(folder: string): Promise<void> {
  const watcher = await loadWatcher();
  const subscription = await watcher.subscribe(folder, () => undefined, subscribeOptions(IGNORED));
  await subscription.unsubscribe();
}

export async function watchProject(options: WatchOptions): Promise<Watch> {
  const cycle = new UpdateCycle(options);
  const subscriptions: AsyncSubscription[] = [];
  let timer: NodeJS.Timeout | null = null;
  let mode: WatchMode = 'events';
  let reason: string | null = null;
  try {
    const watcher = await loadWatcher();
    for (const folder of [options.root, ...options.alsoWatch]) {
      subscriptions.push(
        await watcher.subscribe(
          folder,
          (error, events) => {
            if (error) options.onError(error);
            // After an error events may be missing: looking is always safe.
            cycle.mark(events?.map((event) => event.path) ?? []);
          },
          subscribeOptions(folder === options.root ? IGNORED : IGNORED_IN_GIT),
        ),
      );
    }
  } catch (error) {
    options.onError(error);
    mode = 'polling';
    reason = error instanceof Error ? error.message.split('\n')[0]! : String(error);
    await Promise.all(subscriptions.map((subscription) => subscription.unsubscribe()));
    subscriptions.length = 0;
    timer = setInterval(() => cycle.mark([]), POLL_MS);
    timer.unref();
  }
  return {
    mode,
    reason,
    get isSettled() {
      return cycle.isSettled;
    },
    poke: () => cycle.mark([]),
    settled: (timeoutMs) => cycle.settled(timeoutMs),
    async stop() {
      if (timer) clearInterval(timer);
      cycle.stop();
      await Promise.all(subscriptions.map((subscription) => subscription.unsubscribe()));
      await cycle.idle();
    },
  };
}

type CycleOptions = Pick<WatchOptions, 'update' | 'onDirty' | 'onSettled' | 'onError' | 'isBusy'>;

/** Events in, updates out: at most one at a time, after a pause, and again when something happened meanwhile. */
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
    if (!this.#dirty) this.#firstMs = Date.now();
    this.#dirty = true;
    this.#options.onDirty(paths);
    if (!this.#running)
      this.#schedule(Math.max(0, Math.min(DEBOUNCE_MS, this.#firstMs + LONGEST_WAIT_MS - Date.now())));
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
      // Somebody waits: no reason to sit out the pause.
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
    if (this.#options.isBusy?.() && Date.now() - this.#firstMs < LONGEST_BUSY_MS) {
      this.#schedule(BUSY_LOOK_MS);
      return;
    }
    this.#dirty = false;
    this.#running = this.#update().finally(() => {
      this.#running = null;
      if (this.#stopped) return;
      if (this.#dirty) {
        this.#firstMs = Date.now();
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

  /** Ended by stop(): whoever waits for the end must not wait for a timer that keeps nothing alive. */
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
