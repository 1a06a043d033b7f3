/**
 * Caches git's listing of a folder at its last index beside the store, so that the next run looks only at files that
 * git lists differently. A damaged file, or one of another tree, is ignored; a failed write is not an error.
 */
import { existsSync, readFileSync } from 'node:fs';
import { tryReplaceFile } from '../../memory/notebook/atomic-file.ts';
import { digest } from '../../model/runtime/checksum.ts';
import type { TreeInfo, TreeKey, TreeView } from '../../store/store.ts';
import type { EarlierWalk, GitListingOutput, WalkOptions } from '../../walk/index.ts';
import { cachePath } from '../projects/cache-path.ts';
import { walkKey } from './pending-cache.ts';

type Rules = Omit<WalkOptions, 'root'>;

/** The first line of the cache file, as JSON; the listing follows as git printed it. */
interface ListingHeader {
  readonly of: string;
  readonly context: string;
  readonly hasExactIds: boolean;
  readonly digest: string;
}

export function saveGitListing(
  folder: string,
  program: string,
  tree: TreeInfo,
  rules: Rules,
  gitListing: GitListingOutput,
): void {
  const { listing, context, hasExactIds } = gitListing;
  const header: ListingHeader = { of: walkKey(program, tree, rules), context, hasExactIds, digest: digest(listing) };
  tryReplaceFile(
    cachePath(folder, 'words', tree),
    Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), listing]),
  );
}

/** Whether a listing is cached for the tree. */
export function hasGitListing(folder: string, tree: TreeKey): boolean {
  return existsSync(cachePath(folder, 'words', tree));
}

/** The walk that the published tree was made by, to compare with; null without a valid cached listing. */
export function loadEarlierWalk(folder: string, program: string, view: TreeView, rules: Rules): EarlierWalk | null {
  const gitListing = readGitListing(cachePath(folder, 'words', view.info), walkKey(program, view.info, rules));
  if (gitListing === null) return null;
  const file = (path: string) => view.files[view.indexOfPath(path)] ?? null;
  return { tree: view.info, gitListing, files: view.files, file, skipped: view.skipped() };
}

function readGitListing(file: string, name: string): GitListingOutput | null {
  try {
    const bytes = readFileSync(file);
    const end = bytes.indexOf(10);
    const header = JSON.parse(bytes.toString('utf8', 0, end)) as ListingHeader;
    const listing = bytes.subarray(end + 1);
    return header.of === name && header.digest === digest(listing)
      ? { listing, context: header.context, hasExactIds: header.hasExactIds }
      : null;
  } catch {
    return null;
  }
}
