/**
 * A folder in a few characters: two walks between which it stays the same list the same files. Made of what git says about it, as it says it, and of
 * the times of those files that git does not vouch for.
 */
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { UNTRACKED } from './git-listing.ts';
import type { GitOutcome } from './git-process.ts';

export interface FolderPrint {
  readonly text: string;
  /** False where a file has changed so lately that the next change may leave its time as it is. */
  readonly settled: boolean;
}

/** Asking about more files one by one takes longer than it saves. */
const MOST_ASKED = 2_000;
const SETTLED_MS = 2_000;
/** Behind an entry; the next record follows at once. */
const ENTRY_END = /size: \d+\tflags: [0-9a-f]+\n(?!H |$)/g;
const FIRST_DETAILS = /^[^\0]*\0 {2}ctime: \d+:\d+\n {2}mtime: /;

/** Null where git's words are not those we know. */
export function printFolder(root: string, { code, stdout, stderr }: GitOutcome): FolderPrint | null {
  // A unit each byte: names are not looked at, and they need not be UTF-8.
  const paths = code === 0 ? unvouched(stdout.toString('latin1')) : null;
  if (paths === null || paths.length > MOST_ASKED) return null;
  const hash = createHash('sha1').update(stdout).update(`\0${stderr}\0`);
  const prefix = Buffer.from(root.endsWith('/') ? root : `${root}/`);
  const latest = Date.now() - SETTLED_MS;
  let settled = true;
  // Our own rules count even where git ignores them.
  for (const path of ['.sextantignore', ...paths]) {
    const stat = statOf(Buffer.concat([prefix, Buffer.from(path, 'latin1')]));
    if (stat && Math.max(stat.mtimeMs, stat.ctimeMs) > latest) settled = false;
    hash.update(stat ? `${stat.ino} ${stat.mode} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}\n` : '-\n');
  }
  return { text: hash.digest('hex'), settled };
}

/** Untracked files, and tracked ones of which git says anything but that they are as they were. */
function unvouched(text: string): string[] | null {
  const paths: string[] = [];
  /** Reads untracked files from a place on; returns where they end. */
  const readUntracked = (from: number): number => {
    let at = from;
    while (text.startsWith(UNTRACKED, at)) {
      const end = text.indexOf('\0', at);
      paths.push(text.slice(at + UNTRACKED.length, end));
      at = end + 1;
    }
    return at;
  };
  const readTracked = (from: number) => {
    const tab = text.indexOf('\t', from);
    paths.push(text.slice(tab + 1, text.indexOf('\0', tab)));
  };
  const first = readUntracked(0);
  if (first === text.length) return paths;
  if (!FIRST_DETAILS.test(text.slice(first, first + 8_192))) return null;
  if (text[first] !== 'H') readTracked(first);
  for (const { index, 0: end } of text.matchAll(ENTRY_END)) {
    const next = index + end.length;
    if (text.startsWith(UNTRACKED, next)) readUntracked(next);
    else readTracked(next);
  }
  return paths;
}

function statOf(path: Buffer) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
