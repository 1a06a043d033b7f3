/** A watched project: its pending changes, and when it was last checked. */
import { join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Watch } from '../../indexing/index.ts';
import { EngineError, toEngineError } from '../../model/records/engine-errors.ts';
import type { Freshness } from '../../model/records/query.ts';
import { pathFrom } from '../../model/text/is-within.ts';
import { isGitBusy, userIgnoreFile } from '../../walk/index.ts';
import type { IndexReport, OnChange } from '../engine.ts';
import { ancestors, type ResolvedProject } from '../projects/project-registry.ts';

const MAX_PENDING = 100;

/** The part of the engine that a watch calls. */
export interface Follower {
  /** Vendored code is indexed too. */
  readonly includeVendor: boolean;
  /** Null where another process has seen to it. */
  readonly update: () => Promise<IndexReport | null>;
  /** Called before an update is requested, with some of the changed files. */
  readonly prepare: (paths: readonly string[]) => void;
  /** Paths in which the folder differs from the index, found without events. */
  readonly findPending: () => Promise<readonly string[]>;
}

export class WatchedProject {
  readonly #pending = new Set<string>();
  /** Paths that were pending when the running update began. */
  #inHand: readonly string[] = [];
  #watch: Watch | null = null;
  #syncing = false;
  #stale = true;
  #looked = false;
  #stirredAtMs = 0;
  /** Why the last update failed; null where it did not. */
  #failure: string | null = null;
  #lostFiles = false;
  #starting: Promise<void> | null = null;
  readonly #listeners = new Set<{ readonly notify: OnChange }>();

  get mode(): 'events' | 'polling' {
    return this.#watch?.mode ?? 'polling';
  }

  /** Why it polls, where it does. */
  get reason(): string | null {
    return this.#watch?.reason ?? null;
  }

  /** When something last happened, by performance.now(): what was seen before then says nothing about now. */
  get stirredAtMs(): number {
    return this.#stirredAtMs;
  }

  /** Resolves when what was written until now is pending. */
  async heard(): Promise<void> {
    await this.#watch?.heard();
  }

  /**
   * What the watcher knows; null while it knows nothing for sure: it polls, or has neither walked the folder nor seen a
   * change yet.
   */
  freshness(): Pick<Freshness, 'status' | 'pending' | 'failure'> | null {
    if (this.#watch?.mode !== 'events') return null;
    const pending = [...new Set([...this.#inHand, ...this.#pending])].sort().slice(0, MAX_PENDING);
    if (!this.#looked && pending.length === 0) return null;
    const status = this.#syncing ? 'syncing' : this.#stale ? 'stale' : 'fresh';
    return { status, pending, ...(this.#failure === null ? {} : { failure: this.#failure }) };
  }

  /** Starts once, however often it is asked to. */
  start(project: ResolvedProject, follower: Follower): Promise<void> {
    this.#starting ??= this.#start(project, follower);
    return this.#starting;
  }

  async #start({ root, git }: ResolvedProject, follower: Follower): Promise<void> {
    const outside = git?.workTree && !git.commonDir.startsWith(root + sep) ? [git.commonDir] : [];
    const above = [...ancestors(root, git?.workTree ?? root)].slice(1).map((folder) => join(folder, '.gitignore'));
    const { watchProject } = await import('../../indexing/index.ts');
    this.#watch = await watchProject({
      root,
      alsoWatch: outside,
      // Git reads the ignore files of the folders above, too, and that of the user.
      alsoFiles: [...above, await userIgnoreFile(root)],
      isBare: git !== null && git.workTree === null,
      includeVendor: follower.includeVendor,
      findPending: follower.findPending,
      onDirty: (paths) => {
        const first = !this.#stale;
        this.#stale = true;
        this.#stirredAtMs = performance.now();
        let inFiles = false;
        for (const path of paths) {
          const shown = pathFrom(root, path);
          if (shown === '' || shown.startsWith('.git/') || shown.startsWith('..')) continue;
          if (this.#pending.size < MAX_PENDING) this.#pending.add(shown);
          inFiles = true;
        }
        if (first && inFiles) follower.prepare([...this.#pending]);
      },
      onSettled: () => {
        this.#looked = true;
        this.#stale = this.#failure !== null;
      },
      onError: (error) => {
        this.#stale = true;
        this.#failure = toEngineError(error).message;
      },
      isBusy: () => git !== null && isGitBusy(git),
      update: async () => {
        const looked = this.#looked;
        this.#inHand = [...this.#pending];
        this.#pending.clear();
        this.#syncing = true;
        try {
          const report = await follower.update();
          this.#failure = null;
          // Under steady change the folder never settles; events report what changes from now on.
          this.#looked = true;
          // Before the first look, what another process has seen to is old news.
          if (report ? report.isNew : looked) for (const { notify } of this.#listeners) notify(report);
          // Another process has seen to it.
          if (!report) return { retry: false };
          // A parser that died may have died of something else: its file is tried once more, then left out until it
          // changes.
          const retry = report.filesFailed > 0 && !this.#lostFiles;
          this.#lostFiles = report.filesFailed > 0;
          return { retry };
        } catch (error) {
          for (const path of this.#inHand) this.#pending.add(path);
          if (error instanceof EngineError && error.code === 'index_in_progress') return { retry: true };
          throw error;
        } finally {
          this.#syncing = false;
          this.#inHand = [];
        }
      },
    });
    this.#watch.poke();
  }

  /** Adds a user of the watch; the returned function removes it and returns whether none is left. */
  enter(notify: OnChange): () => boolean {
    const listener = { notify };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener) && this.#listeners.size === 0;
  }

  async stop(): Promise<void> {
    await this.#starting?.catch(() => undefined);
    await this.#watch?.stop();
  }

  /** A check is scheduled or running. */
  get isLooking(): boolean {
    return this.#watch !== null && !this.#watch.isSettled;
  }

  /** Waits for the update that is going on, if one is, or until the time is up. */
  async idle(timeoutMs: number): Promise<void> {
    if (!this.#syncing || timeoutMs === 0) return;
    const time = new AbortController();
    await Promise.race([
      this.#watch?.idle(),
      sleep(timeoutMs, undefined, { signal: time.signal }).catch(() => undefined),
    ]);
    time.abort();
  }

  /** Waits for the scheduled check, which then skips its debounce, or until the time is up. */
  async settled(timeoutMs: number): Promise<void> {
    await this.#watch?.settled(timeoutMs);
  }

  /** The known state may be wrong: stale until the next check. */
  poke(): void {
    this.#watch?.poke();
  }

  /** Looks at once and waits until all that was found is indexed, or the time is up. */
  async catchUp(timeoutMs: number): Promise<void> {
    this.poke();
    await this.settled(timeoutMs);
  }
}
