/** Calls worth making next, made of what was found: they can be sent as they are. */
import type { Hit } from '../../model/query.ts';

export interface NextAction {
  readonly tool: 'locate_symbol' | 'search_code' | 'index_repo' | 'index_status';
  readonly name?: string;
  readonly query?: string;
  readonly ref?: string;
  readonly limit?: number;
}

const MAX_SYMBOLS = 2;
const NARROW_LIMIT = 5;

export function actionsAfterHits(query: string, hits: readonly Hit[], ref: string): NextAction[] {
  const actions: NextAction[] = [];
  const names = new Set<string>();
  for (const { symbol } of hits) {
    if (!symbol || names.size >= MAX_SYMBOLS || names.has(symbol.name)) continue;
    names.add(symbol.name);
    actions.push({ tool: 'locate_symbol', name: symbol.name, ref });
  }
  const [best] = hits;
  const narrower = best ? wordsOf(best) : '';
  if (narrower !== '' && narrower !== query.trim().toLowerCase())
    actions.push({ tool: 'search_code', query: narrower, ref, limit: NARROW_LIMIT });
  return actions;
}

/** Nothing matched: the names that the index does know. */
export function actionsForNames(names: readonly string[], ref: string): NextAction[] {
  return names.slice(0, MAX_SYMBOLS + 1).map((name) => ({ tool: 'locate_symbol', name, ref }));
}

/** The best result in words: its name and the folder it lies in ("check rate limit middleware"). */
function wordsOf({ symbol, title, path }: Hit): string {
  const folder = path.split('/').at(-2) ?? '';
  const name = symbol?.name ?? title;
  const words = `${name} ${folder}`
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 1);
  return [...new Set(words)].join(' ');
}
