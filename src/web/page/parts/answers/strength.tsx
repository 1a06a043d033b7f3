import { strengthOf } from '../../data/strength-of.ts';

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
