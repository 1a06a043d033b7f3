/** Where a name is looked up from, and what a lookup finds. */
import type { SymbolPlace } from '../../graph-tree.ts';

/** A place in a file from which names are looked up. */
export interface Scope {
  readonly file: number;
  /** The innermost symbol around it, -1 at the top. */
  readonly from: number;
  readonly line: number;
  /** 1-based; everything on the line before it counts. */
  readonly column: number;
}

export interface Lookup {
  readonly places: readonly SymbolPlace[];
  /** Found without proof that it can be seen from here. */
  readonly unproved?: boolean;
  /** Known to be something that has no definition in the tree: imported from outside, or a local variable. */
  readonly outside: boolean;
  /** A local variable that holds a property of something, or a definition of which indentation hides the end. */
  readonly unknown?: true;
}

export const NOTHING: Lookup = { places: [], outside: false };
export const OUTSIDE: Lookup = { places: [], outside: true };
export const UNKNOWN: Lookup = { ...NOTHING, unknown: true };
/** An import that takes no names: what a source leads to. */
export const NO_NAMES = { names: [], alias: '', line: 1 };

/** The owner is the scope, or its whole name ends with it: `Acme.Shop` for `Shop`. */
export function isInside(owner: string, scope: string): boolean {
  if (scope === '') return false;
  return owner === scope || (owner.endsWith(scope) && /[.:#\\]/.test(owner[owner.length - scope.length - 1]!));
}
