/** The place from which a name is looked up, and the result of a lookup. */
import type { SymbolPlace } from '../../graph-tree.ts';

/** A place in a file from which names are looked up. */
export interface Scope {
  readonly file: number;
  /** Ordinal of the innermost enclosing symbol, -1 at top level. */
  readonly from: number;
  readonly line: number;
  /** 1-based. Declarations on the line count only before this column. */
  readonly column: number;
}

export interface Lookup {
  readonly places: readonly SymbolPlace[];
  /** Nothing proves that the places are visible from the scope. */
  readonly unproved?: boolean;
  /** The name means something without a definition in the tree: an external import, or a local variable. */
  readonly outside: boolean;
  /** The name is a local variable that holds a property of some value, or a definition in another block. */
  readonly unknown?: true;
}

export const NOTHING: Lookup = { places: [], outside: false };
export const OUTSIDE: Lookup = { places: [], outside: true };
export const UNKNOWN: Lookup = { ...NOTHING, unknown: true };
/** The fields of an import record that imports a source and no names of it. */
export const NO_NAMES = { names: [], alias: '', line: 1 };

/** The owner is the scope, or its qualified name ends with the scope: `Acme.Shop` for `Shop`. */
export function isInside(owner: string, scope: string): boolean {
  if (scope === '') return false;
  return owner === scope || (owner.endsWith(scope) && /[.:#\\]/.test(owner[owner.length - scope.length - 1]!));
}
