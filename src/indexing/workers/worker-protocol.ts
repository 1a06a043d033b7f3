/** Messages between the indexing process and its workers (structured clone over the IPC channel). */
import type { BatchResult, DeriverSetup, FileJob } from '../deriving/deriver.ts';

export type ToWorker =
  | { readonly type: 'setup'; readonly setup: DeriverSetup }
  /** Announces files: the worker loads what they need. */
  | { readonly type: 'expect'; readonly paths: readonly string[] }
  /** With `careful`, every file is named before it is worked on: a batch of this kind has ended a worker. */
  | { readonly type: 'batch'; readonly jobs: readonly FileJob[]; readonly careful: boolean };

export type FromWorker =
  | { readonly type: 'ready' }
  /** About to work on this file: a sign of life, and in a careful batch the culprit when the worker dies or hangs. */
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'result'; readonly result: BatchResult }
  /** The worker cannot be set up, or cannot go on. */
  | { readonly type: 'broken'; readonly reason: string };
