/**
 * What does a bare name mean at a place? Scopes from the inside out, then the file, then what the file imports, then
 * what its package or language lets it see without an import.
 */

import { CONTAINER_KINDS } from '../../../model/records/symbol.ts';
import { isDefinedOutsideType } from '../../content-tables.ts';
import type { Binding, GraphTree, SymbolPlace } from '../../graph-tree.ts';
import { indentOf, inForce } from '../../reading/find-local.ts';
import { FUNCTION_KINDS, isMember, isWanted, VALUE_KINDS, type Want } from '../kinds.ts';
import type { Types } from '../types.ts';
import { FileExports } from './file-exports.ts';
import { findImplicitlyVisible } from './implicit-visibility.ts';
import { type Local, Locals } from './locals.ts';
import { isInside, type Lookup, NOTHING, OUTSIDE, type Scope, UNKNOWN } from './lookup.ts';

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

  lookup(scope: Scope, name: string, want: Want): Lookup {
    const inner = this.#inScopes(scope, name, want);
    if (inner) {
      // Parameters and variables of the functions in between hide it.
      const hidden = hasLocals(want) ? this.#hidden(scope, name, inner.places, inner.scope) : null;
      return hidden ?? { places: inner.places, outside: false };
    }
    const outer = this.#atFile(scope.file, name, want);
    const own = outer.places.filter((place) => place.file !== scope.file || this.#isInForce(place, scope));
    const hidden = hasLocals(want) ? this.#hidden(scope, name, own) : null;
    if (hidden) return hidden;
    if (own.length === outer.places.length) return outer;
    return own.length === 0 ? UNKNOWN : { places: this.#innermost(own), outside: false };
  }

  /** A local of the same name stands between; a definition does not hide itself. */
  #hidden(scope: Scope, name: string, places: readonly SymbolPlace[], boundary = -1): Lookup | null {
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

  /** The local variable or parameter of this name that is in force at a place. */
  local(scope: Scope, name: string, boundary = -1): Local | null {
    return this.#locals.find(scope, name, boundary);
  }

  /** A definition inside of a callback may be seen in that callback only. */
  #isInForce(place: SymbolPlace, scope: Scope): boolean {
    if (!this.#tree.rules(scope.file).blockDefinitions) return true;
    return inForce(this.#tree.lines(scope.file), this.#tree.symbol(place).startLine, scope.line);
  }

  #innermost(places: readonly SymbolPlace[]): SymbolPlace[] {
    const depth = (place: SymbolPlace) =>
      indentOf(this.#tree.lines(place.file)[this.#tree.symbol(place).startLine - 1] ?? '');
    const most = Math.max(...places.map(depth));
    return places.filter((place) => depth(place) === most);
  }

  #inScopes(scope: Scope, name: string, want: Want): { places: SymbolPlace[]; scope: number } | null {
    const { file } = scope;
    const table = this.#tree.table(file);
    const rules = this.#tree.rules(file);
    const own = table.byName.get(name);
    const wanted = (places: readonly SymbolPlace[]) =>
      places.filter((place) => isWanted(this.#tree.symbol(place).kind, want));
    for (let at = scope.from; at >= 0; at = table.symbols[at]!.parent) {
      const symbol = table.symbols[at]!;
      const isModule = symbol.kind === 'module';
      const isType = CONTAINER_KINDS.has(symbol.kind) && !isModule;
      if (isType && !rules.implicitSelf) continue;
      let places: SymbolPlace[] = [];
      if (isType) places = wanted(this.types.members(this.types.whole({ file, ordinal: at }), name));
      else {
        places = (own ?? [])
          .filter(
            (ordinal) =>
              table.symbols[ordinal]!.parent === at || (isModule && table.owners[ordinal] === symbol.qualifiedName),
          )
          .filter(
            (ordinal) =>
              isWanted(table.symbols[ordinal]!.kind, want) &&
              (rules.implicitSelf || !isMember(table.symbols[ordinal]!.kind)) &&
              // `console.log = …` inside of a function declares no `log` there.
              (!rules.objectMembers || table.owners[ordinal] === symbol.qualifiedName),
          )
          .map((ordinal) => ({ file, ordinal }))
          .filter((place) => this.#isInForce(place, scope));
        if (places.length > 1 && rules.blockDefinitions) places = this.#innermost(places);
        if (places.length === 0 && isModule && rules.openTypes && rules.implicitSelf)
          places = wanted(this.types.members({ file, ordinal: at }, name));
        // A method that stands outside of its type sees the type's members.
        if (
          places.length === 0 &&
          rules.implicitSelf &&
          FUNCTION_KINDS.has(symbol.kind) &&
          isDefinedOutsideType(table, at)
        ) {
          const type = this.types.ownerOf({ file, ordinal: at });
          if (type) places = wanted(this.types.members(type, name));
        }
      }
      if (places.length > 0) return { places, scope: at };
    }
    return null;
  }

  #atFile(file: number, name: string, want: Want): Lookup {
    const key = `${file} ${want} ${name}`;
    const known = this.#fileLevel.get(key);
    if (known) return known;
    const made = this.#findAtFile(file, name, want);
    if (this.#fileLevel.size > 50_000) this.#fileLevel.clear();
    this.#fileLevel.set(key, made);
    return made;
  }

  #findAtFile(file: number, name: string, want: Want): Lookup {
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
    // `var x = require('x')` holds an import.
    const holdsImport =
      binding && importsAreValues && top.every((ordinal) => VALUE_KINDS.has(table.symbols[ordinal]!.kind));
    if (top.length > 0 && !holdsImport) return { places: top.map((ordinal) => ({ file, ordinal })), outside: false };
    if (binding) {
      const found = this.exports.bound(file, binding, want);
      if (found.places.length > 0 || found.outside) return found;
    }
    const visible = findImplicitlyVisible(tree, file, name, want);
    if (visible.places.length > 0) return { ...visible, outside: false };
    for (const each of wild) {
      const places = this.#wild(file, each, name, want);
      if (places.length > 0) return { places, outside: false };
    }
    return NOTHING;
  }

  #wild(file: number, { resolved, record }: Binding, name: string, want: Want): SymbolPlace[] {
    const { wildByName, globalModules } = this.#tree.rules(file);
    if (resolved.files.length === 0) return [];
    // Whole namespaces and headers: through the name, not through every file.
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

/** Variables hide what is called like them, unless only functions or types can be meant. */
function hasLocals(want: Want): boolean {
  return want === 'call' || want === 'any';
}
