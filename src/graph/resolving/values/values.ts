/**
 * Infers what an expression stands for: a module, a type, or a value of a type. It follows declared types,
 * constructions and declared results. Null: unknown. `outside`: something that the tree does not define.
 */
import type { Builtin } from '../../../languages/name-rules.ts';
import type { GraphTree, SymbolPlace } from '../../graph-tree.ts';
import { type Chain, type Link, readChain } from '../../reading/chain.ts';
import { beginsWithLiteral, isDictionary } from '../../reading/literal.ts';
import { findExtensionMembers } from '../extensions.ts';
import { isWanted, type WantedKind } from '../kinds.ts';
import type { Local } from '../names/locals.ts';
import type { Scope } from '../names/lookup.ts';
import type { UnqualifiedNames } from '../names/unqualified-names.ts';
import type { Types } from '../types.ts';
import { DeclaredTypes } from './declared-types.ts';
import { Definitions, type Expressions } from './definitions.ts';
import { MadeTypes } from './made-types.ts';
import { type Begun, FROM_OUTSIDE, MAX_DEPTH, type Meaning, OUTSIDE, type TypeMeaning } from './meaning.ts';
import { MeaningMembers } from './meaning-members.ts';
import { ModulePaths } from './module-paths.ts';
import { type Paths, TypeNames } from './type-names.ts';
import { WrappedValues } from './wrapped-values.ts';
import { ELEMENTS_BY_CALL, RETURNS_RECEIVER, UNWRAPPING } from './wrappers.ts';

/** A column behind the end of any line: all declarations on the line count. */
const END = 1_000_000;

function linkTo(name: string): Link {
  return { name, called: false, indexed: false, isOptional: false };
}

export class Values implements Expressions, Paths {
  readonly members: MeaningMembers;
  readonly declaredTypes: DeclaredTypes;
  readonly #tree: GraphTree;
  readonly #names: UnqualifiedNames;
  readonly #types: Types;
  readonly #modules: ModulePaths;
  readonly #typeNames: TypeNames;
  readonly #wrapped: WrappedValues;
  readonly #definitions: Definitions;
  readonly #dynamic: MadeTypes;
  #guessing: Scope | null = null;

  constructor(tree: GraphTree, names: UnqualifiedNames, types: Types) {
    this.#tree = tree;
    this.#names = names;
    this.#types = types;
    this.members = new MeaningMembers(tree, names.exports, types);
    this.declaredTypes = new DeclaredTypes(tree, names, this);
    this.#modules = new ModulePaths(tree, names);
    this.#typeNames = new TypeNames(tree, names, types, this);
    this.#wrapped = new WrappedValues(tree, this.#typeNames);
    this.#definitions = new Definitions(tree, this);
    this.#dynamic = new MadeTypes(tree, types, this);
    types.resolveType = (file, from, reference) => this.#typeNames.typeOf(file, from, reference);
    types.aliased = (place) => this.#typeNames.aliased(place);
  }

