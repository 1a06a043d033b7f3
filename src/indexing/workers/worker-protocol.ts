/** The messages between the indexing process and its workers, sent as structured clones over the IPC channel. */
import type { BatchResult, DeriverSetup, FileJob } from '../deriving/deriver.ts';

export type ToWorker =
  | { readonly type: 'setup'; readonly setup: DeriverSetup }
  /** Announces files, so that the worker loads the grammars that they need. */
  | { readonly type: 'expect'; readonly paths: readonly string[] }
  /** `careful`: the batch has ended a worker, so this one reports every file before it works on it. */
  | { readonly type: 'batch'; readonly jobs: readonly FileJob[]; readonly careful: boolean };

export type FromWorker =
  | { readonly type: 'ready' }
  /** The worker begins this file. In a careful batch, the file is to blame if the worker then dies or hangs. */
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'result'; readonly result: BatchResult }
  /** The worker cannot be set up or cannot continue. */
  | { readonly type: 'broken'; readonly reason: string };
