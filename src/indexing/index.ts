/**
 * Makes a published tree from a folder or a ref. This room owns the plan of a run, the worker processes and the watch
 * of a folder; it knows no search, contract or terminal. Invariants: one run per store at a time (the store's lease); a
 * tree is published whole or not at all; one bad file never stops a run.
 */
export { type ContentSink, deriveFiles, type Outcome, type RunState } from './deriving/derive-files.ts';
export type { DeriverSetup } from './deriving/deriver.ts';
export { listTree, type StartedWalk } from './list-files.ts';
export type { KnownTree } from './plan-changes.ts';
export { type FinishedRun, type IndexRun, type RunCounts, runIndex } from './run-index.ts';
export { checkEvents } from './watching/folder-events.ts';
export { probeEvents, type Watch, watchProject } from './watching/watch-folder.ts';
export { WorkerPool } from './workers/worker-pool.ts';
