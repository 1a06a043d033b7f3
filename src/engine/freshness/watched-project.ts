/** A watched project: its pending changes and the state of its last check. */
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

/** The engine's functions that a watch calls. */
export interface WatchHooks {
  /** Vendored code is indexed, too. */
  readonly includeVendor: boolean;
  /** Indexes the changes; null if another process has indexed them. */
  readonly update: () => Promise<IndexReport | null>;
  /** Warms a worker up before an update is requested; `paths` are some of the changed files. */
  readonly prepare: (paths: readonly string[]) => void;
  /** Paths that differ between folder and index, found by a walk. */
  readonly findPending: () => Promise<readonly string[]>;
}

export class WatchedProject {
  readonly #pending = new Set<string>();
  /** Paths that were pending when the running update began. */
  #beingIndexed: readonly string[] = [];
  #watch: Watch | null = null;
  #syncing = false;
  #stale = true;
  #hasChecked = false;
  #lastEventAtMs = 0;
  /** Why the last update failed; null if it succeeded. */
  #failure: string | null = null;
  #hasLostFiles = false;
  #starting: Promise<void> | null = null;
  readonly #listeners = new Set<{ readonly notify: OnChange }>();

  get mode(): 'events' | 'polling' {
    return this.#watch?.mode ?? 'polling';
  }

  /** Why the watch polls; null if it gets events. */
  get reason(): string | null {
    return this.#watch?.reason ?? null;
  }

  /** Time of the last event, by performance.now(): a check that began earlier does not cover it. */
  get lastEventAtMs(): number {
    return this.#lastEventAtMs;
  }

  /** Resolves when every file written until now is in the pending set. */
  async flushEvents(): Promise<void> {
    await this.#watch?.heard();
  }

  /**
   * The watcher's view; null while it cannot be trusted: the watch polls, or has neither walked the folder nor seen a
   * change.
   */
  freshness(): Pick<Freshness, 'status' | 'pending' | 'failure'> | null {
    if (this.#watch?.mode !== 'events') return null;
    const pending = [...new Set([...this.#beingIndexed, ...this.#pending])].sort().slice(0, MAX_PENDING);
    if (!this.#hasChecked && pending.length === 0) return null;
    const status = this.#syncing ? 'syncing' : this.#stale ? 'stale' : 'fresh';
    return { status, pending, ...(this.#failure === null ? {} : { failure: this.#failure }) };
  }

  /** Starts the watch; later calls wait for the same start. */
  start(project: ResolvedProject, hooks: WatchHooks): Promise<void> {
    this.#starting ??= this.#start(project, hooks);
    return this.#starting;
  }

  async #start({ root, git }: ResolvedProject, hooks: WatchHooks): Promise<void> {
    const outside = git?.workTree && !git.commonDir.startsWith(root + sep) ? [git.commonDir] : [];
    const above = [...ancestors(root, git?.workTree ?? root)].slice(1).map((folder) => join(folder, '.gitignore'));
    const { watchProject } = await import('../../indexing/index.ts');
    this.#watch = await watchProject({
      root,
      alsoWatch: outside,
      // Git also reads the ignore files of parent folders and the user's own.
      alsoFiles: [...above, await userIgnoreFile(root)],
      isBare: git !== null && git.workTree === null,
      includeVendor: hooks.includeVendor,
      findPending: hooks.findPending,
      onDirty: (paths) => {
        const first = !this.#stale;
        this.#stale = true;
        this.#lastEventAtMs = performance.now();
        let inFiles = false;
        for (const path of paths) {
          const shown = pathFrom(root, path);
          if (shown === '' || shown.startsWith('.git/') || shown.startsWith('..')) continue;
          if (this.#pending.size < MAX_PENDING) this.#pending.add(shown);
          inFiles = true;
        }
        if (first && inFiles) hooks.prepare([...this.#pending]);
      },
      onSettled: () => {
        this.#hasChecked = true;
        this.#stale = this.#failure !== null;
      },
      onError: (error) => {
        this.#stale = true;
        this.#failure = toEngineError(error).message;
      },
      isBusy: () => git !== null && isGitBusy(git),
      update: async () => {
        const hasChecked = this.#hasChecked;
        this.#beingIndexed = [...this.#pending];
        this.#pending.clear();
        this.#syncing = true;
        try {
          const report = await hooks.update();
          this.#failure = null;
          // Under steady change the folder never settles; events report later changes.
          this.#hasChecked = true;
          // Before the first check, a run of another process is old news.
          if (report ? report.isNew : hasChecked) for (const { notify } of this.#listeners) notify(report);
          // Another process has indexed the changes.
          if (!report) return { retry: false };
          // A parser may have died for another reason than its file: retry once, then skip the file until it changes.
          const retry = report.filesFailed > 0 && !this.#hasLostFiles;
          this.#hasLostFiles = report.filesFailed > 0;
          return { retry };
        } catch (error) {
          for (const path of this.#beingIndexed) this.#pending.add(path);
          if (error instanceof EngineError && error.code === 'index_in_progress') return { retry: true };
          throw error;
        } finally {
          this.#syncing = false;
          this.#beingIndexed = [];
        }
      },
    });
    this.#watch.poke();
  }

  /** Adds a listener; the returned function removes it and returns true if none is left. */
  addListener(notify: OnChange): () => boolean {
    const listener = { notify };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener) && this.#listeners.size === 0;
  }

  async stop(): Promise<void> {
    await this.#starting?.catch(() => undefined);
    await this.#watch?.stop();
  }

  /** A check is scheduled or running. */
  get isChecking(): boolean {
    return this.#watch !== null && !this.#watch.isSettled;
  }

  /** Waits for the running update, if any, or until `timeoutMs` has passed. */
  async waitIdle(timeoutMs: number): Promise<void> {
    if (!this.#syncing || timeoutMs === 0) return;
    const time = new AbortController();
    await Promise.race([
      this.#watch?.idle(),
      sleep(timeoutMs, undefined, { signal: time.signal }).catch(() => undefined),
    ]);
    time.abort();
  }

  /** Waits for the scheduled check, which skips its debounce, or until `timeoutMs` has passed. */
  async waitSettled(timeoutMs: number): Promise<void> {
    await this.#watch?.settled(timeoutMs);
  }

  /** Marks the known state as stale until the next check. */
  poke(): void {
    this.#watch?.poke();
  }

  /** Checks at once and waits until all changes found are indexed, or `timeoutMs` has passed. */
  async catchUp(timeoutMs: number): Promise<void> {
    this.poke();
    await this.waitSettled(timeoutMs);
  }
}
