/**
 * The memory room: what was decided, which rules hold, which traps were found. Owns recorded discoveries (text files), sessions, accesses, mining
 * and recall; knows no contract and no ranking of code. Invariants: nothing that looks like a secret is kept; what is mined names its source; a
 * broken file is skipped and named, never deleted; mining and embedding stop when their time is up and go on the next time.
 */
export { AccessLog } from './access-log.ts';
export { formatDiscovery } from './discovery-file.ts';
export {
  askedKinds,
  CONTEXT_FEATURES,
  type ContextRow,
  contextRows,
  recalledRow,
  standingRow,
  withoutFrame,
} from './features.ts';
export { mineHistory, mineTree } from './mining/mine.ts';
export { MinedFiles } from './mining/mined-files.ts';
export { type CommitNote, MinedHistory } from './mining/mined-history.ts';
export { MinedIdioms } from './mining/mined-idioms.ts';
export { Notebook } from './notebook.ts';
export { Recall, type Recalled, type WeighedTerm } from './recall.ts';
export {
  type Comparison,
  compare,
  edit,
  importAll,
  type NewDiscovery,
  remember,
} from './remember.ts';
export { SessionLog } from './session-log.ts';
export { TextMemo } from './text-memo.ts';
