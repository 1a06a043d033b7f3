/**
 * The memory room: decisions, rules, patterns and known issues of a project. It owns recorded discoveries (text files),
 * sessions, accesses, mining and recall, and knows no contract and no ranking of code. Invariants: no text that looks
 * like a secret is stored; a mined discovery names its source; a broken file is skipped and reported, never deleted;
 * mining and embedding stop at their time limit and continue with the next call.
 */

export { mineHistory, mineTree } from './mining/mine-project.ts';
export { MinedFiles } from './mining/mined-files.ts';
export { type CommitNote, MinedHistory } from './mining/mined-history.ts';
export { MinedIdioms } from './mining/mined-idioms.ts';
export { AccessLog } from './notebook/access-log.ts';
export { removeDamaged } from './notebook/derived-file.ts';
export { formatDiscovery } from './notebook/discovery-file.ts';
export { Notebook } from './notebook/notebook.ts';
export {
  type Comparison,
  editDiscovery,
  findComparable,
  importDiscoveries,
  type NewDiscovery,
  remember,
} from './notebook/remember.ts';
export { SessionLog } from './notebook/session-log.ts';
export { withProducts } from './recall/product-kinds.ts';
export { Recall, type Recalled, type WeighedTerm } from './recall/recall.ts';
export {
  CONTEXT_FEATURES,
  type ContextRow,
  contextRows,
  discoveryRow,
  lowerFrameWords,
  matchRow,
  requestedKinds,
  subjectOf,
} from './recall/recall-features.ts';
export { TextVectorsCache } from './recall/text-vectors-cache.ts';
export { markUntrusted } from './untrusted-memory.ts';
