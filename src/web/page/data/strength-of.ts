/** Converts a score to one of three levels, because an exact number would suggest more precision than it has. */
const STEPS = [
  { from: 0.6, step: 3, words: 'strong match' },
  { from: 0.25, step: 2, words: 'good match' },
  { from: 0, step: 1, words: 'weak match' },
] as const;

export function strengthOf(score: number) {
  return STEPS.find(({ from }) => score >= from) ?? STEPS[2];
}
