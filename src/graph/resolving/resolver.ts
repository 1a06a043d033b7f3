/** From a reference to what it means, with how sure that is. What cannot be told apart is ambiguous with its candidates; nothing is invented. */
import type { Reference } from '../../model/records/symbol.ts';
import type { GraphTree, SymbolPlace } from '../graph-tree.ts';
import { receiverBefore } from '../reading/arguments.ts';
import { Candidates } from './candidates.ts';
import { FUNCTION_KINDS, isWanted, type Want } from './kinds.ts';
import type { Scope } from './lookup.ts';
import { Names } from './names.ts';
import { Namesakes } from './namesakes.ts';
import { NOTHING, type Resolution, type Site } from './resolution.ts';
import { Types } from './types.ts';
import { Values } from './values.ts';

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
  readonly #candidates: Candidates;
  readonly #namesakes: Namesakes;

  constructor(tree: GraphTree) {
    this.#tree = tree;
    this.#names = new Names(tree);
    this.types = new Types(tree, this.#names);
    this.#names.types = this.types;
    this.#values = new Values(tree, this.#names, this.types);
    this.#candidates = new Candidates(tree, this.types, this.#values);
    this.#namesakes = new Namesakes(tree, this.#candidates);
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
    return this.#candidates.pick(this.types.constructorsLike(type, this.#tree.symbol(like).name), site);
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
        const picked = this.#candidates.pick(places, site);
        return picked.confidence === 'exact' && (unproved || this.#isConditional(picked.targets[0]!, file))
          ? { ...picked, confidence: 'likely' }
          : picked;
      }
      return outside ? NOTHING : this.#namesakes.resolve(site, want, false);
    }
    const isWhole = reference.receiver !== '' && reference.receiver.length < CUT;
    const receiver = isWhole
      ? reference.receiver
      : receiverBefore(this.#tree.lines(file), reference.line, reference.column).replace(/(?:\?\.|\.|->|::)\s*$/, '');
    const meaning = receiver === '' ? null : this.#values.meaning(scope, receiver);
    const isUnknown = want === 'type' && (!meaning || meaning.kind === 'outside');
    const whole = isUnknown ? this.#values.wholeModule(file, `${receiver}.${reference.name}`) : [];
    if (whole.length > 0) return this.#candidates.pick(whole, site);
    if (!meaning) return this.#namesakes.resolve(site, want, true);
    const found = this.#values.members(meaning, reference.name, want);
    // PHP tells a property from a method of the same name by the brackets.
    const isProperty = reference.kind === 'read' && this.#tree.language(file) === 'php';
    const members = isProperty ? found.filter((place) => !FUNCTION_KINDS.has(this.#tree.symbol(place).kind)) : found;
    if (members.length > 0) return this.#candidates.pick(members, site);
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
    const picked = places.length > 0 ? this.#candidates.pick(places, site) : NOTHING;
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
}
