/**
 * Keeps an index fresh while files change. File events, or polling without them, start one run after a pause, not one
 * run per event. The run itself finds what changed, so a missed or repeated event cannot make the index wrong.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Subscription, subscribe, subscribeToFile } from './folder-events.ts';
import { type CycleOptions, UpdateCycle } from './update-cycle.ts';

export type WatchMode = 'events' | 'polling';

export interface WatchOptions extends CycleOptions {
  readonly root: string;
  /** Other folders to watch: the git directory of a linked work tree. */
  readonly alsoWatch: readonly string[];
  /** Single files to watch: the ignore files of the folders above, and that of the user. */
  readonly alsoFiles: readonly string[];
  /** The folder is a bare repository. */
  readonly isBare: boolean;
  /** Vendored code is indexed, too. */
  readonly includeVendor: boolean;
  /** Finds by a walk the paths in which the folder differs from the index. */
  readonly findPending: () => Promise<readonly string[]>;
  /** How long after a run findPending() is called for the first time; 30 s by default. */
  readonly firstCheckMs?: number;
}

export interface Watch {
  readonly mode: WatchMode;
  /** Why the watch polls; null if it gets events. */
  readonly reason: string | null;
  /** Whether no update is due or running. */
  readonly isSettled: boolean;
  /** Resolves when every event that the system has delivered so far is processed. */
  heard(): Promise<void>;
  /** Requests an update although no event arrived. */
  poke(): void;
  /** Resolves when no update is running. */
  idle(): Promise<void>;
  /** Resolves when all changes so far are indexed, or after `timeoutMs`. */
  settled(timeoutMs: number): Promise<void>;
  stop(): Promise<void>;
}

const POLL_MS = 2_000;
/**
 * Events may be lost, so the folder is walked this long after the last run. Each further interval is four times as
 * long, up to MAX_CHECK_MS: a walk takes about 50 ms of git's time in a project of 800 files, and events are lost only
 * during many changes. Each run starts the intervals anew, so there is no check while files are edited.
 */
const FIRST_CHECK_MS = 30_000;
const MAX_CHECK_MS = 300_000;

/** Folders that are not watched, so that `npm install` and git's own files cause no events. */
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

/** Subscribes to the folder and unsubscribes again; throws if the folder cannot be watched. */
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
  /** The identities of the subscribed folders. */
  #watched = '';
  /** A folder was deleted, or events were lost: the next run subscribes again. */
  #needsSubscribe = false;
  #reason: string | null = null;
  #polling: NodeJS.Timeout | null = null;
  #check: NodeJS.Timeout | null = null;
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
        this.#scheduleCheck(options.firstCheckMs ?? FIRST_CHECK_MS);
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
   * The system queues an event as part of the write. Node reads the queue once per turn of the event loop, so two turns
   * suffice.
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
    if (this.#check) clearTimeout(this.#check);
    this.#cycle.stop();
    // The running update may still subscribe.
    await this.#cycle.idle();
    await this.#unsubscribe();
  }

  /**
   * Subscribes to the folders, unless they are watched already. Called before every run, so that a change which the run
   * misses is an event.
   */
  async #subscribe(): Promise<void> {
    const { root, alsoWatch, alsoFiles } = this.#options;
    const folders = [root, ...alsoWatch];
    const found = folders.map(identityOf).join();
    if (this.#polling || (found === this.#watched && !this.#needsSubscribe)) return;
    // Without the folder the run fails, and is tried again.
    if (identityOf(root) === '') return;
    this.#watched = found;
    this.#needsSubscribe = false;
    try {
      // Unsubscribe first, since the library would return the existing subscription.
      await this.#unsubscribe();
      for (const folder of folders) this.#subscriptions.push(await this.#follow(folder));
      for (const file of alsoFiles) this.#subscriptions.push(subscribeToFile(file, () => this.poke()));
    } catch (error) {
      this.#options.onError(error);
      this.#reason = error instanceof Error ? error.message.split('\n')[0]! : String(error);
      await this.#unsubscribe();
      this.#polling = setInterval(() => this.poke(), POLL_MS);
      this.#polling.unref();
    }
  }

  #follow(folder: string): Promise<Subscription> {
    const { root, isBare, includeVendor, onError } = this.#options;
    const ignored = folder !== root || isBare ? IGNORED_IN_GIT : includeVendor ? IGNORED : [...IGNORED, VENDORED];
    return subscribe(folder, ignored, {
      onPaths: (paths) => {
        this.#needsSubscribe ||= paths.includes(folder);
        this.#cycle.mark(paths);
      },
      onError: (error) => {
        onError(error);
        this.#needsSubscribe = true;
        this.#cycle.mark([]);
      },
    });
  }

  async #unsubscribe(): Promise<void> {
    await Promise.allSettled(this.#subscriptions.splice(0).map((subscription) => subscription.close()));
  }

  #scheduleCheck(delayMs: number): void {
    if (this.#check) clearTimeout(this.#check);
    if (this.#stopped || this.#polling) return;
    this.#check = setTimeout(() => void this.#checkWithoutEvents(delayMs), delayMs);
    this.#check.unref();
  }

  /** Looks for changes whose events were lost. A difference that is found twice is one that a run cannot remove. */
  async #checkWithoutEvents(delayMs: number): Promise<void> {
    const { root, findPending } = this.#options;
    let pending: readonly string[] = [];
    let found = '';
    try {
      if (this.#cycle.isSettled) pending = await findPending();
      found = pending.join('\n');
    } catch (error) {
      // The index was deleted or cannot be read: a run makes it again, or reports why it cannot.
      found = String(error);
    }
    const moved = [root, ...this.#options.alsoWatch].map(identityOf).join() !== this.#watched;
    const isNew = (found !== '' && found !== this.#lastFound) || moved;
    this.#lastFound = found;
    if (isNew && this.#cycle.isSettled) {
      this.#needsSubscribe = true;
      this.#cycle.mark(pending.map((path) => join(root, path)));
    } else this.#scheduleCheck(Math.min(delayMs * 4, MAX_CHECK_MS));
  }
}

/** Device and inode of a folder; '' if there is none. */
function identityOf(folder: string): string {
  try {
    const stat = statSync(folder, { throwIfNoEntry: false });
    return stat?.isDirectory() ? `${stat.dev}:${stat.ino}` : '';
  } catch {
    return '';
  }
}
