/**
 * What a tree's paths say (search/path-stats.ts), kept in a file beside the store by the first command that works it out, for those that come
 * after it. A file of another tree or a damaged one is not used; one that cannot be written is done without.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../memory/write-whole.ts';
import { packPathStats, restorePathStats } from '../search/index.ts';
import type { TreeView } from '../store/store.ts';

const DIGEST_BYTES = 20;

export function loadPathStats(folder: string, view: TreeView): void {
  let kept: Buffer;
  try {
    kept = readFileSync(fileOf(folder, view));
  } catch {
    return;
  }
  const packed = kept.subarray(DIGEST_BYTES);
  if (digestOf(packed).equals(kept.subarray(0, DIGEST_BYTES))) restorePathStats(view, packed);
}

export function savePathStats(folder: string, view: TreeView): void {
  const packed = packPathStats(view);
  if (packed) writeWhole(fileOf(folder, view), Buffer.concat([digestOf(packed), packed]));
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash('sha1').update(bytes).digest();
}

function fileOf(folder: string, { info }: TreeView): string {
  const name = createHash('sha256').update(`${info.root}\n${info.ref}`).digest('hex').slice(0, 16);
  return join(folder, 'paths', name);
}
