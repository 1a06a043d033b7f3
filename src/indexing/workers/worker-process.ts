/** A worker process as its parent sees it: its input, its output and its end. */
import { type ChildProcess, fork } from 'node:child_process';
import { guardChild } from '../../model/runtime/child-guard.ts';
import { cpuMsOf } from '../../model/runtime/cpu-time.ts';
import type { BatchResult, DeriverSetup, FileJob } from '../deriving/deriver.ts';
import type { Workload } from './v8-flags.ts';
import type { FromWorker, ToWorker } from './worker-protocol.ts';

export interface WorkerOptions {
  /** Script of a worker process. */
  readonly entry: string;
  readonly setup: DeriverSetup;
  /** V8 flags that a worker starts with; those of v8-flags.ts unless given. */
  readonly flags?: (workload: Workload) => readonly string[];
}

export interface Task {
  readonly jobs: readonly FileJob[];
  /** A child died of this batch: the next child reports which file it works on. */
  readonly careful: boolean;
}

/** A file that takes longer is given up: in CPU time where the system tells that of a process, else by the clock. */
const FILE_TIMEOUT_MS = 20_000;
/** A process that works less than this share of the time is stopped, or waits for something that does not come. */
const MIN_SHARE = 0.005;
/** Between two looks at how long a process has worked. */
const MIN_LOOK_MS = 1_000;
/**
 * Of the time a file may take, where its batch has cost a child already: if that one hung, this one's file is hanging
 * long before.
 */
const CAREFUL_SHARE = 0.5;

interface WorkerEvents {
  readonly onIdle: () => void;
  readonly onResult: (result: BatchResult) => void;
  readonly onLost: (task: Task | null, culprit: string | null, reason: string) => void;
}

export class Worker {
  /** Which end of the queue it takes its batches from. */
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

  /** An idle worker does not keep the program alive; a working one does. */
  unref(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  ref(): void {
    this.#child.ref();
    this.#child.channel?.ref();
  }

  /**
   * An idle worker ends by itself once the channel closes, and saves its bytecode; a busy one may hang, so it is
   * killed.
   */
  stop(): void {
    const { idle } = this;
    this.#gone = true;
    if (this.#timer) clearTimeout(this.#timer);
    if (idle && this.#child.connected) this.#child.disconnect();
    else this.#child.kill('SIGKILL');
    this.unref();
  }

  #post(message: ToWorker): void {
    // A child that died a moment ago refuses the message, one that could not be started has no way to take it; their
    // events tell the rest.
    this.#child.send?.(message, () => undefined);
  }

  #watch(): void {
    if (this.#timer) clearTimeout(this.#timer);
    const timeoutMs = FILE_TIMEOUT_MS * (this.#task?.careful ? CAREFUL_SHARE : 1);
    const cpu = () => (this.#child.pid === undefined ? null : cpuMsOf(this.#child.pid));
    const [begunMs, cpuBegunMs] = [performance.now(), cpu()];
    const look = () => {
      const cpuNowMs = cpuBegunMs === null ? null : cpu();
      const workedMs = cpuNowMs === null ? null : cpuNowMs - cpuBegunMs!;
      const leftMs = timeLeft(timeoutMs, performance.now() - begunMs, workedMs);
      if (leftMs > 0) {
        this.#timer = setTimeout(look, leftMs);
        this.#timer.unref();
        return;
      }
      this.#reason = `gave up after ${timeoutMs / 1000} s`;
      this.#child.kill('SIGKILL');
    };
    this.#timer = setTimeout(look, timeoutMs);
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

/**
 * Milliseconds until a process is to be looked at again, 0 where its time is up. `workedMs` is null where the system
 * does not tell.
 */
export function timeLeft(timeoutMs: number, elapsedMs: number, workedMs: number | null): number {
  if (workedMs === null) return Math.max(0, timeoutMs - elapsedMs);
  if (workedMs >= timeoutMs || workedMs < elapsedMs * MIN_SHARE) return 0;
  return Math.max(MIN_LOOK_MS, timeoutMs - workedMs);
}
