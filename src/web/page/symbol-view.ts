import { fileAddress, to } from './addresses.ts';
import { codeBlock } from './code-block.ts';
import { type Child, count, h, plural } from './dom.ts';
import { cutSource, parseLines } from './lines.ts';
import { callTool, type Json } from './mcp.ts';
import { stateLine } from './search-view.ts';

interface Place {
  readonly path: string;
  readonly line?: number;
  readonly lines?: string;
  readonly name?: string;
  readonly kind?: string;
  readonly text?: string;
  readonly in?: string;
  readonly target?: string;
  readonly id?: string;
  readonly confidence?: string;
}

const SECTIONS = [
  ['callers', 'Called and used by'],
  ['callees', 'Calls'],
  ['implementers', 'Implemented by'],
  ['tests', 'Tests'],
] as const;

export async function symbolView(parameters: URLSearchParams, signal: AbortSignal): Promise<readonly Child[]> {
  const name = parameters.get('name') ?? '';
  const answer = await callTool('locate_symbol', { name, detail: true, max_tokens: 20_000 }, signal);
  const detail = answer.detail as (Json & { readonly path: string; readonly lines: string }) | undefined;
  if (!detail) {
    const near = (answer.nearest_names as readonly string[] | undefined) ?? [];
    return [
      h('h1', {}, `No symbol ${name}`),
      near.length > 0 &&
        h('p', {}, ...near.flatMap((n, i) => [i > 0 ? ', ' : '', h('a', { href: to('symbol', { name: n }) }, n)])),
    ];
  }
  const others = (answer.results as readonly Place[]).slice(1);
  return [
    h('h1', {}, String(detail.name), ' ', h('span', { class: 'chip' }, String(detail.kind))),
    h(
      'p',
      {},
      h('a', { class: 'stop', href: fileAddress(detail.path, detail.lines) }, `${detail.path}:${detail.lines}`),
    ),
    stateLine(answer),
    detail.doc ? h('p', {}, String(detail.doc)) : null,
    source(String(detail.source), detail),
    members(detail),
    ...SECTIONS.map(([key, title]) => section(title, detail, key)),
    table('Of the same or a similar name', others),
  ];
}

function source(text: string, { path, lines }: { readonly path: string; readonly lines: string }): HTMLElement {
  const { code, startLine, left } = cutSource(text, parseLines(lines)?.last ?? 1);
  return h(
    'div',
    { class: 'card' },
    codeBlock(code, { path, startLine }),
    left > 0 && h('p', { class: 'soft' }, `… ${plural(left, 'more line')}`),
  );
}

function members(detail: Json & { readonly path: string }): Child {
  const entries = (detail.members as readonly Place[] | undefined) ?? [];
  return table(
    'Members',
    entries.map((entry) => ({ ...entry, path: detail.path })),
    detail.more_members,
  );
}

function section(title: string, detail: Json, key: string): Child {
  return table(title, (detail[key] as readonly Place[] | undefined) ?? [], detail[`more_${key}`]);
}

function table(title: string, places: readonly Place[], more?: unknown): Child {
  if (places.length === 0) return null;
  return h(
    'section',
    {},
    h('h2', {}, title),
    h('table', {}, h('tbody', {}, ...places.map(row))),
    more === undefined ? null : h('p', { class: 'soft' }, `and ${count(more)} more`),
  );
}

function row(place: Place): HTMLElement {
  const lines = place.lines ?? String(place.line ?? '');
  const named = place.target ?? place.in ?? place.name ?? '';
  return h(
    'tr',
    {},
    h('td', {}, h('a', { class: 'stop', href: fileAddress(place.path, lines) }, `${place.path}:${lines}`)),
    h('td', {}, named === '' ? '' : h('a', { href: to('symbol', { name: place.id ?? named }) }, named)),
    h('td', {}, place.text ? h('code', {}, place.text) : (place.kind ?? '')),
    h('td', { class: 'warn' }, place.confidence ?? ''),
  );
}
