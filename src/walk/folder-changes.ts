/** Finds the files of a folder that may have changed since an earlier walk, by comparing git's two listings. */
import { basename } from 'node:path';
import { DENIED, isLost, stampOf } from '../model/records/source-file.ts';
import { unconfirmedPaths } from './folder-fingerprint.ts';
import { conversionFingerprint, type GitFolders } from './git/git-conversions.ts';
import { findChangedRecords } from './git/listing/git-listing-diff.ts';
import { lstatQuietly, statFingerprint } from './lstat-quietly.ts';
import type { EarlierWalk, GitListingOutput } from './walk-project.ts';

/** With more changed files than this, a walk of the whole folder is faster than one lstat() per file. */
const MAX_CHANGED_FILES = 100;

/**
 * Digest of the settings and rules that decide about files and are not in git's listing. Callers read it before the
 * listing, so a change in between shows in the next walk. `.sextantignore` of the root counts even if git ignores it.
 */
export function readListingContext(root: string, git: GitFolders): string {
  const rules = lstatQuietly(`${root}/.sextantignore`);
  return `${statFingerprint(rules)}\n${conversionFingerprint(root, git)}`;
}

/**
 * The paths that a walk has to look at again, each with its blob id if git knows it: files that git lists differently,
 * and files that git cannot confirm as unchanged. The earlier walk knew all of them. Null if a whole walk is needed:
 * files came or went, rules changed, or a file could not be read.
 */
export function findChanged(
  root: string,
  now: GitListingOutput,
  earlier: EarlierWalk,
): Map<string, string | null> | null {
  // Only a whole walk applies the .sextantignore files of subfolders and tries unreadable files again.
  if (now.context !== earlier.gitListing.context || now.listing.includes('/.sextantignore')) return null;
  if (earlier.skipped.some((skip) => isLost(skip) || skip.stamp === DENIED)) return null;
  const changed = findChangedRecords(earlier.gitListing.listing, now.listing, MAX_CHANGED_FILES);
  const unconfirmed = changed && unconfirmedPaths(now.listing.toString('latin1'));
  if (!changed || !unconfirmed || unconfirmed.length > MAX_CHANGED_FILES) return null;
  const withoutId = new Set(unconfirmed.map((path) => Buffer.from(path, 'latin1').toString('utf8')));
  for (const path of withoutId) changed.add(path);
  const { hasExactIds } = earlier.gitListing;
  if (!hasExactIds && !addTouchedFiles(root, earlier, changed)) return null;
  const skipped = new Set(earlier.skipped.map(({ path }) => path));
  for (const path of changed) {
    if (setsRules(path)) return null;
    if (isBelow(path, skipped)) {
      changed.delete(path);
      continue;
    }
    const stat = lstatQuietly(`${root}/${path}`);
    // A link may lead to any file of the listing, so its verdict needs the whole listing.
    if (stat?.isSymbolicLink()) return null;
    if (earlier.file(path) !== null || skipped.has(path)) continue;
    // A file that exists and was unknown is new. A tracked file that exists neither then nor now is not a change.
    if (stat !== undefined) return null;
    changed.delete(path);
  }
  const idOf = (path: string) => (hasExactIds && !withoutId.has(path) ? cleanBlobId(now.listing, path) : null);
  return new Map([...changed].map((path) => [path, idOf(path)]));
}

/** The blob id of a tracked file that git reports as unchanged on disk; null otherwise. */
function cleanBlobId(listing: Buffer, path: string): string | null {
  const tab = listing.indexOf(`\t${path}\0`);
  const record = listing.toString('latin1', listing.lastIndexOf(0, tab) + 1, tab);
  return tab < 0 ? null : (/^H \d+ ([0-9a-f]{40}) 0$/.exec(record)?.[1] ?? null);
}

/**
 * Adds the files whose size or time changed: where git converts contents, it may report a changed file as unchanged.
 * False if there are too many.
 */
function addTouchedFiles(root: string, { files, skipped }: EarlierWalk, changed: Set<string>): boolean {
  const prefix = root.endsWith('/') ? root : `${root}/`;
  for (const { path, size, mtimeMs } of files) {
    const stat = lstatQuietly(prefix + path);
    if (stat?.size === size && stat.mtimeMs === mtimeMs) continue;
    changed.add(path);
    if (changed.size > MAX_CHANGED_FILES) return false;
  }
  for (const { path, stamp } of skipped) {
    const stat = stamp === undefined ? null : lstatQuietly(prefix + path);
    if (stat !== null && (!stat || stampOf(stat) !== stamp)) changed.add(path);
  }
  return changed.size <= MAX_CHANGED_FILES;
}

function setsRules(path: string): boolean {
  const name = basename(path);
  return name.startsWith('.git') || name === '.sextantignore';
}

/** Whether a path lies in a folder that was skipped as a whole, or is such a folder (a submodule). */
function isBelow(path: string, skipped: ReadonlySet<string>): boolean {
  if (path.endsWith('/') || skipped.has(`${path}/`)) return true;
  for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1))
    if (skipped.has(path.slice(0, slash + 1))) return true;
  return false;
}
