/** Looking after an index: forgetting a tree that nobody asks for any more, and proving that one says what the folder holds. */
import type { TreeInfo, TreeView } from '../store/store.ts';
import type { WalkOptions } from '../walk/walk.ts';
import type { Verification } from './engine.ts';
import { pendingChanges } from './freshness.ts';
import type { OpenedProject } from './opened-project.ts';

/** Drops the tree of `ref` and frees what only it used; false where there is none. Throws index_in_progress. */
export function dropTree(opened: OpenedProject, ref: string, extractorVersion: string): boolean {
  const trees = opened.reader.trees().filter(({ root }) => root === opened.resolved.root);
  // The work tree goes by its branch in every list; a tree indexed under that very name comes first.
  const named = (tree: TreeInfo) => tree.ref === 'live' && tree.branch === ref;
  const tree = trees.find((candidate) => candidate.ref === ref) ?? trees.find(named);
  if (!tree) return false;
  const writer = opened.writer(extractorVersion, false);
  try {
    const dropped = writer.dropTree({ root: tree.root, ref: tree.ref });
    writer.compact({ full: true });
    return dropped;
  } finally {
    writer.release();
  }
}

/** Lists the folder again and decodes the whole file: nothing is taken from an earlier check. */
export async function verifyTree(opened: OpenedProject, view: TreeView, walk: WalkOptions): Promise<Verification> {
  const { info } = view;
  return {
    ref: opened.refName(view),
    fileCount: info.fileCount,
    chunkCount: info.chunkCount,
    // A ref is a commit's tree: what lies in the folder says nothing about it.
    pending: info.ref === 'live' ? await pendingChanges(view, walk) : [],
    faults: opened.reader.check(true),
  };
}
