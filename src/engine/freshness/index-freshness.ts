/** Decides whether an index is fresh, from the watcher's events or from a walk, and waits until it is. */
import { EngineError } from '../../model/records/engine-errors.ts';
import type { Freshness } from '../../model/records/query.ts';
import { isWithin } from '../../model/text/is-within.ts';
import type { TreeInfo, TreeView } from '../../store/store.ts';
import { type FolderFingerprint, plainBranchCommit, readFolderFingerprint, resolveRef } from '../../walk/index.ts';
import type { WalkOptions } from '../../walk/walk-project.ts';
import type { IndexReport, OnChange } from '../engine.ts';
import type { EngineConfig } from '../engine-config.ts';
import { hasTree } from '../projects/open-projects.ts';
import type { OpenedProject } from '../projects/opened-project.ts';
import type { ResolvedProject } from '../projects/project-registry.ts';
import { openPendingCache } from './pending-cache.ts';
import { pendingChanges } from './pending-changes.ts';
import { WatchedProject } from './watched-project.ts';

const CHECK_TTL_MS = 2_000;
/** Upper bound of the time that a search waits for pending changes, whatever the request asks for. */
const MAX_WAIT_MS = 60_000;

/** Indexes the work tree, or a ref. */
type Update = (root: string, ref?: string) => Promise<IndexReport>;

/** Coordinates the servers that watch one folder. */
export interface WatchCoordinator {
  open(root: string): Promise<OpenedProject>;
  /** Returns true if this process must index the folder; false if another process has and nothing is pending. */
  wait(root: string, isCurrent: (opened: OpenedProject) => Promise<boolean>): Promise<boolean>;
  /** Warms a worker up before an update is requested; `paths` are some of the changed files. */
  prepare(root: string, paths: readonly string[]): void;
}

/** Tells whether an index is fresh, and waits until it is. */
export interface FreshnessOf<P> {
  of(opened: P, view: TreeView): Promise<Freshness>;
  wait(opened: P, wantedMs: number, ref?: string): Promise<void>;
  startCheck(root: string): Promise<void>;
}

export class IndexFreshness implements FreshnessOf<OpenedProject> {
  readonly #config: Pick<EngineConfig, 'index' | 'workerEntry' | 'frozen'>;
  readonly #update: Update;
  readonly #coordinator: WatchCoordinator;
  readonly #isOutdated: (info: TreeInfo) => boolean;
  readonly #checks = new Map<
    string,
    { readonly atMs: number; readonly generation: number; readonly pending: Promise<string[]>; readonly ended: boolean }
  >();
  /** Commits of refs that only git can resolve (tags, `HEAD~1`); undefined if git refused. */
  readonly #commits = new Map<string, { readonly atMs: number; readonly now: Promise<string | null | undefined> }>();
  readonly #watches = new Map<string, WatchedProject>();
  /** Functions that start a watch, by root; called when the folder gets its first index. */
  readonly #watchesOnceIndexed = new Map<string, () => void>();
  /** Generation of each live tree at its last answer. */
  readonly #generations = new Map<string, number>();
  #startedCheck: { readonly root: string; readonly fingerprint: Promise<FolderFingerprint | null> } | null = null;

  constructor(
    config: Pick<EngineConfig, 'index' | 'workerEntry' | 'frozen'>,
    update: Update,
    coordinator: WatchCoordinator,
    isOutdated: (info: TreeInfo) => boolean,
  ) {
    this.#config = config;
    this.#update = update;
    this.#coordinator = coordinator;
    this.#isOutdated = isOutdated;
  }

  async watch(resolved: ResolvedProject, onChange: OnChange): Promise<() => Promise<void>> {
    const { root } = resolved;
    const watched = this.#watches.get(root) ?? new WatchedProject();
    this.#watches.set(root, watched);
    const stopWatch = async () => {
      if (this.#watches.get(root) === watched) this.#watches.delete(root);
      await watched.stop();
    };
    const removeListener = watched.addListener(onChange);
    try {
      const update = async () =>
        (await this.#coordinator.wait(root, (opened) => this.#isCurrent(opened))) ? this.#update(root) : null;
      await watched.start(resolved, {
        includeVendor: this.#config.index.includeVendor,
        update,
        prepare: (paths) => this.#coordinator.prepare(root, paths),
        findPending: async () => this.#checkPending(await this.#coordinator.open(root)),
      });
    } catch (error) {
      if (removeListener()) await stopWatch();
      throw error;
    }
    return async () => {
      if (removeListener()) await stopWatch();
    };
  }

  onceIndexed(root: string, watch: () => Promise<() => Promise<void>>): () => Promise<void> {
    let started: Promise<(() => Promise<void>) | null> = Promise.resolve(null);
    this.#watchesOnceIndexed.set(root, () => {
      // A watch that fails to start is no error: the caller that indexed has its index.
      started = watch().catch(() => null);
    });
    return async () => {
      this.#watchesOnceIndexed.delete(root);
      await (await started)?.();
    };
  }

