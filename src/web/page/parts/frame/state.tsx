/** The state of the index, and its progress during a run. */
import type { ProjectStatus } from '../../../../engine/engine.ts';
import type { IndexProgress } from '../../../../model/records/progress.ts';
import { ago, count, duration } from '../../data/format-values.ts';

export interface State {
  readonly tone: 'good' | 'warn' | 'bad' | 'busy';
  readonly words: string;
}

function stateOf(status: ProjectStatus): State {
  if (status.schema === 'reindex_required' || status.schema === 'corrupt_manifest')
    return { tone: 'bad', words: 'The index cannot be read. Run `sextant index --force`.' };
  if (status.indexing === 'indexing') return { tone: 'busy', words: 'Indexing' };
  if (status.indexing === 'failed')
    return { tone: 'bad', words: `The last run failed: ${status.failure ?? 'unknown'}` };
  if (status.indexing === 'not_indexed') return { tone: 'warn', words: 'Not indexed yet' };
  // The name of the repository stands beside it.
  const snapshot = status.snapshot?.replace(`${status.project.root} `, '');
  if (status.freshness === 'fresh') return { tone: 'good', words: snapshot ?? 'Up to date' };
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

const PHASES: Readonly<Record<IndexProgress['phase'], string>> = {
  walk: 'Finding files',
  parse: 'Reading code',
  embed: 'Comparing meanings',
  publish: 'Publishing',
  done: 'Done',
};

interface ProgressProps {
  readonly status: ProjectStatus;
  /** True to show, in the same space, that the run has ended. */
  readonly isDone?: boolean;
}

/** Bar, current file and time left; nothing without a run. */
export function Progress({ status, isDone = false }: ProgressProps) {
  const { activeJob: job, progress } = status;
  if (isDone) return <Done files={status.fileCount} />;
  if (status.indexing !== 'indexing') return null;
  const done = progress?.done ?? job?.done ?? 0;
  const total = progress?.total ?? job?.total ?? 0;
  const share = progress?.share ?? (total > 0 ? done / total : 0);
  const elapsedMs = job ? Date.now() - job.createdAtMs : 0;
  const isReading = progress === null || progress.phase === 'parse';
  const leftMs = isReading && share > 0.03 && elapsedMs > 0 ? (elapsedMs / share) * (1 - share) : null;
  return (
    <div class="progress">
      <progress max={1} aria-label="Indexing" {...(total > 0 && { value: share })} />
      <p>
        {progress ? PHASES[progress.phase] : 'Indexing'}
        {total > 0 && isReading && ` · ${count(done)} of ${count(total)} files`}
        {leftMs !== null && ` · about ${duration(leftMs)} left`}
      </p>
      <p class="soft place current-file">{progress?.currentFile ?? '\u00a0'}</p>
    </div>
  );
}

function Done({ files }: { readonly files: number }) {
  return (
    <div class="progress">
      <progress max={1} value={1} aria-label="Indexing" />
      <p>{count(files)} files indexed</p>
      <p class="soft place current-file">{'\u00a0'}</p>
    </div>
  );
}
