/**
 * Worker processes that survive what they read: a grammar that aborts, a file that hangs the parser or eats the memory ends a child, never
 * the server. Another child repeats its batch file by file; the file at fault is reported and left out.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { cpus } from 'node:os';
import { EngineError, outOfFiles } from '../model/errors.ts';
import type { BatchResult, DeriverSetup, FileJob } from './deriver.ts';
import type { FromWorker, ToWorker } from './worker-protocol.ts';

export interface PoolOptions {
  /** Script of a worker process. */
  readonly entry: string;
  readonly setup: DeriverSetup;
  /** A file that takes longer is given up. */
  readonly fileTimeoutMs?: number;
}

export interface FailedFile {
  readonly path: string;
  readonly reason: string;
}

interface Task {
  readonly jobs: readonly FileJob[];
  /** It has cost a child: the next one says which file it works on. */
  readonly careful: boolean;
}

interface Run {
  readonly queue: Task[];
  readonly onResult: (result: BatchResult, failed: readonly FailedFile[]) => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** So little that light children will do. */
  readonly few: boolean;
  busy: number;
  ended: boolean;
}

/**
 * Small heaps: a worker holds one batch, and a young generation of the default size costs more than it saves here. Of their full size from the
 * beginning: what a worker keeps fits into it, and growing there would take half a dozen collections that find nothing. Collected by one thread:
 * with so little to collect, waking others and sharing it out costs more than the work.
 */
const HEAP = [
  '--max-old-space-size=512',
  '--initial-old-space-size=100',
  '--max-semi-space-size=8',
  '--min-semi-space-size=8',
];
export const EXEC_ARGV = [...HEAP, '--single-threaded-gc'];
/**
 * What a command passes for while it takes the machine code that the build kept for workers: V8 compares all settings, also those that make no
 * difference to that code. The sizes of a heap are read when a process starts, so that naming them changes nothing.
 */
export const AS_A_WORKER = {
  before: [...HEAP, '--no-use-osr', '--semi-space-growth-factor=2', '--minor-gc-task', '--incremental-marking'],
  after: ['--use-osr', '--semi-space-growth-factor=8', '--no-minor-gc-task', '--no-incremental-marking'],
};
/** One per core, within reason: each holds a runtime, grammars and a model. */
const POOL_SIZE = Math.max(1, Math.min(cpus().length, 8));
const DEFAULT_FILE_TIMEOUT_MS = 20_000;
/** Of the time a file may take, where its batch has cost a child already: if that one hung, this one's file is hanging long before. */
const CAREFUL_SHARE = 0.5;
/** A worker that cannot even start is tried this often in a row. */
const MAX_START_FAILURES = 3;

