/** Says how well the qualifiers of a queried name fit a symbol. */
import type { LocatedSymbol } from '../../model/records/query.ts';
import { nameKey } from '../../model/text/terms.ts';

/** The value of qualifiedShare from which on every qualifier occurs around the symbol. */
export const ALL_QUALIFIERS = 0.7;

/**
 * How well the qualifiers before a name fit a symbol, from 0 to 1. Best are the symbol's own scopes in the same order;
 * then its innermost scope with the other qualifiers around it (module, package, folder); then all qualifiers around
 * it; then some of them.
 */
export function qualifiedShare(
  symbol: LocatedSymbol | { readonly qualifiedName: string; readonly path: string; readonly package: string },
  segments: readonly string[],
): number {
  const qualifiers = segments.slice(0, -1);
  const segmentsOfSymbol = symbol.qualifiedName.split(/::|[.#\\/]/);
  const nearest = segmentsOfSymbol.slice(0, -1).slice(-qualifiers.length);
  if (nearest.join('.') === qualifiers.join('.')) return 1;
  if (nearest.map(nameKey).join('.') === qualifiers.map(nameKey).join('.')) return 0.9;
  const around = [
    ...symbol.path.replace(/\.[^./]+$/, '').split('/'),
    ...symbol.package.split(/[./\\:]+/),
    ...segmentsOfSymbol,
  ];
  const scopes = new Set(around.map((part) => nameKey(part.replace(/-/g, ''))));
  const known = qualifiers.filter((segment) => scopes.has(nameKey(segment))).length;
  if (known < qualifiers.length) return known > 0 ? 0.5 : 0;
  const innermost = qualifiers.slice(qualifiers.length - nearest.length);
  return nearest.length > 0 && nearest.map(nameKey).join('.') === innermost.map(nameKey).join('.')
    ? 0.8
    : ALL_QUALIFIERS;
}
