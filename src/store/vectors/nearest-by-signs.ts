/** Chooses the vectors whose signs differ least from those of a query. */
import type { NearestChunks } from '../store.ts';

/** With fewer rows, multiplying all of them is faster than choosing among them by their signs. */
const MIN_ROWS_FOR_SIGNS = 20_000;

/**
 * About `count` chunks with the fewest differing signs. `differences` is the histogram of one set of vectors, or the
 * sum over several sets; `within` returns the wanted chunks up to a number of differences. The histogram counts rows of
 * other trees, too, so the limit is raised until enough wanted chunks are found. Null if there are so few rows that all
 * should be scored.
 */
export function nearestBySigns(
  differences: Uint32Array,
  count: number,
  within: (maxDifferences: number) => NearestChunks,
): NearestChunks | null {
  const rows = differences.reduce((sum, each) => sum + each, 0);
  if (rows < MIN_ROWS_FOR_SIGNS) return null;
  for (let goal = count; ; goal *= 2) {
    const near = within(differencesOfNearest(differences, goal));
    if (near.chunks.length >= count / 2 || goal >= rows) return near;
  }
}

/** The lowest number of differences up to which the histogram has `count` rows. */
function differencesOfNearest(histogram: Uint32Array, count: number): number {
  let max = 0;
  for (let sum = histogram[0]!; sum < count && max < histogram.length - 1; ) sum += histogram[++max]!;
  return max;
}
