/** A score as three steps: how well a result matches, not a number that promises more than it knows. */
const STEPS = [
  { from: 0.6, step: 3, words: 'strong match' },
  { from: 0.25, step: 2, words: 'good match' },
  { from: 0, step: 1, words: 'weak match' },
] as const;

export function strengthOf(score: number) {
  return STEPS.find(({ from }) => score >= from) ?? STEPS[2];
}

export function Strength({ score }: { readonly score: number }) {
  const { step, words } = strengthOf(score);
  return (
    <span class={`strength step-${step}`} title={words}>
      <svg viewBox="0 0 14 10" aria-hidden="true">
        {[1, 2, 3].map((each) => (
          <rect
            key={each}
            x={(each - 1) * 5}
            y={9 - each * 3}
            width="3.5"
            height={each * 3}
            class={each <= step ? 'on' : 'off'}
          />
        ))}
      </svg>
      <span class="hidden">{words}</span>
    </span>
  );
}
