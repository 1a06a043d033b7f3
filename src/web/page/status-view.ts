import { fileAddress } from './addresses.ts';
import { ago, type Child, count, h } from './dom.ts';
import { callTool, type Json, readResource, tokenOfTab } from './mcp.ts';
import { problem } from './problem.ts';

const LANGUAGES_SHOWN = 12;

export async function statusView(_parameters: URLSearchParams, signal: AbortSignal): Promise<readonly Child[]> {
  const status = await callTool('get_status', {}, signal);
  const pending = (status.not_yet_indexed as readonly string[] | undefined) ?? [];
  return [
    h('h1', {}, String(status.project)),
    h('p', { class: 'soft' }, `${String(status.root)} · ${String(status.ref)}`),
    stateText(status),
    h(
      'dl',
      { class: 'figures' },
      ...figures(status).map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
    ),
    pending.length > 0 &&
      h(
        'section',
        {},
        h('h2', {}, 'Changed, not yet in the index'),
        h('ul', {}, ...pending.map((path) => h('li', {}, h('a', { class: 'stop', href: fileAddress(path) }, path)))),
      ),
    bars('Languages, by files', status.languages as Record<string, number>, LANGUAGES_SHOWN),
    skipped(status.skipped as Record<string, number> | undefined),
    h('h2', {}, 'Connect an agent'),
    h('p', {}, h('code', {}, `claude mcp add --transport http sextant ${location.origin}/mcp${tokenHeader()}`)),
  ];
}

/** Without the token itself: what is shown is copied. */
function tokenHeader(): string {
  return tokenOfTab() === null ? '' : ' --header "Authorization: Bearer $SEXTANT_TOKEN"';
}

function stateText(status: Json): HTMLElement {
  const job = status.job as { done: number; total: number } | undefined;
  const [tone, words] =
    status.schema === 'reindex_required' || status.schema === 'corrupt_manifest'
      ? ['bad', 'The index cannot be read. Run `sextant index --force`.']
      : status.state === 'indexing'
        ? ['warn', `Being indexed: ${count(job?.done ?? 0)} of ${count(job?.total ?? 0)} files.`]
        : status.state === 'not_indexed'
          ? ['warn', 'Not indexed. Run `sextant index`.']
          : status.state === 'failed'
            ? ['bad', 'The last run failed. `sextant status` says why.']
            : status.freshness === 'fresh'
              ? ['good', 'Ready and fresh.']
              : ['warn', `Ready, ${String(status.freshness)}.`];
  return h('p', { class: tone!, 'data-state': String(status.state) }, words!);
}

function figures(status: Json): [string, string][] {
  const indexedAt = status.indexed_at as string | undefined;
  return [
    ['Files', count(status.files)],
    ['Lines', count(status.lines)],
    ['Symbols', count(status.symbols)],
    ['Chunks', count(status.chunks)],
    ['Vectors', count(status.vectors)],
    ['Index', `${count(status.index_mb)} MB`],
    ['Indexed', indexedAt ? ago(indexedAt) : 'never'],
    ['Follows changes', status.watching === 'off' ? 'no' : `by ${String(status.watching)}`],
  ];
}

function bars(title: string, amounts: Record<string, number>, shown: number): Child {
  const sorted = Object.entries(amounts).sort(([, a], [, b]) => b - a);
  const most = sorted[0]?.[1] ?? 0;
  if (most === 0) return null;
  const rows = sorted.slice(0, shown).flatMap(([name, amount]) => {
    const bar = h('div', { class: 'bar', 'aria-hidden': 'true' });
    bar.style.width = `${(amount / most) * 100}%`;
    return [h('span', {}, name), bar, h('span', { class: 'count' }, count(amount))];
  });
  return h(
    'section',
    {},
    h('h2', {}, title),
    h('div', { class: 'bars' }, ...rows),
    sorted.length > shown && h('p', { class: 'soft' }, `and ${sorted.length - shown} more`),
  );
}

interface SkippedFiles {
  readonly total: number;
  readonly files: readonly { readonly path: string; readonly reason: string; readonly detail?: string }[];
}

/** The reasons at once; the files when they are asked for. */
function skipped(reasons: Record<string, number> | undefined): Child {
  const found = Object.entries(reasons ?? {}).filter(([, amount]) => amount > 0);
  if (found.length === 0) return null;
  const words = found.map(([reason, amount]) => `${count(amount)} ${reason.replaceAll('_', ' ')}`).join(', ');
  const box = h('details', {}, h('summary', { class: 'stop' }, words));
  const load = async () => {
    const { files, total } = (await readResource('sextant://skipped')) as unknown as SkippedFiles;
    const rows = files.map(({ path, reason, detail }) =>
      h(
        'tr',
        {},
        h('td', {}, path),
        h('td', {}, reason.replaceAll('_', ' ')),
        h('td', { class: 'soft' }, detail ?? ''),
      ),
    );
    box.append(h('table', {}, h('tbody', {}, ...rows)));
    if (total > files.length) box.append(h('p', { class: 'soft' }, `and ${count(total - files.length)} more`));
  };
  box.addEventListener('toggle', () => load().catch((error: unknown) => box.append(problem(error))), { once: true });
  return h('section', {}, h('h2', {}, 'Left out'), box);
}
