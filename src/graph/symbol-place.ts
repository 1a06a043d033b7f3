/** Places of symbols in a tree: compared by their numbers, never as objects. */
import type { SymbolPlace } from './graph-tree.ts';

export function keyOf({ file, ordinal }: SymbolPlace): string {
  return `${file}:${ordinal}`;
}

export function isSame(a: SymbolPlace, b: SymbolPlace): boolean {
  return a.file === b.file && a.ordinal === b.ordinal;
}

/** Each once, in the order in which they came. */
export function distinct(places: readonly SymbolPlace[]): SymbolPlace[] {
  return [...new Map(places.map((place) => [keyOf(place), place])).values()];
}
