/** Types, their supertypes and their members: defined in the type, in its extensions and other parts, or inherited. */
import type { NameRules } from '../../languages/name-rules.ts';
import { CONTAINER_KINDS, type Reference } from '../../model/records/symbol.ts';
import { isDefinedOutsideType } from '../content-tables.ts';
import type { GraphTree, SymbolPlace } from '../graph-tree.ts';
import { distinct, isSame, keyOf } from '../symbol-place.ts';
import { FUNCTION_KINDS } from './kinds.ts';
import { definitionsFirst } from './names/implicit-visibility.ts';
import { isInside } from './names/lookup.ts';
import type { UnqualifiedNames } from './names/unqualified-names.ts';

export type ResolveType = (file: number, from: number, reference: Reference) => readonly SymbolPlace[];
const MAX_MEMO = 100_000;
const MAX_LEVELS = 8;
const CONSTRUCTORS = new Set(['__init__', 'constructor', 'init', 'initialize', '__construct']);

export class Types {
  readonly #tree: GraphTree;
  readonly #names: UnqualifiedNames;
  /** Set by `Values`, which resolves qualified names and aliases and needs `Types` itself. */
  resolveType!: ResolveType;
  aliased!: (place: SymbolPlace) => readonly SymbolPlace[];
  readonly #members = new Map<string, readonly SymbolPlace[]>();
  readonly #supers = new Map<string, readonly SymbolPlace[]>();
  readonly #parts = new Map<string, readonly SymbolPlace[]>();

  constructor(tree: GraphTree, names: UnqualifiedNames) {
    this.#tree = tree;
    this.#names = names;
  }

