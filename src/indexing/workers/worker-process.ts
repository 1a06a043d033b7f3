/** A worker process, as its parent controls it: tasks, results, time limits and its end. */
import { type ChildProcess, fork } from 'node:child_process';
import { guardChild } from '../../model/runtime/child-guard.ts';
import { cpuMsOf } from '../../model/runtime/cpu-time.ts';
import type { BatchResult, DeriverSetup, FileJob } from '../deriving/deriver.ts';
import type { Workload } from './v8-flags.ts';
import type { FromWorker, ToWorker } from './worker-protocol.ts';

export interface WorkerOptions {
  /** The script of a worker process. */
  readonly entry: string;
  readonly setup: DeriverSetup;
  /** The V8 flags of a worker; by default those of v8-flags.ts. */
  readonly flags?: (workload: Workload) => readonly string[];
}

export interface Task {
  readonly jobs: readonly FileJob[];
  /** A worker died of this batch, so the next one reports each file before it works on it. */
  readonly careful: boolean;
}

/** Limit per file: in CPU time if the system reports that of a process, else by the clock. */
const FILE_TIMEOUT_MS = 20_000;
/** A process that uses a smaller share of a core is suspended, or waits for an event that does not come. */
const MIN_CPU_SHARE = 0.005;
/** Shortest interval between two checks of a process's CPU time. */
const MIN_CHECK_MS = 1_000;
/** Share of FILE_TIMEOUT_MS in a careful batch: if the batch hung the first worker, half of the time suffices. */
const CAREFUL_SHARE = 0.5;

interface WorkerEvents {
  readonly onIdle: () => void;
  readonly onResult: (result: BatchResult) => void;
  readonly onLost: (task: Task | null, culprit: string | null, reason: string) => void;
}

export class Worker {
  /** The worker takes batches from the end of the queue, not from its start. */
  readonly fromEnd: boolean;
  readonly workload: Workload;
  readonly #child: ChildProcess;
  readonly #events: WorkerEvents;
  #task: Task | null = null;
  #ready = false;
  #file: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #reason = '';
  #gone = false;

  constructor(
    options: WorkerOptions,
    { fromEnd, workload, flags }: { fromEnd: boolean; workload: Workload; flags: readonly string[] },
    events: WorkerEvents,
  ) {
    this.fromEnd = fromEnd;
    this.workload = workload;
    this.#events = events;
    this.#child = guardChild(
      fork(options.entry, [], {
        serialization: 'advanced',
        execArgv: [...flags],
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      }),
    );
    this.#child.on('message', (message) => this.#onMessage(message as FromWorker));
    this.#child.on('error', (error) => this.#onGone(error.message));
    this.#child.on('exit', (code, signal) =>
      this.#onGone(this.#reason || `the parser process ended (${signal ?? `code ${code}`})`),
    );
    this.#post({ type: 'setup', setup: options.setup });
    this.#watch();
  }

  get idle(): boolean {
    return this.#ready && this.#task === null && !this.#gone;
  }

  take(task: Task): void {
    this.#task = task;
    this.#file = null;
    this.#watch();
    this.#post({ type: 'batch', jobs: task.jobs, careful: task.careful });
  }

  expect(paths: readonly string[]): void {
    this.#post({ type: 'expect', paths });
  }

  /** Lets the program end while the worker is idle. */
  unref(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  ref(): void {
    this.#child.ref();
    this.#child.channel?.ref();
  }

  /** An idle worker ends by itself when the channel closes, and saves its bytecode. A busy one may hang, so kill it. */
  stop(): void {
    const { idle } = this;
    this.#gone = true;
    if (this.#timer) clearTimeout(this.#timer);
    if (idle && this.#child.connected) this.#child.disconnect();
    else this.#child.kill('SIGKILL');
    this.unref();
  }

  #post(message: ToWorker): void {
    // Sending to a child that has just died, or could not be started, fails. Its events report the failure.
    this.#child.send?.(message, () => undefined);
  }

  #watch(): void {
    if (this.#timer) clearTimeout(this.#timer);
    const timeoutMs = FILE_TIMEOUT_MS * (this.#task?.careful ? CAREFUL_SHARE : 1);
    const cpu = () => (this.#child.pid === undefined ? null : cpuMsOf(this.#child.pid));
    const [begunMs, cpuBegunMs] = [performance.now(), cpu()];
    const check = () => {
      const cpuNowMs = cpuBegunMs === null ? null : cpu();
      const workedMs = cpuNowMs === null ? null : cpuNowMs - cpuBegunMs!;
      const leftMs = timeLeft(timeoutMs, performance.now() - begunMs, workedMs);
      if (leftMs > 0) {
        this.#timer = setTimeout(check, leftMs);
        this.#timer.unref();
        return;
      }
      this.#reason = `gave up after ${timeoutMs / 1000} s`;
      this.#child.kill('SIGKILL');
    };
    this.#timer = setTimeout(check, timeoutMs);
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
      case 'file':
        this.#file = message.path;
        this.#watch();
        return;
      case 'result':
        this.#task = null;
        if (this.#timer) clearTimeout(this.#timer);
        this.#events.onResult(message.result);
        return;
      case 'broken':
        this.#reason = message.reason;
        this.#child.kill('SIGKILL');
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

/** Milliseconds until the next check of a process; 0 if its time is up. `workedMs` is its CPU time, null if unknown. */
export function timeLeft(timeoutMs: number, elapsedMs: number, workedMs: number | null): number {
  if (workedMs === null) return Math.max(0, timeoutMs - elapsedMs);
  if (workedMs >= timeoutMs || workedMs < elapsedMs * MIN_CPU_SHARE) return 0;
  return Math.max(MIN_CHECK_MS, timeoutMs - workedMs);
}
