/**
 * A pool of worker processes that isolates the program from bad files: a grammar that aborts, or a file that hangs the
 * parser or exhausts memory, ends a worker, never the server. Another worker repeats the batch file by file. The file
 * at fault is reported and skipped.
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
  /** Called before each batch. If it returns a promise, which never rejects, the batch waits for it. */
  readonly hold?: (() => Promise<void> | null) | undefined;
}

/** One worker per core, up to eight, because each holds a runtime, grammars and a model. */
const POOL_SIZE = Math.max(1, Math.min(cpus().length, 8));
/** Consecutive attempts to start a worker. */
const MAX_START_FAILURES = 3;
/** If this many workers in a row run out of memory without finishing a batch, the machine is at fault, not a file. */
const MAX_MEMORY_FAILURES = 3;

export class WorkerPool {
  readonly #options: WorkerOptions;
  readonly #workers = new Set<Worker>();
  #run: Run | null = null;
  #startFailures = 0;
  /** A worker did not start with V8 flags, so further workers start without. */
  #withoutFlags = false;
  #memoryFailures = 0;
  #idleTimer: NodeJS.Timeout | null = null;
  /** Callers that wait for a worker to start. */
  #waiting: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[] = [];

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** Starts workers ahead of the work, while the caller still lists files. */
  warm(count: number, workload: Workload = 'many'): void {
    while (this.#workers.size < Math.min(count, POOL_SIZE)) this.#start(workload);
  }

  /** Resolves when a worker has started. Rejects if none can be started, or the pool is closed meanwhile. */
  started(): Promise<void> {
    this.warm(1);
    if ([...this.#workers].some((worker) => worker.idle)) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  /** Announces files, so that running workers load the grammars that these need. */
  expect(paths: readonly string[]): void {
    for (const worker of this.#workers) worker.expect(paths);
  }

  /**
   * Derives all batches in at most `workers` processes. Results arrive in any order. If the signal is aborted or
   * `onResult` throws, it stops all workers and rejects.
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
      if (this.#idleTimer) clearTimeout(this.#idleTimer);
      if (workload === 'many') this.#stopUnoptimised();
      for (const worker of this.#workers) worker.ref();
      this.#run = run;
      this.warm(Math.min(workers, batches.length), workload);
      for (const worker of this.#workers) this.#next(worker);
      return undefined;
    });
  }

  close(): void {
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    for (const worker of this.#workers) worker.stop();
    this.#workers.clear();
    this.#rejectWaiting();
  }

  /** Rejects callers of started() whose worker was stopped before it had started. */
  #rejectWaiting(): void {
    for (const { reject } of this.#waiting.splice(0)) reject(new EngineError('cancelled'));
  }

  /** Keeps one idle worker for the next change, for at most `idleMs`, and stops the others. */
  keepOneIdle(idleMs: Readonly<Record<Workload, number>>): void {
    const idle = [...this.#workers].find((worker) => worker.idle);
    for (const worker of this.#workers) if (worker !== idle) worker.stop();
    this.#workers.clear();
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    if (!idle) {
      this.#rejectWaiting();
      return;
    }
    idle.unref();
    this.#workers.add(idle);
    this.#idleTimer = setTimeout(() => this.close(), idleMs[idle.workload]);
    this.#idleTimer.unref();
  }

  /**
   * Stops workers that were started for few files: their parsers are never optimised, which costs more over many files
   * than starting other workers.
   */
  #stopUnoptimised(): void {
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

  /** Starts a lost worker again for the callers of started(), while there is no run. */
  #restart(reason: string): void {
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
    // Batches are sorted by language. Workers take them from both ends, so that few languages are loaded twice.
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
    // Send the worker its next batch first, so that it works while this process writes the result.
    const hasMore = run.queue.length > 0;
    if (hasMore) this.#next(worker);
    try {
      run.onResult(result, failed);
    } catch (error) {
      run.reject(error);
      return;
    }
    if (!hasMore) this.#next(worker);
  }

  #lost(worker: Worker, task: Task | null, culprit: string | null, reason: string): void {
    this.#workers.delete(worker);
    const run = this.#run;
    if (!run) {
      this.#restart(reason);
      return;
    }
    if (saysOutOfMemory(reason) && ++this.#memoryFailures >= MAX_MEMORY_FAILURES) {
      run.reject(outOfMemory(reason));
      return;
    }
    if (!task) {
      // An unknown version of Node may refuse a V8 flag and end at once.
      this.#withoutFlags = true;
      if (++this.#startFailures >= MAX_START_FAILURES) {
        run.reject(cannotStart(reason));
        return;
      }
    } else {
      run.busy--;
      if (!task.careful && task.jobs.length > 1) run.queue.unshift({ jobs: task.jobs, careful: true });
      else {
        // A worker that died before it reported a file: blame the first one. Each repetition has one file less.
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
