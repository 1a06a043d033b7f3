/**
 * Decides how much of each result an answer shows: code for the best result and those close to it, one line for further
 * ones, nothing for the rest. It compares scores within one answer only, so any scale works.
 */

/**
 * Results with at least this share of the best score are quoted: two of ten results on average
 * (`npm run bench:questions`).
 */
const QUOTED_SHARE = 0.5;
/** Results below this share are left out: half of all results, with one in fifteen of the right functions. */
const LISTED_SHARE = 0.1;
const MAX_QUOTED = 3;
/**
 * Lines of code of a single quoted result, of the first of several, and of the others, for which the declaration and
 * the best line suffice.
 */
const LINES = { alone: 16, first: 12, other: 4 } as const;

export type Telling = 'quoted' | 'listed' | 'left out';

/** The form of each result, in the order of the scores. With `all`, none is left out. */
export function chooseDetail(scores: readonly number[], all = false): readonly Telling[] {
  const best = Math.max(0, ...scores);
  let quoted = 0;
  return scores.map((score) => {
    if (score >= best * QUOTED_SHARE && quoted < MAX_QUOTED) {
      quoted++;
      return 'quoted';
    }
    return all || score >= best * LISTED_SHARE ? 'listed' : 'left out';
  });
}

/** The lines of code to quote of the result at `rank` (from 0), if `quoted` results are quoted. */
export function quotedLines(rank: number, quoted: number): number {
  if (rank > 0) return LINES.other;
  return quoted > 1 ? LINES.first : LINES.alone;
}
