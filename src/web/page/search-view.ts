import { fileAddress, to } from './addresses.ts';
import { codeBlock } from './code-block.ts';
import { type Child, h, plural } from './dom.ts';
import { parseLines } from './lines.ts';
import { callTool, type Json } from './mcp.ts';
import { termsOf } from './terms.ts';

const LIMIT = 20;
const MAX_TOKENS = 12_000;

interface Result {
  readonly path: string;
  readonly lines: string;
  readonly score: number;
  readonly name: string;
  readonly kind: string;
  readonly id: string;
  readonly test?: boolean;
  readonly content: string;
}

export async function searchView(parameters: URLSearchParams, signal: AbortSignal): Promise<readonly Child[]> {
  const query = parameters.get('q') ?? '';
  const where = parameters.get('in') ?? '';
  if (query.trim() === '') return [h('p', { class: 'soft' }, 'Type a question, a name, a path or an error message.')];
  const answer = await callTool(
    'search_code',
    { query, limit: LIMIT, max_tokens: MAX_TOKENS, ...(where !== '' && { path_filter: where }) },
    signal,
  );
  const results = answer.results as readonly Result[];
  const terms = termsOf(query);
  return [
    h(
      'h1',
      {},
      results.length === 0 ? `Nothing matches “${query}”` : `${plural(results.length, 'result')} for “${query}”`,
    ),
    stateLine(answer),
    nearestNames(answer),
    ...results.map((result) => resultCard(result, terms)),
  ];
}

function resultCard(result: Result, terms: readonly string[]): HTMLElement {
  const startLine = parseLines(result.lines)?.first ?? 1;
  const symbol = result.id.startsWith('sym_');
  return h(
    'article',
    { class: 'card' },
    h(
      'div',
      { class: 'head' },
      h('a', { class: 'stop', href: fileAddress(result.path, result.lines) }, `${result.path}:${result.lines}`),
      symbol ? h('a', { href: to('symbol', { name: result.id }) }, result.name) : h('span', {}, result.name),
      h('span', { class: 'chip' }, result.kind),
      result.test === true && h('span', { class: 'chip' }, 'test'),
      h('span', { class: 'soft right', title: 'Relevance' }, `${Math.round(result.score * 100)}%`),
    ),
    codeBlock(result.content, { path: result.path, startLine, terms }),
  );
}

/** What makes the answer less than it could be. */
export function stateLine(answer: Json): Child {
  const pending = answer.not_yet_indexed as readonly string[] | undefined;
  if (!answer.index) return null;
  return h(
    'p',
    { class: 'warn' },
    `The index is ${String(answer.index)}.`,
    pending ? ` Not in it yet: ${pending.join(', ')}.` : '',
  );
}

function nearestNames(answer: Json): Child {
  const names = (answer.nearest_names as readonly string[] | undefined) ?? [];
  if (names.length === 0) return null;
  return h(
    'p',
    {},
    'Names that come near: ',
    ...names.flatMap((name, i) => [i > 0 ? ', ' : '', h('a', { href: to('search', { q: name }) }, name)]),
  );
}