  /** Members of a name: the type's own, else inherited ones; both where the language has overloads. */
  members(type: SymbolPlace, name: string): readonly SymbolPlace[] {
    const key = `${type.file}:${type.ordinal} ${name}`;
    const known = this.#members.get(key);
    if (known) return known;
    const found = this.#search(type, name, new Set());
    if (this.#members.size > MAX_MEMO) this.#members.clear();
    this.#members.set(key, found);
    return found;
  }

  /** All supertypes of the type are in the tree. */
  isClosed(type: SymbolPlace, seen = new Set<string>()): boolean {
    const key = keyOf(type);
    if (seen.has(key)) return true;
    seen.add(key);
    const declared = this.parts(type).reduce((sum, part) => sum + this.#declaredSupers(part).length, 0);
    const supers = this.supers(type);
    return supers.length >= declared && supers.every((each) => this.isClosed(each, seen));
  }

  /** The type that an extension or impl block belongs to; the place itself for everything else. */
  whole(place: SymbolPlace): SymbolPlace {
    const symbol = this.#tree.symbol(place);
    if (symbol.kind !== 'extension') return place;
    const declared = this.#tree
      .table(place.file)
      .supers.get(place.ordinal)
      ?.find(({ kind }) => kind === 'extend');
    const found = declared
      ? this.resolveType(place.file, symbol.parent, declared)
      : this.#names.lookup(
          { file: place.file, from: symbol.parent, line: symbol.startLine, column: 1 },
          symbol.name,
          'type',
        ).places;
    return found[0] ?? place;
  }

  /** The type that a method belongs to, also where it is defined outside of it: Go receivers, `A::f` in C++. */
  ownerOf(place: SymbolPlace): SymbolPlace | null {
    const { symbols, owners } = this.#tree.table(place.file);
    const symbol = symbols[place.ordinal]!;
    if (
      symbol.parent >= 0 &&
      CONTAINER_KINDS.has(symbols[symbol.parent]!.kind) &&
      !isDefinedOutsideType(this.#tree.table(place.file), place.ordinal)
    )
      return this.whole({ file: place.file, ordinal: symbol.parent });
    const name = owners[place.ordinal]!.split(/::|[.#\\]/).at(-1);
    if (!name) return null;
    const scope = { file: place.file, from: symbol.parent, line: symbol.startLine, column: 1 };
    return this.#names.lookup(scope, name, 'type').places[0] ?? null;
  }

  /** The type that encloses a symbol, or that a method around it belongs to. `from`: its ordinal, -1 at top level. */
  around(file: number, from: number): SymbolPlace | null {
    const table = this.#tree.table(file);
    for (let at = from; at >= 0; at = table.symbols[at]!.parent) {
      const { kind } = table.symbols[at]!;
      const place = { file, ordinal: at };
      if (CONTAINER_KINDS.has(kind)) return this.whole(place);
      const owner = FUNCTION_KINDS.has(kind) && isDefinedOutsideType(table, at) ? this.ownerOf(place) : null;
      if (owner) return owner;
    }
    return null;
  }

  /** The type that a constructor constructs; null for other methods. */
  constructedBy(place: SymbolPlace): SymbolPlace | null {
    const { kind, name } = this.#tree.symbol(place);
    const owner = kind === 'method' ? this.ownerOf(place) : null;
    return owner && (CONSTRUCTORS.has(name) || name === this.#tree.symbol(owner).name) ? owner : null;
  }

  /** The type's own methods of a constructor's name. */
  constructorsLike(type: SymbolPlace, name: string): readonly SymbolPlace[] {
    return distinct(
      this.parts(type).flatMap(({ file, ordinal: part }) => {
        const { byName, owners, symbols } = this.#tree.table(file);
        return (byName.get(name) ?? [])
          .filter(
            (ordinal) => owners[ordinal] === symbols[part]!.qualifiedName && FUNCTION_KINDS.has(symbols[ordinal]!.kind),
          )
          .map((ordinal) => ({ file, ordinal }));
      }),
    );
  }

  supers(type: SymbolPlace): readonly SymbolPlace[] {
    const key = keyOf(type);
    const known = this.#supers.get(key);
    if (known) return known;
    // Set before the search, which would not end for a type that names itself among its supertypes.
    this.#supers.set(key, []);
    const found: SymbolPlace[] = [...this.aliased(type)];
    for (const part of this.parts(type)) {
      const { parent } = this.#tree.symbol(part);
      for (const reference of this.#declaredSupers(part))
        found.push(...this.resolveType(part.file, parent, reference).slice(0, 1));
    }
    const supers = distinct(found).filter((place) => !isSame(place, type));
    this.#supers.set(key, supers);
    return supers;
  }

  /** `above` is a direct or indirect supertype of the type. */
  inherits(type: SymbolPlace, above: SymbolPlace, depth = 0): boolean {
    return (
      depth < MAX_LEVELS &&
      this.supers(type).some((each) => isSame(each, above) || this.inherits(each, above, depth + 1))
    );
  }

  /** The type with its extensions, partial declarations or reopenings, by the rules of the language. */
  parts(type: SymbolPlace): readonly SymbolPlace[] {
    const tree = this.#tree;
    if (!tree.rules(type.file).openTypes) return [type];
    const key = keyOf(type);
    const known = this.#parts.get(key);
    if (known) return known;
    const rules = tree.rules(type.file);
    const parts = rules.parts === 'none' ? [type] : [type, ...this.#otherParts(type, rules)];
    this.#parts.set(key, parts);
    return parts;
  }

  #otherParts(type: SymbolPlace, rules: NameRules): SymbolPlace[] {
    const tree = this.#tree;
    const { name, qualifiedName } = tree.symbol(type);
    const packageName = tree.table(type.file).package;
    const unit = rules.unitParts ? `${tree.imports.of(type.file).unit?.(type.file)}/` : '';
    const isRelated = tree.related(type.file);
    return tree
      .named(name, (file) => isRelated(file) && tree.path(file).startsWith(unit))
      .filter((place) => {
        const symbol = tree.symbol(place);
        if (isSame(place, type)) return false;
        if (symbol.kind === 'extension')
          return (
            symbol.qualifiedName === qualifiedName ||
            isInside(qualifiedName, symbol.qualifiedName) ||
            isInside(symbol.qualifiedName, name)
          );
        if (!CONTAINER_KINDS.has(symbol.kind) || symbol.qualifiedName !== qualifiedName) return false;
        if (rules.parts === 'partial')
          return tree.table(place.file).package === packageName && /\bpartial\b/.test(symbol.signature);
        return rules.parts === 'reopened';
      });
  }

  #declaredSupers(part: SymbolPlace): readonly Reference[] {
    return (this.#tree.table(part.file).supers.get(part.ordinal) ?? []).filter(({ kind }) => kind !== 'extend');
  }

  #search(type: SymbolPlace, name: string, seen: Set<string>): readonly SymbolPlace[] {
    const key = keyOf(type);
    if (seen.has(key)) return [];
    seen.add(key);
    const ownMembers = this.#own(type, name);
    // An inherited overload may fit a call better than the type's own.
    const overloads =
      this.#tree.rules(type.file).overloads &&
      ownMembers.every((place) => FUNCTION_KINDS.has(this.#tree.symbol(place).kind));
    if (ownMembers.length > 0 && !overloads) return ownMembers;
    const all = [...ownMembers];
    for (const above of this.supers(type)) {
      const found = this.#search(above, name, seen);
      if (found.length > 0 && !overloads) return found;
      all.push(...found);
    }
    return all;
  }

  #own(type: SymbolPlace, name: string): readonly SymbolPlace[] {
    const tree = this.#tree;
    const found: SymbolPlace[] = [];
    for (const part of this.parts(type)) {
      const table = tree.table(part.file);
      const { qualifiedName } = tree.symbol(part);
      for (const ordinal of table.byName.get(name) ?? []) {
        if (table.owners[ordinal] !== qualifiedName || isConstructor(table.symbols[ordinal]!.kind, name, qualifiedName))
          continue;
        found.push({ file: part.file, ordinal });
      }
    }
    if (found.length > 0)
      return tree.rules(type.file).prototypes ? definitionsFirst(tree, distinct(found)) : distinct(found);
    return this.#outsideMethods(type, name);
  }

  /** Methods that are defined outside of their type, possibly in another file. */
  #outsideMethods(type: SymbolPlace, name: string): readonly SymbolPlace[] {
    const tree = this.#tree;
    const symbol = tree.symbol(type);
    const { outsideMethods } = tree.rules(type.file);
    const isRelated = tree.related(type.file);
    const owned = (place: SymbolPlace) => {
      const owner = tree.table(place.file).owners[place.ordinal]!;
      return (owner === symbol.name || isInside(owner, symbol.name)) && FUNCTION_KINDS.has(tree.symbol(place).kind);
    };
    if (outsideMethods === 'folder') {
      const folder = tree.folder(type.file);
      const packageName = tree.table(type.file).package;
      return tree
        .named(name, (file) => isRelated(file) && tree.folder(file) === folder)
        .filter((place) => owned(place) && tree.table(place.file).package === packageName);
    }
    if (outsideMethods === 'none') return [];
    return tree.named(name, isRelated).filter((place) => tree.symbol(place).parent < 0 && owned(place));
  }
}

/** A constructor named like its type is no member: a reference to the name means the type. */
function isConstructor(kind: string, name: string, type: string): boolean {
  return kind === 'method' && (type === name || isInside(type, name));
}
