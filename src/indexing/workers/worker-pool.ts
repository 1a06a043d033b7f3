/**
 * Worker processes that survive what they read: a grammar that aborts, a file that hangs the parser or eats the memory
 * ends a child, never the server. Another child repeats its batch file by file; the file at fault is reported and left
 * out.
 */
import { cpus } from 'node:os';
import { EngineError, outOfFiles, outOfMemory } from '../../model/records/engine-errors.ts';
import { saysOutOfMemory } from '../../model/runtime/out-of-memory.ts';
import type { BatchResult, FileJob } from '../deriving/deriver.ts';
import { type Workload, workerFlags } from './v8-flags.ts';
import { type Task, Worker, type WorkerOptions } from './worker-process.ts';

export interface FailedFile {
  readonly path: string;
  readonly reason: string;
}

interface Run {
  readonly queue: Task[];
  readonly onResult: (result: BatchResult, failed: readonly FailedFile[]) => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  readonly workload: Workload;
  readonly hold: RunOptions['hold'];
  busy: number;
  ended: boolean;
}

export interface RunOptions {
  readonly workers: number;
  readonly workload: Workload;
  /** Null: the next batch may be derived. Otherwise it waits for the promise, which never rejects. */
  readonly hold?: (() => Promise<void> | null) | undefined;
}

/** A worker for each core, up to a limit: each holds a runtime, grammars and a model. */
const POOL_SIZE = Math.max(1, Math.min(cpus().length, 8));
/** A worker that cannot even start is tried this often in a row. */
const MAX_START_FAILURES = 3;
/**
 * If this many children in a row run out of memory and none finishes a batch, the machine is at fault and not a file.
 */
const MAX_MEMORY_FAILURES = 3;

