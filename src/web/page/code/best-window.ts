/**
 * The first line of the window with the most marks; the beginning, which has the signature, unless another window
 * clearly has more.
 */
export function bestWindow(weights: readonly number[], size: number): number {
  if (weights.length <= size) return 0;
  const capped = weights.map((weight) => Math.min(3, weight));
  let sum = capped.slice(0, size).reduce((a, b) => a + b, 0);
  let best = 0;
  let bestSum = sum + 1;
  for (let i = 1; i + size <= capped.length; i++) {
    sum += capped[i + size - 1]! - capped[i - 1]!;
    if (sum > bestSum) [best, bestSum] = [i, sum];
  }
  return best;
}