export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #workers = new Set<Worker>();
  #run: Run | null = null;
  #startFailures = 0;
  #rest: NodeJS.Timeout | null = null;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Starts children ahead of the work, while the caller still lists files; light ones where few files are expected. */
  warm(count: number, light = false): void {
    while (this.#workers.size < Math.min(count, POOL_SIZE)) this.#start(light);
  }

  /** Files of these names are about to come: the children that run load what they will need. */
  expect(paths: readonly string[]): void {
    for (const worker of this.#workers) worker.expect(paths);
  }

  /**
   * Derives all batches in at most so many children; results arrive in any order. Rejects when aborted or when `onResult` throws, after all
   * children are stopped.
   */
  run(
    batches: readonly (readonly FileJob[])[],
    { workers, few }: { readonly workers: number; readonly few: boolean },
    onResult: Run['onResult'],
    signal?: AbortSignal,
  ): Promise<void> {
    if (batches.length === 0) return Promise.resolve();
    return new Promise<void>((resolve, reject) => {
      const run: Run = {
        queue: batches.map((jobs) => ({ jobs, careful: false })),
        onResult,
        few,
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
      if (!few) this.#dropLight();
      for (const worker of this.#workers) worker.ref();
      this.#run = run;
      this.warm(Math.min(workers, batches.length), few);
      for (const worker of this.#workers) this.#next(worker);
      return undefined;
    });
  }

  close(): void {
    if (this.#rest) clearTimeout(this.#rest);
    for (const worker of this.#workers) worker.kill();
    this.#workers.clear();
  }

  /** Keeps one idle worker ready for the next change, and lets it go when none comes: a light one later, since it takes less. */
  rest(idleMs: { readonly light: number; readonly full: number }): void {
    const kept = [...this.#workers].find((worker) => worker.idle);
    for (const worker of this.#workers) if (worker !== kept) worker.kill();
    this.#workers.clear();
    if (this.#rest) clearTimeout(this.#rest);
    if (!kept) return;
    kept.unref();
    this.#workers.add(kept);
    this.#rest = setTimeout(() => this.close(), kept.light ? idleMs.light : idleMs.full);
    this.#rest.unref();
  }

  /** Over many files a light child loses more than starting another one takes. */
  #dropLight(): void {
    for (const worker of this.#workers) {
      if (!worker.light) continue;
      worker.kill();
      this.#workers.delete(worker);
    }
  }

  #start(light: boolean): void {
    const fromEnd = [...this.#workers].filter((other) => other.fromEnd).length * 2 < this.#workers.size;
    const worker: Worker = new Worker(this.#options, fromEnd, light, {
      onIdle: () => {
        this.#startFailures = 0;
        this.#next(worker);
      },
      onResult: (result) => this.#finish(worker, result, []),
      onLost: (task, culprit, reason) => this.#lost(worker, task, culprit, reason),
    });
    this.#workers.add(worker);
  }

  #next(worker: Worker): void {
    const run = this.#run;
    if (!run || !worker.idle) return;
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
    run.busy--;
    // Its next batch first, where there is one: it reads while this process writes.
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
    if (!run) return;
    if (!task) {
      if (++this.#startFailures >= MAX_START_FAILURES) {
        run.reject(
          /\bE[MN]FILE\b/.test(reason)
            ? outOfFiles()
            : new EngineError('internal_error', { reason: `a worker process cannot start: ${reason}` }),
        );
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
    if (run.queue.length > 0) this.#start(run.few);
    else if (run.busy === 0) run.resolve();
  }
}

const NO_POSTINGS = { terms: [], counts: new Uint32Array(0), docs: new Uint32Array(0), values: new Uint16Array(0) };
const EMPTY_BATCH: BatchResult['batch'] = {
  contents: [],
  postings: { text: NO_POSTINGS, symbol: NO_POSTINGS, reference: NO_POSTINGS },
};

interface WorkerEvents {
  readonly onIdle: () => void;
  readonly onResult: (result: BatchResult) => void;
  readonly onLost: (task: Task | null, culprit: string | null, reason: string) => void;
}

class Worker {
  /** Which end of the queue it takes its batches from. */
  readonly fromEnd: boolean;
  /** Ready sooner, and slower once it runs: its code is compiled for a few files. */
  readonly light: boolean;
  readonly #child: ChildProcess;
  readonly #timeoutMs: number;
  readonly #events: WorkerEvents;
  #task: Task | null = null;
  #ready = false;
  #file: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #reason = '';
  #gone = false;

  constructor(options: PoolOptions, fromEnd: boolean, light: boolean, events: WorkerEvents) {
    this.fromEnd = fromEnd;
    this.light = light;
    this.#events = events;
    this.#timeoutMs = options.fileTimeoutMs ?? DEFAULT_FILE_TIMEOUT_MS;
    this.#child = fork(options.entry, [], {
      serialization: 'advanced',
      execArgv: EXEC_ARGV,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.on('message', (message) => this.#onMessage(message as FromWorker));
    this.#child.on('error', (error) => this.#onGone(error.message));
    this.#child.on('exit', (code, signal) =>
      this.#onGone(this.#reason || `the parser process ended (${signal ?? `code ${code}`})`),
    );
    this.#post({ type: 'setup', setup: options.setup, light });
    this.#watch();
  }

  get idle(): boolean {
    return this.#ready && this.#task === null && !this.#gone;
  }

  take(task: Task): void {
    this.#task = task;
    this.#file = null;
    this.#watch();
    this.#post({ type: 'batch', id: 0, jobs: task.jobs, careful: task.careful });
  }

  expect(paths: readonly string[]): void {
    this.#post({ type: 'expect', paths });
  }

  /** An idle worker does not keep the program alive; a working one does. */
  unref(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  ref(): void {
    this.#child.ref();
    this.#child.channel?.ref();
  }

  kill(): void {
    this.#gone = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#child.kill('SIGKILL');
  }

  #post(message: ToWorker): void {
    // A child that died a moment ago refuses the message, one that could not be started has no way to take it; their events tell the rest.
    this.#child.send?.(message, () => undefined);
  }

  #watch(): void {
    if (this.#timer) clearTimeout(this.#timer);
    const timeoutMs = this.#timeoutMs * (this.#task?.careful ? CAREFUL_SHARE : 1);
    this.#timer = setTimeout(() => {
      this.#reason = `gave up after ${timeoutMs / 1000} s`;
      this.#child.kill('SIGKILL');
    }, timeoutMs);
    this.#timer.unref();
  }

  #onMessage(message: FromWorker): void {
    if (this.#gone) return;
    switch (message.type) {
      case 'ready':
        this.#ready = true;
        if (this.#timer) clearTimeout(this.#timer);
        this.#events.onIdle();
        return;
      case 'broken':
        this.#reason = message.reason;
        this.#child.kill('SIGKILL');
        return;
      case 'file':
        this.#file = message.path;
        this.#watch();
        return;
      case 'result':
        this.#task = null;
        if (this.#timer) clearTimeout(this.#timer);
        this.#events.onResult(message.result);
        return;
      case 'failed':
        this.#reason = message.reason;
        this.#child.kill('SIGKILL');
        return;
      case 'kept':
        return;
    }
  }

  #onGone(reason: string): void {
    if (this.#gone) return;
    this.#gone = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#events.onLost(this.#task, this.#file, reason);
  }
}
