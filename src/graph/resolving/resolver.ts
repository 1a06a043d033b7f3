/** From a reference to what it means, with how sure that is. What cannot be told apart is ambiguous with its candidates; nothing is invented. */
import type { Confidence } from '../../model/query.ts';
import { FileFlag } from '../../model/source-file.ts';
import { CONTAINER_KINDS, type Reference, type SymbolRecord } from '../../model/symbol.ts';
import type { GraphTree, SymbolPlace } from '../graph-tree.ts';
import { readCall, receiverBefore, takes } from '../reading/arguments.ts';
import { type Parameter, parametersOf } from '../reading/signature.ts';
import { FUNCTION_KINDS, isWanted, type Want } from './kinds.ts';
import { distinct, Names, type Scope } from './names.ts';
import { type Fitting, Overloads } from './overloads.ts';
import { Types } from './types.ts';
import { Values } from './values.ts';
import { definitionsFirst } from './visible.ts';

export interface Site {
  readonly file: number;
  readonly reference: Reference;
}

export interface Resolution {
  readonly confidence: Confidence;
  readonly targets: readonly SymbolPlace[];
}

const NOTHING: Resolution = { confidence: 'ambiguous', targets: [] };
const MAX_CANDIDATES = 60;
const MAX_NAMESAKES = 5_000;
/** What is made or brought along is not what the rest of the code means by a name. */
const ASIDE = FileFlag.Generated | FileFlag.Vendored;
/** Receivers are at most 120 characters long. */
const CUT = 120;

function wantOf({ kind }: Reference, language: string): Want {
  if (kind === 'call') return language === 'java' ? 'function' : 'call';
  return kind === 'read' ? 'any' : 'type';
}

export class Resolver {
  readonly #tree: GraphTree;
  readonly types: Types;
  readonly #names: Names;
  readonly #values: Values;
  readonly #overloads: Overloads;
  readonly #parameters = new WeakMap<SymbolRecord, readonly Parameter[] | null>();
  readonly #namesakes = new Map<string, readonly SymbolPlace[]>();

