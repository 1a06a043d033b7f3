/**
 * Compares two of git's listings of one folder. Most of their bytes are the same, so it compares blocks of bytes and
 * parses only the records that differ.
 */
import { isUtf8 } from 'node:buffer';
import { UNTRACKED } from './git-listing.ts';

const CHANGED = 'C ';
const BLOCK_BYTES = 4096;

/**
 * The paths of tracked files whose records differ. Null if there are more than `maxPaths`, or if a file came or went:
 * then the verdicts on other files may change, too.
 */
export function findChangedRecords(before: Buffer, now: Buffer, maxPaths: number): Set<string> | null {
  const changed = new Set<string>();
  let [a, b] = [0, 0];
  for (;;) {
    const same = samePrefix(before.subarray(a), now.subarray(b));
    // Step back to the start of the record: it follows the last zero byte of the common prefix.
    const recordStart = before.subarray(a, a + same).lastIndexOf(0) + 1;
    a += recordStart;
    b += recordStart;
    const [one, other] = [recordAt(before, a), recordAt(now, b)];
    if (one === null && other === null) return changed;
    let path: string | null;
    // A changed file has a second record, "C", which is there or not while the first one stays the same.
    if (other?.startsWith(CHANGED) && one !== other) {
      path = pathOf(other);
      b = endOf(now, b);
    } else if (one?.startsWith(CHANGED)) {
      path = pathOf(one);
      a = endOf(before, a);
    } else {
      path = one === null || other === null ? null : pathOf(one);
      if (path === null || pathOf(other!) !== path) return null;
      a = endOf(before, a);
      b = endOf(now, b);
    }
    if (path === null) return null;
    changed.add(path);
    if (changed.size > maxPaths) return null;
  }
}

/** The length of the common prefix in bytes. */
function samePrefix(one: Buffer, other: Buffer): number {
  const length = Math.min(one.length, other.length);
  let same = 0;
  while (
    same + BLOCK_BYTES <= length &&
    one.subarray(same, same + BLOCK_BYTES).equals(other.subarray(same, same + BLOCK_BYTES))
  )
    same += BLOCK_BYTES;
  while (same < length && one[same] === other[same]) same++;
  return same;
}

function recordAt(listing: Buffer, start: number): string | null {
  if (start >= listing.length) return null;
  const record = listing.subarray(start, endOf(listing, start) - 1);
  return isUtf8(record) ? record.toString('utf8') : '';
}

function endOf(listing: Buffer, start: number): number {
  const end = listing.indexOf(0, start);
  return end < 0 ? listing.length + 1 : end + 1;
}

/** The path in a tracked file's record; null for any other record. */
function pathOf(record: string): string | null {
  const tab = record.indexOf('\t');
  return tab < 0 || record.startsWith(UNTRACKED) ? null : record.slice(tab + 1);
}
