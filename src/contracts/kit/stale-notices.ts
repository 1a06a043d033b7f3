/** A sentence about a stale index, for contracts whose answers have no field for it; empty if the index is fresh. */
import type { Freshness } from '../../model/records/query.ts';

const MAX_NAMED_FILES = 5;

type Age = Omit<Freshness, 'indexedAtMs'>;

export function staleNotices(age: Age): string[] {
  const { status, failure } = age;
  if (status === 'fresh') return [];
  const mend =
    status === 'syncing' ? 'It is being brought up to date: call again in a moment.' : 'Call index_codebase to follow.';
  return [`${reason(age)} ${mend}`, ...(failure ? [`The last update failed: ${failure}`] : [])];
}

function reason({ pending: paths, moved, outdated, ref }: Age): string {
  if (moved) return `${ref} has moved since it was indexed.`;
  if (outdated) return 'Another version of Sextant made this index.';
  if (paths.length === 0) return 'Files have changed since the index was made.';
  const more = paths.length > MAX_NAMED_FILES ? ` and ${paths.length - MAX_NAMED_FILES} more` : '';
  return `Changed since the index was made: ${paths.slice(0, MAX_NAMED_FILES).join(', ')}${more}.`;
}
