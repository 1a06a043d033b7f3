/**
 * A short digest of a folder: while it stays the same, a walk lists the same files. Made of git's own output and of the
 * times of files that git cannot confirm as unchanged.
 */
import { digest } from '../model/runtime/checksum.ts';
import type { GitOutcome } from './git/git-process.ts';
import { UNTRACKED } from './git/listing/git-listing.ts';
import { inNumbers, lstatQuietly } from './lstat-quietly.ts';

export interface FolderPrint {
  readonly text: string;
  /** False where a file has changed so lately that the next change may leave its time as it is. */
  readonly settled: boolean;
}

/** Asking about more files one by one takes longer than it saves. */
const MAX_CHANGED_PATHS = 2_000;
const SETTLED_MS = 2_000;
/** Begins a record, any but that of a file which git has found as it was. */
const NOT_CLEAN = /\0(?!H |$)/g;

/**
 * The fingerprint of a folder from the output of `git status --porcelain`; null if git failed or too many files would
 * have to be looked at.
 */
export function printFolder(root: string, { code, stdout, stderr }: GitOutcome): FolderPrint | null {
  if (code !== 0) return null;
  // A unit each byte: names need not be UTF-8.
  const paths = unvouched(stdout.toString('latin1'));
  if (paths.length > MAX_CHANGED_PATHS) return null;
  let times = '';
  const prefix = Buffer.from(root.endsWith('/') ? root : `${root}/`);
  const latest = Date.now() - SETTLED_MS;
  let settled = true;
  // Our own rules count even where git ignores them.
  for (const path of ['.sextantignore', ...paths]) {
    const stat = lstatQuietly(Buffer.concat([prefix, Buffer.from(path, 'latin1')]));
    if (stat && Math.max(stat.mtimeMs, stat.ctimeMs) > latest) settled = false;
    times += `${inNumbers(stat)}\n`;
  }
  return { text: digest(stdout, Buffer.from(stderr), Buffer.from(times)), settled };
}

/** Untracked files, and tracked ones of which git says anything but that they are as they were. */
export function unvouched(text: string): string[] {
  const starts = Array.from(text.matchAll(NOT_CLEAN), ({ index }) => index + 1);
  if (text !== '' && !text.startsWith('H ')) starts.unshift(0);
  return starts.map((start) => {
    const record = text.slice(start, text.indexOf('\0', start));
    return record.startsWith(UNTRACKED) ? record.slice(UNTRACKED.length) : record.slice(record.indexOf('\t') + 1);
  });
}
