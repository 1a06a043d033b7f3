/**
 * Of several definitions of one name, those that a reference can mean: by their kinds, their scope, and what a call
 * hands over.
 */
import { CONTAINER_KINDS, type SymbolRecord } from '../../model/records/symbol.ts';
import type { GraphTree, SymbolPlace } from '../graph-tree.ts';
import { readCall, takes } from '../reading/arguments.ts';
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

  /** Of several definitions of one name the one that the call fits. */
  pick(found: readonly SymbolPlace[], site: Site): Resolution {
    const tree = this.#tree;
    let places = distinct(found);
    if (places.length === 1) return { confidence: 'exact', targets: places };
    const rules = tree.rules(site.file);
    const { overloads } = rules;
    if (rules.prototypes && places.every(({ file }) => file === places[0]!.file))
      places = definitionsFirst(tree, places);
    // What is called is a function where a variable has the same name.
    const functions = places.filter((place) => FUNCTION_KINDS.has(tree.symbol(place).kind));
    if (
      functions.length > 0 &&
      functions.length < places.length &&
      site.reference.kind === 'call' &&
      !rules.functionsAreValues
    ) {
      if (places.every((place) => !CONTAINER_KINDS.has(tree.symbol(place).kind))) places = functions;
      if (places.length === 1) return { confidence: 'exact', targets: places };
    }
    // A type and what continues it, or its constructor: the type is meant.
    const types = places.filter(
      (place) => CONTAINER_KINDS.has(tree.symbol(place).kind) && tree.symbol(place).kind !== 'extension',
    );
    if (types.length === 1) return { confidence: 'exact', targets: types };
    const one = types.length > 1 ? this.#oneType(types, site) : null;
    if (one) return { confidence: 'exact', targets: [one] };
    const sameScope = places.every(
      ({ file, ordinal }) =>
        file === places[0]!.file &&
        tree.table(file).owners[ordinal] === tree.table(places[0]!.file).owners[places[0]!.ordinal],
    );
    const inObjects =
      rules.objectMembers &&
      places.every(
        (place) => tree.symbol(place).kind === 'method' && tree.table(place.file).owners[place.ordinal] === '',
      );
    if (!overloads && sameScope && !inObjects && !rules.prototypes) {
      if (rules.conditional) return { confidence: 'likely', targets: [places[0]!] };
      // The last definition wins, and of overload signatures the last one has the body.
      return { confidence: 'exact', targets: [places.at(-1)!] };
    }
    if (overloads && places.length > 1) {
      const { places: fitting, sure } = this.fitting(places, site);
      if (fitting.length > 0) places = nearestLevel(tree, fitting);
      if (places.length === 1) return { confidence: sure ? 'exact' : 'likely', targets: places };
    }
    if (places.length === 1) return { confidence: 'exact', targets: places };
    // Clauses of one function, and what a program declares once for every platform.
    if (rules.clauses && sameScope) return { confidence: 'exact', targets: [places[0]!] };
    if (this.#isOneForAll(places)) return { confidence: 'exact', targets: [this.#nearest(site.file, places)] };
    return { confidence: 'ambiguous', targets: places.slice(0, MAX_CANDIDATES) };
  }

  /** A class and its companion, a generic type and a plain one of the same name, a type for every platform. */
  #oneType(types: readonly SymbolPlace[], { file, reference }: Site): SymbolPlace | null {
    const tree = this.#tree;
    const [first] = types;
    if (this.#isOneForAll(types)) return this.#nearest(file, types);
    const { typesByArity, mainType } = tree.rules(first!.file);
    // `Result` and `Result<T>` may have a file each, of one namespace.
    const home = (each: number) => (typesByArity ? tree.table(each).package : each);
    const names = new Set(types.map((place) => `${home(place.file)} ${tree.symbol(place).qualifiedName}`));
    if (names.size > 1) return null;
    if (mainType) return types.find((place) => mainType.test(tree.symbol(place).signature)) ?? first!;
    if (!typesByArity) return null;
    const isGeneric = (lines: string, at: number) => lines[at] === '<';
    const call = isGeneric(tree.lines(file)[reference.line - 1] ?? '', reference.column - 1 + reference.name.length);
    const fitting = types.filter(
      (place) => new RegExp(`\\b${reference.name}\\s*<`).test(tree.symbol(place).signature) === call,
    );
    return fitting.length === 1 ? fitting[0]! : null;
  }

  /** One declaration, and a body for each platform. */
  #isOneForAll(places: readonly SymbolPlace[]): boolean {
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

  /** The functions whose parameters fit a call's arguments. */
  fitting(places: readonly SymbolPlace[], { file, reference }: Site): Fitting {
    const tree = this.#tree;
    const rules = tree.rules(file);
    const lines = tree.lines(file);
    const call = readCall(lines, reference.line, reference.column, reference.name);
    if (!call) return { places: [], sure: true };
    const before = (lines[reference.line - 1] ?? '').slice(0, reference.column - 1);
    const written =
      reference.receiver === '' ? before : before.slice(0, Math.max(0, before.lastIndexOf(reference.receiver)));
    const piped =
      rules.pipe !== null &&
      (rules.pipe.test(written) || (written.trim() === '' && rules.pipe.test(lines[reference.line - 2] ?? '')));
    const isGenericCall = lines[reference.line - 1]![reference.column - 1 + reference.name.length] === '<';
    const fitting = places.flatMap((place) => {
      const symbol = tree.symbol(place);
      if (rules.typesByArity && !takesTypes(symbol, isGenericCall)) return [];
      if (!FUNCTION_KINDS.has(symbol.kind)) return [{ place, parameters: [] }];
      const parameters = this.#parametersOf(place);
      const fits = parameters === null ? call.count === 0 && !piped : takes(parameters, call, rules, piped);
      return fits ? [{ place, parameters: parameters ?? [] }] : [];
    });
    if (fitting.length < 2 || call.count === 0) return { places: fitting.map(({ place }) => place), sure: true };
    const scope = { file, from: reference.from, line: reference.line, column: reference.column };
    return this.#overloads.best(fitting, call, scope);
  }

  /** Read once: a name like `run` has hundreds of candidates, at each of its calls. */
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

/** `Find<T>(id)` wants its type named where no parameter tells it, and `Find(id)` takes none. */
function takesTypes({ kind, name, signature }: SymbolRecord, isGenericCall: boolean): boolean {
  if (!FUNCTION_KINDS.has(kind)) return true;
  const [, list, rest] = new RegExp(`\\b${name}\\s*<([^<>()]*)>\\s*\\((.*)$`, 's').exec(signature) ?? [];
  if (list === undefined) return !isGenericCall;
  const parameters = rest!.replace(/\)\s*where\b.*$/s, '');
  return isGenericCall || list.split(',').every((each) => new RegExp(`\\b${each.trim()}\\b`).test(parameters));
}

/** Of a type's own and inherited overloads that fit, the type's own. */
function nearestLevel(tree: GraphTree, places: readonly SymbolPlace[]): SymbolPlace[] {
  const ownerOf = ({ file, ordinal }: SymbolPlace) => tree.table(file).owners[ordinal]!;
  return places.filter((place) => ownerOf(place) === ownerOf(places[0]!));
}
