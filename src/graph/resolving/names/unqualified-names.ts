/**
 * Looks an unqualified name up at a place: in the enclosing scopes from the inside out, at the top level of the file,
 * among its imports, then among the symbols that its package or language makes visible without an import.
 */

import { CONTAINER_KINDS } from '../../../model/records/symbol.ts';
import { isDefinedOutsideType } from '../../content-tables.ts';
import type { Binding, GraphTree, SymbolPlace } from '../../graph-tree.ts';
import { indentOf, isVisibleAt } from '../../reading/find-local.ts';
import { FUNCTION_KINDS, isMember, isWanted, VALUE_KINDS, type WantedKind } from '../kinds.ts';
import type { Types } from '../types.ts';
import { FileExports } from './file-exports.ts';
import { findImplicitlyVisible } from './implicit-visibility.ts';
import { type Local, Locals } from './locals.ts';
import { isInside, type Lookup, NOTHING, OUTSIDE, type Scope, UNKNOWN } from './lookup.ts';

const MAX_CACHED = 50_000;

export class UnqualifiedNames {
  readonly #tree: GraphTree;
  types!: Types;
  readonly #fileLevel = new Map<string, Lookup>();
  readonly exports: FileExports;
  readonly #locals: Locals;

  constructor(tree: GraphTree) {
    this.#tree = tree;
    this.#locals = new Locals(tree);
    this.exports = new FileExports(tree, (file, name, want) => this.#atFile(file, name, want));
  }

  lookup(scope: Scope, name: string, want: WantedKind): Lookup {
    const inner = this.#inScopes(scope, name, want);
    if (inner) {
      const local = mayMeanLocal(want) ? this.#hidingLocal(scope, name, inner.places, inner.scope) : null;
      return local ?? { places: inner.places, outside: false };
    }
    const outer = this.#atFile(scope.file, name, want);
    const visible = outer.places.filter((place) => place.file !== scope.file || this.#isVisibleInBlock(place, scope));
    const local = mayMeanLocal(want) ? this.#hidingLocal(scope, name, visible) : null;
    if (local) return local;
    if (visible.length === outer.places.length) return outer;
    return visible.length === 0 ? UNKNOWN : { places: this.#innermost(visible), outside: false };
  }

  /** The local variable or parameter that hides the places, if there is one; a definition does not hide itself. */
  #hidingLocal(scope: Scope, name: string, places: readonly SymbolPlace[], boundary = -1): Lookup | null {
    if (
      this.#tree.rules(scope.file).bracketsCall &&
      this.#tree.lines(scope.file)[scope.line - 1]?.[scope.column - 1 + name.length] === '('
    )
      return null;
    const local = this.local(scope, name, boundary);
    const declares = (place: SymbolPlace) => {
      const { startLine, nameLine } = this.#tree.symbol(place);
      return place.file === scope.file && local!.line >= startLine && local!.line <= nameLine;
    };
    if (!local || places.some(declares)) return null;
    return local.property === undefined ? OUTSIDE : UNKNOWN;
  }

  /** The local variable or parameter of this name that is visible at a place. */
  local(scope: Scope, name: string, boundary = -1): Local | null {
    return this.#locals.find(scope, name, boundary);
  }

  /** In languages with block scopes, a definition inside of a callback or block is visible only there. */
  #isVisibleInBlock(place: SymbolPlace, scope: Scope): boolean {
    if (!this.#tree.rules(scope.file).blockDefinitions) return true;
    return isVisibleAt(this.#tree.lines(scope.file), this.#tree.symbol(place).startLine, scope.line);
  }

  #innermost(places: readonly SymbolPlace[]): SymbolPlace[] {
    const indentation = (place: SymbolPlace) =>
      indentOf(this.#tree.lines(place.file)[this.#tree.symbol(place).startLine - 1] ?? '');
    const deepest = Math.max(...places.map(indentation));
    return places.filter((place) => indentation(place) === deepest);
  }

  /** The definitions in the innermost enclosing scope that has any, and the ordinal of that scope. */
  #inScopes(scope: Scope, name: string, want: WantedKind): { places: SymbolPlace[]; scope: number } | null {
    const { symbols } = this.#tree.table(scope.file);
    for (let at = scope.from; at >= 0; at = symbols[at]!.parent) {
      const places = this.#inScope(scope, at, name, want);
      if (places.length > 0) return { places, scope: at };
    }
    return null;
  }

  #inScope(scope: Scope, at: number, name: string, want: WantedKind): SymbolPlace[] {
    const { file } = scope;
    const table = this.#tree.table(file);
    const { implicitSelf, blockDefinitions, openTypes } = this.#tree.rules(file);
    const { kind } = table.symbols[at]!;
    const isModule = kind === 'module';
    if (CONTAINER_KINDS.has(kind) && !isModule)
      return implicitSelf ? this.#members(this.types.whole({ file, ordinal: at }), name, want) : [];
    const nested = this.#nestedIn(scope, at, name, want);
    if (nested.length > 0) return nested.length > 1 && blockDefinitions ? this.#innermost(nested) : nested;
    // A Ruby module is open: its other parts are visible without a receiver.
    if (isModule && openTypes && implicitSelf) return this.#members({ file, ordinal: at }, name, want);
    // The body of a C++ method that is defined outside of its type sees the members of the type.
    const isOutsideMethod = implicitSelf && FUNCTION_KINDS.has(kind) && isDefinedOutsideType(table, at);
    const type = isOutsideMethod ? this.types.ownerOf({ file, ordinal: at }) : null;
    return type ? this.#members(type, name, want) : [];
  }

  #members(type: SymbolPlace, name: string, want: WantedKind): SymbolPlace[] {
    return this.types.members(type, name).filter((place) => isWanted(this.#tree.symbol(place).kind, want));
  }

  /** Definitions of the name directly inside of a function or module of the file. */
  #nestedIn(scope: Scope, at: number, name: string, want: WantedKind): SymbolPlace[] {
    const { file } = scope;
    const { symbols, owners, byName } = this.#tree.table(file);
    const { implicitSelf, objectMembers } = this.#tree.rules(file);
    const { kind: scopeKind, qualifiedName } = symbols[at]!;
    return (byName.get(name) ?? [])
      .filter((ordinal) => {
        const { kind, parent } = symbols[ordinal]!;
        const isNested = parent === at || (scopeKind === 'module' && owners[ordinal] === qualifiedName);
        if (!isNested || !isWanted(kind, want) || (!implicitSelf && isMember(kind))) return false;
        // `console.log = …` inside of a function declares no `log` there.
        return !objectMembers || owners[ordinal] === qualifiedName;
      })
      .map((ordinal) => ({ file, ordinal }))
      .filter((place) => this.#isVisibleInBlock(place, scope));
  }

  #atFile(file: number, name: string, want: WantedKind): Lookup {
    const key = `${file} ${want} ${name}`;
    const known = this.#fileLevel.get(key);
    if (known) return known;
    const found = this.#findAtFile(file, name, want);
    if (this.#fileLevel.size > MAX_CACHED) this.#fileLevel.clear();
    this.#fileLevel.set(key, found);
    return found;
  }

  #findAtFile(file: number, name: string, want: WantedKind): Lookup {
    const tree = this.#tree;
    const table = tree.table(file);
    const { objectMembers, importsAreValues } = tree.rules(file);
    const top = (table.byName.get(name) ?? []).filter(
      (ordinal) =>
        table.owners[ordinal] === '' &&
        isWanted(table.symbols[ordinal]!.kind, want) &&
        !(objectMembers && isMember(table.symbols[ordinal]!.kind)),
    );
    const { named, wild } = tree.bindings(file);
    const binding = named.get(name);
    // `var x = require('x')` is a variable and an import: the imported symbol is meant.
    const isImport =
      binding && importsAreValues && top.every((ordinal) => VALUE_KINDS.has(table.symbols[ordinal]!.kind));
    if (top.length > 0 && !isImport) return { places: top.map((ordinal) => ({ file, ordinal })), outside: false };
    if (binding) {
      const found = this.exports.bound(file, binding, want);
      if (found.places.length > 0 || found.outside) return found;
    }
    const visible = findImplicitlyVisible(tree, file, name, want);
    if (visible.places.length > 0) return { ...visible, outside: false };
    for (const each of wild) {
      const places = this.#inWildImport(file, each, name, want);
      if (places.length > 0) return { places, outside: false };
    }
    return NOTHING;
  }

  /** The definitions of a name that an import of all names brings in. */
  #inWildImport(file: number, { resolved, record }: Binding, name: string, want: WantedKind): SymbolPlace[] {
    const { wildByName, globalModules } = this.#tree.rules(file);
    if (resolved.files.length === 0) return [];
    // A namespace or header tree may be thousands of files: definitions of the name are few.
    if (wildByName) {
      const members = new Set(resolved.files);
      const inside = record.source.split('.').at(-1)!;
      const top = this.#tree
        .named(name, (each) => members.has(each))
        .filter((place) => isWanted(this.#tree.symbol(place).kind, want));
      const outer = top.filter((place) => this.#tree.table(place.file).owners[place.ordinal] === '');
      if (outer.length > 0) return outer;
      return top.filter((place) => {
        const owner = this.#tree.table(place.file).owners[place.ordinal]!;
        return globalModules ? owner === record.source : isInside(owner, inside);
      });
    }
    return this.exports.inFiles(resolved.files, name, want, this.exports.scopeIn(file, record.source));
  }
}

/** A local variable can hide the definition, unless the reference can only mean a function or type. */
function mayMeanLocal(want: WantedKind): boolean {
  return want === 'call' || want === 'any';
}
