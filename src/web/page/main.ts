/** The page: addresses to views, keys, and the search box. */
import { type Child, h, to } from './dom.ts';
import { fileView } from './file-view.ts';
import { callTool, Refusal, setToken } from './mcp.ts';
import { memoryView } from './memory-view.ts';
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

function address(): { view: string; parameters: URLSearchParams } {
  const [, view = '', words = ''] = /^#\/(\w*)\??(.*)$/.exec(location.hash) ?? [];
  return { view: view in VIEWS ? view : '', parameters: new URLSearchParams(words) };
}

/** `quietly`: the same page with newer figures, which nobody asked for; it takes no focus and announces nothing. */
async function show(quietly = false): Promise<void> {
  const { view, parameters } = address();
  current.abort();
  clearTimeout(refresh);
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
  try {
    children = await VIEWS[view]!(parameters, own.signal);
  } catch (error) {
    if (own.signal.aborted) return;
    children = [trouble(error)];
  }
  if (own.signal.aborted) return;
  const scroll = quietly ? window.scrollY : 0;
  main.replaceChildren(...(children.filter((child) => child) as (Node | string)[]));
  main.removeAttribute('aria-busy');
  for (const link of document.querySelectorAll('header nav a'))
    if (link.getAttribute('href') === `#/${view}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  if (quietly) window.scrollTo(0, scroll);
  else settle();
  if (view === '') refresh = setTimeout(() => void show(true), isBusy() ? BUSY_MS : CALM_MS);
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
  if (!(error instanceof Refusal)) return h('p', { class: 'problem', role: 'alert' }, String(error));
  if (error.code === 'unauthorized') return tokenForm(error.message);
  return h(
    'div',
    { class: 'problem', role: 'alert' },
    h('p', {}, error.message),
    error.fix !== '' && h('p', {}, error.fix),
  );
}

function tokenForm(message: string): HTMLElement {
  const field = h('input', { type: 'password', autocomplete: 'off', 'aria-label': 'Token' });
  const form = h('form', {}, field, h('button', {}, 'Use this token'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    setToken(field.value.trim());
    void start();
  });
  return h('div', {}, h('h1', {}, message), h('p', { class: 'soft' }, 'It is kept for this tab only.'), form);
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

window.addEventListener('hashchange', () => void show());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && address().view === '') void show(true);
});

async function start(): Promise<void> {
  await show();
  const { project } = await callTool('get_status', {}).catch(() => ({ project: undefined }));
  if (project !== undefined) byId('project').textContent = String(project);
}

void start();
