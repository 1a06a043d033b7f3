/**
 * The graph room: definitions, references, calls, imports and implementations of a tree, and research over them. It
 * knows no contract, no text ranking and no SQL. Invariants: every edge has a confidence and a line that shows it; a
 * reference with several possible targets is ambiguous and lists them.
 */
export { impactOf } from './impact/index.ts';
export { testCommands } from './impact/test-commands.ts';
export { buildMap } from './map/map-data.ts';
export { drawMap } from './map/repo-map.ts';
export { research } from './research/index.ts';
export { readQuestion } from './research/question.ts';
export { calleesOf, callersOf, type Step } from './research/walk.ts';
export { type Edge, SymbolGraph, type SymbolPlace } from './symbol-graph.ts';
