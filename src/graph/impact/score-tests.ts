/**
 * Which tests tell something about a change? Each sign that a test has to do with it (it calls what changed, imports
 * it, is named after it, used to change with it) has a strength from 0 to 1; together they say more than any alone, and
 * never more than 1. The strengths were set on the tuning half of `npm run bench:impact`.
 */
import type { TestReason } from '../../model/records/impact.ts';

export const STRENGTH = {
  /** A call or use, by its confidence. */
  exact: 0.7,
  likely: 0.6,
  ambiguous: 0.2,
  unresolved: 0.15,
  /** A test counts for less with every step of distance. */
  hop: 0.5,
  imports: 0.5,
  named: 0.6,
  /** Of a name that only has a part in common. */
  nearFolder: 0.3,
  /** Words in common with a name that changed. */
  words: 0.2,
  together: 1.15,
} as const;

/** Below that, a test is one of many that happen to pass by: */
const MIN_SCORE = 0.12;
/** those are named where few others are, up to this share of the suite, as long as there is a sign at all. */
const MIN_SHARE = 0.05;
const MIN_SIGN = 0.02;
/** Tests that are named at most: this share of the suite, or a few where it is small. */
const MAX_SHARE = 0.15;
const FEW = 4;

/**
 * What many tests do tells little about each: of one that alone calls a function, all; of one of a hundred, an eighth.
 */
export function rarity(tests: number): number {
  return 1 / (1 + Math.log2(Math.max(1, tests)));
}

/** Of one sign but the change of the test itself. */
const MAX_STRENGTH = 0.97;

/** Reasons as one score: the chance that at least one of them is right, if each were independent. */
export function combine(reasons: readonly TestReason[]): number {
  let missed = 1;
  for (const { strength } of reasons) missed *= 1 - Math.min(MAX_STRENGTH, Math.max(0, strength));
  return 1 - missed;
}

/** How many of the tests in their order are to be run. */
export function cut(scores: readonly number[], suite: number): number {
  const most = Math.max(FEW, Math.ceil(suite * MAX_SHARE));
  const from = (least: number) => scores.filter((score) => score >= least).length;
  return Math.min(most, Math.max(from(MIN_SCORE), Math.min(Math.ceil(suite * MIN_SHARE), from(MIN_SIGN))));
}
