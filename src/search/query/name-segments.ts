/** Splits qualified names in the notations that people use in a query. */
import type { SymbolRecord } from '../../model/records/symbol.ts';
import { nameKey } from '../../model/text/terms.ts';

/** Splits `Glob::new`, `Glob.new`, `Glob#new`, and nested classes as the JVM names them: `Client$Builder`. */
export function segmentsOf(text: string): string[] {
  return text
    .replace(/\(\)$/, '')
    .split(/::|->|[.#/\\]|(?<=\w)\$(?=[A-Z])/)
    .filter(Boolean);
}

export function lastSegment(text: string): string {
  return segmentsOf(text).at(-1) ?? text;
}

/**
 * Whether the last segments of a symbol's name and a queried name are equal, at least two. Outer segments of the query
 * may name a package or folder, which the symbol's name does not contain.
 */
export function isMember({ qualifiedName }: SymbolRecord, queried: readonly string[]): boolean {
  const segments = segmentsOf(qualifiedName);
  const shared = Math.min(segments.length, queried.length);
  const keyOf = (names: readonly string[]) => names.slice(-shared).map(nameKey).join('.');
  return shared > 1 && keyOf(segments) === keyOf(queried);
}
