/**
 * Scores tests for a change. Each sign (the test calls a touched symbol, imports its file, is named after it, used to
 * change with it) has a strength from 0 to 1. Together they score higher than any alone, and never above 1. The
 * strengths were set on the tuning half of `npm run bench:impact`.
 */
import type { TestReason } from '../../model/records/impact.ts';

export const STRENGTH = {
  /** A call or use, by confidence. */
  exact: 0.7,
  likely: 0.6,
  ambiguous: 0.2,
  unresolved: 0.15,
  /** The factor for each hop. */
  hop: 0.5,
  imports: 0.5,
  named: 0.6,
  /** The share of a name match that depends on the distance of the folders. */
  nearFolder: 0.3,
  /** Words shared with a changed name. */
  words: 0.2,
  together: 1.15,
} as const;

/** A test below this score is named only if few tests are above it, */
const MIN_SCORE = 0.12;
/** up to this share of the suite, and only with this score at least. */
const MIN_SHARE = 0.05;
const MIN_SIGN = 0.02;
/** At most this share of the suite is named, or a few tests of a small one. */
const MAX_SHARE = 0.15;
const FEW = 4;

/** How much a sign counts that several tests share: 1 for one test, an eighth for a hundred. */
export function rarity(tests: number): number {
  return 1 / (1 + Math.log2(Math.max(1, tests)));
}

/** The limit for each sign, except for a change of the test itself. */
const MAX_STRENGTH = 0.97;

/** Combines reasons as if they were independent: the chance that at least one of them is right. */
export function combine(reasons: readonly TestReason[]): number {
  let missed = 1;
  for (const { strength } of reasons) missed *= 1 - Math.min(MAX_STRENGTH, Math.max(0, strength));
  return 1 - missed;
}

/** How many of the ranked tests are to be run. */
export function cut(scores: readonly number[], suite: number): number {
  const most = Math.max(FEW, Math.ceil(suite * MAX_SHARE));
  const from = (least: number) => scores.filter((score) => score >= least).length;
  return Math.min(most, Math.max(from(MIN_SCORE), Math.min(Math.ceil(suite * MIN_SHARE), from(MIN_SIGN))));
}
