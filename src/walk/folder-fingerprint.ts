/**
 * The fingerprint of a folder: while it stays the same, a walk lists the same files. It is computed from git's output
 * and from the times of those files that git cannot confirm as unchanged.
 */
import { digest } from '../model/runtime/checksum.ts';
import { UNTRACKED } from './git/listing/git-listing.ts';
import type { GitOutcome } from './git/process/git-process.ts';
import { lstatQuietly, statFingerprint } from './lstat-quietly.ts';

export interface FolderFingerprint {
  readonly digest: string;
  /** False if a file changed so recently that its next change may leave the time of the file as it is. */
  readonly isSettled: boolean;
}

/** With more paths than this, their lstat() calls take longer than the walk that the fingerprint saves. */
const MAX_CHANGED_PATHS = 2_000;
const SETTLED_MS = 2_000;
/** The start of every record but `H `, which marks a file that git found unchanged. */
const UNCLEAN_RECORD = /\0(?!H |$)/g;

/**
 * The fingerprint of a folder from the output of runShortListing(); null if git failed or if too many files would have
 * to be looked at.
 */
export function fingerprintFolder(root: string, { code, stdout, stderr }: GitOutcome): FolderFingerprint | null {
  if (code !== 0) return null;
  // latin1 keeps one character per byte: names need not be UTF-8.
  const paths = unconfirmedPaths(stdout.toString('latin1'));
  if (paths.length > MAX_CHANGED_PATHS) return null;
  let times = '';
  const prefix = Buffer.from(root.endsWith('/') ? root : `${root}/`);
  const latest = Date.now() - SETTLED_MS;
  let isSettled = true;
  // .sextantignore counts even if git ignores it.
  for (const path of ['.sextantignore', ...paths]) {
    const stat = lstatQuietly(Buffer.concat([prefix, Buffer.from(path, 'latin1')]));
    if (stat && Math.max(stat.mtimeMs, stat.ctimeMs) > latest) isSettled = false;
    times += `${statFingerprint(stat)}\n`;
  }
  return { digest: digest(stdout, Buffer.from(stderr), Buffer.from(times)), isSettled };
}

/** The paths of a listing that git does not report as unchanged: untracked files, and changed or unmerged ones. */
export function unconfirmedPaths(text: string): string[] {
  const starts = Array.from(text.matchAll(UNCLEAN_RECORD), ({ index }) => index + 1);
  if (text !== '' && !text.startsWith('H ')) starts.unshift(0);
  return starts.map((start) => {
    const record = text.slice(start, text.indexOf('\0', start));
    return record.startsWith(UNTRACKED) ? record.slice(UNTRACKED.length) : record.slice(record.indexOf('\t') + 1);
  });
}
