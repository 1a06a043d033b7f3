/** Which files of a folder may have changed since an earlier walk, by comparing git's listing now with the one then. */
import { basename } from 'node:path';
import { DENIED, isLost, stampOf } from '../model/records/source-file.ts';
import { unvouched } from './folder-fingerprint.ts';
import { conversionStamp, type GitFolders } from './git/git-conversions.ts';
import { changedRecords } from './git/listing/git-listing-diff.ts';
import { inNumbers, lstatQuietly } from './lstat-quietly.ts';
import type { EarlierWalk, GitWords } from './walk-project.ts';

/** With more changed files than this, walking the whole folder is faster than looking at each. */
const MOST_CHANGED = 100;

/**
 * What counts besides a listing and is not in it, to be asked before: what changes meanwhile shows the next time. Our
 * own rules in the root count even where git ignores them.
 */
export function besideListing(root: string, git: GitFolders): string {
  const rules = lstatQuietly(`${root}/.sextantignore`);
  return `${inNumbers(rules)}\n${conversionStamp(root, git)}`;
}

/**
 * The paths to look at again, with the blob id if git knows it: files that git lists differently, and all that it
 * cannot confirm as unchanged. The earlier walk knew each of them. Null if more may differ: files came or went, rules
 * changed, a file could not be read.
 */
export function findChanged(root: string, now: GitWords, earlier: EarlierWalk): Map<string, string | null> | null {
  // Every walk tries unreadable files again; rules of our own deeper down are in reach of a whole
  // one only.
  if (now.beside !== earlier.words.beside || now.listing.includes('/.sextantignore')) return null;
  if (earlier.skipped.some((skip) => isLost(skip) || skip.stamp === DENIED)) return null;
  const changed = changedRecords(earlier.words.listing, now.listing, MOST_CHANGED);
  const open = changed && unvouched(now.listing.toString('latin1'));
  if (!changed || !open || open.length > MOST_CHANGED) return null;
  const unsure = new Set(open.map((path) => Buffer.from(path, 'latin1').toString('utf8')));
  for (const path of unsure) changed.add(path);
  if (!earlier.words.exact && !addTouched(root, earlier, changed)) return null;
  const skipped = new Set(earlier.skipped.map(({ path }) => path));
  for (const path of changed) {
    if (setsRules(path)) return null;
    if (isBelow(path, skipped)) {
      changed.delete(path);
      continue;
    }
    const stat = lstatQuietly(`${root}/${path}`);
    // Where a link leads may be anywhere in the listing.
    if (stat?.isSymbolicLink()) return null;
    if (earlier.file(path) !== null || skipped.has(path)) continue;
    // Tracked, but not there, neither then nor now; anything else is new.
    if (stat !== undefined) return null;
    changed.delete(path);
  }
  const { exact } = earlier.words;
  return new Map([...changed].map((path) => [path, exact && !unsure.has(path) ? idIn(now.listing, path) : null]));
}

/** Of a tracked file that git has found as it was. */
function idIn(listing: Buffer, path: string): string | null {
  const tab = listing.indexOf(`\t${path}\0`);
  const record = listing.toString('latin1', listing.lastIndexOf(0, tab) + 1, tab);
  return tab < 0 ? null : (/^H \d+ ([0-9a-f]{40}) 0$/.exec(record)?.[1] ?? null);
}

/** A change that git does not see, since it keeps contents in another form: by size and time. */
function addTouched(root: string, { files, skipped }: EarlierWalk, changed: Set<string>): boolean {
  const prefix = root.endsWith('/') ? root : `${root}/`;
  for (const { path, size, mtimeMs } of files) {
    const stat = lstatQuietly(prefix + path);
    if (stat?.size === size && stat.mtimeMs === mtimeMs) continue;
    changed.add(path);
    if (changed.size > MOST_CHANGED) return false;
  }
  for (const { path, stamp } of skipped) {
    const stat = stamp === undefined ? null : lstatQuietly(prefix + path);
    if (stat !== null && (!stat || stampOf(stat) !== stamp)) changed.add(path);
  }
  return changed.size <= MOST_CHANGED;
}

function setsRules(path: string): boolean {
  const name = basename(path);
  return name.startsWith('.git') || name === '.sextantignore';
}

/** In a folder that was left out whole, or such a folder itself (a submodule). */
function isBelow(path: string, skipped: ReadonlySet<string>): boolean {
  if (path.endsWith('/') || skipped.has(`${path}/`)) return true;
  for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1))
    if (skipped.has(path.slice(0, slash + 1))) return true;
  return false;
}
