/**
 * What a tree's paths say (search/path-stats.ts), kept in a file beside the store by the first command that works it out, for those that come
 * after it. A file of another tree or a damaged one is not used; one that cannot be written is done without.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../memory/write-whole.ts';
import { digest } from '../model/checksum.ts';
import { packPathStats, restorePathStats } from '../search/index.ts';
import type { TreeView } from '../store/store.ts';

const DIGEST_LENGTH = 16;

export function loadPathStats(folder: string, view: TreeView): void {
  let kept: Buffer;
  try {
    kept = readFileSync(fileOf(folder, view));
  } catch {
    return;
  }
  const packed = kept.subarray(DIGEST_LENGTH);
  if (digest(packed) === kept.toString('latin1', 0, DIGEST_LENGTH)) restorePathStats(view, packed);
}

export function savePathStats(folder: string, view: TreeView): void {
  const packed = packPathStats(view);
  if (packed) writeWhole(fileOf(folder, view), Buffer.concat([Buffer.from(digest(packed), 'latin1'), packed]));
}

function fileOf(folder: string, { info }: TreeView): string {
  return join(folder, 'paths', digest(Buffer.from(`${info.root}\n${info.ref}`)));
}
