/** Counts all results under the same filters, independent of the limit. */
import type { Candidates, SearchInput } from '../scoring/collect-candidates.ts';
import { meansSymbol } from '../scoring/name-match.ts';
import { findPlaces } from './choose-places.ts';

/** Up to this many files are counted exactly; counting more, or opening contents to count, would slow the answer. */
const MAX_COUNTED_EXACTLY = 200;

/**
 * Places in files found by words, meaning or names. If files are many, each counts as one; under a filter on chunks,
 * only files with a matching chunk count.
 */
export function countResults(input: SearchInput, found: Pick<Candidates, 'scores' | 'masks' | 'names'>): number {
  const { scores, masks, names } = found;
  if (input.understood.phrases.length > 0) return masks.files?.reduce((sum, allowed) => sum + allowed, 0) ?? 0;
  const { bestChunk, vectorChunk, touched } = scores;
  for (const file of names.keys()) touched.add(file);
  const { list } = touched;
  let count = 0;
  for (let i = 0; i < list.length; i++) {
    const file = list[i]!;
    if (list.length <= MAX_COUNTED_EXACTLY && !meansSymbol(names.get(file)))
      count += findPlaces(input, found, file).length;
    else if (masks.chunk === null || bestChunk[file]! >= 0 || vectorChunk[file]! >= 0) count++;
  }
  return count;
}
