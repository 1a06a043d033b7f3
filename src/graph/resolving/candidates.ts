/**
 * Chooses between several definitions of one name: by their kinds, their scopes, and the arguments of a call. Each step
 * follows from a rule of some language, which the language's record states.
 */
import { CONTAINER_KINDS, type Reference, type SymbolRecord } from '../../model/records/symbol.ts';
import type { GraphTree, SymbolPlace } from '../graph-tree.ts';
import { acceptsCall, readCall } from '../reading/arguments.ts';
import { type Parameter, parametersOf } from '../reading/signature.ts';
import { distinct } from '../symbol-place.ts';
import { FUNCTION_KINDS } from './kinds.ts';
import { definitionsFirst } from './names/implicit-visibility.ts';
import { type Fitting, Overloads } from './overloads.ts';
import { MAX_CANDIDATES, type Resolution, type Site } from './resolution.ts';
import type { Types } from './types.ts';
import type { Values } from './values/values.ts';

export class Candidates {
  readonly #tree: GraphTree;
  readonly #overloads: Overloads;
  readonly #parameters = new WeakMap<SymbolRecord, readonly Parameter[] | null>();

  constructor(tree: GraphTree, types: Types, values: Values) {
    this.#tree = tree;
    this.#overloads = new Overloads(tree, types, values);
  }

