/**
 * The fleet: thousands of repositories in OpenSearch. Owns the catalogue, published snapshots, derived contents by blob
 * id, the workers that make them, and the nodes that answer from them. The only room that knows OpenSearch
 * (opensearch/), whose client library is named in one file. The embedded path imports nothing of it: the composition
 * root loads this room for `sextant fleet` alone.
 *
 * Invariants: a blob is derived once, whichever repository has it; a reader sees the old snapshot of a ref or the new
 * one; one worker at a time works on a repository, and what a dead one finished stays; a question inside a repository
 * is answered by the embedded engine from the same derived data.
 */
export { giveContents } from './give-contents.ts';
export { headStart } from './head-start.ts';
export { type FleetConfig, openFleet } from './open-fleet.ts';
