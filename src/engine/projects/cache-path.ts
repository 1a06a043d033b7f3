import { join } from 'node:path';
import { digest } from '../../model/runtime/checksum.ts';
import type { TreeKey, TreeView } from '../../store/store.ts';

/** The path of a tree's cache file of one kind, beside its store. A missing cache file is derived again. */
export function cachePath(
  folder: string,
  kind: 'looks' | 'modules' | 'paths' | 'words',
  { root, ref }: TreeKey,
): string {
  return join(folder, kind, digest(Buffer.from(`${root}\n${ref}`)));
}

/** Trees with fewer files need no cache: a question derives the same from their paths in a few milliseconds. */
const LARGE_TREE_FILES = 4_000;

export function isLargeTree({ files }: Pick<TreeView, 'files'>): boolean {
  return files.length >= LARGE_TREE_FILES;
}
