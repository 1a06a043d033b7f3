/**
 * Indexing on behalf of callers: one run takes the writer's lease, may go on in the background, and leaves a warm
 * worker to a server.
 */
import type { BegunWalk, IndexRun, RunReport, WorkerPool } from '../../indexing/index.ts';
import { EngineError, toEngineError } from '../../model/records/engine-errors.ts';
import type { IndexProgress } from '../../model/records/progress.ts';
import { isSettled } from '../../model/records/source-file.ts';
import { randomId } from '../../model/runtime/random-id.ts';
import { isWithin } from '../../model/text/is-within.ts';
import type { JobRecord, StoreWriter, TreeInfo, TreeView } from '../../store/store.ts';
import { branchCommit, walk, walkRef } from '../../walk/index.ts';
import type { WalkOptions } from '../../walk/walk-project.ts';
import type { IndexOptions, IndexReport, JobInfo } from '../engine.ts';
import { deriverSetup, type EngineConfig } from '../engine-config.ts';
import { earlierWalk, hasWords, saveWords } from '../freshness/git-listing-cache.ts';
import { leaderOf, waitTurn } from '../freshness/watch-leader.ts';
import type { Models } from '../model-loader.ts';
import { hasTree, openableView } from '../projects/open-projects.ts';
import { type OpenedProject, shortRef } from '../projects/opened-project.ts';
import { describeProject, type ResolvedProject, registerRoot, standingBranches } from '../projects/project-registry.ts';
import { checkText } from '../questions/check-request.ts';
import { jobInfo } from './project-status.ts';

/**
 * A worker for a few files holds some 25 MB, and starting another takes longer than what it is started for; one that
 * has read a whole project, much more. Watching alone starts one in a single server (waitTurn).
 */
const IDLE_WORKER_MS = { few: 1_800_000, many: 30_000 };
/** While files are edited, a server's runs follow each other within this time. */
const IDLE_WRITER_MS = 10_000;
/** A forced run asks for a parser so often where other runs take theirs away. */
const MOST_POOLS = 5;

interface Job {
  readonly root: string;
  readonly abort: AbortController;
  done: Promise<unknown>;
  progress: IndexProgress | null;
}

interface Begun {
  readonly writer: StoreWriter;
  readonly job: JobRecord;
  /** What the run is about; null for the files as they are, which go by the branch that is checked out, too. */
  readonly ref: string | null;
  /** Trees of this folder that the store holds. */
  readonly trees: readonly TreeInfo[];
  /** Refs that it held before a forced run looked at it. */
  readonly refs: readonly string[];
}

export class IndexRuns {
  readonly #config: EngineConfig;
  readonly #models: Models;
  readonly #onIndexed: (root: string) => void;
  readonly #jobs = new Map<string, Job>();
  #idlePool: WorkerPool | null = null;
  #closed = false;

  constructor(config: EngineConfig, models: Models, onIndexed: (root: string) => void) {
    this.#config = config;
    this.#models = models;
    this.#onIndexed = onIndexed;
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
    const job: Job = { root: opened.resolved.root, abort, done: Promise.resolve(), progress: null };
    const onProgress = (progress: IndexProgress) => {
      job.progress = progress;
      options.onProgress?.(progress);
    };
    const run = this.#run(opened, begun, { ...options, onProgress, signal: abort.signal }, walked).finally(() => {
      options.signal?.removeEventListener('abort', stop);
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

  /**
   * A forced run may set a damaged index aside. A parser must run before it does: otherwise nothing would take the
   * place of that index.
   */
  async #beginSafely(opened: OpenedProject, options: IndexOptions): Promise<Begun> {
    if (!options.force) return this.#begin(opened, options);
    await this.#startParser(options);
    try {
      return this.#begin(opened, options);
    } catch (error) {
      this.#idlePool?.close();
      this.#idlePool = null;
      throw error;
    }
  }

