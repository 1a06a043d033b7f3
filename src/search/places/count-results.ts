/** How many results there are beyond those that are shown: under the same filters, and the same whatever the limit. */
import type { Candidates, SearchInput } from '../scoring/collect-candidates.ts';
import { meansSymbol } from '../scoring/name-match.ts';
import { places } from './choose-places.ts';

/**
 * Up to so many files are counted as they would be shown; more would be felt in an answer's time, and so would opening
 * contents to count.
 */
const FEW_FILES = 200;

/**
 * Places in files that words, meaning or names brought in. Of many files, each counts for one; where a filter asks
 * about chunks, those that were found to have one.
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
    if (list.length <= FEW_FILES && !meansSymbol(names.get(file))) count += places(input, found, file).length;
    else if (masks.chunk === null || bestChunk[file]! >= 0 || vectorChunk[file]! >= 0) count++;
  }
  return count;
}
