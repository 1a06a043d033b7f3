import { fileAddress, to } from './addresses.ts';
import { type Child, count, h } from './dom.ts';
import { readResource } from './mcp.ts';

interface Discovery {
  readonly id: string;
  readonly type: string;
  readonly content: string;
  readonly module: string;
  readonly date: string;
  readonly origin: string;
  readonly confidence?: number;
  readonly evidence?: readonly string[];
  readonly superseded_by?: string;
}

interface Memory {
  readonly total: number;
  readonly discoveries: readonly Discovery[];
}

const TYPES = ['decision', 'rule', 'pattern', 'issue'];

export async function memoryView(parameters: URLSearchParams): Promise<readonly Child[]> {
  const chosen = parameters.get('type') ?? '';
  const { total, discoveries: all } = (await readResource('sextant://memory')) as unknown as Memory;
  const shown = chosen === '' ? all : all.filter(({ type }) => type === chosen);
  const filter = (type: string, label: string, amount: number) =>
    h(
      'a',
      { class: 'choice', href: to('memory', { type }), 'aria-current': type === chosen ? 'true' : null },
      `${label} ${amount}`,
    );
  return [
    h('h1', {}, 'What is known about this project'),
    h(
      'nav',
      { class: 'filters', 'aria-label': 'Kinds' },
      filter('', 'all', all.length),
      ...TYPES.map((type) => filter(type, `${type}s`, all.filter((one) => one.type === type).length)),
    ),
    total > all.length &&
      h(
        'p',
        { class: 'soft' },
        `These are the newest ${count(all.length)} of ${count(total)}; \`sextant memory list --limit ${total}\` shows all.`,
      ),
    shown.length === 0 &&
      h(
        'p',
        { class: 'soft' },
        'Nothing yet. Agents record discoveries with remember, people with `sextant remember`.',
      ),
    h('ul', { class: 'list' }, ...shown.map((one) => h('li', {}, card(one)))),
  ];
}

function card(discovery: Discovery): HTMLElement {
  const { type, module, date, origin, confidence, evidence = [], superseded_by: replaced } = discovery;
  return h(
    'article',
    { class: 'card' },
    h(
      'div',
      { class: 'head' },
      h('strong', {}, type),
      module !== '' && h('span', { class: 'chip' }, module),
      h('span', { class: 'soft' }, origin, confidence === undefined ? '' : `, ${Math.round(confidence * 100)}% sure`),
      replaced !== undefined && h('span', { class: 'warn' }, 'replaced by a later one'),
      h('time', { class: 'soft right', datetime: date }, date.slice(0, 10)),
    ),
    h('p', {}, discovery.content),
    evidence.length > 0 && h('p', {}, ...evidence.flatMap((place, i) => [i > 0 ? ', ' : '', evidenceLink(place)])),
  );
}

function evidenceLink(place: string): Child {
  const [, path, lines] = /^(.*?)(?::(\d+(?:-\d+)?))?$/.exec(place) ?? [];
  if (!path || /^[0-9a-f]{7,40}$/.test(place)) return h('code', {}, place);
  return h('a', { class: 'stop', href: fileAddress(path, lines ?? '') }, place);
}
