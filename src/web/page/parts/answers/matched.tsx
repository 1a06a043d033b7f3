import type { Contribution } from '../../../../model/records/query.ts';
import { matchedBy } from '../../data/matched-by.ts';

export function Matched({ explanation }: { readonly explanation: readonly Contribution[] | undefined }) {
  const words = matchedBy(explanation ?? []);
  if (words.length === 0) return null;
  return <span class="matched">matched {words.join(', ')}</span>;
}
