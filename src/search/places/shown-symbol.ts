/**
 * Chooses the symbol that names a hit: among small definitions in one chunk, the one that matches the query best.
 */
import type { DddRole } from '../../model/records/chunk.ts';
import type { SearchFilters } from '../../model/records/query.ts';
import { SYMBOL_KINDS, type SymbolRecord } from '../../model/records/symbol.ts';
import { textTerms } from '../../model/text/terms.ts';
import type { StoredDetail } from '../../store/store.ts';
import { hasTerm } from '../query/find-term.ts';
import { isMember, segmentsOf } from '../query/name-segments.ts';
import { kindMask } from '../query/search-filter.ts';
import type { Understood } from '../query/understand-query.ts';

export type Preference = (symbol: SymbolRecord, role: DddRole | undefined) => number;

/** Words of the doc comment count less than words of the name. */
const DOC_WEIGHT = 0.3;

/** How well a symbol matches the query; negative if a filter excludes its kind or role. */
export function preferenceOf({ terms, intent, text }: Understood, filters: SearchFilters | undefined): Preference {
  const kinds = filters?.kinds?.length || filters?.exactKinds?.length ? kindMask(filters) : null;
  const roles = filters?.dddRoles?.length ? new Set(filters.dddRoles) : null;
  const weigh = (part: string): number => {
    const lower = part.toLowerCase();
    const isPlain = lower.length === part.length && !/[_$]/.test(part);
    const all = isPlain ? null : new Set(textTerms(part));
    let sum = 0;
    for (const { term, weight, forms = [] } of terms)
      if ([term, ...forms].some((form) => (all ? all.has(form) : hasTerm(part, lower, form)))) sum += weight;
    return sum;
  };
  const segments = intent === 'symbol' ? segmentsOf(text) : [];
  const isNamed = (symbol: SymbolRecord) => segments.length > 1 && isMember(symbol, segments);
  return (symbol, role) => {
    const { name, doc, kind } = symbol;
    const excluded = (kinds && kinds[SYMBOL_KINDS.indexOf(kind)] !== 1) || (roles && !(role && roles.has(role)));
    if (excluded) return -1;
    // The query is this symbol's qualified name, so words shared with other symbols do not count.
    return isNamed(symbol) ? Number.POSITIVE_INFINITY : weigh(name) + DOC_WEIGHT * weigh(doc);
  };
}

/** The ordinal of the preferred symbol, the first among equals; undefined for an empty list. */
export function preferredSymbol(
  ordinals: readonly number[],
  detail: Pick<StoredDetail, 'symbol' | 'ddd'>,
  prefer: Preference | undefined,
): number | undefined {
  if (!prefer || ordinals.length < 2) return ordinals[0];
  let best: number | undefined;
  let highest = Number.NEGATIVE_INFINITY;
  for (const ordinal of ordinals) {
    const role = detail.ddd.find(({ symbol }) => symbol === ordinal)?.role;
    const value = prefer(detail.symbol(ordinal)!, role);
    if (value > highest) [best, highest] = [ordinal, value];
  }
  return best;
}

/** Whether a filter excludes the symbol. */
export function isExcluded(
  detail: Pick<StoredDetail, 'symbol' | 'ddd'>,
  ordinal: number,
  prefer: Preference | undefined,
): boolean {
  const role = detail.ddd.find(({ symbol }) => symbol === ordinal)?.role;
  return prefer !== undefined && prefer(detail.symbol(ordinal)!, role) < 0;
}

export function withFirst(ordinals: readonly number[], named: number | undefined): readonly number[] {
  return named === undefined ? ordinals : [named, ...ordinals.filter((ordinal) => ordinal !== named)];
}
