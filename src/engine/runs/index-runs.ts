/**
 * Indexing on behalf of callers: one run takes the writer's lease, may go on in the background, and leaves a warm
 * worker to a server.
 */
import type { BegunWalk, FinishedRun, IndexRun, SoFar, WorkerPool } from '../../indexing/index.ts';
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
import { hasTree, openableView } from '../projects/open-projects.ts';
import type { OpenedProject } from '../projects/opened-project.ts';
import { registerRoot } from '../projects/project-registry.ts';
import { checkText } from '../questions/check-request.ts';
import { IdlePool } from './idle-pool.ts';
import { indexReport } from './index-report.ts';
import { jobInfo } from './project-status.ts';
import { RunPreview } from './run-preview.ts';
import { newJob, type RunRefs, refsBeside, refsIn, treeRef } from './run-refs.ts';

/** While files are edited, a server's runs follow each other within this time. */
const IDLE_WRITER_MS = 10_000;

interface Job {
  readonly root: string;
  readonly abort: AbortController;
  done: Promise<unknown>;
  progress: IndexProgress | null;
  /** Of the first tree of the folder, once there is something to look at. */
  preview: RunPreview | null;
}

interface Begun extends RunRefs {
  readonly writer: StoreWriter;
  readonly job: JobRecord;
  /** There is no tree yet that answers. */
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
    // Cancelled before it began: do not take the lease.
    if (options.signal?.aborted) throw new EngineError('cancelled');
    return this.#tracked(opened, await this.#beginSafely(opened, options), options, walked);
  }

  /** Git lists the folder or the ref in a process of its own while a command opens its store. */
  async #startWalk(opened: OpenedProject, options: IndexOptions): Promise<BegunWalk> {
    const { root } = opened.resolved;
    const ref = treeRef(opened.resolved, options.ref);
    if (ref !== null) checkText(ref, 'ref');
    const rules = { ...this.#walkOptions(options), ...this.#walkedBefore(opened, options) };
    const { signal } = options;
    const walked: BegunWalk =
      ref === null
        ? { folder: walk({ ...rules, root, ...(signal ? { signal } : {}) }) }
        : { ref: walkRef(root, ref, rules, signal) };
    // The caller that awaits the walk gets the error; this only prevents an unhandled rejection.
    (walked.folder ?? walked.ref)?.catch(() => undefined);
    await new Promise((started) => setImmediate(started));
    return walked;
  }

  async start(opened: OpenedProject, options: IndexOptions): Promise<JobInfo> {
    const begun = await this.#beginSafely(opened, options);
    this.#tracked(opened, begun, options).catch(() => undefined);
    return jobInfo(begun.job);
  }

  /**
   * Closing the engine stops the run: its caller has gone, and the process must not wait for it.
   */
  #tracked(opened: OpenedProject, begun: Begun, options: IndexOptions, walked?: BegunWalk): Promise<IndexReport> {
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
    const onBegun = (soFar: SoFar) => {
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

  /** Whether this process is indexing the folder or one around it. */
  isAt(root: string): boolean {
    return [...this.#jobs.values()].some((job) => isWithin(root, job.root));
  }

  /** How far the run of this process over the folder is; null where there is none. */
  progressAt(root: string): IndexProgress | null {
    return [...this.#jobs.values()].find((job) => isWithin(root, job.root))?.progress ?? null;
  }

  /** What the first run over the folder has made by now; null where none is at it. */
  previewAt(root: string): RunPreview | null {
    return [...this.#jobs.values()].find((job) => job.root === root && job.preview)?.preview ?? null;
  }

  /**
   * A forced run may set a damaged index aside. A parser must run before it does: otherwise nothing would take the
   * place of that index.
   */
  async #beginSafely(opened: OpenedProject, options: IndexOptions): Promise<Begun> {
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
   * Takes the writer's lease at once, so that the caller gets a refusal and not a failed job. From then on status()
   * shows the job.
   */
  #begin(opened: OpenedProject, options: IndexOptions): Begun {
    if (options.ref !== undefined) checkText(options.ref, 'ref');
    const refs = options.force ? refsIn(opened) : [];
    // Questions under way go on with the file that is open; one that cannot be read answers none and may be replaced.
    if (options.force && hasTree(opened)) opened.leave();
    else if (options.force) opened.close();
    const keepMs = this.#config.inline || options.force ? 0 : IDLE_WRITER_MS;
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
    begun: Begun,
    options: IndexOptions,
    hooks: Pick<IndexRun, 'onProgress' | 'onBegun'>,
    walked?: BegunWalk,
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
      // The requested tree is published, even if the runs over these refs fail.
      for (const ref of refsBeside(resolved, begun, options, finished.tree))
        await runIndex({ ...run, ref, force: false, aside: true }, writer).catch(() => undefined);
      const { words, tree } = finished;
      const { workerEntry } = this.#config;
      if (words) saveGitListing(resolved.storeFolder, workerEntry, tree, this.#walkOptions(options), words);
      // A reader that is opened now takes over the tables of the writer instead of loading its own.
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

  #indexRun(opened: OpenedProject, { job, ref }: Begun, options: IndexOptions, pool: WorkerPool): IndexRun {
    const { extractor, embedder } = this.#models;
    return {
      root: opened.resolved.root,
      ref,
      force: options.force ?? false,
      requireSource: options.requireSource ?? false,
      ...(options.requireProject && { requireProject: options.requireProject }),
      walk: { ...this.#walkOptions(options), ...this.#walkedBefore(opened, options) },
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

  /** Whether this process is to make the run that all servers of the folder see due. */
  waitTurn(opened: OpenedProject, isCurrent: () => Promise<boolean>): Promise<boolean> {
    return mustIndex(opened, isCurrent, () => this.#closed);
  }

  /**
   * A run is about to come: its worker starts, and loads what the files need, during the pause after the last event.
   * Only in the process that leads the watch.
   */
  prepare(opened: OpenedProject, paths: readonly string[]): Promise<void> {
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

  /** Reads the folder's last state from the published tree; called once git has started. */
  #walkedBefore(opened: OpenedProject, options: IndexOptions): Pick<WalkOptions, 'known' | 'earlier'> {
    if (options.force) return {};
    let view: TreeView | null | undefined;
    const published = () => {
      if (view === undefined) view = openableView(opened, undefined);
      return view;
    };
    const { root, storeFolder } = opened.resolved;
    const rules = this.#walkOptions(options);
    const earlier = () => {
      const tree = published();
      return tree && loadEarlierWalk(storeFolder, this.#config.workerEntry, tree, rules);
    };
    return {
      // But for files that changed so shortly before it was made that they may have changed again unnoticed.
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
