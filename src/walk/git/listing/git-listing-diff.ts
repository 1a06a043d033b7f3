/**
 * What differs between two listings of one folder by git, without reading either of them record by record: most of the
 * bytes are the same, and comparing bytes is nearly free.
 */
import { isUtf8 } from 'node:buffer';
import { UNTRACKED } from './git-listing.ts';

const CHANGED = 'C ';
const STEP = 4096;

/**
 * Paths of tracked files whose records differ. Null if more than `most` do, or if a file came or went, since other
 * files may then be judged differently.
 */
export function changedRecords(before: Buffer, now: Buffer, most: number): Set<string> | null {
  const changed = new Set<string>();
  let [a, b] = [0, 0];
  for (;;) {
    const same = samePrefix(before.subarray(a), now.subarray(b));
    // Back to the start of the record: the last zero byte of the common part ends the record before it.
    const whole = before.subarray(a, a + same).lastIndexOf(0) + 1;
    a += whole;
    b += whole;
    const [one, other] = [recordAt(before, a), recordAt(now, b)];
    if (one === null && other === null) return changed;
    let path: string | null;
    // A second record that says "changed" comes and goes beside the first.
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
    if (changed.size > most) return null;
  }
}

/** How many bytes the two begin with in common. */
function samePrefix(one: Buffer, other: Buffer): number {
  const length = Math.min(one.length, other.length);
  let same = 0;
  while (same + STEP <= length && one.subarray(same, same + STEP).equals(other.subarray(same, same + STEP)))
    same += STEP;
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

/** Of a tracked file; null for anything else. */
function pathOf(record: string): string | null {
  const tab = record.indexOf('\t');
  return tab < 0 || record.startsWith(UNTRACKED) ? null : record.slice(tab + 1);
}
