/**
 * Caches the statistics of a tree's paths (search/path-stats.ts) in a file beside the store. The first command that
 * needs them writes the file; for a large tree, its full index does. A damaged file or one of another tree is ignored;
 * a failed write is not an error.
 */
import { readFileSync } from 'node:fs';
import { tryReplaceFile } from '../../memory/notebook/atomic-file.ts';
import { digest } from '../../model/runtime/checksum.ts';
import { hasPathStats, packPathStats, pathStats, restorePathStats } from '../../search/index.ts';
import type { TreeView } from '../../store/store.ts';
import { cachePath } from './cache-path.ts';

const DIGEST_LENGTH = 16;
/** Computes the statistics for the first question about a new index. */
export function cachePathStats(folder: string, view: TreeView): void {
  pathStats(view);
  savePathStats(folder, view);
}

export function loadPathStats(folder: string, view: TreeView): void {
  if (hasPathStats(view)) return;
  let bytes: Buffer;
  try {
    bytes = readFileSync(cachePath(folder, 'paths', view.info));
  } catch {
    return;
  }
  const packed = bytes.subarray(DIGEST_LENGTH);
  if (digest(packed) === bytes.toString('latin1', 0, DIGEST_LENGTH)) restorePathStats(view, packed);
}

export function savePathStats(folder: string, view: TreeView): void {
  const packed = packPathStats(view);
  if (packed)
    tryReplaceFile(
      cachePath(folder, 'paths', view.info),
      Buffer.concat([Buffer.from(digest(packed), 'latin1'), packed]),
    );
}
