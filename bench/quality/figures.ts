/** Figures of a list of outcomes. */

export const mean = (values: readonly number[]): number =>
  values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);

/** A score that was shown, and whether what it stood for was right. */
export interface Scored {
  readonly score: number;
  readonly isRight: boolean;
}

/**
 * Chance that a right result has a higher score than a wrong one; equal scores count half. NaN where one kind is
 * missing.
 */
export function areaUnderCurve(results: readonly Scored[]): number {
  const sorted = [...results].sort((a, b) => a.score - b.score);
  let rankSum = 0;
  let right = 0;
  for (let start = 0; start < sorted.length; ) {
    let end = start;
    while (end < sorted.length && sorted[end]!.score === sorted[start]!.score) end++;
    const rank = (start + 1 + end) / 2;
    for (let i = start; i < end; i++)
      if (sorted[i]!.isRight) {
        rankSum += rank;
        right++;
      }
    start = end;
  }
  return (rankSum - (right * (right + 1)) / 2) / (right * (sorted.length - right));
}

const BINS = 10;

/**
 * Expected calibration error: how far, on average, a score is from the share that was right among results with such a
 * score.
 */
export function calibrationError(results: readonly Scored[]): number {
  let error = 0;
  for (let bin = 0; bin < BINS; bin++) {
    const inBin = results.filter(({ score }) => Math.min(BINS - 1, Math.floor(score * BINS)) === bin);
    if (inBin.length === 0) continue;
    const shown = mean(inBin.map(({ score }) => score));
    const right = mean(inBin.map(({ isRight }) => (isRight ? 1 : 0)));
    error += (inBin.length / results.length) * Math.abs(shown - right);
  }
  return error;
}
