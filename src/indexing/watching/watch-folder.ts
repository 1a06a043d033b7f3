/**
 * Keeps an index fresh: file events (or polling where there are none) become one run after a pause, never one per
 * event. The watcher only says that something happened; what changed is found by the run itself, so a missed or doubled
 * event cannot make the index wrong.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Subscription, subscribe, subscribeToFile } from './folder-events.ts';
import { type CycleOptions, UpdateCycle } from './update-cycle.ts';

export type WatchMode = 'events' | 'polling';

export interface WatchOptions extends CycleOptions {
  readonly root: string;
  /** Other folders whose changes matter: the git directory of a linked worktree. */
  readonly alsoWatch: readonly string[];
  /** Files outside of them: the ignore files of the folders above, and that of the user. */
  readonly alsoFiles: readonly string[];
  /** The folder is a git directory itself: a bare repository. */
  readonly isBare: boolean;
  /** Vendored code is indexed too. */
  readonly includeVendor: boolean;
  /** Paths in which the folder differs from the index, found without events. */
  readonly findPending: () => Promise<readonly string[]>;
  /** How long after a run that is first done; half a minute unless given. */
  readonly firstLookMs?: number;
}

export interface Watch {
  readonly mode: WatchMode;
  /** Why there are no events; null where there are. */
  readonly reason: string | null;
  /** Nothing is due or under way. */
  readonly isSettled: boolean;
  /** Resolves when every event that the system has delivered so far is counted. */
  heard(): Promise<void>;
  /** Looks at once, whether or not something happened. */
  poke(): void;
  /** Resolves when no update is going on. */
  idle(): Promise<void>;
  /** Resolves when all changes so far are indexed, or after `timeoutMs`. */
  settled(timeoutMs: number): Promise<void>;
  stop(): Promise<void>;
}

const POLL_MS = 2_000;
/**
 * Without events, the folder is walked this long after the last run, then after four times as long, at last this often.
 * A walk costs about 50 ms of git's time in a project of 800 files, and events are lost only while much happens. None
 * is due while files are edited.
 */
const FIRST_LOOK_MS = 30_000;
const LONGEST_LOOK_MS = 300_000;

/** Folders that only ever produce noise. Not watched at all, so that `npm install` costs nothing. */
const VENDORED = '**/node_modules/**';
const IGNORED = [
  '**/.git/objects/**',
  '**/.git/logs/**',
  '**/.git/*.lock',
  '**/.git/fsmonitor*/**',
  '**/.hg/**',
  '**/.svn/**',
];

/** Patterns for a git directory that is watched by itself, relative to that folder. */
const IGNORED_IN_GIT = ['objects/**', '**/logs/**', '**/*.lock', 'fsmonitor*/**'];

/** Subscribes to the folder and leaves again; throws where no events can be had. */
export async function probeEvents(folder: string): Promise<void> {
  const listener = { onPaths: () => undefined, onError: () => undefined };
  await (await subscribe(folder, [...IGNORED, VENDORED], listener)).close();
}

export async function watchProject(options: WatchOptions): Promise<Watch> {
  const watch = new ProjectWatch(options);
  await watch.start();
  return watch;
}