  /** Another run may take the pool and stop its children before one of them runs: then a new one is made. */
  async #startParser(options: IndexOptions): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        return await this.#startPool(options);
      } catch (error) {
        const isStopped = toEngineError(error).code === 'cancelled' && !options.signal?.aborted && !this.#closed;
        if (!isStopped || tries >= MOST_POOLS) throw error;
      }
    }
  }

  async #startPool(options: IndexOptions): Promise<void> {
    const { WorkerPool } = await import('../../indexing/index.ts');
    this.#idlePool ??= new WorkerPool({ entry: this.#config.workerEntry, setup: deriverSetup(this.#config) });
    const pool = this.#idlePool;
    const stop = () => pool.close();
    options.signal?.addEventListener('abort', stop, { once: true });
    try {
      await pool.started();
    } catch (error) {
      // A pool that another run has taken is that run's to close.
      if (this.#idlePool === pool) {
        pool.close();
        this.#idlePool = null;
      }
      throw error;
    } finally {
      options.signal?.removeEventListener('abort', stop);
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
      return { writer, job, ref, trees, refs };
    } catch (error) {
      writer.release();
      throw error;
    }
  }

  async #run(
    opened: OpenedProject,
    { writer, job, ref, trees, refs }: Begun,
    options: IndexOptions,
    walked?: BegunWalk,
  ): Promise<IndexReport> {
    const { resolved } = opened;
    const setup = deriverSetup(this.#config);
    let pool: WorkerPool | null = null;
    let report: RunReport;
    let problems: IndexReport['problems'];
    try {
      // Loaded by those who index: searching needs no parser.
      const indexing = await import('../../indexing/index.ts');
      pool = this.#idlePool ?? new indexing.WorkerPool({ entry: this.#config.workerEntry, setup });
      this.#idlePool = null;
      const run: IndexRun = {
        root: resolved.root,
        ref,
        force: options.force ?? false,
        requireSource: options.requireSource ?? false,
        ...(options.requireProject && { requireProject: options.requireProject }),
        walk: { ...this.#walkOptions(options), ...this.#walkedBefore(opened, options) },
        job,
        setup,
        pool,
        modelId: this.#models.embedder.id,
        extractor: this.#models.extractor,
        provider: this.#config.provider,
        ...(options.headStart ? { headStart: options.headStart(this.#models.extractor) } : {}),
        ...(options.signal ? { signal: options.signal } : {}),
      };
      report = await indexing.runIndex(
        { ...run, ...(walked ? { walked } : {}), ...(options.onProgress ? { onProgress: options.onProgress } : {}) },
        writer,
      );
      const aside = new Set(ref === null ? leftBehind(resolved, trees, report.tree) : []);
      // Asked for by its name, it is to stay when another branch is checked out.
      const branch = resolved.git?.branch;
      const isNamed = options.keepBranch || (options.ref && shortRef(options.ref) === branch);
      if (ref === null && branch && isNamed) aside.add(branch);
      // What was set aside as damaged had them, too.
      for (const lost of refs) if (lost !== ref && !trees.some((tree) => tree.ref === lost)) aside.add(lost);
      // The tree that was asked for is there, whatever becomes of these.
      for (const branch of aside)
        await indexing.runIndex({ ...run, ref: branch, force: false, aside: true }, writer).catch(() => undefined);
      if (report.words)
        saveWords(
          resolved.storeFolder,
          this.#config.workerEntry,
          report.tree,
          this.#walkOptions(options),
          report.words,
        );
      // A reader that is opened now takes over the tables of the writer instead of loading its own.
      problems = opened.reader.openTree(report.tree)?.problems() ?? [];
    } catch (error) {
      pool?.close();
      throw error;
    } finally {
      writer.release();
    }
    this.#keepPool(pool);
    registerRoot(resolved);
    if (options.ref === undefined) this.#onIndexed(resolved.root);
    return this.#report(opened, report, problems);
  }

  /** Whether this process is to make the run that all servers of the folder see due. */
  waitTurn(opened: OpenedProject, isCurrent: () => Promise<boolean>): Promise<boolean> {
    return waitTurn(opened, isCurrent, () => this.#closed);
  }

  /**
   * A run is about to come: its worker starts, and loads what the files need, while the pause after the last event is
   * sat out. Only where it is this process's turn.
   */
  async prepare(opened: OpenedProject, paths: readonly string[]): Promise<void> {
    if (this.#config.inline || this.#jobs.size > 0 || this.#closed || leaderOf(opened) !== process.pid) return;
    const { WorkerPool } = await import('../../indexing/index.ts');
    if (this.#jobs.size > 0 || this.#closed) return;
    this.#idlePool ??= new WorkerPool({ entry: this.#config.workerEntry, setup: deriverSetup(this.#config) });
    this.#idlePool.warm(1, 'few');
    this.#idlePool.expect(paths);
  }

  /** A server keeps one worker ready while changes come; a command needs none afterwards. */
  #keepPool(pool: WorkerPool): void {
    if (this.#config.inline || this.#idlePool) pool.close();
    else {
      pool.rest(IDLE_WORKER_MS);
      this.#idlePool = pool;
    }
  }

  #report(opened: OpenedProject, run: RunReport, problems: IndexReport['problems']): IndexReport {
    return {
      jobId: run.jobId,
      project: describeProject(opened.resolved),
      ref: run.tree.ref === 'live' ? (run.tree.branch ?? 'live') : run.tree.ref,
      mode: run.mode,
      isNew: run.isNew,
      filesTotal: run.tree.fileCount,
      filesIndexed: run.filesIndexed,
      filesUnchanged: run.filesUnchanged,
      filesAdded: run.filesAdded,
      filesRemoved: run.filesRemoved,
      filesSkipped: run.filesSkipped,
      filesFailed: run.failed.length,
      linesIndexed: run.linesIndexed,
      made: run.made,
      symbolCount: run.tree.symbolCount,
      chunkCount: run.tree.chunkCount,
      vectorCount: run.tree.vectorCount,
      durationMs: run.durationMs,
      indexBytes: opened.reader.sizeBytes(),
      filesBroken: countBroken(run, problems),
      problems: [...run.failed.map(({ path, reason }) => ({ path, line: 1, message: reason })), ...problems],
      vectorError: run.vectorError,
    };
  }

  #walkOptions(options: IndexOptions): Omit<WalkOptions, 'root' | 'signal'> {
    const { index } = this.#config;
    return {
      ...index,
      includeTests: options.includeTests ?? index.includeTests,
      includeVendor: options.includeVendor ?? index.includeVendor,
    };
  }

  /** What the published tree tells about the folder, to be asked when git is under way. */
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
      return tree && earlierWalk(storeFolder, this.#config.workerEntry, tree, rules);
    };
    return {
      // But for files that changed so shortly before it was made that they may have changed again unnoticed.
      known: (path) => {
        const tree = published();
        const file = tree?.files[tree.indexOfPath(path)];
        return file && tree && isSettled(file.mtimeMs, tree.info) ? file : null;
      },
      ...(hasWords(storeFolder, { root, ref: 'live' }) ? { earlier } : {}),
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { abort } of this.#jobs.values()) abort.abort();
    await Promise.all([...this.#jobs.values()].map(({ done }) => done));
    this.#idlePool?.close();
  }
}

/** Files with syntax errors among those that this run parsed. */
function countBroken({ parsedPaths }: RunReport, problems: IndexReport['problems']): number {
  if (problems.length === 0) return 0;
  const parsed = new Set(parsedPaths);
  return new Set(problems.map(({ path }) => path).filter((path) => parsed.has(path))).size;
}

/** Refs of this folder that the store holds, as far as it can be read. */
function refsIn(opened: OpenedProject): string[] {
  try {
    const { root } = opened.resolved;
    return opened.reader.trees().flatMap((tree) => (tree.root === root && tree.ref !== 'live' ? [tree.ref] : []));
  } catch {
    return [];
  }
}

function newJob({ root, git }: ResolvedProject, ref: string | null, mode: JobRecord['mode']): JobRecord {
  return {
    jobId: randomId(8),
    root,
    // The work tree goes by the branch that it is on now, whatever it will be on later.
    ref: ref ?? git?.branch ?? 'live',
    mode,
    status: 'running',
    changedFiles: null,
    durationMs: null,
    createdAtMs: Date.now(),
    error: null,
    pid: process.pid,
    done: 0,
    total: 0,
  };
}

/** Null for the files as they are. */
function treeRef(resolved: ResolvedProject, asked: string | undefined): string | null {
  const { git } = resolved;
  const ref = asked && shortRef(asked);
  const isBranch = ref !== undefined && ref === git?.branch && git.workTree !== null;
  if (ref === undefined || ref === 'live' || ref === 'HEAD') return standingBranches(resolved)[0] ?? null;
  return isBranch ? null : ref;
}

/**
 * The branch that was checked out before, if it was indexed by name: the live tree answered for it until now, so its
 * own tree is brought up to date.
 */
function leftBehind({ git }: ResolvedProject, before: readonly TreeInfo[], { branch: now }: TreeInfo): string[] {
  const left = before.find(({ ref }) => ref === 'live')?.branch ?? null;
  const named = before.find(({ ref }) => ref === left);
  return git && named && left !== now && branchCommit(git, named.ref) !== named.commit ? [named.ref] : [];
}
