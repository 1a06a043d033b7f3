/**
 * The indexing room: from a folder or a ref to a published tree. Owns the worker processes and the plan of a run; knows no search, no
 * contract, no terminal. Invariants: one run per store at a time (the store's lease); a tree is published whole or not at all; one bad
 * file never stops a run.
 */
export type { DeriverSetup } from './deriver.ts';
export { checkEvents } from './folder-events.ts';
export type { BegunWalk } from './listing.ts';
export { type IndexRun, type RunReport, runIndex } from './run-index.ts';
export { probeEvents, type Watch, watchProject } from './watch.ts';
export { WorkerPool } from './worker-pool.ts';
