import { join } from 'node:path';
import { digest } from '../../model/runtime/checksum.ts';
import type { TreeKey, TreeView } from '../../store/store.ts';

/** The path of a cache file of one kind for a tree, beside its store. A missing cache is derived again. */
export function besideStore(
  folder: string,
  kind: 'looks' | 'modules' | 'paths' | 'words',
  { root, ref }: TreeKey,
): string {
  return join(folder, kind, digest(Buffer.from(`${root}\n${ref}`)));
}

/** With fewer files, a question derives from the paths in a few milliseconds what it needs. */
const LARGE_TREE = 4_000;

export function isLargeTree({ files }: Pick<TreeView, 'files'>): boolean {
  return files.length >= LARGE_TREE;
}
