/** The page: addresses to views, keys, and the search box. */

import { fromHash, to } from './addresses.ts';
import { type Child, h } from './dom.ts';
import { fileView } from './file-view.ts';
import { callTool, Refusal, setToken, takeToken } from './mcp.ts';
import { memoryView } from './memory-view.ts';
import { problem } from './problem.ts';
import { searchView } from './search-view.ts';
import { statusView } from './status-view.ts';
import { symbolView } from './symbol-view.ts';

type View = (parameters: URLSearchParams, signal: AbortSignal) => Promise<readonly Child[]>;

const VIEWS: Readonly<Record<string, View>> = {
  '': statusView,
  search: searchView,
  file: fileView,
  symbol: symbolView,
  memory: memoryView,
};
/** While a run goes on, the status is asked again this often. */
const BUSY_MS = 1_000;
const CALM_MS = 15_000;

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const main = byId<HTMLElement>('main');
const live = byId<HTMLElement>('live');
const query = byId<HTMLInputElement>('query');
const where = byId<HTMLInputElement>('where');

let current = new AbortController();
let refresh: ReturnType<typeof setTimeout> | undefined;
/** The page that was asked for cannot be shown before the first index is there. */
let awaitsIndex = false;

const address = () => fromHash(location.hash, VIEWS);

/** `quietly`: the same page with newer figures, which nobody asked for; it takes no focus and announces nothing. */
async function show(quietly = false): Promise<void> {
  const { view, parameters } = address();
  clearTimeout(refresh);
  if (quietly && inUse()) {
    refresh = setTimeout(() => void show(true), BUSY_MS);
    return;
  }
  current.abort();
  const own = new AbortController();
  current = own;
  if (!quietly) {
    main.setAttribute('aria-busy', 'true');
    live.textContent = 'Loading';
  }
  if (view === 'search') {
    query.value = parameters.get('q') ?? '';
    where.value = parameters.get('in') ?? '';
  }
  let children: readonly Child[];
  let failure: unknown;
  try {
    children = await VIEWS[view]!(parameters, own.signal);
  } catch (error) {
    if (own.signal.aborted) return;
    children = [trouble(error)];
    failure = error;
  }
  if (own.signal.aborted) return;
  if (quietly && inUse()) return void show(true);
  const isNew = !quietly || awaitsIndex;
  awaitsIndex = failure instanceof Refusal && failure.code === 'index_not_ready';
  const scroll = quietly ? window.scrollY : 0;
  main.replaceChildren(...(children.filter((child) => child) as (Node | string)[]));
  main.removeAttribute('aria-busy');
  for (const link of document.querySelectorAll('header nav a'))
    if (link.getAttribute('href') === `#/${view}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  if (isNew) settle();
  else window.scrollTo(0, scroll);
  if (view === '' || awaitsIndex)
    refresh = setTimeout(() => void show(true), isBusy() || awaitsIndex ? BUSY_MS : CALM_MS);
}

/** Somebody is at something that newer figures would take away: a focused link or field, an opened list, a selection. */
function inUse(): boolean {
  const selection = getSelection();
  return (
    (document.activeElement !== main && main.contains(document.activeElement)) ||
    main.querySelector('details[open]') !== null ||
    (selection !== null && !selection.isCollapsed && main.contains(selection.anchorNode))
  );
}

function isBusy(): boolean {
  return main.querySelector('[data-state="indexing"]') !== null;
}

/** After a new page: say what it is, go to the line that was asked for or to the top. */
function settle(): void {
  const title = main.querySelector('h1')?.textContent ?? '';
  document.title = title === '' ? 'Sextant' : `${title} · Sextant`;
  live.textContent = title;
  const target = main.querySelector('.row.target');
  if (target) target.scrollIntoView({ block: 'start' });
  else window.scrollTo(0, 0);
  if (document.activeElement === document.body) main.focus({ preventScroll: true });
}

function trouble(error: unknown): HTMLElement {
  return error instanceof Refusal && error.code === 'unauthorized' ? tokenForm(error.message) : problem(error);
}

function tokenForm(message: string): HTMLElement {
  const field = h('input', { type: 'password', autocomplete: 'off', 'aria-label': 'Token' });
  const form = h('form', {}, field, h('button', {}, 'Use this token'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    setToken(field.value.trim());
    void start();
  });
  return h(
    'div',
    {},
    h('h1', {}, message),
    h(
      'p',
      { class: 'soft' },
      'Open the address that the server printed when it started, or paste its token. It is kept for this tab only.',
    ),
    form,
  );
}

byId<HTMLFormElement>('search').addEventListener('submit', (event) => {
  event.preventDefault();
  const next = to('search', { q: query.value, in: where.value });
  query.blur();
  if (next === location.hash) void show();
  else location.hash = next;
});

/** Moves between the places worth stopping at. */
function step(by: 1 | -1): void {
  const stops = [...main.querySelectorAll<HTMLElement>('.stop')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const next = stops[at < 0 ? (by > 0 ? 0 : stops.length - 1) : at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'center' });
}

const KEYS: Readonly<Record<string, () => void>> = {
  '/': () => query.select(),
  j: () => step(1),
  k: () => step(-1),
  s: () => {
    location.hash = '#/';
  },
  m: () => {
    location.hash = '#/memory';
  },
};

document.addEventListener('keydown', (event) => {
  const typing = event.target instanceof HTMLInputElement;
  if (event.key === 'Escape' && typing) (event.target as HTMLInputElement).blur();
  const action = KEYS[event.key];
  if (!action || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  action();
});

// Its address would be taken for another page of this one.
document.querySelector('a.skip')!.addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});

window.addEventListener('hashchange', () => void (takeToken() ? start() : show()));
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && address().view === '') void show(true);
});

async function start(): Promise<void> {
  await show();
  const { project } = await callTool('get_status', {}).catch(() => ({ project: undefined }));
  if (project !== undefined) byId('project').textContent = String(project);
}

takeToken();
void start();
