/** Counts all results under the same filters, independent of the limit. */
import type { Candidates, SearchInput } from '../scoring/collect-candidates.ts';
import { meansSymbol } from '../scoring/name-match.ts';
import { findPlaces } from './choose-places.ts';

/** Places are counted in up to this many files: counting them in more would slow the answer. */
const MAX_COUNTED_EXACTLY = 200;

/**
 * Counts places in the files that words, vectors or names found. In many files, each file counts as one place; under a
 * filter on chunks, only files with a matching chunk count.
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
