/**
 * The engine room: one facade over all rooms. Edges import this file and the model, nothing else. Invariants: every
 * method throws only EngineError; the engine writes to a repository only when the user asks for it; nothing leaves the
 * machine.
 */
export { makeFolder, VectorRows } from '../store/index.ts';
export { compileGlobs } from '../walk/index.ts';
export { createEngine } from './create-engine.ts';
export type * from './engine.ts';
export { type EngineConfig, INDEX_DEFAULTS } from './engine-config.ts';
