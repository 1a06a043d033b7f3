/**
 * Refreshes a stale index before a question, if few files have changed and it takes no longer than a user would notice.
 */
import type { Freshness } from '../../model/records/query.ts';
import { duration, plural } from '../render/units.ts';
import type { Session } from './command-session.ts';

/** With more changed files, the index is not refreshed; `sextant sync` does that. */
const MAX_FILES = 20;

/** Returns the answer of `ask` on the refreshed index, or the unchanged `answer`, which says that it is stale. */
export async function askedAgainIfStale<T>(
  session: Session,
  path: string,
  answer: T,
  ask: () => Promise<T>,
): Promise<T> {
  if (!isCaughtUpSoon(freshnessOf(answer))) return answer;
  const withinMs = (await session.settings(path)).values['search.sync_ms'];
  if (withinMs === 0) return answer;
  const engine = await session.engine(path);
  const signal = AbortSignal.any([session.signal, AbortSignal.timeout(withinMs)]);
  try {
    const { filesIndexed, filesRemoved, durationMs } = await engine.index(path, { enclosing: true, signal });
    const files = plural(filesIndexed + filesRemoved, 'changed file');
    session.say(`Brought the index up to date first: ${files} in ${duration(durationMs)}.`);
  } catch (thrown) {
    if (session.signal.aborted) throw thrown;
    // The run took too long, or another process is indexing: return the answer, which says that it is stale.
    return answer;
  }
  return ask();
}

function isCaughtUpSoon(freshness: Freshness | null): boolean {
  if (freshness?.status !== 'stale' || freshness.moved || freshness.outdated) return false;
  return freshness.pending.length > 0 && freshness.pending.length <= MAX_FILES;
}

function freshnessOf(answer: unknown): Freshness | null {
  return (answer as { readonly freshness?: Freshness } | null)?.freshness ?? null;
}
