/** Compares symbol places by their numbers: two objects may describe one place. */
import type { SymbolPlace } from './graph-tree.ts';

export function keyOf({ file, ordinal }: SymbolPlace): string {
  return `${file}:${ordinal}`;
}

export function isSame(a: SymbolPlace, b: SymbolPlace): boolean {
  return a.file === b.file && a.ordinal === b.ordinal;
}

/** Removes repeated places; the first of each stays. */
export function distinct(places: readonly SymbolPlace[]): SymbolPlace[] {
  return [...new Map(places.map((place) => [keyOf(place), place])).values()];
}
