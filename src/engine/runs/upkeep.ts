/** Maintenance of an index: drops trees of refs that no longer exist, and verifies that a tree matches its folder. */
import { existsSync } from 'node:fs';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { StoreWriter, TreeInfo, TreeView } from '../../store/store.ts';
import { resolveRef } from '../../walk/index.ts';
import type { WalkOptions } from '../../walk/walk-project.ts';
import type { DroppedRef, Freed, GarbageReport, Verification } from '../engine.ts';
import { pendingChanges, pendingInRef } from '../freshness/pending-changes.ts';
import type { OpenedProject } from '../projects/opened-project.ts';

/**
 * Drops the trees of `ref` and frees the blobs that only they used; null without such trees. Throws index_in_progress.
 */
export function dropTree(opened: OpenedProject, ref: string, extractorVersion: string): Freed | null {
  // A branch names the work tree that has it checked out, and a tree that was indexed under that name.
  const trees = opened.reader
    .trees()
    .filter(({ root }) => root === opened.resolved.root)
    .filter((tree) => tree.ref === ref || (tree.ref === 'live' && tree.branch === ref));
  if (trees.length === 0) return null;
  return withWriter(opened, extractorVersion, (writer) => {
    for (const tree of trees) writer.dropTree(tree);
    return writer.compact({ full: true });
  });
}

/** Drops trees of refs that are gone, frees blobs without a tree, merges segments. Throws index_in_progress. */
export async function collectGarbage(opened: OpenedProject, extractorVersion: string): Promise<GarbageReport> {
  const { reader } = opened;
  const before = reader.sizeBytes();
  const gone: { readonly tree: TreeInfo; readonly dropped: DroppedRef }[] = [];
  for (const tree of reader.trees()) {
    const reason = await reasonGone(tree);
    if (reason) gone.push({ tree, dropped: { root: tree.root, ref: tree.ref, reason } });
  }
  const freed = withWriter(opened, extractorVersion, (writer) => {
    for (const { tree } of gone) writer.dropTree(tree);
    return writer.compact({ full: true });
  });
  const after = reader.sizeBytes();
  return {
    dropped: gone.map(({ dropped }) => dropped),
    keptRefs: reader.trees().length,
    contents: freed.contents,
    bytesBefore: before,
    bytesAfter: after,
  };
}

async function reasonGone(tree: TreeInfo): Promise<DroppedRef['reason'] | null> {
  if (!existsSync(tree.root)) return 'folder_gone';
  if (tree.ref === 'live') return null;
  try {
    await resolveRef(tree.root, tree.ref);
    return null;
  } catch (error) {
    // An error of git itself does not mean that the ref is gone.
    return error instanceof EngineError && error.code === 'ref_not_found' ? 'ref_gone' : null;
  }
}

function withWriter<T>(opened: OpenedProject, extractorVersion: string, work: (writer: StoreWriter) => T): T {
  const writer = opened.writer(extractorVersion);
  try {
    return work(writer);
  } finally {
    writer.release();
  }
}

/**
 * Verifies a tree: lists and reads the folder (or the ref) again and decodes the whole store file, without any cached
 * result.
 */
export async function verifyTree(
  opened: OpenedProject,
  view: TreeView,
  walk: WalkOptions,
  extractorVersion: string,
): Promise<Verification> {
  const { info } = view;
  const base = {
    ref: opened.refName(view),
    fileCount: info.fileCount,
    chunkCount: info.chunkCount,
    commit: info.commit,
    outdated: info.options.extractor !== extractorVersion,
    faults: opened.reader.check(true),
  };
  if (info.ref === 'live')
    return { ...base, currentCommit: info.commit, pending: await pendingChanges(view, walk, 'read') };
  const { commit, pending } = await pendingInRef(view, walk);
  return { ...base, currentCommit: commit, pending };
}
