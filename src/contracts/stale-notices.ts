/** A word on the index's age, for contracts whose answers have no field for it; none where it holds what the files hold. */
import type { Freshness } from '../model/query.ts';

const NAMED = 5;

export function staleNotices({
  status,
  pending,
  failure,
}: Pick<Freshness, 'status' | 'pending' | 'failure'>): string[] {
  if (status === 'fresh') return [];
  const more = pending.length > NAMED ? ` and ${pending.length - NAMED} more` : '';
  const changed =
    pending.length > 0
      ? `Changed since the index was made: ${pending.slice(0, NAMED).join(', ')}${more}.`
      : 'Files have changed since the index was made.';
  const mend =
    status === 'syncing'
      ? 'It is being brought up to date: call again in a moment.'
      : 'Call index_codebase to take them in.';
  return [`${changed} ${mend}`, ...(failure ? [`The last update failed: ${failure}`] : [])];
}