  /** Members that a type gets when its code runs, from computed bases or a metaclass (Python). */
  dynamicMembers(meaning: TypeMeaning, name: string, want: WantedKind): readonly SymbolPlace[] {
    return meaning.places
      .flatMap((place) => this.#dynamic.members(place, name))
      .filter((place) => isWanted(this.#tree.symbol(place).kind, want));
  }

  meaning(scope: Scope, expression: string, depth = 0): Meaning | null {
    if (depth > MAX_DEPTH) return null;
    const rules = this.#tree.rules(scope.file);
    const builtin = rules.builtin?.(expression);
    if (builtin) return this.#builtin(scope, builtin, depth);
    // Rust's `(**self)` is the value behind a reference, of a type that is not written here.
    if (/^\(\*+self\)$/.test(expression)) return null;
    const elementType = rules.elementType?.(expression);
    if (elementType) return this.#typeNames.typed(scope, elementType, depth + 1);
    if (beginsWithLiteral(expression, rules)) return OUTSIDE;
    if (isDictionary(expression, rules)) return { kind: 'wrapper', name: 'dict', args: [], scope };
    const source = rules.importExpression?.exec(expression.trim())?.[1];
    if (source) return this.#modules.imported(scope.file, source);
    const chain = readChain(expression);
    if (!chain) return null;
    if (chain.cast !== '') {
      let meaning = this.#typeNames.typed(scope, chain.cast, depth + 1);
      for (const link of chain.links) if (meaning) meaning = this.#step(meaning, link, depth + 1);
      return meaning;
    }
    return this.follow(scope, chain, depth);
  }

  typed(scope: Scope, text: string, depth: number): Meaning | null {
    return this.#typeNames.typed(scope, text, depth);
  }

  qualifiedTypes(scope: Scope, path: readonly string[], depth: number): readonly SymbolPlace[] {
    const outer = this.#head(scope, linkTo(path[0]!), depth + 1, path);
    let meaning: Meaning | null = outer?.meaning ?? null;
    for (let i = outer?.used ?? 1; meaning && i < path.length - 1; i++)
      meaning = this.#step(meaning, linkTo(path[i]!), depth + 1);
    if (!meaning) return this.#modules.globalPath(scope, path);
    return this.members.of(meaning, path.at(-1)!, 'type');
  }

  /** The value of a chain of names, calls and indices. */
  follow(scope: Scope, { links, awaited, constructed }: Chain, depth: number): Meaning | null {
    const path = links.map(({ name }) => name);
    const start = this.#head(scope, links[0]!, depth, path, constructed && links.length === 1);
    if (!start?.meaning) return null;
    // Rust's `?` yields the value inside of a Result or Option; elsewhere it does not change the type.
    const { questionUnwraps } = this.#tree.rules(scope.file);
    const unwrapOptional = (found: Meaning | null, { isOptional }: Link) =>
      isOptional && questionUnwraps && found ? this.#wrapped.unwrapped(this.#wrapped.unaliased(found), depth) : found;
    let meaning = unwrapOptional(start.meaning, links[start.used - 1]!);
    for (let i = start.used; i < links.length && meaning; i++)
      meaning = unwrapOptional(this.#step(meaning, links[i]!, depth + 1), links[i]!);
    return awaited && meaning ? this.#wrapped.unwrapped(meaning, depth) : meaning;
  }

  #builtin(scope: Scope, { source, path }: Builtin, depth: number): Meaning | null {
    let meaning: Meaning | null;
    if (source === null)
      meaning = this.#typeNames.enclosing(scope) ?? { kind: 'module', files: [scope.file], scope: '', binding: null };
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
    if (selfWords.has(name)) return { meaning: this.#indexed(this.#typeNames.enclosing(scope), link, depth), used: 1 };
    if (name === superWord) {
      const self = this.#typeNames.enclosing(scope);
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
    if (local.type !== '') meaning = this.#typeNames.typed({ ...at, column: 1 }, local.type, depth + 1);
    else if (local.value !== '' && local.part === 0)
      meaning = this.meaning({ ...at, from: scope.from, column: 1 }, local.value, depth + 1);
    if (local.element && meaning) meaning = this.#wrapped.element(meaning, depth);
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
      if (ELEMENTS_BY_CALL.has(link.name)) return this.#wrapped.element(meaning, depth);
      return UNWRAPPING.has(link.name) ? this.#wrapped.unwrapped(meaning, depth) : null;
    }
    const found = this.members.of(meaning, link.name, 'any');
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

  #field(scope: Scope, name: string, depth: number): Meaning | null {
    const self = this.#typeNames.enclosing(scope);
    return self ? this.#step(self, linkTo(name), depth + 1) : null;
  }

  /** The result of calling a value: of its declared function type, or of the call operator of its type. */
  #called(meaning: Meaning | null, type: string, scope: Scope, depth: number): Meaning | null {
    const arrow =
      /^\(?.*?\)\s*(?:=>|->)\s*(.+)$/s.exec(type)?.[1] ?? /^(?:typing\.)?Callable\[.*,\s*(.+)\]$/s.exec(type)?.[1];
    if (arrow) return this.#typeNames.typed(scope, arrow.replace(/\)$/, ''), depth + 1);
    if (meaning?.kind !== 'type') return meaning?.kind === 'outside' ? OUTSIDE : null;
    for (const name of ['__call__', 'operator()', 'invoke', 'callAsFunction', '__invoke', 'apply']) {
      const operators = meaning.places.flatMap((place) => this.#types.members(place, name));
      if (operators.length > 0) return this.#definitions.used(operators, true, meaning, depth);
    }
    return null;
  }

  #indexed(meaning: Meaning | null, link: Link, depth: number): Meaning | null {
    return link.indexed && meaning ? this.#wrapped.element(meaning, depth) : meaning;
  }
}
