/**
 * Makes index runs: a run takes the writer's lease, may continue in the background, and leaves a warm worker to a
 * server.
 */
import type { FinishedRun, IndexRun, RunState, StartedWalk, WorkerPool } from '../../indexing/index.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { IndexProgress } from '../../model/records/progress.ts';
import { isSettled } from '../../model/records/source-file.ts';
import { isWithin } from '../../model/text/is-within.ts';
import type { JobRecord, StoreWriter, TreeView } from '../../store/store.ts';
import { walk, walkRef } from '../../walk/index.ts';
import type { WalkOptions } from '../../walk/walk-project.ts';
import type { IndexOptions, IndexReport, JobInfo } from '../engine.ts';
import { deriverSetup, type EngineConfig } from '../engine-config.ts';
import { hasGitListing, loadEarlierWalk, saveGitListing } from '../freshness/git-listing-cache.ts';
import { leaderOf, mustIndex } from '../freshness/watch-leader.ts';
import type { Models } from '../model-loader.ts';
import { hasTree, viewOrNull } from '../projects/open-projects.ts';
import type { OpenedProject } from '../projects/opened-project.ts';
import { registerRoot } from '../projects/project-registry.ts';
import { checkText } from '../questions/check-request.ts';
import { IdlePool } from './idle-pool.ts';
import { indexReport } from './index-report.ts';
import { jobInfo } from './project-status.ts';
import { RunPreview } from './run-preview.ts';
import { newJob, otherRefsToUpdate, type RunRefs, refsIn, treeRef } from './run-refs.ts';

/**
 * How long the idle writer connection is kept: while a user edits files, a server's runs follow one another within this
 * time.
 */
const KEEP_WRITER_MS = 10_000;

interface Job {
  readonly root: string;
  readonly abort: AbortController;
  done: Promise<unknown>;
  progress: IndexProgress | null;
  /** Preview of the folder's first tree; null before a file is read, and in later runs. */
  preview: RunPreview | null;
}

interface BegunRun extends RunRefs {
  readonly writer: StoreWriter;
  readonly job: JobRecord;
  /** True if the folder has no tree yet. */
  readonly isFirst: boolean;
}

export class IndexRuns {
  readonly #config: EngineConfig;
  readonly #models: Models;
  readonly #onIndexed: (root: string) => void;
  readonly #jobs = new Map<string, Job>();
  readonly #idle: IdlePool;
  #closed = false;

  constructor(config: EngineConfig, models: Models, onIndexed: (root: string) => void) {
    this.#config = config;
    this.#models = models;
    this.#onIndexed = onIndexed;
    this.#idle = new IdlePool(config);
  }

  async run(opened: OpenedProject, options: IndexOptions): Promise<IndexReport> {
    const walked = this.#config.inline ? await this.#startWalk(opened, options) : {};
    // Cancelled before the run began: do not take the lease.
    if (options.signal?.aborted) throw new EngineError('cancelled');
    return this.#startTracked(opened, await this.#beginWithParser(opened, options), options, walked);
  }

  /**
   * Starts the walk of a command early: git lists the folder or ref in a process of its own while the store is opened.
   */
  async #startWalk(opened: OpenedProject, options: IndexOptions): Promise<StartedWalk> {
    const { root } = opened.resolved;
    const ref = treeRef(opened.resolved, options.ref);
    if (ref !== null) checkText(ref, 'ref');
    const rules = { ...this.#walkOptions(options), ...this.#earlierWalkOptions(opened, options) };
    const { signal } = options;
    const walked: StartedWalk =
      ref === null
        ? { folder: walk({ ...rules, root, ...(signal ? { signal } : {}) }) }
        : { ref: walkRef(root, ref, rules, signal) };
    // The caller that awaits the walk gets the error; this line only prevents an unhandled rejection.
    (walked.folder ?? walked.ref)?.catch(() => undefined);
    await new Promise((started) => setImmediate(started));
    return walked;
  }

  async start(opened: OpenedProject, options: IndexOptions): Promise<JobInfo> {
    const begun = await this.#beginWithParser(opened, options);
    this.#startTracked(opened, begun, options).catch(() => undefined);
    return jobInfo(begun.job);
  }

