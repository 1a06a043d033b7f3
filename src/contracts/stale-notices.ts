/** A word on the index's age, for contracts whose answers have no field for it; none where it holds what the files hold. */
import type { Freshness } from '../model/query.ts';

const NAMED = 5;

export function staleNotices({ status, pending, moved, failure, ref }: Omit<Freshness, 'indexedAtMs'>): string[] {
  if (status === 'fresh') return [];
  const mend =
    status === 'syncing' ? 'It is being brought up to date: call again in a moment.' : 'Call index_codebase to follow.';
  return [
    `${moved ? `${ref} has moved since it was indexed.` : changed(pending)} ${mend}`,
    ...(failure ? [`The last update failed: ${failure}`] : []),
  ];
}

function changed(paths: readonly string[]): string {
  if (paths.length === 0) return 'Files have changed since the index was made.';
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : '';
  return `Changed since the index was made: ${paths.slice(0, NAMED).join(', ')}${more}.`;
}
