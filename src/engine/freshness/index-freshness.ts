/** Whether answers are up to date: by the watcher where one runs, by a walk elsewhere; and waiting until they are. */
import { EngineError } from '../../model/records/engine-errors.ts';
import type { Freshness } from '../../model/records/query.ts';
import { isWithin } from '../../model/text/is-within.ts';
import type { TreeInfo, TreeView } from '../../store/store.ts';
import { type FolderPrint, lookAt, plainBranchCommit, resolveRef } from '../../walk/index.ts';
import type { WalkOptions } from '../../walk/walk-project.ts';
import type { IndexReport, OnChange } from '../engine.ts';
import type { EngineConfig } from '../engine-config.ts';
import { hasTree } from '../projects/open-projects.ts';
import type { OpenedProject } from '../projects/opened-project.ts';
import type { ResolvedProject } from '../projects/project-registry.ts';
import { lastLook } from './pending-cache.ts';
import { pendingChanges } from './pending-changes.ts';
import { WatchedProject } from './watched-project.ts';

const FRESHNESS_MS = 2_000;
/** A search waits for pending changes no longer than this, whatever it asks for. */
const LONGEST_WAIT_MS = 60_000;

/** The tree of the folder, or of a ref. */
type Update = (root: string, ref?: string) => Promise<IndexReport>;

/** Among several servers that watch one folder. */
export interface Leader {
  open(root: string): Promise<OpenedProject>;
  /** Whether this process is to run; otherwise another one has, and nothing is pending. */
  wait(root: string, isCurrent: (opened: OpenedProject) => Promise<boolean>): Promise<boolean>;
  /** Called before an update is requested, with some of the changed files. */
  prepare(root: string, paths: readonly string[]): void;
}

/** Tells whether an index is fresh, and waits until it is. */
export interface FreshnessOf<P> {
  of(opened: P, view: TreeView): Promise<Freshness>;
  wait(opened: P, wantedMs: number, ref?: string): Promise<void>;
  lookAhead(root: string): Promise<void>;
}

export class IndexFreshness implements FreshnessOf<OpenedProject> {
  readonly #config: Pick<EngineConfig, 'index' | 'workerEntry' | 'frozen'>;
  readonly #update: Update;
  readonly #leader: Leader;
  readonly #isOutdated: (info: TreeInfo) => boolean;
  readonly #checks = new Map<
    string,
    { readonly atMs: number; readonly generation: number; readonly pending: Promise<string[]>; readonly ended: boolean }
  >();
  /** Where refs stood that only git can resolve: tags, `HEAD~1`. Undefined where it refused. */
  readonly #commits = new Map<string, { readonly atMs: number; readonly now: Promise<string | null | undefined> }>();
  readonly #watches = new Map<string, WatchedProject>();
  /** Watches that begin when their folder has an index. */
  readonly #awaited = new Map<string, () => void>();
  /** Of the live trees that answered last. */
  readonly #generations = new Map<string, number>();
  #ahead: { readonly root: string; readonly print: Promise<FolderPrint | null> } | null = null;

  constructor(
    config: Pick<EngineConfig, 'index' | 'workerEntry' | 'frozen'>,
    update: Update,
    leader: Leader,
    isOutdated: (info: TreeInfo) => boolean,
  ) {
    this.#config = config;
    this.#update = update;
    this.#leader = leader;
    this.#isOutdated = isOutdated;
  }

