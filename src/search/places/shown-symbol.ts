/**
 * Chooses the symbol that names a hit. Small definitions share a chunk; the one that the query means gives the name.
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
export function preferenceOf(
  { terms, intent, text: asked }: Understood,
  filters: SearchFilters | undefined,
): Preference {
  const kinds = filters?.kinds?.length || filters?.exactKinds?.length ? kindMask(filters) : null;
  const roles = filters?.dddRoles?.length ? new Set(filters.dddRoles) : null;
  const weigh = (text: string): number => {
    const lower = text.toLowerCase();
    const plain = lower.length === text.length && !/[_$]/.test(text);
    const all = plain ? null : new Set(textTerms(text));
    let sum = 0;
    for (const { term, weight } of terms) if (all ? all.has(term) : hasTerm(text, lower, term)) sum += weight;
    return sum;
  };
  const segments = intent === 'symbol' ? segmentsOf(asked) : [];
  const isAsked = (symbol: SymbolRecord) => segments.length > 1 && isMember(symbol, segments);
  return (symbol, role) => {
    const { name, doc, kind } = symbol;
    const excluded = (kinds && kinds[SYMBOL_KINDS.indexOf(kind)] !== 1) || (roles && !(role && roles.has(role)));
    if (excluded) return -1;
    // The query has this symbol's whole name, so words shared with other symbols do not count.
    return isAsked(symbol) ? Number.POSITIVE_INFINITY : weigh(name) + DOC_WEIGHT * weigh(doc);
  };
}

/** The ordinal of the preferred symbol, the first of equals; undefined where there is none. */
export function preferredSymbol(
  ordinals: readonly number[],
  detail: Pick<StoredDetail, 'symbol' | 'ddd'>,
  prefer: Preference | undefined,
): number | undefined {
  if (!prefer || ordinals.length < 2) return ordinals[0];
  let best: number | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const ordinal of ordinals) {
    const role = detail.ddd.find(({ symbol }) => symbol === ordinal)?.role;
    const value = prefer(detail.symbol(ordinal)!, role);
    if (value > most) [best, most] = [ordinal, value];
  }
  return best;
}

/** Whether a filter leaves the symbol out. */
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
