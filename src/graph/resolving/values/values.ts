/**
 * Infers what an expression stands for: a module, a type, or a value of a type. It follows declared types,
 * constructions and declared results. Null: unknown. `outside`: something that the tree does not define.
 */
import type { Builtin } from '../../../languages/name-rules.ts';
import { splitTop } from '../../../languages/runtime/reading/split.ts';
import { CONTAINER_KINDS, type Reference } from '../../../model/records/symbol.ts';
import type { GraphTree, SymbolPlace } from '../../graph-tree.ts';
import { type Chain, type Link, readChain } from '../../reading/chain.ts';
import { beginsWithLiteral, isDictionary } from '../../reading/literal.ts';
import { declaredValueOf, resultOf } from '../../reading/signature.ts';
import { parseType } from '../../reading/type-text.ts';
import { findExtensionMembers } from '../extensions.ts';
import { FUNCTION_KINDS, isWanted, type Want } from '../kinds.ts';
import type { Local } from '../names/locals.ts';
import { isInside, type Scope } from '../names/lookup.ts';
import type { UnqualifiedNames } from '../names/unqualified-names.ts';
import type { Types } from '../types.ts';
import { Definitions, type Expressions } from './definitions.ts';
import { MadeTypes } from './made-types.ts';
import { type Begun, FROM_OUTSIDE, type Meaning, OUTSIDE, type TypeMeaning } from './meaning.ts';
import { ModulePaths } from './module-paths.ts';
import { ELEMENTS_BY_CALL, RETURNS_RECEIVER, UNWRAPPING } from './wrappers.ts';

const MAX_DEPTH = 9;
/** Types that say nothing about a value. */
const UNTYPED = new Set(['any', 'unknown', 'Any', 'dynamic', 'mixed', 'untyped']);
/** A column behind the end of any line: all declarations on the line count. */
const END = 1_000_000;

function linkTo(name: string): Link {
  return { name, called: false, indexed: false, isOptional: false };
}

export class Values implements Expressions {
  readonly #tree: GraphTree;
  readonly #names: UnqualifiedNames;
  readonly #types: Types;
  readonly #modules: ModulePaths;
  readonly #definitions: Definitions;
  readonly #dynamic: MadeTypes;
  #guessing: Scope | null = null;

  constructor(tree: GraphTree, names: UnqualifiedNames, types: Types) {
    this.#tree = tree;
    this.#names = names;
    this.#types = types;
    this.#modules = new ModulePaths(tree, names);
    this.#definitions = new Definitions(tree, this);
    this.#dynamic = new MadeTypes(tree, types, this);
    types.resolveType = (file, from, reference) => this.typeOf(file, from, reference);
    types.aliased = (place) => this.#aliased(place);
  }