  async watch(resolved: ResolvedProject, onChange: OnChange): Promise<() => Promise<void>> {
    const { root } = resolved;
    const watched = this.#watches.get(root) ?? new WatchedProject();
    this.#watches.set(root, watched);
    const letGo = async () => {
      if (this.#watches.get(root) === watched) this.#watches.delete(root);
      await watched.stop();
    };
    const leave = watched.enter(onChange);
    try {
      const update = async () =>
        (await this.#leader.wait(root, (opened) => this.#isCurrent(opened))) ? this.#update(root) : null;
      await watched.start(resolved, {
        includeVendor: this.#config.index.includeVendor,
        update,
        prepare: (paths) => this.#leader.prepare(root, paths),
        findPending: async () => this.#pendingNow(await this.#leader.open(root)),
      });
    } catch (error) {
      if (leave()) await letGo();
      throw error;
    }
    return async () => {
      if (leave()) await letGo();
    };
  }

  onceIndexed(root: string, watch: () => Promise<() => Promise<void>>): () => Promise<void> {
    let started: Promise<(() => Promise<void>) | null> = Promise.resolve(null);
    this.#awaited.set(root, () => {
      // A watch that does not start is no error: the caller that indexed has its index.
      started = watch().catch(() => null);
    });
    return async () => {
      this.#awaited.delete(root);
      await (await started)?.();
    };
  }

  /** This process has indexed the folder. */
  indexed(root: string): void {
    const watch = this.#awaited.get(root);
    this.#awaited.delete(root);
    watch?.();
  }

  /** Until the run that our own watch is making has ended, or the time is up. */
  async ownRun(root: string, timeoutMs: number): Promise<void> {
    await this.#watches.get(root)?.idle(timeoutMs);
  }

  watching(root: string): 'events' | 'polling' | 'off' {
    return this.#watches.get(root)?.mode ?? 'off';
  }

