/** The possible meanings of an expression. */
import type { Binding, SymbolPlace } from '../../graph-tree.ts';
import type { Scope } from '../names/lookup.ts';

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
  /** Code makes it, which only running would tell. */
  readonly unproved?: boolean;
}

export type Meaning =
  | ModuleMeaning
  | TypeMeaning
  /** A type from elsewhere with arguments that may be ours: lists, promises, options. */
  | { readonly kind: 'wrapper'; readonly name: string; readonly args: readonly string[]; readonly scope: Scope }
  /** `derived`: a member or a result of something from elsewhere, which may be anything. */
  | { readonly kind: 'outside'; readonly derived: boolean };

export const OUTSIDE: Meaning = { kind: 'outside', derived: false };
export const FROM_OUTSIDE: Meaning = { kind: 'outside', derived: true };

/** The meaning of the beginning of a path, and how many of its names it took. */
export interface Begun {
  readonly meaning: Meaning | null;
  readonly used: number;
}