  /** Called when this process has indexed the folder: starts the watch that waits for it. */
  onIndexed(root: string): void {
    const watch = this.#watchesOnceIndexed.get(root);
    this.#watchesOnceIndexed.delete(root);
    watch?.();
  }

  /** Waits until the current run of this engine's own watch has ended, or `timeoutMs` has passed. */
  async waitForOwnRun(root: string, timeoutMs: number): Promise<void> {
    await this.#watches.get(root)?.waitIdle(timeoutMs);
  }

  watchMode(root: string): 'events' | 'polling' | 'off' {
    return this.#watches.get(root)?.mode ?? 'off';
  }

  /** The watch of this folder, or of a folder around it, that is checking it or about to; null without one. */
  activeWatchOf(root: string): WatchedProject | null {
    for (const [watched, project] of this.#watches) if (isWithin(root, watched) && project.isChecking) return project;
    return null;
  }

  /** Drops the cached check: the next question looks for pending changes again. */
  forget(root: string): void {
    this.#checks.delete(root);
  }

  /** Waits until pending changes are indexed, or `wantedMs` has passed; the answer's freshness says which. */
  async wait(opened: OpenedProject, wantedMs: number, ref?: string): Promise<void> {
    if (this.#config.frozen) return;
    const timeoutMs = Math.min(wantedMs, MAX_WAIT_MS);
    const { root } = opened.resolved;
    const watched = this.#watches.get(root);
    // Only a watch makes a first index without a call.
    if (!hasTree(opened, ref)) return watched?.catchUp(timeoutMs);
    // The file system is checked even with a watch: an event may not have arrived yet.
    const { info } = opened.view(ref);
    if ((await this.#checkPending(opened, ref)).length === 0 && !this.#isOutdated(info)) return;
    const isRef = info.ref !== 'live';
    if (watched && !isRef) return watched.catchUp(timeoutMs);
    let timer: NodeJS.Timeout | undefined;
    // Not unref'ed: after a failed update, nothing else keeps the process alive, and a command would end without its
    // answer.
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    const update = this.#update(root, isRef ? info.ref : undefined).then(
      () => undefined,
      // If another process is indexing, wait for it. Waiting does not help against other errors.
      (error) => (error instanceof EngineError && error.code === 'index_in_progress' ? timeout : undefined),
    );
    try {
      await Promise.race([timeout, update]);
    } finally {
      clearTimeout(timer);
    }
  }

  async of(opened: OpenedProject, view: TreeView): Promise<Freshness> {
    const found = await this.#freshnessWithoutVersion(opened, view);
    return found.status === 'fresh' && this.#isOutdated(view.info)
      ? { ...found, status: 'stale', outdated: true }
      : found;
  }

  async #freshnessWithoutVersion(opened: OpenedProject, view: TreeView): Promise<Freshness> {
    const base = { ref: opened.refName(view), indexedAtMs: view.info.publishedAtMs };
    if (this.#config.frozen) return { ...base, status: 'fresh', pending: [] };
    if (view.info.ref !== 'live') {
      const pending = await this.#cachedPending(opened, view);
      return pending.length > 0
        ? { ...base, status: 'stale', pending, moved: true }
        : { ...base, status: 'fresh', pending };
    }
    const watch = this.#watches.get(view.info.root);
    if (this.#isOlder(view)) watch?.poke();
    await watch?.flushEvents();
    const watched = watch?.freshness();
    if (watched && !needsWalk(watched, view)) return { ...base, ...watched };
    const pending = await this.#cachedPending(opened, view);
    return { ...base, status: pending.length > 0 ? (watched?.status ?? 'stale') : 'fresh', pending };
  }

  /** Whether the store file was replaced by an older one: the watch's pending events belong to another tree. */
  #isOlder({ info: { root, generation } }: TreeView): boolean {
    const before = this.#generations.get(root) ?? 0;
    this.#generations.set(root, generation);
    return generation < before;
  }

  /** Whether a ref names another commit than the indexed one, or none any more. False if git cannot tell. */
  async #hasMoved({ root, git }: ResolvedProject, info: TreeInfo): Promise<boolean> {
    const { ref, commit } = info;
    if (!git || ref === commit) return false;
    const plain = plainBranchCommit(git, ref);
    if (plain !== null) return plain !== commit;
    const key = commitKey(info);
    let lookup = this.#commits.get(key);
    if (!lookup || performance.now() - lookup.atMs > CHECK_TTL_MS) {
      const now = resolveRef(root, ref).catch((error) => (error.code === 'ref_not_found' ? null : undefined));
      lookup = { atMs: performance.now(), now };
      this.#commits.set(key, lookup);
    }
    const now = await lookup.now;
    return now !== undefined && now !== commit;
  }

  /**
   * Starts a check of the folder before a command's question: git runs while the store is opened. Returns once git has
   * started. The result is dropped if the next question is about another folder.
   */
  async startCheck(root: string): Promise<void> {
    const fingerprint = readFolderFingerprint({ ...this.#config.index, root });
    fingerprint.catch(() => undefined);
    this.#startedCheck = { root, fingerprint };
    await new Promise((started) => setImmediate(started));
  }

  async #isCurrent(opened: OpenedProject): Promise<boolean> {
    return (await this.#checkPending(opened)).length === 0;
  }

  /** Checks the files now, ignoring the cached check. */
  #checkPending(opened: OpenedProject, ref?: string): Promise<string[]> {
    const view = opened.view(ref);
    this.#checks.delete(view.info.root);
    this.#commits.delete(commitKey(view.info));
    return this.#cachedPending(opened, view);
  }

  /** Paths that a walk finds changed, or the ref's name if it has moved. The result is cached for a moment. */
  async #cachedPending(opened: OpenedProject, view: TreeView): Promise<string[]> {
    const { root, ref } = view.info;
    if (ref !== 'live') return (await this.#hasMoved(opened.resolved, view.info)) ? [ref] : [];
    const lastEventAtMs = this.#watches.get(root)?.lastEventAtMs ?? 0;
    const since = Math.max(performance.now() - CHECK_TTL_MS, lastEventAtMs);
    let check = this.#checks.get(root);
    // One check at a time: under steady change, every question would start another. A check that began before the last
    // change does not cover it, so it is not used.
    for (; check && !check.ended && check.atMs <= lastEventAtMs; check = this.#checks.get(root))
      await check.pending.catch(() => undefined);
    if (!check || check.generation !== view.info.generation || (check.ended && check.atMs <= since)) {
      const options = this.walkOptionsOf(view);
      const last = openPendingCache(opened.resolved.storeFolder, this.#config.workerEntry, view, options);
      const startedCheck = this.#startedCheck?.root === root ? this.#startedCheck.fingerprint : undefined;
      this.#startedCheck = null;
      const pending = pendingChanges(view, options, 'stat', last, startedCheck);
      const startedNow = { atMs: performance.now(), generation: view.info.generation, pending, ended: false };
      const end = () => {
        startedNow.ended = true;
      };
      pending.then(end, end);
      check = startedNow;
      this.#checks.set(root, check);
    }
    return check.pending;
  }

  /** The walk options that the tree was made with. */
  walkOptionsOf({ info }: TreeView): WalkOptions {
    const { tests, vendor, generated } = info.options;
    return {
      ...this.#config.index,
      root: info.root,
      includeTests: tests !== false,
      includeVendor: vendor === true,
      includeGenerated: generated === true,
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#watches.values()].map((watched) => watched.stop()));
    this.#watches.clear();
  }
}

function commitKey({ root, ref }: TreeInfo): string {
  return `${root}\n${ref}`;
}

/**
 * Events also report builds and logs. Only a walk can tell whether a path that is not in the index will be indexed;
 * without one, the index would be called stale for as long as something writes files that are never indexed.
 */
function needsWalk({ failure, pending }: Pick<Freshness, 'failure' | 'pending'>, view: TreeView): boolean {
  return failure === undefined && pending.some((path) => view.indexOfPath(path) < 0);
}
