/** The state of the index in a few words, and its progress while it is being made. */
import type { ProjectStatus } from '../../../engine/engine.ts';
import { ago, count, duration } from '../data/words.ts';

export interface State {
  readonly tone: 'good' | 'warn' | 'bad' | 'busy';
  readonly words: string;
}

export function stateOf(status: ProjectStatus): State {
  if (status.schema === 'reindex_required' || status.schema === 'corrupt_manifest')
    return { tone: 'bad', words: 'The index cannot be read. Run `sextant index --force`.' };
  if (status.indexing === 'indexing') return { tone: 'busy', words: 'Indexing' };
  if (status.indexing === 'failed')
    return { tone: 'bad', words: `The last run failed: ${status.failure ?? 'unknown'}` };
  if (status.indexing === 'not_indexed') return { tone: 'warn', words: 'Not indexed yet' };
  if (status.freshness === 'fresh') return { tone: 'good', words: 'Up to date' };
  const pending = status.pending.length;
  return {
    tone: 'warn',
    words: status.moved
      ? `${status.ref} has moved since it was indexed`
      : pending > 0
        ? `${count(pending)} changed file${pending === 1 ? '' : 's'} not indexed yet`
        : status.outdated
          ? 'Made by another version'
          : `Index ${status.freshness}`,
  };
}

export function StateDot({ status }: { readonly status: ProjectStatus }) {
  const { tone, words } = stateOf(status);
  const when = status.lastIndexedAtMs === null ? '' : `, indexed ${ago(status.lastIndexedAtMs)}`;
  return (
    <span class={`state ${tone}`} title={words + when}>
      <span class="dot" aria-hidden="true" />
      <span class="words">{words}</span>
    </span>
  );
}

/** Bar, file and time left; nothing while no run is under way. */
export function Progress({ status }: { readonly status: ProjectStatus }) {
  const job = status.activeJob;
  if (status.indexing !== 'indexing') return null;
  const share = job && job.total > 0 ? job.done / job.total : 0;
  const elapsedMs = job ? Date.now() - job.createdAtMs : 0;
  const leftMs = share > 0.02 ? (elapsedMs / share) * (1 - share) : null;
  return (
    <div class="progress">
      <progress max={1} aria-label="Indexing" {...(job && job.total > 0 && { value: share })} />
      <p>
        {job && job.total > 0 ? `${count(job.done)} of ${count(job.total)} files` : 'Looking for files'}
        {leftMs !== null && ` · about ${duration(leftMs)} left`}
      </p>
    </div>
  );
}
