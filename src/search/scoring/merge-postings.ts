/** The postings of several forms of one word as those of one term. */
import type { Postings } from '../../store/store.ts';

/** A chunk that has several forms counts by the one that it has most, field by field. */
export function mergePostings(lists: readonly Postings[]): Postings {
  const filled = lists.filter(({ docs }) => docs.length > 0);
  if (filled.length === 0) return lists[0]!;
  return filled.reduce(mergeTwo);
}

function mergeTwo(a: Postings, b: Postings): Postings {
  const docs = new Uint32Array(a.docs.length + b.docs.length);
  const values = new Uint16Array(docs.length);
  let count = 0;
  for (let i = 0, j = 0; i < a.docs.length || j < b.docs.length; count++) {
    const left = i < a.docs.length ? a.docs[i]! : Number.POSITIVE_INFINITY;
    const right = j < b.docs.length ? b.docs[j]! : Number.POSITIVE_INFINITY;
    docs[count] = Math.min(left, right);
    const first = left <= right ? a.values[i++]! : 0;
    const second = right <= left ? b.values[j++]! : 0;
    values[count] =
      (Math.max(first >> 8, second >> 8) << 8) |
      (Math.max((first >> 4) & 15, (second >> 4) & 15) << 4) |
      Math.max(first & 15, second & 15);
  }
  return { docs: docs.subarray(0, count), values: values.subarray(0, count) };
}
