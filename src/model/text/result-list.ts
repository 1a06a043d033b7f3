/**
 * Where a ranked list stops being an answer. A clear winner is quoted alone, results that come close to it are quoted
 * too, what is left of the answer takes a line each, and the rest is left out. Scores are compared within one answer
 * only, so the rule holds for any scale.
 */

/**
 * Of the best score: from here on a result may be the answer as well. At 0.5 two results of ten are left on average
 * (`npm run bench:questions`).
 */
const CLOSE = 0.5;
/** Below this share of the best score, one right function in fifteen was found, five results of ten. */
const WORTH_A_LINE = 0.1;
const MAX_QUOTED = 3;
/**
 * Lines of code: of a winner alone, of the first of several, of the others, whose declaration and best line are enough
 * to choose by.
 */
const LINES = { alone: 16, first: 12, other: 4 } as const;

export type Telling = 'quoted' | 'listed' | 'left out';

/** The form of each result, in the order given. `all` leaves none out. */
export function chooseDetail(scores: readonly number[], all = false): readonly Telling[] {
  const best = Math.max(0, ...scores);
  let quoted = 0;
  return scores.map((score) => {
    if (score >= best * CLOSE && quoted < MAX_QUOTED) {
      quoted++;
      return 'quoted';
    }
    return all || score >= best * WORTH_A_LINE ? 'listed' : 'left out';
  });
}

/** Lines of code to quote of the result at `rank`, from 0, where `quoted` results are. */
export function quotedLines(rank: number, quoted: number): number {
  if (rank > 0) return LINES.other;
  return quoted > 1 ? LINES.first : LINES.alone;
}