  /** Members of a type, or definitions in a module, of a name. */
  members(meaning: Meaning, name: string, want: Want): readonly SymbolPlace[] {
    if (meaning.kind === 'type') {
      // Each reopening of a Ruby class leads to the members of all others.
      const [first] = meaning.places;
      const isReopened = first && this.#tree.rules(first.file).parts === 'reopened';
      const found = (isReopened ? [first] : meaning.places).flatMap((place) => this.#types.members(place, name));
      return found.filter((place) => isWanted(this.#tree.symbol(place).kind, want));
    }
    if (meaning.kind !== 'module') return [];
    const found = this.#names.exports.inFiles(meaning.files, name, want, meaning.scope);
    const mayBeModule = found.length === 0 && want === 'type' && meaning.files.length > 0;
    return mayBeModule ? this.globallyNamed(meaning.files[0]!, `${meaning.scope}.${name}`) : found;
  }

  /** Members that a type gets when its code runs, from computed bases or a metaclass (Python). */
  dynamicMembers(meaning: TypeMeaning, name: string, want: Want): readonly SymbolPlace[] {
    return meaning.places
      .flatMap((place) => this.#dynamic.members(place, name))
      .filter((place) => isWanted(this.#tree.symbol(place).kind, want));
  }

  /**
   * Modules with a qualified name, in languages in which module names are global. Elixir's `Shop.Store` is no member of
   * `Shop`, which need not exist: only the qualified name identifies it.
   */
  globallyNamed(from: number, name: string): readonly SymbolPlace[] {
    if (!this.#tree.rules(from).globalModules) return [];
    return this.#tree
      .named(name.slice(name.lastIndexOf('.') + 1), this.#tree.related(from))
      .filter((place) => CONTAINER_KINDS.has(this.#tree.symbol(place).kind))
      .filter((place) => this.#tree.symbol(place).qualifiedName === name);
  }

  meaning(scope: Scope, expression: string, depth = 0): Meaning | null {
    if (depth > MAX_DEPTH) return null;
    const rules = this.#tree.rules(scope.file);
    const builtin = rules.builtin?.(expression);
    if (builtin) return this.#builtin(scope, builtin, depth);
    // Rust's `(**self)` is the value behind a reference, of a type that is not written here.
    if (/^\(\*+self\)$/.test(expression)) return null;
    const elementType = rules.elementType?.(expression);
    if (elementType) return this.typed(scope, elementType, depth + 1);
    if (beginsWithLiteral(expression, rules)) return OUTSIDE;
    if (isDictionary(expression, rules)) return { kind: 'wrapper', name: 'dict', args: [], scope };
    const source = rules.importExpression?.exec(expression.trim())?.[1];
    if (source) return this.#modules.imported(scope.file, source);
    const chain = readChain(expression);
    if (!chain) return null;
    if (chain.cast !== '') {
      let meaning = this.typed(scope, chain.cast, depth + 1);
      for (const link of chain.links) if (meaning) meaning = this.#step(meaning, link, depth + 1);
      return meaning;
    }
    return this.#follow(scope, chain, depth);
  }

  /** The declared type of an expression as text, also of a type outside of the tree; '' where none is declared. */
  declaredType(scope: Scope, expression: string): string {
    const chain = beginsWithLiteral(expression, this.#tree.rules(scope.file)) ? null : readChain(expression);
    if (!chain) return '';
    if (chain.cast !== '' && chain.links.length === 0) return chain.cast;
    const last = chain.links.at(-1);
    if (!last || last.indexed) return '';
    if (chain.links.length === 1 && !last.called) {
      const local = this.#names.local(scope, last.name.replace(/^\$/, ''));
      if (local?.element) return '';
      if (local?.type === '' && local.value !== '' && local.property === undefined)
        return this.declaredType({ ...scope, line: local.line, column: 1 }, local.value);
      if (local) return local.type;
    }
    if (chain.constructed && chain.links.length === 1) return last.name;
    const before =
      chain.links.length === 1
        ? null
        : this.#follow(scope, { ...chain, links: chain.links.slice(0, -1), awaited: false }, 1);
    const places =
      chain.links.length === 1
        ? this.#names.lookup(scope, last.name, 'any').places
        : before
          ? this.members(before, last.name, 'any')
          : [];
    const place = places.find((each) => FUNCTION_KINDS.has(this.#tree.symbol(each).kind) === last.called);
    if (!place) return '';
    const symbol = this.#tree.symbol(place);
    const rules = this.#tree.rules(place.file);
    return last.called
      ? resultOf(symbol.signature, symbol.name, rules)
      : declaredValueOf(symbol.signature, symbol.name, rules).type;
  }

  /** The type that a text names, looked up from a place. */
  typed(scope: Scope, text: string, depth: number): Meaning | null {
    const type = depth > MAX_DEPTH ? null : parseType(text);
    if (!type) return null;
    if (type.isList) return { kind: 'wrapper', name: 'list', args: type.args, scope };
    const name = type.path.at(-1)!;
    const rules = this.#tree.rules(scope.file);
    if (rules.typesAreValues) return this.meaning(scope, type.path.join('.'), depth + 1);
    if (type.path.length === 1 && (rules.selfWords.has(name) || name === 'Self')) return this.#self(scope);
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
    const outer = this.#head(scope, linkTo(path[0]!), depth + 1, path);
    let meaning: Meaning | null = outer?.meaning ?? null;
    for (let i = outer?.used ?? 1; meaning && i < path.length - 1; i++)
      meaning = this.#step(meaning, linkTo(path[i]!), depth + 1);
    if (!meaning) return this.#modules.globalPath(scope, path);
    return this.members(meaning, path.at(-1)!, 'type');
  }

  #follow(scope: Scope, { links, awaited, constructed }: Chain, depth: number): Meaning | null {
    const path = links.map(({ name }) => name);
    const start = this.#head(scope, links[0]!, depth, path, constructed && links.length === 1);
    if (!start?.meaning) return null;
    // Rust's `?` yields the value inside of a Result or Option; elsewhere it does not change the type.
    const { questionUnwraps } = this.#tree.rules(scope.file);
    const unwrapOptional = (found: Meaning | null, { isOptional }: Link) =>
      isOptional && questionUnwraps && found ? this.#unwrapped(this.#unaliased(found), depth) : found;
    let meaning = unwrapOptional(start.meaning, links[start.used - 1]!);
    for (let i = start.used; i < links.length && meaning; i++)
      meaning = unwrapOptional(this.#step(meaning, links[i]!, depth + 1), links[i]!);
    return awaited && meaning ? this.#unwrapped(meaning, depth) : meaning;
  }

  #builtin(scope: Scope, { source, path }: Builtin, depth: number): Meaning | null {
    let meaning: Meaning | null;
    if (source === null)
      meaning = this.#self(scope) ?? { kind: 'module', files: [scope.file], scope: '', binding: null };
    else {
      const hit = this.#tree.importsOf(scope.file).find((each) => each.source === source);
      if (!hit || hit.external) return OUTSIDE;
      meaning = { kind: 'module', files: hit.files, scope: '', binding: null };
    }
    for (const name of path) if (meaning) meaning = this.#step(meaning, linkTo(name), depth + 1);
    return meaning;
  }

  /**
   * The meaning of the first links, and how many of them it covers: a dotted Python module covers several. Earlier
   * steps hide later ones: keywords, local variables, symbols and imports, then names that need no import.
   */
  #head(scope: Scope, link: Link, depth: number, path: readonly string[], constructed = false): Begun | null {
    return (
      this.#keyword(scope, link, depth, path) ??
      this.#local(scope, link, depth) ??
      this.#symbolOrImport(scope, link, depth, path, constructed) ??
      this.#importFree(scope, link.name, path)
    );
  }

  /** `this`, `super`, Rust's `crate` and other module paths, Ruby's `@field`. */
  #keyword(scope: Scope, link: Link, depth: number, path: readonly string[]): Begun | null {
    const { selfWords, superWord, pathWords } = this.#tree.rules(scope.file);
    const { name } = link;
    if (selfWords.has(name)) return { meaning: this.#indexed(this.#self(scope), link, depth), used: 1 };
    if (name === superWord) {
      const self = this.#self(scope);
      const above = self ? self.places.flatMap((place) => this.#types.supers(place)) : [];
      return { meaning: above.length > 0 ? { kind: 'type', places: above, args: [], scope } : OUTSIDE, used: 1 };
    }
    const isModulePath = pathWords && (pathWords.has(name) || path.length > 1);
    const module = isModulePath ? this.#modules.modulePath(scope, path) : null;
    if (module) return module;
    const field = /^@{1,2}(\w+)$/.exec(name)?.[1];
    return field ? { meaning: this.#field(scope, field, depth), used: 1 } : null;
  }

  #local(scope: Scope, link: Link, depth: number): Begun | null {
    const name = link.name.replace(/^\$/, '');
    const local = this.#names.local(scope, name);
    return local && { meaning: this.#localMeaning(scope, local, { ...link, name }, depth), used: 1 };
  }

  #symbolOrImport(
    scope: Scope,
    link: Link,
    depth: number,
    path: readonly string[],
    constructed: boolean,
  ): Begun | null {
    const { pathWords, importsAreModules, importsAreValues } = this.#tree.rules(scope.file);
    const alias = this.#tree.bindings(scope.file).named.get(link.name);
    const isWhole = alias?.name === null && importsAreValues && !link.called && !constructed;
    // Rust's `mod net;` only declares where the module is; the import names the module itself.
    const isModule = pathWords && alias && alias.name !== null && alias.resolved.modules.has(alias.name);
    if (alias && (importsAreModules || isWhole || isModule)) return this.#modules.module(scope.file, alias, path);
    const { places, outside } = this.#names.lookup(scope, link.name.replace(/^\$/, ''), 'any');
    const isDeclaredModule = places.length > 0 && places.every((place) => this.#tree.symbol(place).kind === 'module');
    const declared = pathWords && isDeclaredModule ? this.#modules.modulePath(scope, path) : null;
    if (declared?.meaning) return declared;
    if (places.length > 0) {
      const used = this.#definitions.used(places, link.called || constructed, null, depth);
      return { meaning: this.#indexed(used, link, depth), used: 1 };
    }
    if (alias) return this.#modules.module(scope.file, alias, path);
    // A crate by its name, without an import: `glob::parse()` in a test of the crate `glob`.
    const crate = pathWords ? this.#modules.modulePath(scope, path) : null;
    if (crate?.meaning) return crate;
    return outside ? { meaning: OUTSIDE, used: 1 } : null;
  }

  /** Modules and types that need no import, and global names of the platform. */
  #importFree(scope: Scope, name: string, path: readonly string[]): Begun | null {
    const module = this.#modules.dottedModule(scope.file, path) ?? this.#modules.globalModule(scope, path);
    if (module) return module;
    const isForeign = this.#tree.rules(scope.file).platformObjects.has(name) || this.#isForeign(scope.file, name);
    return isForeign ? { meaning: OUTSIDE, used: 1 } : null;
  }

  /** The type or value of a local variable, or the member that a destructuring takes of it. */
  #localMeaning(scope: Scope, local: Local, link: Link, depth: number): Meaning | null {
    const at = { file: scope.file, from: local.from, line: local.line, column: local.value === '' ? END : 1 };
    let meaning: Meaning | null = null;
    if (local.type !== '') meaning = this.typed({ ...at, column: 1 }, local.type, depth + 1);
    else if (local.value !== '' && local.part === 0)
      meaning = this.meaning({ ...at, from: scope.from, column: 1 }, local.value, depth + 1);
    if (local.element && meaning) meaning = this.#element(meaning, depth);
    if (local.property !== undefined && meaning)
      return this.#step(meaning, { ...link, name: local.property || link.name }, depth + 1);
    if (link.called) meaning = this.#called(meaning, local.type, at, depth);
    return this.#indexed(meaning, link, depth);
  }

  /** A capitalised name without any definition in the tree is a type of the language's standard library. */
  #isForeign(file: number, name: string): boolean {
    return /^\p{Lu}/u.test(name) && this.#tree.named(name, this.#tree.related(file)).length === 0;
  }

  #step(meaning: Meaning, link: Link, depth: number): Meaning | null {
    if (depth > MAX_DEPTH) return null;
    if (meaning.kind === 'outside') return this.#throughExtension(meaning, link, depth);
    if (meaning.kind === 'wrapper') {
      if (ELEMENTS_BY_CALL.has(link.name)) return this.#element(meaning, depth);
      return UNWRAPPING.has(link.name) ? this.#unwrapped(meaning, depth) : null;
    }
    const found = this.members(meaning, link.name, 'any');
    if (found.length > 0) {
      const receiver = meaning.kind === 'type' ? meaning : null;
      const value = this.#indexed(this.#definitions.used(found, link.called, receiver, depth), link, depth);
      return receiver?.unproved && value?.kind === 'type' ? { ...value, unproved: true } : value;
    }
    if (meaning.kind === 'module') return this.#modules.submodule(meaning, link.name);
    if ((link.called || link.name === 'new') && RETURNS_RECEIVER.has(link.name)) return meaning;
    for (const place of meaning.places) {
      const value = this.#definitions.assigned(place, link.name, depth);
      if (value) return this.#indexed(value, link, depth);
    }
    return this.#dynamicStep(meaning, link, depth);
  }

  /** A member that a type gets when its code runs. */
  #dynamicStep(meaning: TypeMeaning, link: Link, depth: number): Meaning | null {
    const members = this.dynamicMembers(meaning, link.name, 'any');
    const found =
      members.length > 0
        ? this.#definitions.used(members, link.called, meaning, depth)
        : (meaning.places.map((place) => this.#dynamic.field(place, link.name, depth)).find(Boolean) ?? null);
    const value = this.#indexed(found, link, depth);
    return value?.kind === 'type' ? { ...value, unproved: true } : value;
  }

  /** The type of a member that an extension adds to a library type; only while `guessed` runs. */
  #throughExtension(meaning: Meaning, link: Link, depth: number): Meaning {
    const members = this.#guessing ? findExtensionMembers(this.#tree, this.#types, this.#guessing.file, link.name) : [];
    const found = members.length > 0 ? this.#definitions.used(members, link.called, null, depth) : null;
    return (found && this.#indexed(found, link, depth)) ?? (meaning === OUTSIDE ? FROM_OUTSIDE : meaning);
  }

  /** Like `meaning`, but assumes that a member of an external type is the extension member of that name. */
  guessed(scope: Scope, expression: string): Meaning | null {
    this.#guessing = scope;
    try {
      return this.meaning(scope, expression);
    } finally {
      this.#guessing = null;
    }
  }

  /** The type that encloses a place. */
  #self(scope: Scope): TypeMeaning | null {
    const place = this.#types.around(scope.file, scope.from);
    return place && { kind: 'type', places: [place], args: [], scope };
  }

  #field(scope: Scope, name: string, depth: number): Meaning | null {
    const self = this.#self(scope);
    return self ? this.#step(self, linkTo(name), depth + 1) : null;
  }

  /** The result of calling a value: of its declared function type, or of the call operator of its type. */
  #called(meaning: Meaning | null, type: string, scope: Scope, depth: number): Meaning | null {
    const arrow =
      /^\(?.*?\)\s*(?:=>|->)\s*(.+)$/s.exec(type)?.[1] ?? /^(?:typing\.)?Callable\[.*,\s*(.+)\]$/s.exec(type)?.[1];
    if (arrow) return this.typed(scope, arrow.replace(/\)$/, ''), depth + 1);
    if (meaning?.kind !== 'type') return meaning?.kind === 'outside' ? OUTSIDE : null;
    for (const name of ['__call__', 'operator()', 'invoke', 'callAsFunction', '__invoke', 'apply']) {
      const operators = meaning.places.flatMap((place) => this.#types.members(place, name));
      if (operators.length > 0) return this.#definitions.used(operators, true, meaning, depth);
    }
    return null;
  }

  #indexed(meaning: Meaning | null, link: Link, depth: number): Meaning | null {
    return link.indexed && meaning ? this.#element(meaning, depth) : meaning;
  }

  #element(meaning: Meaning, depth: number): Meaning | null {
    // The elements of an external container (`new Set(projects)`) may be of a type of the tree.
    if (meaning.kind === 'outside') return FROM_OUTSIDE;
    if (meaning.kind !== 'wrapper' || meaning.args.length === 0) return null;
    return this.typed(meaning.scope, meaning.args.at(-1)!, depth + 1);
  }

  /** The value inside of a wrapper: behind `await`, `?` and calls such as `unwrap()`. */
  #unwrapped(meaning: Meaning, depth: number): Meaning | null {
    if (meaning.kind !== 'wrapper' || meaning.args.length === 0) return meaning.kind === 'wrapper' ? null : meaning;
    return this.typed(meaning.scope, meaning.args[0]!, depth + 1);
  }

  /** `type Result<T> = std::result::Result<T, Error>;`: an alias with type arguments counts as the wrapper. */
  #unaliased(meaning: Meaning): Meaning {
    if (meaning.kind !== 'type' || meaning.args.length === 0) return meaning;
    const { kind, name } = this.#tree.symbol(meaning.places[0]!);
    return kind === 'type' ? { kind: 'wrapper', name, args: meaning.args, scope: meaning.scope } : meaning;
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
  #aliased(place: SymbolPlace): readonly SymbolPlace[] {
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
