/** Draws shares of a whole as one bar with a legend. */
import { count } from '../data/format-values.ts';

export interface Share {
  readonly name: string;
  readonly amount: number;
  readonly href?: string;
}

const MAX_SHARES = 7;

export function Shares({
  shares,
  unit,
  label,
}: {
  readonly shares: readonly Share[];
  readonly unit: string;
  readonly label: string;
}) {
  const total = shares.reduce((sum, { amount }) => sum + amount, 0) || 1;
  const shown = [...shares].sort((a, b) => b.amount - a.amount).slice(0, MAX_SHARES);
  const rest = total - shown.reduce((sum, { amount }) => sum + amount, 0);
  const all = rest > 0 ? [...shown, { name: 'other', amount: rest }] : shown;
  let at = 0;
  return (
    <figure class="shares">
      <svg viewBox="0 0 100 3" preserveAspectRatio="none" role="img" aria-label={label}>
        {all.map(({ name, amount }, i) => {
          const x = at;
          const width = (amount / total) * 100;
          at += width;
          return <rect key={name} class={`slot-${i}`} x={x} width={Math.max(0, width - 0.25)} y="0" height="3" />;
        })}
      </svg>
      <figcaption>
        <ul>
          {all.map(({ name, amount, ...more }, i) => (
            <li key={name}>
              <span class={`swatch slot-${i}`} aria-hidden="true" />
              {'href' in more && more.href ? <a href={more.href}>{name}</a> : name}{' '}
              <span class="soft" title={`${count(amount)} ${unit}`}>
                {share(amount / total)}
              </span>
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}

function share(part: number): string {
  return part >= 0.1 ? `${Math.round(part * 100)} %` : part >= 0.001 ? `${(part * 100).toFixed(1)} %` : '<0.1 %';
}