class ProjectWatch implements Watch {
  readonly #options: WatchOptions;
  readonly #cycle: UpdateCycle;
  readonly #subscriptions: Subscription[] = [];
  /** The folders that were subscribed to, and whether that is to be done again: one has gone, or events were lost. */
  #watched = '';
  #isDoubtful = false;
  #reason: string | null = null;
  #polling: NodeJS.Timeout | null = null;
  #look: NodeJS.Timeout | null = null;
  #lastFound = '';
  #stopped = false;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#cycle = new UpdateCycle({
      ...options,
      update: async () => {
        await this.#subscribe();
        return options.update();
      },
      onSettled: () => {
        options.onSettled();
        this.#lookIn(options.firstLookMs ?? FIRST_LOOK_MS);
      },
    });
  }

  get mode(): WatchMode {
    return this.#polling ? 'polling' : 'events';
  }

  get reason(): string | null {
    return this.#reason;
  }

  get isSettled(): boolean {
    return this.#cycle.isSettled;
  }

  start(): Promise<void> {
    return this.#subscribe();
  }

  /**
   * The system queues an event with the write itself; the queue is read between two turns of the event loop, the next
   * one of which may have begun.
   */
  async heard(): Promise<void> {
    await setImmediate();
    await setImmediate();
    for (const subscription of this.#subscriptions) subscription.flush();
  }

  poke(): void {
    this.#cycle.mark([]);
  }

  idle(): Promise<void> {
    return this.#cycle.idle();
  }

  settled(timeoutMs: number): Promise<void> {
    return this.#cycle.settled(timeoutMs);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#polling) clearInterval(this.#polling);
    if (this.#look) clearTimeout(this.#look);
    this.#cycle.stop();
    // A run may be about to subscribe.
    await this.#cycle.idle();
    await this.#leave();
  }

  /**
   * Before every run, so that what the run does not see is an event: where the folders are still those that are
   * watched, nothing is done.
   */
  async #subscribe(): Promise<void> {
    const { root, alsoWatch, alsoFiles } = this.#options;
    const folders = [root, ...alsoWatch];
    const found = folders.map(identityOf).join();
    if (this.#polling || (found === this.#watched && !this.#isDoubtful)) return;
    // The run will say that it is not there, and be tried again.
    if (identityOf(root) === '') return;
    this.#watched = found;
    this.#isDoubtful = false;
    try {
      // Unsubscribe first: the library returns an existing subscription again.
      await this.#leave();
      for (const folder of folders) this.#subscriptions.push(await this.#follow(folder));
      for (const file of alsoFiles) this.#subscriptions.push(subscribeToFile(file, () => this.poke()));
    } catch (error) {
      this.#options.onError(error);
      this.#reason = error instanceof Error ? error.message.split('\n')[0]! : String(error);
      await this.#leave();
      this.#polling = setInterval(() => this.poke(), POLL_MS);
      this.#polling.unref();
    }
  }

  #follow(folder: string): Promise<Subscription> {
    const { root, isBare, includeVendor, onError } = this.#options;
    const ignored = folder !== root || isBare ? IGNORED_IN_GIT : includeVendor ? IGNORED : [...IGNORED, VENDORED];
    return subscribe(folder, ignored, {
      onPaths: (paths) => {
        this.#isDoubtful ||= paths.includes(folder);
        this.#cycle.mark(paths);
      },
      onError: (error) => {
        onError(error);
        this.#isDoubtful = true;
        this.#cycle.mark([]);
      },
    });
  }

  async #leave(): Promise<void> {
    await Promise.allSettled(this.#subscriptions.splice(0).map((subscription) => subscription.close()));
  }

  #lookIn(ms: number): void {
    if (this.#look) clearTimeout(this.#look);
    if (this.#stopped || this.#polling) return;
    this.#look = setTimeout(() => void this.#lookWithoutEvents(ms), ms);
    this.#look.unref();
  }

  /** Events may have been lost silently. A change that is found twice is one that a run cannot mend. */
  async #lookWithoutEvents(waitedMs: number): Promise<void> {
    const { root, findPending } = this.#options;
    let pending: readonly string[] = [];
    let found = '';
    try {
      if (this.#cycle.isSettled) pending = await findPending();
      found = pending.join('\n');
    } catch (error) {
      // The index is gone, or cannot be read: a run makes it again, or tells why it cannot.
      found = String(error);
    }
    const moved = [root, ...this.#options.alsoWatch].map(identityOf).join() !== this.#watched;
    const isNew = (found !== '' && found !== this.#lastFound) || moved;
    this.#lastFound = found;
    if (isNew && this.#cycle.isSettled) {
      this.#isDoubtful = true;
      this.#cycle.mark(pending.map((path) => join(root, path)));
    } else this.#lookIn(Math.min(waitedMs * 4, LONGEST_LOOK_MS));
  }
}

/** Another folder in its place has another one; empty where there is none. */
function identityOf(folder: string): string {
  try {
    const stat = statSync(folder, { throwIfNoEntry: false });
    return stat?.isDirectory() ? `${stat.dev}:${stat.ino}` : '';
  } catch {
    return '';
  }
}