  /** The definitions that a reference can mean, of all that a lookup of its name found. */
  pick(found: readonly SymbolPlace[], site: Site): Resolution {
    const places = this.#preferFunctions(this.#preferBodies(distinct(found), site), site);
    if (places.length === 1) return { confidence: 'exact', targets: places };
    const type = this.#pickType(places, site);
    if (type) return { confidence: 'exact', targets: [type] };
    const haveOneScope = this.#haveOneScope(places);
    const redefinition = haveOneScope ? this.#pickRedefinition(places, site) : null;
    if (redefinition) return redefinition;
    const { places: fitting, isCertain } = this.#pickOverloads(places, site);
    if (fitting.length === 1) return { confidence: isCertain ? 'exact' : 'likely', targets: fitting };
    // Elixir defines one function in several clauses, one for each pattern of arguments.
    if (this.#tree.rules(site.file).clauses && haveOneScope) return { confidence: 'exact', targets: [fitting[0]!] };
    if (this.#arePlatformCopies(fitting)) return { confidence: 'exact', targets: [this.#nearest(site.file, fitting)] };
    return { confidence: 'ambiguous', targets: fitting.slice(0, MAX_CANDIDATES) };
  }

  /** C and C++ declare a function before they define it, often in the same file: the definition has the body. */
  #preferBodies(places: SymbolPlace[], site: Site): SymbolPlace[] {
    const isOneFile = places.every(({ file }) => file === places[0]!.file);
    return this.#tree.rules(site.file).prototypes && isOneFile ? definitionsFirst(this.#tree, places) : places;
  }

  /**
   * A call means a function where a variable has the same name, in languages in which a variable cannot hold a
   * function. Types stay: calling one constructs a value.
   */
  #preferFunctions(places: SymbolPlace[], site: Site): SymbolPlace[] {
    if (site.reference.kind !== 'call' || this.#tree.rules(site.file).functionsAreValues) return places;
    if (places.some((place) => this.#isContainer(place))) return places;
    const functions = places.filter((place) => FUNCTION_KINDS.has(this.#tree.symbol(place).kind));
    return functions.length > 0 ? functions : places;
  }

  /** The type, where the other places are its extensions or constructors, or other declarations of the same type. */
  #pickType(places: readonly SymbolPlace[], site: Site): SymbolPlace | null {
    const types = places.filter((place) => this.#isContainer(place) && this.#tree.symbol(place).kind !== 'extension');
    if (types.length < 2) return types[0] ?? null;
    return this.#pickSameNamedType(types, site);
  }

  /**
   * Several types of one qualified name: copies for each platform, a Scala class with its companion object, or a C#
   * generic type beside a plain one (`Result<T>`, `Result`), which only the type arguments of the reference tell apart.
   */
  #pickSameNamedType(types: readonly SymbolPlace[], { file, reference }: Site): SymbolPlace | null {
    const tree = this.#tree;
    const [first] = types;
    if (this.#arePlatformCopies(types)) return this.#nearest(file, types);
    const { typesByArity, mainType } = tree.rules(first!.file);
    // C# may define `Result` and `Result<T>` in two files of one namespace.
    const homeOf = (each: number) => (typesByArity ? tree.table(each).package : each);
    const names = new Set(types.map((place) => `${homeOf(place.file)} ${tree.symbol(place).qualifiedName}`));
    if (names.size > 1) return null;
    if (mainType) return types.find((place) => mainType.test(tree.symbol(place).signature)) ?? first!;
    if (!typesByArity) return null;
    const isGeneric = this.#hasTypeArguments(file, reference);
    const declaration = new RegExp(`\\b${reference.name}\\s*<`);
    const fitting = types.filter((place) => declaration.test(tree.symbol(place).signature) === isGeneric);
    return fitting.length === 1 ? fitting[0]! : null;
  }

  /**
   * Without overloads, a second definition of a name in one scope replaces the first, and of overload signatures
   * (TypeScript, Python) the last has the body. Methods of object literals are no redefinitions: each literal has its
   * own. Of two Rust functions under `#[cfg]`, either
   * may be the one that is compiled.
   */
  #pickRedefinition(places: readonly SymbolPlace[], site: Site): Resolution | null {
    const { overloads, prototypes, conditional, objectMembers } = this.#tree.rules(site.file);
    if (overloads || prototypes) return null;
    const areObjectMethods =
      objectMembers &&
      places.every((place) => this.#tree.symbol(place).kind === 'method' && this.#ownerOf(place) === '');
    if (areObjectMethods) return null;
    if (conditional) return { confidence: 'likely', targets: [places[0]!] };
    return { confidence: 'exact', targets: [places.at(-1)!] };
  }

  /** The overloads that accept the arguments of the call; all places where none is known to. */
  #pickOverloads(places: readonly SymbolPlace[], site: Site): Fitting {
    if (!this.#tree.rules(site.file).overloads) return { places, isCertain: true };
    const { places: fitting, isCertain } = this.findFitting(places, site);
    // A type's own overload hides an inherited one that fits as well.
    const ownOverloads = fitting.filter((place) => this.#ownerOf(place) === this.#ownerOf(fitting[0]!));
    return ownOverloads.length > 0 ? { places: ownOverloads, isCertain } : { places, isCertain };
  }

  #haveOneScope(places: readonly SymbolPlace[]): boolean {
    const [first] = places;
    return places.every((place) => place.file === first!.file && this.#ownerOf(place) === this.#ownerOf(first!));
  }

  #ownerOf({ file, ordinal }: SymbolPlace): string {
    return this.#tree.table(file).owners[ordinal]!;
  }

  #isContainer(place: SymbolPlace): boolean {
    return CONTAINER_KINDS.has(this.#tree.symbol(place).kind);
  }

  #hasTypeArguments(file: number, { name, line, column }: Reference): boolean {
    return this.#tree.lines(file)[line - 1]?.[column - 1 + name.length] === '<';
  }

  /** Kotlin multiplatform: an `expect` declaration, and an `actual` body in the sources of each platform. */
  #arePlatformCopies(places: readonly SymbolPlace[]): boolean {
    const tree = this.#tree;
    if (!places.every(({ file }) => tree.rules(file).platformCopies)) return false;
    const [first] = places;
    return places.every(
      (place) =>
        tree.symbol(place).qualifiedName === tree.symbol(first!).qualifiedName &&
        tree.table(place.file).package === tree.table(first!.file).package &&
        (place === first || place.file !== first!.file),
    );
  }

  #nearest(file: number, places: readonly SymbolPlace[]): SymbolPlace {
    const nearest = this.#tree.imports.paths.nearest(
      file,
      places.map((place) => place.file),
    );
    return places.find((place) => place.file === nearest)!;
  }

  /** The functions whose parameters accept the arguments of a call. */
  findFitting(places: readonly SymbolPlace[], { file, reference }: Site): Fitting {
    const tree = this.#tree;
    const rules = tree.rules(file);
    const call = readCall(tree.lines(file), reference.line, reference.column, reference.name);
    if (!call) return { places: [], isCertain: true };
    const isPiped = this.#isPiped(file, reference);
    const isGenericCall = this.#hasTypeArguments(file, reference);
    const fitting = places.flatMap((place) => {
      const symbol = tree.symbol(place);
      if (rules.typesByArity && !acceptsTypeArguments(symbol, isGenericCall)) return [];
      if (!FUNCTION_KINDS.has(symbol.kind)) return [{ place, parameters: [] }];
      const parameters = this.#parametersOf(place);
      const isAccepted =
        parameters === null ? call.count === 0 && !isPiped : acceptsCall(parameters, call, rules, isPiped);
      return isAccepted ? [{ place, parameters: parameters ?? [] }] : [];
    });
    if (fitting.length < 2 || call.count === 0) return { places: fitting.map(({ place }) => place), isCertain: true };
    const scope = { file, from: reference.from, line: reference.line, column: reference.column };
    return this.#overloads.chooseBest(fitting, call, scope);
  }

  /** A pipe (`|>`) before the call, or at the end of the line above, hands over one more argument. */
  #isPiped(file: number, { receiver, line, column }: Reference): boolean {
    const { pipe } = this.#tree.rules(file);
    if (pipe === null) return false;
    const lines = this.#tree.lines(file);
    const before = (lines[line - 1] ?? '').slice(0, column - 1);
    const beforeReceiver = receiver === '' ? before : before.slice(0, Math.max(0, before.lastIndexOf(receiver)));
    return pipe.test(beforeReceiver) || (beforeReceiver.trim() === '' && pipe.test(lines[line - 2] ?? ''));
  }

  /** Cached: a name like `run` has hundreds of candidates, and each of its calls compares them all. */
  #parametersOf({ file, ordinal }: SymbolPlace): readonly Parameter[] | null {
    const symbol = this.#tree.symbol({ file, ordinal });
    let known = this.#parameters.get(symbol);
    if (known === undefined) {
      known = parametersOf(symbol.signature, symbol.name, this.#tree.rules(file));
      this.#parameters.set(symbol, known);
    }
    return known;
  }
}

/**
 * C#: a call must name the type arguments that no parameter lets the compiler infer (`Find<T>(id)`), and a method
 * without type parameters accepts none.
 */
function acceptsTypeArguments({ kind, name, signature }: SymbolRecord, isGenericCall: boolean): boolean {
  if (!FUNCTION_KINDS.has(kind)) return true;
  const [, list, rest] = new RegExp(`\\b${name}\\s*<([^<>()]*)>\\s*\\((.*)$`, 's').exec(signature) ?? [];
  if (list === undefined) return !isGenericCall;
  const parameters = rest!.replace(/\)\s*where\b.*$/s, '');
  return isGenericCall || list.split(',').every((each) => new RegExp(`\\b${each.trim()}\\b`).test(parameters));
}
