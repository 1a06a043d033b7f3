/** A qualified name by its parts, as people write it in a query. */
import type { SymbolRecord } from '../../model/records/symbol.ts';
import { nameKey } from '../../model/text/terms.ts';

/** "Glob::new" by its parts, in any notation; a class inside of another as the JVM names it, too: `Client$Builder`. */
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
 * Whether a symbol stands in the scope that was asked for, or in the innermost part of it: what is around a file says
 * nothing about its symbols.
 */
export function isMember({ qualifiedName }: SymbolRecord, asked: readonly string[]): boolean {
  const own = segmentsOf(qualifiedName);
  const shared = Math.min(own.length, asked.length);
  return shared > 1 && own.slice(-shared).map(nameKey).join('.') === asked.slice(-shared).map(nameKey).join('.');
}
