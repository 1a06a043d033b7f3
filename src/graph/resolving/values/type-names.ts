/** Finds the types that the text of a type names, with its arguments, bounds and aliases. */
import { splitTop } from '../../../languages/runtime/reading/split.ts';
import type { Reference } from '../../../model/records/symbol.ts';
import type { GraphTree, SymbolPlace } from '../../graph-tree.ts';
import { parseType } from '../../reading/type-text.ts';
import { isInside, type Scope } from '../names/lookup.ts';
import type { UnqualifiedNames } from '../names/unqualified-names.ts';
import type { Types } from '../types.ts';
import { MAX_DEPTH, type Meaning, OUTSIDE, type TypeMeaning } from './meaning.ts';

/** Types that say nothing about a value. */
const UNTYPED = new Set(['any', 'unknown', 'Any', 'dynamic', 'mixed', 'untyped']);

/** The part of `Values` that names of types need; `Values` itself needs names of types. */
export interface Paths {
  meaning(scope: Scope, expression: string, depth: number): Meaning | null;
  /** The types that a name of several parts means: `shop.Store`, `Shop::Store`. */
  qualifiedTypes(scope: Scope, path: readonly string[], depth: number): readonly SymbolPlace[];
}

export class TypeNames {
  readonly #tree: GraphTree;
  readonly #names: UnqualifiedNames;
  readonly #types: Types;
  readonly #paths: Paths;

  constructor(tree: GraphTree, names: UnqualifiedNames, types: Types, paths: Paths) {
    this.#tree = tree;
    this.#names = names;
    this.#types = types;
    this.#paths = paths;
  }

  /** The type that a text names, looked up from a place. */
  typed(scope: Scope, text: string, depth: number): Meaning | null {
    const type = depth > MAX_DEPTH ? null : parseType(text);
    if (!type) return null;
    if (type.isList) return { kind: 'wrapper', name: 'list', args: type.args, scope };
    const name = type.path.at(-1)!;
    const rules = this.#tree.rules(scope.file);
    if (rules.typesAreValues) return this.#paths.meaning(scope, type.path.join('.'), depth + 1);
    if (type.path.length === 1 && (rules.selfWords.has(name) || name === 'Self')) return this.enclosing(scope);
    if (rules.transparentTypes.has(name) && type.args.length > 0) return this.typed(scope, type.args[0]!, depth + 1);
    const places = this.#ofArity(this.#typePlaces(scope, type.path, depth), name, type.args.length > 0);
    if (places.length > 0) return { kind: 'type', places, args: type.args, scope };
    if (type.path.length === 1) {
      const bound = this.#bound(scope, name);
      if (bound) return this.typed(scope, bound, depth + 1);
    }
    if (type.args.length > 0) return { kind: 'wrapper', name, args: type.args, scope };
    return type.path.length === 1 && UNTYPED.has(name) ? null : OUTSIDE;
  }

  /** C#: `Result<T>` and `Result` are different types. */
  #ofArity(places: readonly SymbolPlace[], name: string, isGeneric: boolean): readonly SymbolPlace[] {
    if (places.length < 2 || !this.#tree.rules(places[0]!.file).typesByArity) return places;
    const parameters = new RegExp(`\\b${name}\\s*<`);
    const fitting = places.filter((place) => parameters.test(this.#tree.symbol(place).signature) === isGeneric);
    return fitting.length > 0 ? fitting : places;
  }

  typeOf(file: number, from: number, reference: Reference): readonly SymbolPlace[] {
    const scope = { file, from, line: reference.line, column: reference.column };
    const path = [...reference.receiver.replace(/<.*$/, '').split(/\.|::|\\/), reference.name].filter(Boolean);
    const { name, line, column } = reference;
    const isGeneric = this.#tree.lines(file)[line - 1]?.[column - 1 + name.length] === '<';
    return this.#ofArity(this.#typePlaces(scope, path, 0), name, isGeneric);
  }

  #typePlaces(scope: Scope, path: readonly string[], depth: number): readonly SymbolPlace[] {
    if (path.length === 1) return this.#names.lookup(scope, path[0]!, 'type').places;
    return this.#paths.qualifiedTypes(scope, path, depth);
  }

  /** The type that encloses a place. */
  enclosing(scope: Scope): TypeMeaning | null {
    const place = this.#types.around(scope.file, scope.from);
    return place && { kind: 'type', places: [place], args: [], scope };
  }

  /** The upper bound of a type parameter: `<T extends Shape>`, `T: Draw`. */
  #bound({ file, from }: Scope, name: string): string | null {
    const { symbols } = this.#tree.table(file);
    const pattern = new RegExp(`[<[,(\\s]${name}\\s*(?:extends|:|<:|\\bis\\b)\\s*([\\w.:]+(?:<[^<>]*>)?)`);
    for (let at = from; at >= 0; at = symbols[at]!.parent) {
      const bound = pattern.exec(symbols[at]!.signature)?.[1];
      if (bound && bound !== name) return bound;
    }
    return null;
  }

  /** The target Y of an alias: `type X = Y`, `typealias X = Y`, `using X = Y`. */
  aliased(place: SymbolPlace): readonly SymbolPlace[] {
    const symbol = this.#tree.symbol(place);
    const { typesAreValues, aliasedText } = this.#tree.rules(place.file);
    if (symbol.kind !== 'type' && !(symbol.kind === 'constant' && typesAreValues)) return [];
    const text =
      aliasedText?.(symbol.signature, symbol.name) ??
      /=\s*(.+)$/s.exec(symbol.signature)?.[1] ??
      /^typedef\s+(.+?)\s+\w+;?$/s.exec(symbol.signature)?.[1];
    if (!text) return [];
    const scope = { file: place.file, from: symbol.parent, line: symbol.startLine, column: 1 };
    // An alias of a composition (`A & B`) is an alias of each part.
    return splitTop(text.replace(/;$/, ''), '&').flatMap((part) => {
      const type = parseType(part);
      if (!type || type.isList || (type.path.length === 1 && type.path[0] === symbol.name)) return [];
      return this.#typePlaces(scope, type.path, 1).filter(
        (each) => !isInside(this.#tree.symbol(each).qualifiedName, symbol.name),
      );
    });
  }
}
