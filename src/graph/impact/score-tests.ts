/**
 * Which tests tell something about a change? Each sign that a test has to do with it (it calls what changed, imports it, is named after it,
 * used to change with it) has a strength from 0 to 1; together they say more than any alone, and never more than 1. The strengths were set
 * on the tuning half of `npm run bench:impact`.
 */
import type { TestReason } from '../../model/records/impact.ts';

export const STRENGTH = {
  /** A call or use, by its confidence. */
  exact: 0.7,
  likely: 0.6,
  ambiguous: 0.2,
  unresolved: 0.15,
  /** What is further away counts for less with every step. */
  hop: 0.5,
  imports: 0.5,
  named: 0.85,
  /** Of a name that only has a part in common. */
  nearFolder: 0.3,
  together: 0.9,
} as const;

/** Below that, a test is one of many that happen to pass by. */
export const MIN_SCORE = 0.16;
/** Tests that are named at most: this share of the suite, or a few where it is small. */
export const MAX_SHARE = 0.15;
export const FEW = 4;

/** What many tests do tells little about each: of one that alone calls a function, all; of one of a hundred, an eighth. */
export function rarity(tests: number): number {
  return 1 / (1 + Math.log2(Math.max(1, tests)));
}

/** Reasons as one score: the chance that at least one of them is right, if each were independent. */
export function combine(reasons: readonly TestReason[]): number {
  let missed = 1;
  for (const { strength } of reasons) missed *= 1 - Math.min(1, Math.max(0, strength));
  return 1 - missed;
}

/** How many of the tests in their order are to be run. */
export function cut(scores: readonly number[], suite: number): number {
  const most = Math.max(FEW, Math.ceil(suite * MAX_SHARE));
  const enough = scores.filter((score) => score >= MIN_SCORE).length;
  return Math.min(most, enough);
}
