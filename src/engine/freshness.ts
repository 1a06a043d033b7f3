/** Is the index what is on disk? Re-derived by a walk and compared by content id, or by size and time; never assumed. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WalkedFile } from '../model/source-file.ts';
import type { TreeView } from '../store/store.ts';
import { blobId, walk } from '../walk/index.ts';
import type { WalkOptions } from '../walk/walk.ts';

/** Paths listed at most; the count is what matters beyond it. */
const MAX_PENDING = 100;

/** Paths that differ between the folder and the tree, sorted: changed, new and gone. */
export async function pendingChanges(view: TreeView, options: WalkOptions): Promise<string[]> {
  const { files } = await walk(options);
  const pending: string[] = [];
  const seen = new Set<string>();
  const skipped = new Map(view.skipped().map((skip) => [skip.path, skip]));
  for (const file of files) {
    seen.add(file.path);
    if (pending.length < MAX_PENDING && (await differs(view, options.root, file, skipped))) pending.push(file.path);
  }
  for (const { path } of view.files) if (!seen.has(path) && pending.length < MAX_PENDING) pending.push(path);
  return pending.sort();
}

async function differs(
  view: TreeView,
  root: string,
  file: WalkedFile,
  skipped: ReadonlyMap<string, { readonly stamp?: string }>,
): Promise<boolean> {
  const index = view.indexOfPath(file.path);
  if (index < 0) {
    const skip = skipped.get(file.path);
    return !skip || (skip.stamp !== undefined && skip.stamp !== `${file.size}:${file.mtimeMs}`);
  }
  const old = view.files[index]!;
  if (file.blobId !== null) return file.blobId !== old.blobId;
  if (file.size !== old.size) return true;
  if (file.mtimeMs === old.mtimeMs && file.mtimeMs < view.info.publishedAtMs - 2_000) return false;
  try {
    return blobId(await readFile(join(root, file.path))) !== old.blobId;
  } catch {
    return true;
  }
}
