/** Which symbol of a chunk gives a hit its name. Small definitions are packed into one chunk; the one that was asked for is meant. */
import type { SearchFilters } from '../model/query.ts';
import { SYMBOL_KINDS, type SymbolRecord } from '../model/symbol.ts';
import { nameKey, textTerms } from '../model/terms.ts';
import type { StoredDetail } from '../store/store.ts';
import { kindMask } from './filter.ts';
import type { Understood } from './understand.ts';

export type Preference = (symbol: SymbolRecord) => number;

/** Words of the doc comment count less than words of the name. */
const DOC_WEIGHT = 0.3;

/** How much a symbol has of what was asked for; below zero where a filter excludes its kind. */
export function preferenceOf({ terms }: Understood, filters: SearchFilters | undefined): Preference {
  const weights = new Map(terms.map(({ term, weight }) => [term, weight]));
  const kinds = filters?.kinds?.length || filters?.exactKinds?.length ? kindMask(filters) : null;
  // A stem begins as its word does, its last letter aside: most texts have none of them, and need not be taken apart.
  const beginnings = terms.map(({ term }) => (term.length > 2 ? term.slice(0, -1) : term));
  const weigh = (text: string) => {
    const plain = nameKey(text);
    if (!beginnings.some((beginning) => plain.includes(beginning))) return 0;
    return [...new Set(textTerms(text))].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);
  };
  return ({ name, doc, kind }) =>
    kinds && kinds[SYMBOL_KINDS.indexOf(kind)] !== 1 ? -1 : weigh(name) + DOC_WEIGHT * weigh(doc);
}

/** The ordinal of the preferred symbol, the first of equals; undefined where there is none. */
export function preferred(
  ordinals: readonly number[],
  detail: Pick<StoredDetail, 'symbol'>,
  prefer: Preference | undefined,
): number | undefined {
  if (!prefer || ordinals.length < 2) return ordinals[0];
  let best: number | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const ordinal of ordinals) {
    const value = prefer(detail.symbol(ordinal)!);
    if (value > most) [best, most] = [ordinal, value];
  }
  return best;
}