export class WorkerPool {
  readonly #options: WorkerOptions;
  readonly #workers = new Set<Worker>();
  #run: Run | null = null;
  #startFailures = 0;
  /** A worker did not start with V8 flags: those that follow start without. */
  #withoutFlags = false;
  #memoryFailures = 0;
  #rest: NodeJS.Timeout | null = null;
  /** Callers that wait for a child to run. */
  #waiting: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[] = [];

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** Starts children ahead of the work, while the caller still lists files; for few files where few are expected. */
  warm(count: number, workload: Workload = 'many'): void {
    while (this.#workers.size < Math.min(count, POOL_SIZE)) this.#start(workload);
  }

  /** Resolves when a child runs. Rejects where none can be started, or the pool is closed meanwhile. */
  started(): Promise<void> {
    this.warm(1);
    if ([...this.#workers].some((worker) => worker.idle)) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  /** Announces files of these names: running children load the grammars that they will need. */
  expect(paths: readonly string[]): void {
    for (const worker of this.#workers) worker.expect(paths);
  }

  /**
   * Derives all batches in at most `workers` children; results arrive in any order. Rejects when aborted or when
   * `onResult` throws, after all children are stopped.
   */
  run(
    batches: readonly (readonly FileJob[])[],
    { workers, workload, hold }: RunOptions,
    onResult: Run['onResult'],
    signal?: AbortSignal,
  ): Promise<void> {
    if (batches.length === 0) return Promise.resolve();
    return new Promise<void>((resolve, reject) => {
      const run: Run = {
        queue: batches.map((jobs) => ({ jobs, careful: false })),
        onResult,
        workload,
        hold,
        busy: 0,
        ended: false,
        resolve: () => end(resolve),
        reject: (error) => {
          this.close();
          end(() => reject(error));
        },
      };
      const end = (settle: () => void) => {
        if (run.ended) return;
        run.ended = true;
        this.#run = null;
        signal?.removeEventListener('abort', onAbort);
        settle();
      };
      const onAbort = () => run.reject(new EngineError('cancelled'));
      if (signal?.aborted) return onAbort();
      signal?.addEventListener('abort', onAbort, { once: true });
      if (this.#rest) clearTimeout(this.#rest);
      if (workload === 'many') this.#dropSlow();
      for (const worker of this.#workers) worker.ref();
      this.#run = run;
      this.warm(Math.min(workers, batches.length), workload);
      for (const worker of this.#workers) this.#next(worker);
      return undefined;
    });
  }

  close(): void {
    if (this.#rest) clearTimeout(this.#rest);
    for (const worker of this.#workers) worker.stop();
    this.#workers.clear();
    this.#turnAway();
  }

  /** Callers that wait for a child which was stopped before it ran. */
  #turnAway(): void {
    for (const { reject } of this.#waiting.splice(0)) reject(new EngineError('cancelled'));
  }

  /** Keeps one idle worker ready for the next change, and stops it when none comes. */
  rest(idleMs: Readonly<Record<Workload, number>>): void {
    const kept = [...this.#workers].find((worker) => worker.idle);
    for (const worker of this.#workers) if (worker !== kept) worker.stop();
    this.#workers.clear();
    if (this.#rest) clearTimeout(this.#rest);
    if (!kept) {
      this.#turnAway();
      return;
    }
    kept.unref();
    this.#workers.add(kept);
    this.#rest = setTimeout(() => this.close(), idleMs[kept.workload]);
    this.#rest.unref();
  }

  /** Over many files, a child without optimised parsing loses more time than starting another one takes. */
  #dropSlow(): void {
    for (const worker of this.#workers) {
      if (worker.workload === 'many') continue;
      worker.stop();
      this.#workers.delete(worker);
    }
  }

  #start(workload: Workload): void {
    const fromEnd = [...this.#workers].filter((other) => other.fromEnd).length * 2 < this.#workers.size;
    const worker: Worker = new Worker(
      this.#options,
      { fromEnd, workload, flags: this.#flags(workload) },
      {
        onIdle: () => {
          this.#startFailures = 0;
          for (const { resolve } of this.#waiting.splice(0)) resolve();
          this.#next(worker);
        },
        onResult: (result) => this.#finish(worker, result, []),
        onLost: (task, culprit, reason) => this.#lost(worker, task, culprit, reason),
      },
    );
    this.#workers.add(worker);
  }

  #flags(workload: Workload): readonly string[] {
    return this.#withoutFlags ? [] : (this.#options.flags ?? workerFlags)(workload);
  }

  /** No run yet: only callers that wait for a child need to know. */
  #startAgain(reason: string): void {
    if (this.#waiting.length === 0) return;
    this.#withoutFlags = true;
    if (++this.#startFailures < MAX_START_FAILURES) this.warm(1);
    else for (const { reject } of this.#waiting.splice(0)) reject(cannotStart(reason));
  }

  #next(worker: Worker): void {
    const run = this.#run;
    if (!run || !worker.idle) return;
    const held = run.queue.length > 0 ? run.hold?.() : null;
    if (held) {
      void held.then(() => this.#next(worker));
      return;
    }
    // From both ends: batches are sorted by language, so few languages are loaded twice.
    const task = worker.fromEnd ? run.queue.pop() : run.queue.shift();
    if (task) {
      run.busy++;
      worker.take(task);
    } else if (run.busy === 0) run.resolve();
  }

  #finish(worker: Worker, result: BatchResult, failed: readonly FailedFile[]): void {
    const run = this.#run;
    if (!run) return;
    this.#memoryFailures = 0;
    run.busy--;
    // Send the worker's next batch first, where there is one: it reads while this process writes.
    const busy = run.queue.length > 0;
    if (busy) this.#next(worker);
    try {
      run.onResult(result, failed);
    } catch (error) {
      run.reject(error);
      return;
    }
    if (!busy) this.#next(worker);
  }

  #lost(worker: Worker, task: Task | null, culprit: string | null, reason: string): void {
    this.#workers.delete(worker);
    const run = this.#run;
    if (!run) {
      this.#startAgain(reason);
      return;
    }
    if (saysOutOfMemory(reason) && ++this.#memoryFailures >= MAX_MEMORY_FAILURES) {
      run.reject(outOfMemory(reason));
      return;
    }
    if (!task) {
      // A Node or V8 that this version does not know may refuse a flag and end at once.
      this.#withoutFlags = true;
      if (++this.#startFailures >= MAX_START_FAILURES) {
        run.reject(cannotStart(reason));
        return;
      }
    } else {
      run.busy--;
      if (!task.careful && task.jobs.length > 1) run.queue.unshift({ jobs: task.jobs, careful: true });
      else {
        // Died before it named a file: the first one is as good a suspect as any, and suspects run out.
        const path = culprit ?? task.jobs[0]!.path;
        const rest = task.jobs.filter((job) => job.path !== path);
        if (rest.length > 0) run.queue.unshift({ jobs: rest, careful: true });
        try {
          run.onResult({ files: [], batch: EMPTY_BATCH }, [{ path, reason }]);
        } catch (error) {
          run.reject(error);
          return;
        }
      }
    }
    if (run.queue.length > 0) this.#start(run.workload);
    else if (run.busy === 0) run.resolve();
  }
}

function cannotStart(reason: string): EngineError {
  if (/\bE[MN]FILE\b/.test(reason)) return outOfFiles();
  if (saysOutOfMemory(reason)) return outOfMemory(reason);
  return new EngineError('internal_error', { reason: `a worker process cannot start: ${reason}` });
}

const NO_POSTINGS = { terms: [], counts: new Uint32Array(0), docs: new Uint32Array(0), values: new Uint16Array(0) };
const EMPTY_BATCH: BatchResult['batch'] = {
  contents: [],
  postings: { text: NO_POSTINGS, symbol: NO_POSTINGS, reference: NO_POSTINGS },
};
