/** Suggests the next calls, built from the results, complete enough to be sent unchanged. */
import { posix } from 'node:path';
import type { Hit } from '../../model/records/query.ts';

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
    if (!symbol || names.size >= MAX_SYMBOLS) continue;
    // A member by its qualified name, because many types have a `new`.
    const name = symbol.breadcrumb.length > 0 ? symbol.qualifiedName : symbol.name;
    if (names.has(name)) continue;
    names.add(name);
    actions.push({ tool: 'locate_symbol', name, ref });
  }
  const [best] = hits;
  const narrower = best ? wordsOf(best) : '';
  if (narrower !== '' && narrower !== query.trim().toLowerCase())
    actions.push({ tool: 'search_code', query: narrower, ref, limit: NARROW_LIMIT });
  return actions;
}

/** Nothing matched: suggest similar names from the index. */
export function actionsForNames(names: readonly string[], ref: string): NextAction[] {
  return names.slice(0, MAX_SYMBOLS + 1).map((name) => ({ tool: 'locate_symbol', name, ref }));
}

/** Describes the best result in words: its name, its container and its folder ("check rate limit middleware"). */
function wordsOf({ symbol, resultType, title, path, module }: Hit): string {
  const section = title
    .split(' > ')
    .at(-1)!
    .replace(/ \(part \d+\)$/, '');
  const names = symbol
    ? [symbol.breadcrumb.at(-1) ?? '', symbol.name]
    : [resultType === 'file' ? posix.parse(path).name : section];
  const words = [...names, module]
    .join(' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 1);
  return [...new Set(words)].join(' ');
}
