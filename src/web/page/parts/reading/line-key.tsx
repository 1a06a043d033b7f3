/** The key to the styles of lines. */
import { LINE_STYLES } from '../../graph/picture.tsx';

const WORDS = {
  exact: 'proved by scope, import or type',
  likely: 'the only one that fits',
  ambiguous: 'one of several that fit',
} as const;

export function LineKey() {
  return (
    <ul class="line-key" aria-label="Lines">
      {Object.entries(LINE_STYLES).map(([confidence, dashes]) => (
        <li key={confidence} title={WORDS[confidence as keyof typeof WORDS]}>
          <svg viewBox="0 0 26 6" aria-hidden="true">
            <path d="M0,3H26" stroke="currentColor" stroke-width="1.5" stroke-dasharray={dashes} />
          </svg>
          {confidence}
        </li>
      ))}
    </ul>
  );
}
