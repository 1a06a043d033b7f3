/**
 * Git's listing of a folder at its last index, cached beside the store: the next run looks only at files that git lists
 * differently. A damaged file or one of another tree is ignored, and a failed write is not an error.
 */
import { existsSync, readFileSync } from 'node:fs';
import { writeWhole } from '../../memory/notebook/atomic-file.ts';
import { digest } from '../../model/runtime/checksum.ts';
import type { TreeInfo, TreeKey, TreeView } from '../../store/store.ts';
import type { EarlierWalk, GitWords, WalkOptions } from '../../walk/index.ts';
import { besideStore } from '../projects/cache-path.ts';
import { nameOfWalk } from './pending-cache.ts';

type Rules = Omit<WalkOptions, 'root'>;

/** A line of JSON, then the listing unchanged. */
interface Head {
  readonly of: string;
  readonly beside: string;
  readonly exact: boolean;
  readonly digest: string;
}

export function saveWords(folder: string, program: string, tree: TreeInfo, rules: Rules, words: GitWords): void {
  const { listing, beside, exact } = words;
  const head: Head = { of: nameOfWalk(program, tree, rules), beside, exact, digest: digest(listing) };
  writeWhole(besideStore(folder, 'words', tree), Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), listing]));
}

/** Is there anything to compare with? */
export function hasWords(folder: string, tree: TreeKey): boolean {
  return existsSync(besideStore(folder, 'words', tree));
}

/** The walk that the published tree was made by; null where nothing is kept of it. */
export function earlierWalk(folder: string, program: string, view: TreeView, rules: Rules): EarlierWalk | null {
  const words = readWords(besideStore(folder, 'words', view.info), nameOfWalk(program, view.info, rules));
  if (words === null) return null;
  const file = (path: string) => view.files[view.indexOfPath(path)] ?? null;
  return { of: view.info, words, files: view.files, file, skipped: view.skipped() };
}

function readWords(file: string, name: string): GitWords | null {
  try {
    const kept = readFileSync(file);
    const end = kept.indexOf(10);
    const head = JSON.parse(kept.toString('utf8', 0, end)) as Head;
    const listing = kept.subarray(end + 1);
    return head.of === name && head.digest === digest(listing)
      ? { listing, beside: head.beside, exact: head.exact }
      : null;
  } catch {
    return null;
  }
}
