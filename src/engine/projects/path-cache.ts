/**
 * Statistics of a tree's paths (search/path-stats.ts), cached in a file beside the store by the first command that
 * needs them, and for a large tree by its full index. A damaged file or one of another tree is ignored, and a failed
 * write is not an error.
 */
import { readFileSync } from 'node:fs';
import { writeWhole } from '../../memory/notebook/atomic-file.ts';
import { digest } from '../../model/runtime/checksum.ts';
import { hasPathStats, packPathStats, pathStats, restorePathStats } from '../../search/index.ts';
import type { TreeView } from '../../store/store.ts';
import { besideStore } from './cache-path.ts';

const DIGEST_LENGTH = 16;
/** For the first question about a new index. */
export function keepPathStats(folder: string, view: TreeView): void {
  pathStats(view);
  savePathStats(folder, view);
}

export function loadPathStats(folder: string, view: TreeView): void {
  if (hasPathStats(view)) return;
  let kept: Buffer;
  try {
    kept = readFileSync(besideStore(folder, 'paths', view.info));
  } catch {
    return;
  }
  const packed = kept.subarray(DIGEST_LENGTH);
  if (digest(packed) === kept.toString('latin1', 0, DIGEST_LENGTH)) restorePathStats(view, packed);
}

export function savePathStats(folder: string, view: TreeView): void {
  const packed = packPathStats(view);
  if (packed)
    writeWhole(besideStore(folder, 'paths', view.info), Buffer.concat([Buffer.from(digest(packed), 'latin1'), packed]));
}