  constructor(tree: GraphTree) {
    this.#tree = tree;
    this.#names = new Names(tree);
    this.types = new Types(tree, this.#names);
    this.#names.types = this.types;
    this.#values = new Values(tree, this.#names, this.types);
    this.#overloads = new Overloads(tree, this.types, this.#values);
  }

  resolve(site: Site): Resolution {
    const found = this.#resolve(site);
    if (!this.#isApplied(site)) return found;
    // `client.call(…)` calls a method of a client, unless the client is a function.
    const targets = found.targets.filter((place) => FUNCTION_KINDS.has(this.#tree.symbol(place).kind));
    return targets.length > 0 ? { ...found, targets } : NOTHING;
  }

  /** The place is where a variable or parameter of that name is declared: it means nothing else. */
  declares({ file, reference: { receiver, from, line, column, name } }: Site): boolean {
    const local = receiver === '' ? this.#names.local({ file, from, line, column: column + name.length }, name) : null;
    return local !== null && local.line === line;
  }

  /** Which of a type's constructors runs where the type is constructed. */
  construction(type: SymbolPlace, like: SymbolPlace, site: Site): Resolution {
    return this.#pick(this.types.constructorsLike(type, this.#tree.symbol(like).name), site);
  }

  /** `name.call(…)`, `name.apply(…)` in scripts: called as the object that a function is. */
  #isApplied({ file, reference }: Site): boolean {
    if (reference.kind !== 'call' || this.#tree.traits(file).family !== 'script') return false;
    const line = this.#tree.lines(file)[reference.line - 1] ?? '';
    return /^\??\.(?:call|apply)\b/.test(line.slice(reference.column - 1 + reference.name.length));
  }

  #resolve(site: Site): Resolution {
    const { file, reference } = site;
    const scope: Scope = { file, from: reference.from, line: reference.line, column: reference.column };
    const want = wantOf(reference, this.#tree.language(file));
    const isMember = reference.receiver !== '' || this.#isMember(site);
    if (!isMember) {
      const { places: all, outside, unproved } = this.#names.lookup(scope, reference.name, want);
      const places = this.#tree.language(file) === 'rust' && want === 'call' ? this.#macrosApart(all, site) : all;
      if (places.length > 0) {
        const picked = this.#pick(places, site);
        return picked.confidence === 'exact' && (unproved || this.#isConditional(picked.targets[0]!, file))
          ? { ...picked, confidence: 'likely' }
          : picked;
      }
      return outside ? NOTHING : this.#loose(site, want, false);
    }
    const isWhole = reference.receiver !== '' && reference.receiver.length < CUT;
    const receiver = isWhole
      ? reference.receiver
      : receiverBefore(this.#tree.lines(file), reference.line, reference.column).replace(/(?:\?\.|\.|->|::)\s*$/, '');
    const meaning = receiver === '' ? null : this.#values.meaning(scope, receiver);
    if (!meaning) return this.#loose(site, want, true);
    const found = this.#values.members(meaning, reference.name, want);
    // PHP tells a property from a method of the same name by the brackets.
    const isProperty = reference.kind === 'read' && this.#tree.language(file) === 'php';
    const members = isProperty ? found.filter((place) => !FUNCTION_KINDS.has(this.#tree.symbol(place).kind)) : found;
    if (members.length > 0) return this.#pick(members, site);
    if (meaning.kind === 'module' && meaning.scope === '' && this.#tree.language(file) === 'rust')
      return this.#inChildren(meaning.files, site, want);
    // The type is known and does not have it: inherited from outside, made at run time, or added by an extension.
    return this.#extended(site);
  }

  /** Rust: a module gives on what its own modules hold, often inside of a macro that says for which features, where no import is seen. */
  #inChildren(files: readonly number[], { reference }: Site, want: Want): Resolution {
    const tree = this.#tree;
    const folders = new Set(files.map((file) => tree.imports.rust.childFolder(file)));
    const places = tree
      .named(reference.name, (file) => folders.has(tree.folder(file)) && !files.includes(file))
      .filter((place) => {
        const { kind } = tree.symbol(place);
        return kind !== 'macro' && tree.table(place.file).owners[place.ordinal] === '' && isWanted(kind, want);
      });
    return places.length === 1 ? { confidence: 'likely', targets: places } : NOTHING;
  }

  /** Something stands before the name that the grammar does not show: the tokens of a Rust macro, `.member(…)` of a type that only the compiler knows. */
  #isMember({ file, reference }: Site): boolean {
    const language = this.#tree.language(file);
    // In Dart a prefix and the type behind it are two names.
    const isPrefixed = language === 'dart' && reference.kind !== 'call';
    if (language !== 'swift' && language !== 'zig' && language !== 'rust' && !isPrefixed) return false;
    const before = this.#tree.lines(file)[reference.line - 1] ?? '';
    const sign = before[reference.column - 2];
    return sign === '.' || (sign === ':' && before[reference.column - 3] === ':');
  }

  /** `name!(…)` means a macro and nothing else does. */
  #macrosApart(places: readonly SymbolPlace[], { file, reference }: Site): readonly SymbolPlace[] {
    const isMacro = this.#tree.lines(file)[reference.line - 1]?.[reference.column - 1 + reference.name.length] === '!';
    return places.filter((place) => (this.#tree.symbol(place).kind === 'macro') === isMacro);
  }

  /** Functions that extend a type from outside: `static f(this T x)`, extensions of library types. */
  #extended(site: Site): Resolution {
    const tree = this.#tree;
    const language = tree.language(site.file);
    if (site.reference.kind !== 'call' || !['csharp', 'swift', 'kotlin', 'dart'].includes(language)) return NOTHING;
    const places = tree
      .named(site.reference.name, (file) => tree.language(file) === language)
      .filter((place) => {
        const { kind, signature, parent } = tree.symbol(place);
        if (!FUNCTION_KINDS.has(kind)) return false;
        if (language === 'csharp') return /\(\s*this\s/.test(signature);
        const { symbols, owners } = tree.table(place.file);
        if (language === 'kotlin') return parent < 0 && owners[place.ordinal] !== '';
        return (
          parent >= 0 &&
          symbols[parent]!.kind === 'extension' &&
          this.types.whole({ file: place.file, ordinal: parent }).ordinal === parent
        );
      });
    const picked = places.length > 0 ? this.#pick(places, site) : NOTHING;
    return picked.confidence === 'exact' ? { ...picked, confidence: 'likely' } : NOTHING;
  }

  /** A macro that is defined under a condition may be another one, or none, where it is used. */
  #isConditional({ file, ordinal }: SymbolPlace, from: number): boolean {
    const { kind, startLine } = this.#tree.symbol({ file, ordinal });
    if (kind !== 'macro' || this.#tree.traits(from).family !== 'c') return false;
    let depth = 0;
    for (const line of this.#tree.lines(file).slice(0, startLine - 1)) {
      if (/^\s*#\s*if/.test(line)) depth++;
      else if (/^\s*#\s*endif/.test(line)) depth--;
    }
    return (
      depth >
      (/^\s*#\s*ifndef/m.test(this.#tree.lines(file).slice(0, 60).join('\n')) && /\.h\w*$/.test(this.#tree.path(file))
        ? 1
        : 0)
    );
  }

  /** Of several definitions of one name the one that the call fits. */
  #pick(found: readonly SymbolPlace[], site: Site): Resolution {
    const tree = this.#tree;
    let places = distinct(found);
    if (places.length === 1) return { confidence: 'exact', targets: places };
    const { family, overloads } = tree.traits(site.file);
    if (family === 'c' && places.every(({ file }) => file === places[0]!.file)) places = definitionsFirst(tree, places);
    // What is called is a function where a variable has the same name.
    const functions = places.filter((place) => FUNCTION_KINDS.has(tree.symbol(place).kind));
    if (
      functions.length > 0 &&
      functions.length < places.length &&
      site.reference.kind === 'call' &&
      family !== 'script'
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
      family === 'script' &&
      places.every(
        (place) => tree.symbol(place).kind === 'method' && tree.table(place.file).owners[place.ordinal] === '',
      );
    if (!overloads && sameScope && !inObjects && family !== 'c') {
      // In Rust only one of them is compiled: which one, conditions say.
      if (family === 'rust') return { confidence: 'likely', targets: [places[0]!] };
      // The last definition wins, and of overload signatures the last one has the body.
      return { confidence: 'exact', targets: [places.at(-1)!] };
    }
    if (overloads && places.length > 1) {
      const { places: fitting, sure } = this.#fitting(places, site);
      if (fitting.length > 0) places = nearestLevel(tree, fitting);
      if (places.length === 1) return { confidence: sure ? 'exact' : 'likely', targets: places };
    }
    if (places.length === 1) return { confidence: 'exact', targets: places };
    // Clauses of one function, and what a program declares once for every platform.
    if (family === 'elixir' && sameScope) return { confidence: 'exact', targets: [places[0]!] };
    if (this.#isOneForAll(places)) return { confidence: 'exact', targets: [this.#nearest(site.file, places)] };
    return { confidence: 'ambiguous', targets: places.slice(0, MAX_CANDIDATES) };
  }

  /** A class and its companion, a generic type and a plain one of the same name, a type for every platform. */
  #oneType(types: readonly SymbolPlace[], { file, reference }: Site): SymbolPlace | null {
    const tree = this.#tree;
    const [first] = types;
    if (this.#isOneForAll(types)) return this.#nearest(file, types);
    const names = new Set(types.map((place) => `${place.file} ${tree.symbol(place).qualifiedName}`));
    if (names.size > 1) return null;
    if (tree.language(first!.file) === 'scala')
      return types.find((place) => /\bclass\b|\btrait\b/.test(tree.symbol(place).signature)) ?? first!;
    if (tree.language(first!.file) !== 'csharp') return null;
    const isGeneric = (lines: string, at: number) => lines[at] === '<';
    const call = isGeneric(tree.lines(file)[reference.line - 1] ?? '', reference.column - 1 + reference.name.length);
    const fitting = types.filter(
      (place) => new RegExp(`\\b${reference.name}\\s*<`).test(tree.symbol(place).signature) === call,
    );
    return fitting.length === 1 ? fitting[0]! : null;
  }

  /** `expect` and `actual` in Kotlin: one declaration, and a body for each platform. */
  #isOneForAll(places: readonly SymbolPlace[]): boolean {
    const tree = this.#tree;
    if (!places.every(({ file }) => tree.language(file) === 'kotlin')) return false;
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

  #fitting(places: readonly SymbolPlace[], { file, reference }: Site): Fitting {
    const tree = this.#tree;
    const language = tree.language(file);
    const lines = tree.lines(file);
    const call = readCall(lines, reference.line, reference.column, reference.name);
    if (!call) return { places: [], sure: true };
    const before = (lines[reference.line - 1] ?? '').slice(0, reference.column - 1);
    const written =
      reference.receiver === '' ? before : before.slice(0, Math.max(0, before.lastIndexOf(reference.receiver)));
    const piped =
      language === 'elixir' &&
      (/\|>\s*$/.test(written) || (written.trim() === '' && /\|>\s*$/.test(lines[reference.line - 2] ?? '')));
    const isGenericCall = lines[reference.line - 1]![reference.column - 1 + reference.name.length] === '<';
    const fitting = places.flatMap((place) => {
      const symbol = tree.symbol(place);
      if (language === 'csharp' && !takesTypes(symbol, isGenericCall)) return [];
      if (!FUNCTION_KINDS.has(symbol.kind)) return [{ place, parameters: [] }];
      const parameters = this.#parametersOf(place);
      const fits = parameters === null ? call.count === 0 && !piped : takes(parameters, call, language, piped);
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
      known = parametersOf(symbol.signature, symbol.name, this.#tree.language(file), this.#tree.traits(file));
      this.#parameters.set(symbol, known);
    }
    return known;
  }

  /** Nothing in scope says what it is: whoever goes by the name may be meant, as far as the language allows it. */
  #loose(site: Site, want: Want, qualified: boolean): Resolution {
    const tree = this.#tree;
    const { file, reference } = site;
    const { family, visible } = tree.traits(file);
    const isScript = family === 'script' && tree.table(file).imports.length === 0;
    if (!qualified && (visible !== 'global' || family === 'c') && !isScript) return NOTHING;
    // `process.on.bind(process)`: most of what is passed on like this is the platform's.
    if (qualified && want === 'any' && family === 'script') return NOTHING;
    const places = this.#namesakesOf(reference.name, want, qualified, file);
    if (places.length === 0) return NOTHING;
    if (places.length === 1) return { confidence: 'likely', targets: places };
    const fitting = tree.traits(file).overloads ? this.#fitting(places, site).places : [];
    if (fitting.length === 1) return { confidence: 'likely', targets: fitting };
    // Overload signatures and redefinitions are one function.
    const [first] = places;
    const isOne = places.every(
      (place) =>
        place.file === first!.file &&
        tree.table(place.file).owners[place.ordinal] === tree.table(first!.file).owners[first!.ordinal],
    );
    if (isOne && !tree.traits(file).overloads) return { confidence: 'likely', targets: [places.at(-1)!] };
    const near = this.#near(file, fitting.length > 0 ? fitting : places);
    if (near.length === 1) return { confidence: 'likely', targets: near };
    return { confidence: 'ambiguous', targets: (near.length > 0 ? near : places).slice(0, MAX_CANDIDATES) };
  }

  /** Whoever goes by a name, as far as a file's language lets it mean them. */
  #namesakesOf(name: string, want: Want, qualified: boolean, file: number): readonly SymbolPlace[] {
    const tree = this.#tree;
    const { family } = tree.traits(file);
    const isAside = (each: number) => (tree.files[each]!.flags & ASIDE) !== 0;
    const aside = isAside(file);
    const key = `${family} ${aside} ${want} ${qualified} ${name}`;
    const known = this.#namesakes.get(key);
    if (known) return known;
    const found = tree
      .named(name, (each) => tree.traits(each).family === family && (aside || !isAside(each)))
      .filter((place) => {
        const symbol = tree.symbol(place);
        if (!isWanted(symbol.kind, want)) return false;
        // Behind an unknown value stands a method, in front of nothing a function.
        if (qualified && (want === 'call' || want === 'function'))
          return FUNCTION_KINDS.has(symbol.kind) && tree.table(place.file).owners[place.ordinal] !== '';
        return family === 'ruby' || tree.table(place.file).owners[place.ordinal] === '';
      });
    if (this.#namesakes.size > MAX_NAMESAKES) this.#namesakes.clear();
    this.#namesakes.set(key, found);
    return found;
  }

  #near(file: number, places: readonly SymbolPlace[]): readonly SymbolPlace[] {
    const own = places.filter((place) => place.file === file);
    if (own.length > 0) return own;
    const imported = new Set(this.#tree.importsOf(file).flatMap(({ files }) => files));
    return places.filter((place) => imported.has(place.file));
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
