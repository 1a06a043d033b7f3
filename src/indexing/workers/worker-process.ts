/** One worker process as its parent sees it: what it is given, what it says, and that it has gone. */
import { type ChildProcess, fork } from 'node:child_process';
import { guardChild } from '../../model/runtime/child-guard.ts';
import type { BatchResult, DeriverSetup, FileJob } from '../deriving/deriver.ts';
import type { FromWorker, ToWorker } from './worker-protocol.ts';

export interface WorkerOptions {
  /** Script of a worker process. */
  readonly entry: string;
  readonly setup: DeriverSetup;
}

export interface Task {
  readonly jobs: readonly FileJob[];
  /** It has cost a child: the next one says which file it works on. */
  readonly careful: boolean;
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
/** A file that takes longer is given up. */
const FILE_TIMEOUT_MS = 20_000;
/** Of the time a file may take, where its batch has cost a child already: if that one hung, this one's file is hanging long before. */
const CAREFUL_SHARE = 0.5;

interface WorkerEvents {
  readonly onIdle: () => void;
  readonly onResult: (result: BatchResult) => void;
  readonly onLost: (task: Task | null, culprit: string | null, reason: string) => void;
}

export class Worker {
  /** Which end of the queue it takes its batches from. */
  readonly fromEnd: boolean;
  /** Ready sooner, and slower once it runs: its code is compiled for a few files. */
  readonly light: boolean;
  readonly #child: ChildProcess;
  readonly #events: WorkerEvents;
  #task: Task | null = null;
  #ready = false;
  #file: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #reason = '';
  #gone = false;

  constructor(options: WorkerOptions, fromEnd: boolean, light: boolean, events: WorkerEvents) {
    this.fromEnd = fromEnd;
    this.light = light;
    this.#events = events;
    this.#child = guardChild(
      fork(options.entry, [], {
        serialization: 'advanced',
        execArgv: EXEC_ARGV,
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      }),
    );
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
    const timeoutMs = FILE_TIMEOUT_MS * (this.#task?.careful ? CAREFUL_SHARE : 1);
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
