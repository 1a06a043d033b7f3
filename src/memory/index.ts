/**
 * The memory room: what was decided, which rules hold, which traps were found. Owns recorded discoveries (text files), mining and recall;
 * knows no contract and no ranking of code. Invariants: nothing that looks like a secret is kept; what is mined names its source; a
 * broken file is skipped and named, never deleted.
 */
export { type Access, AccessLog } from './access-log.ts';
export { formatDiscovery, parseDiscovery } from './discovery-file.ts';
export { mine } from './mine.ts';
export { Notebook } from './notebook.ts';
export { Recall } from './recall.ts';
export { type NewDiscovery, remember } from './remember.ts';
export { sensitiveKind } from './sensitive.ts';