  /** Starts a run and records it in #jobs, so that closing the engine stops it. */
  #startTracked(
    opened: OpenedProject,
    begun: BegunRun,
    options: IndexOptions,
    walked?: StartedWalk,
  ): Promise<IndexReport> {
    const abort = new AbortController();
    const stop = () => abort.abort();
    if (options.signal?.aborted) stop();
    options.signal?.addEventListener('abort', stop, { once: true });
    const { jobId } = begun.job;
    const job: Job = { root: opened.resolved.root, abort, done: Promise.resolve(), progress: null, preview: null };
    const onProgress = (progress: IndexProgress) => {
      job.progress = progress;
      options.onProgress?.(progress);
    };
    const onBegun = (soFar: RunState) => {
      job.preview = new RunPreview(opened, this.#models, soFar);
    };
    const hooks = { onProgress, ...(begun.isFirst && { onBegun }) };
    const run = this.#run(opened, begun, { ...options, signal: abort.signal }, hooks, walked).finally(() => {
      options.signal?.removeEventListener('abort', stop);
      job.preview?.close();
      this.#jobs.delete(jobId);
    });
    job.done = run.catch(() => undefined);
    this.#jobs.set(jobId, job);
    return run;
  }

  /** Whether this process is indexing the folder or an enclosing one. */
  isIndexing(root: string): boolean {
    return [...this.#jobs.values()].some((job) => isWithin(root, job.root));
  }

  /** Progress of this process's run over the folder; null without one. */
  progressAt(root: string): IndexProgress | null {
    return [...this.#jobs.values()].find((job) => isWithin(root, job.root))?.progress ?? null;
  }

  /** Preview of the first run over the folder; null without one. */
  previewAt(root: string): RunPreview | null {
    return [...this.#jobs.values()].find((job) => job.root === root && job.preview)?.preview ?? null;
  }

  /**
   * Begins a run. A forced run may set a damaged index aside, so a parser must have started first: without one, nothing
   * would replace that index.
   */
  async #beginWithParser(opened: OpenedProject, options: IndexOptions): Promise<BegunRun> {
    if (!options.force) return this.#begin(opened, options);
    await this.#idle.start(options.signal);
    try {
      return this.#begin(opened, options);
    } catch (error) {
      this.#idle.discard();
      throw error;
    }
  }

  /**
   * Takes the writer's lease immediately, so that the caller gets an error instead of a failed job. From then on,
   * status() shows the job.
   */
  #begin(opened: OpenedProject, options: IndexOptions): BegunRun {
    if (options.ref !== undefined) checkText(options.ref, 'ref');
    const refs = options.force ? refsIn(opened) : [];
    // Running questions keep the open store file; a store that cannot be read answers none and may be replaced.
    if (options.force && hasTree(opened)) opened.replaceReader();
    else if (options.force) opened.close();
    const keepMs = this.#config.inline || options.force ? 0 : KEEP_WRITER_MS;
    const writer = opened.writer(this.#models.extractor, { force: options.force ?? false, keepMs });
    try {
      const { root } = opened.resolved;
      const ref = treeRef(opened.resolved, options.ref);
      const trees = writer.reader.trees().filter((tree) => tree.root === root);
      const published = trees.find((tree) => tree.ref === (ref ?? 'live'));
      const isKnown = !options.force && published?.options.extractor === this.#models.extractor;
      const job = newJob(opened.resolved, ref, isKnown ? 'incremental' : 'full');
      writer.startJob(job);
      return { writer, job, ref, trees, refs, isFirst: !published && ref === null };
    } catch (error) {
      writer.release();
      throw error;
    }
  }

  async #run(
    opened: OpenedProject,
    begun: BegunRun,
    options: IndexOptions,
    hooks: Pick<IndexRun, 'onProgress' | 'onBegun'>,
    walked?: StartedWalk,
  ): Promise<IndexReport> {
    const { resolved } = opened;
    const { writer } = begun;
    let pool: WorkerPool | null = null;
    let finished: FinishedRun;
    let problems: IndexReport['problems'];
    try {
      pool = await this.#idle.take();
      const { runIndex } = await import('../../indexing/index.ts');
      const run = this.#indexRun(opened, begun, options, pool);
      finished = await runIndex({ ...run, ...hooks, ...(walked && { walked }) }, writer);
      // The requested tree stays published even if the runs over these refs fail.
      for (const ref of otherRefsToUpdate(resolved, begun, options, finished.tree))
        await runIndex({ ...run, ref, force: false, aside: true }, writer).catch(() => undefined);
      const { gitListing, tree } = finished;
      const { workerEntry } = this.#config;
      if (gitListing) saveGitListing(resolved.storeFolder, workerEntry, tree, this.#walkOptions(options), gitListing);
      // A reader that is opened now shares the writer's tables instead of loading its own.
      problems = opened.reader.openTree(tree)?.problems() ?? [];
    } catch (error) {
      pool?.close();
      throw error;
    } finally {
      writer.release();
    }
    this.#idle.giveBack(pool);
    registerRoot(resolved);
    if (options.ref === undefined) this.#onIndexed(resolved.root);
    return indexReport(opened, finished, problems);
  }

  #indexRun(opened: OpenedProject, { job, ref }: BegunRun, options: IndexOptions, pool: WorkerPool): IndexRun {
    const { extractor, embedder } = this.#models;
    return {
      root: opened.resolved.root,
      ref,
      force: options.force ?? false,
      requireSource: options.requireSource ?? false,
      ...(options.requireProject && { requireProject: options.requireProject }),
      walk: { ...this.#walkOptions(options), ...this.#earlierWalkOptions(opened, options) },
      job,
      setup: deriverSetup(this.#config),
      pool,
      modelId: embedder.id,
      extractor,
      provider: this.#config.provider,
      ...(options.headStart && { headStart: options.headStart(extractor) }),
      ...(options.signal && { signal: options.signal }),
    };
  }

  /** Whether this process must make the run, among all servers of the folder. */
  mustIndex(opened: OpenedProject, isCurrent: () => Promise<boolean>): Promise<boolean> {
    return mustIndex(opened, isCurrent, () => this.#closed);
  }

  /**
   * Warms up a worker for a coming run during the debounce after the last event; only in the watch leader's process.
   */
  warmWorker(opened: OpenedProject, paths: readonly string[]): Promise<void> {
    const isNeeded = () => this.#jobs.size === 0 && !this.#closed;
    if (this.#config.inline || !isNeeded() || leaderOf(opened) !== process.pid) return Promise.resolve();
    return this.#idle.warm(paths, isNeeded);
  }

  #walkOptions(options: IndexOptions): Omit<WalkOptions, 'root' | 'signal'> {
    const { index } = this.#config;
    return {
      ...index,
      includeTests: options.includeTests ?? index.includeTests,
      includeVendor: options.includeVendor ?? index.includeVendor,
    };
  }

  /** Walk options that read the folder's last state from the published tree, lazily, after git has started. */
  #earlierWalkOptions(opened: OpenedProject, options: IndexOptions): Pick<WalkOptions, 'known' | 'earlier'> {
    if (options.force) return {};
    let view: TreeView | null | undefined;
    const published = () => {
      if (view === undefined) view = viewOrNull(opened, undefined);
      return view;
    };
    const { root, storeFolder } = opened.resolved;
    const rules = this.#walkOptions(options);
    const earlier = () => {
      const tree = published();
      return tree && loadEarlierWalk(storeFolder, this.#config.workerEntry, tree, rules);
    };
    return {
      // Excludes files that changed so shortly before the tree was made that they may have changed again unnoticed.
      known: (path) => {
        const tree = published();
        const file = tree?.files[tree.indexOfPath(path)];
        return file && tree && isSettled(file.mtimeMs, tree.info) ? file : null;
      },
      ...(hasGitListing(storeFolder, { root, ref: 'live' }) ? { earlier } : {}),
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { abort } of this.#jobs.values()) abort.abort();
    await Promise.all([...this.#jobs.values()].map(({ done }) => done));
    this.#idle.close();
  }
}
