/**
 * The graph room: definitions, references, calls, imports and conformances of a tree, and research over them. Knows no
 * contract, no ranking of text, no SQL. Invariants: every edge has a line that shows it and a confidence; a reference
 * with several possible targets is ambiguous, with its candidates.
 */
export { impactOf } from './impact/index.ts';
export { testCommands } from './impact/test-commands.ts';
export { buildMap } from './map/map-data.ts';
export { drawMap } from './map/repo-map.ts';
export { research } from './research/index.ts';
export { readQuestion } from './research/question.ts';
export { calleesOf, callersOf, type Step } from './research/walk.ts';
export { type Edge, SymbolGraph, type SymbolPlace } from './symbol-graph.ts';