  /** The watch that is about to look at this folder, or at one around it, or does so now. */
  lookingAt(root: string): WatchedProject | null {
    for (const [watched, project] of this.#watches) if (isWithin(root, watched) && project.isLooking) return project;
    return null;
  }

  /** The next question looks for pending changes anew. */
  forget(root: string): void {
    this.#checks.delete(root);
  }

  /** Until pending changes are in the index, or the time is up: the answer's freshness says which. */
  async wait(opened: OpenedProject, wantedMs: number, ref?: string): Promise<void> {
    if (this.#config.frozen) return;
    const timeoutMs = Math.min(wantedMs, LONGEST_WAIT_MS);
    const { root } = opened.resolved;
    const watched = this.#watches.get(root);
    // Only a watch makes the first index by itself.
    if (!hasTree(opened, ref)) return watched?.catchUp(timeoutMs);
    // An event may still be on its way.
    const { info } = opened.view(ref);
    if ((await this.#pendingNow(opened, ref)).length === 0 && !this.#isOutdated(info)) return;
    const isRef = info.ref !== 'live';
    if (watched && !isRef) return watched.catchUp(timeoutMs);
    let timer: NodeJS.Timeout | undefined;
    // Holds the process: once the update has failed, nothing else would, and a command would end without its answer.
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    const update = this.#update(root, isRef ? info.ref : undefined).then(
      () => undefined,
      // Another process may be indexing: then wait for it. Waiting does not help against other errors.
      (error) => (error instanceof EngineError && error.code === 'index_in_progress' ? late : undefined),
    );
    try {
      await Promise.race([late, update]);
    } finally {
      clearTimeout(timer);
    }
  }

  async of(opened: OpenedProject, view: TreeView): Promise<Freshness> {
    const found = await this.#look(opened, view);
    return found.status === 'fresh' && this.#isOutdated(view.info)
      ? { ...found, status: 'stale', outdated: true }
      : found;
  }

  async #look(opened: OpenedProject, view: TreeView): Promise<Freshness> {
    const base = { ref: opened.refName(view), indexedAtMs: view.info.publishedAtMs };
    if (this.#config.frozen) return { ...base, status: 'fresh', pending: [] };
    if (view.info.ref !== 'live') {
      const pending = await this.#pendingIn(opened, view);
      return pending.length > 0
        ? { ...base, status: 'stale', pending, moved: true }
        : { ...base, status: 'fresh', pending };
    }
    const watch = this.#watches.get(view.info.root);
    if (this.#isOlder(view)) watch?.poke();
    await watch?.heard();
    const watched = watch?.freshness();
    if (watched && !isDoubtful(watched, view)) return { ...base, ...watched };
    const pending = await this.#pendingIn(opened, view);
    return { ...base, status: pending.length > 0 ? (watched?.status ?? 'stale') : 'fresh', pending };
  }

  /** The store file was replaced, perhaps by a copy: pending events belong to another tree. */
  #isOlder({ info: { root, generation } }: TreeView): boolean {
    const before = this.#generations.get(root) ?? 0;
    this.#generations.set(root, generation);
    return generation < before;
  }

  /**
   * A ref that stands for another commit than it was indexed at, or for none any more. Where git cannot be asked,
   * nothing is known of that.
   */
  async #hasMoved({ root, git }: ResolvedProject, info: TreeInfo): Promise<boolean> {
    const { ref, commit } = info;
    if (!git || ref === commit) return false;
    const plain = plainBranchCommit(git, ref);
    if (plain !== null) return plain !== commit;
    const key = commitKey(info);
    let lookup = this.#commits.get(key);
    if (!lookup || performance.now() - lookup.atMs > FRESHNESS_MS) {
      const now = resolveRef(root, ref).catch((error) => (error.code === 'ref_not_found' ? null : undefined));
      lookup = { atMs: performance.now(), now };
      this.#commits.set(key, lookup);
    }
    const now = await lookup.now;
    return now !== undefined && now !== commit;
  }

  /**
   * A command is about to ask about this folder: git looks at it while the store is opened. Returns once git has
   * started. If the next question is about another folder, the look was for nothing.
   */
  async lookAhead(root: string): Promise<void> {
    const print = lookAt({ ...this.#config.index, root });
    print.catch(() => undefined);
    this.#ahead = { root, print };
    await new Promise((started) => setImmediate(started));
  }

  async #isCurrent(opened: OpenedProject): Promise<boolean> {
    return (await this.#pendingNow(opened)).length === 0;
  }

  /** Looks at the files now, without the cached result of a moment ago. */
  #pendingNow(opened: OpenedProject, ref?: string): Promise<string[]> {
    const view = opened.view(ref);
    this.#checks.delete(view.info.root);
    this.#commits.delete(commitKey(view.info));
    return this.#pendingIn(opened, view);
  }

  /** Changed paths as a walk finds them, or the ref itself where it has moved; remembered for a moment. */
  async #pendingIn(opened: OpenedProject, view: TreeView): Promise<string[]> {
    const { root, ref } = view.info;
    if (ref !== 'live') return (await this.#hasMoved(opened.resolved, view.info)) ? [ref] : [];
    const stirred = this.#watches.get(root)?.stirredAtMs ?? 0;
    const since = Math.max(performance.now() - FRESHNESS_MS, stirred);
    let check = this.#checks.get(root);
    // One check at a time: under steady change, every question would begin another. One begun before the last change
    // says nothing about it.
    for (; check && !check.ended && check.atMs <= stirred; check = this.#checks.get(root))
      await check.pending.catch(() => undefined);
    if (!check || check.generation !== view.info.generation || (check.ended && check.atMs <= since)) {
      const options = this.walkOf(view);
      const last = lastLook(opened.resolved.storeFolder, this.#config.workerEntry, view, options);
      const ahead = this.#ahead?.root === root ? this.#ahead.print : undefined;
      this.#ahead = null;
      const pending = pendingChanges(view, options, 'stat', last, ahead);
      const begun = { atMs: performance.now(), generation: view.info.generation, pending, ended: false };
      const end = () => {
        begun.ended = true;
      };
      pending.then(end, end);
      check = begun;
      this.#checks.set(root, check);
    }
    return check.pending;
  }

  /** The walk that the tree was made by. */
  walkOf({ info }: TreeView): WalkOptions {
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
 * Events tell of builds and logs as of anything else: whether a file that is not in the index will be, only a look can
 * tell. Without one an index would be called stale for as long as something is being written that no index holds.
 */
function isDoubtful({ failure, pending }: Pick<Freshness, 'failure' | 'pending'>, view: TreeView): boolean {
  return failure === undefined && pending.some((path) => view.indexOfPath(path) < 0);
}
