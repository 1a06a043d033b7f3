/** The possible meanings of an expression. */
import type { Binding, SymbolPlace } from '../../graph-tree.ts';
import type { Scope } from '../names/lookup.ts';

/** Inferences that may nest. */
export const MAX_DEPTH = 9;

export interface ModuleMeaning {
  readonly kind: 'module';
  readonly files: readonly number[];
  readonly scope: string;
  readonly binding: Binding | null;
}

export interface TypeMeaning {
  readonly kind: 'type';
  readonly places: readonly SymbolPlace[];
  readonly args: readonly string[];
  readonly scope: Scope;
  /** The code creates the type or member when it runs, so nothing proves it. */
  readonly unproved?: boolean;
}

export type Meaning =
  | ModuleMeaning
  | TypeMeaning
  /** An external type whose type arguments may be types of the tree: lists, promises, options. */
  | { readonly kind: 'wrapper'; readonly name: string; readonly args: readonly string[]; readonly scope: Scope }
  /** `derived`: a member or result of an external value, whose type is unknown. */
  | { readonly kind: 'outside'; readonly derived: boolean };

export const OUTSIDE: Meaning = { kind: 'outside', derived: false };
export const FROM_OUTSIDE: Meaning = { kind: 'outside', derived: true };

/** The meaning of the beginning of a path, and how many of its names it covers. */
export interface Begun {
  readonly meaning: Meaning | null;
  readonly used: number;
}
