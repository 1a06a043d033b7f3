/** Which symbol of a chunk gives a hit its name. Small definitions are packed into one chunk; the one that was asked for is meant. */
import type { SearchFilters } from '../model/query.ts';
import { SYMBOL_KINDS, type SymbolRecord } from '../model/symbol.ts';
import { forEachIdentifier, identifierTerms, nameKey } from '../model/terms.ts';
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
  // A stem begins as its word does, its last letter aside: most words have none of them, and need not be taken apart.
  const beginnings = terms.map(({ term }) => (term.length > 2 ? term.slice(0, -1) : term));
  const maybe = (text: string) => {
    const plain = nameKey(text);
    for (const beginning of beginnings) if (plain.includes(beginning)) return true;
    return false;
  };
  const weigh = (text: string) => {
    if (!maybe(text)) return 0;
    const found = new Set<string>();
    let sum = 0;
    const add = (term: string) => {
      const weight = weights.get(term);
      if (weight === undefined || found.has(term)) return;
      found.add(term);
      sum += weight;
    };
    forEachIdentifier(text, (identifier) => {
      if (identifier.length < text.length && !maybe(identifier)) return;
      const { parts, whole } = identifierTerms(identifier);
      parts.forEach(add);
      if (whole) add(whole);
    });
    return sum;
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
