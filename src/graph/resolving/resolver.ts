/**
 * Resolves a reference to its targets, with a confidence. The order: `super`, calls of an imported module, unqualified
 * names by scope, then members of the value before the name. Where nothing decides, all definitions of the name are
 * ambiguous candidates.
 */
import type { NameRules } from '../../languages/name-rules.ts';
import type { Reference } from '../../model/records/symbol.ts';
import type { GraphTree, SymbolPlace } from '../graph-tree.ts';
import { receiverBefore } from '../reading/arguments.ts';
import { Candidates } from './candidates.ts';
import { findExtensionFunctions, findInExtensionBlocks, withoutOwnTypes } from './extensions.ts';
import { FUNCTION_KINDS, isWanted, type WantedKind } from './kinds.ts';
import type { FileExports } from './names/file-exports.ts';
import type { Scope } from './names/lookup.ts';
import { UnqualifiedNames } from './names/unqualified-names.ts';
import { Namesakes } from './namesakes.ts';
import { ELSEWHERE, NOTHING, type Resolution, type Site } from './resolution.ts';
import { Types } from './types.ts';
import type { Meaning } from './values/meaning.ts';
import { Values } from './values/values.ts';

/** The index cuts receivers at this length; a longer one is read from the text. */
const MAX_STORED_RECEIVER = 120;
/** Definitions of a name that are checked for one in a subtype. */
const MAX_SUBTYPE_MEMBERS = 30;

function wantOf({ kind }: Reference, { variablesApart }: NameRules): WantedKind {
  if (kind === 'call') return variablesApart ? 'function' : 'call';
  return kind === 'read' ? 'any' : 'type';
}

function atMostLikely(resolution: Resolution): Resolution {
  return resolution.confidence === 'exact' ? { ...resolution, confidence: 'likely' } : resolution;
}

export class Resolver {
  readonly #tree: GraphTree;
  readonly types: Types;
  readonly #names: UnqualifiedNames;
  readonly #values: Values;
  readonly #candidates: Candidates;
  readonly #namesakes: Namesakes;

  constructor(tree: GraphTree) {
    this.#tree = tree;
    this.#names = new UnqualifiedNames(tree);
    this.types = new Types(tree, this.#names);
    this.#names.types = this.types;
    this.#values = new Values(tree, this.#names, this.types);
    this.#candidates = new Candidates(tree, this.types, this.#values);
    this.#namesakes = new Namesakes(tree, this.#candidates);
  }

  get exports(): FileExports {
    return this.#names.exports;
  }

  resolve(site: Site): Resolution {
    const found = this.#resolve(site);
    if (!this.#isCallThroughMethod(site)) return found;
    // `name.call(…)` calls `name` only if that is a function; the client of `client.call(…)` is none.
    const targets = found.targets.filter((place) => FUNCTION_KINDS.has(this.#tree.symbol(place).kind));
    return targets.length > 0 ? { ...found, targets } : NOTHING;
  }

  /** The site is the declaration of a local variable or parameter and therefore no reference. */
  declares({ file, reference: { receiver, from, line, column, name } }: Site): boolean {
    const local = receiver === '' ? this.#names.local({ file, from, line, column: column + name.length }, name) : null;
    return local !== null && local.line === line;
  }

  /** The constructors of a type, named like `like`, that a construction of the type may run. */
  construction(type: SymbolPlace, like: SymbolPlace, site: Site): Resolution {
    return this.#candidates.pick(this.types.constructorsLike(type, this.#tree.symbol(like).name), site);
  }

  /** `name.call(…)`, `name.apply(…)`: a script calls the function through a method of the function object. */
  #isCallThroughMethod({ file, reference }: Site): boolean {
    const { applied } = this.#tree.rules(file);
    if (reference.kind !== 'call' || !applied) return false;
    const line = this.#tree.lines(file)[reference.line - 1] ?? '';
    return applied.test(line.slice(reference.column - 1 + reference.name.length));
  }

  #resolve(site: Site): Resolution {
    const { file, reference } = site;
    const scope: Scope = { file, from: reference.from, line: reference.line, column: reference.column };
    const rules = this.#tree.rules(file);
    const want = wantOf(reference, rules);
    const isMember = reference.receiver !== '' || this.#isMember(site);
    if (!isMember && rules.superCalls !== 'none' && reference.kind === 'call' && reference.name === rules.superWord)
      return this.#resolveSuperCall(site, rules.superCalls);
    if (isMember) return this.#resolveMember(site, scope, want);
    return this.#resolveCalledImport(site) ?? this.#resolveUnqualified(site, scope, want);
  }

  #resolveUnqualified(site: Site, scope: Scope, want: WantedKind): Resolution {
    const { macroMark } = this.#tree.rules(site.file);
    const { places: found, outside, unproved, unknown } = this.#names.lookup(scope, site.reference.name, want);
    if (unknown) return this.#resolveDestructured(site, scope, want);
    const places = macroMark !== '' && want === 'call' ? this.#separateMacros(found, site, macroMark) : found;
    if (places.length === 0) return outside ? ELSEWHERE : this.#namesakes.resolve(site, want, false);
    const picked = this.#candidates.pick(places, site);
    return unproved || (picked.confidence === 'exact' && this.#isConditionalMacro(picked.targets[0]!, site.file))
      ? atMostLikely(picked)
      : picked;
  }

  #resolveMember(site: Site, scope: Scope, want: WantedKind): Resolution {
    const { file, reference } = site;
    const receiver = this.#receiverOf(site);
    const meaning = receiver === '' ? null : this.#values.meaning(scope, receiver);
    const isUnknown = want === 'type' && (!meaning || meaning.kind === 'outside');
    const modules = isUnknown ? this.#values.members.globallyNamed(file, `${receiver}.${reference.name}`) : [];
    if (modules.length > 0) return this.#candidates.pick(modules, site);
    if (!meaning) return this.#namesakes.resolve(site, want, true);
    const found = this.#values.members.of(meaning, reference.name, want);
    const isPropertyRead = reference.kind === 'read' && this.#tree.rules(file).propertiesApart;
    const members = isPropertyRead
      ? found.filter((place) => !FUNCTION_KINDS.has(this.#tree.symbol(place).kind))
      : found;
    if (members.length > 0) return this.#pickMembers(members, site, meaning);
    const child =
      meaning.kind === 'module' && meaning.scope === '' ? this.#inChildModules(meaning.files, site, want) : null;
    return child ?? this.#resolveMissingMember(site, scope, receiver, meaning, want);
  }

  #receiverOf({ file, reference: { receiver, line, column } }: Site): string {
    if (receiver !== '' && receiver.length < MAX_STORED_RECEIVER) return receiver;
    return receiverBefore(this.#tree.lines(file), line, column).replace(/(?:\?\.|\.|->|::)\s*$/, '');
  }

  /**
   * A local that a destructuring declares. `const { load } = await import('./store')` means the export of the module;
   * a property of any other object may have been replaced.
   */
  #resolveDestructured(site: Site, scope: Scope, want: WantedKind): Resolution {
    const { name } = site.reference;
    const local = this.#names.local(scope, name);
    if (!local || local.value === '') return NOTHING;
    const meaning = this.#values.meaning({ ...scope, line: local.line, column: 1 }, local.value);
    const isModule = meaning?.kind === 'module';
    const members = isModule ? this.#values.members.of(meaning, local.property || name, want) : [];
    if (members.length > 0) return this.#pickMembers(members, site, meaning);
    return meaning?.kind === 'outside' ? ELSEWHERE : NOTHING;
  }

  /** `require('./make')(…)` calls the default export of the file. */
  #resolveCalledImport(site: Site): Resolution | null {
    const { file, reference } = site;
    const { calledImport } = this.#tree.rules(file);
    if (!calledImport || reference.kind !== 'call' || reference.name !== calledImport.word) return null;
    const line = this.#tree.lines(file)[reference.line - 1] ?? '';
    const [, source] = calledImport.pattern.exec(line.slice(reference.column - 1)) ?? [];
    if (source === undefined) return null;
    const { places, outside } = this.exports.valueOf(file, source);
    return places.length > 0 ? this.#candidates.pick(places, site) : outside ? ELSEWHERE : NOTHING;
  }

  /** `super(…)` runs the constructor of the superclass, or (Ruby) the method that the enclosing one overrides. */
  #resolveSuperCall(site: Site, means: 'constructor' | 'method'): Resolution {
    const { file, reference } = site;
    const type = this.types.around(file, reference.from);
    const above = type ? this.types.supers(type) : [];
    if (means === 'method') {
      const method = reference.from < 0 ? '' : this.#tree.symbol({ file, ordinal: reference.from }).name;
      const found = above.flatMap((each) => this.types.members(each, method));
      return found.length > 0 ? { confidence: 'exact', targets: found.slice(0, 1) } : ELSEWHERE;
    }
    const classes = above.filter((each) => this.#tree.symbol(each).kind !== 'interface');
    return classes.length > 0 ? { confidence: 'exact', targets: classes.slice(0, 1) } : ELSEWHERE;
  }

  /** Members of a type that code creates when it runs are `likely` at most. */
  #pickMembers(members: readonly SymbolPlace[], site: Site, meaning: Meaning | null): Resolution {
    const picked = this.#candidates.pick(members, site);
    return meaning?.kind === 'type' && meaning.unproved ? atMostLikely(picked) : picked;
  }

  /**
   * The receiver is known and has no such member. A subtype may have it, or an extension, or a type outside of the
   * tree.
   */
  #resolveMissingMember(site: Site, scope: Scope, receiver: string, meaning: Meaning, want: WantedKind): Resolution {
    if (meaning.kind === 'type') {
      const dynamic = this.#values.dynamicMembers(meaning, site.reference.name, want);
      if (dynamic.length > 0) return this.#pickMembers(dynamic, site, { ...meaning, unproved: true });
      const inSubtypes = this.#inSubtypes(meaning.places, site);
      if (inSubtypes.targets.length > 0) return inSubtypes;
    }
    const extended = this.#inExtensionFunctions(site, meaning);
    if (extended.targets.length > 0) return extended;
    if (meaning.kind !== 'outside') return NOTHING;
    const guessed = this.#values.guessed(scope, receiver);
    const members = guessed ? this.#values.members.of(guessed, site.reference.name, want) : [];
    if (members.length > 0) return atMostLikely(this.#candidates.pick(members, site));
    return meaning.derived ? this.#inExtensionBlocks(site) : ELSEWHERE;
  }

  /** A value that is declared as a type may be one of its subtypes, which have more members. */
  #inSubtypes(types: readonly SymbolPlace[], { file, reference }: Site): Resolution {
    const tree = this.#tree;
    if (reference.kind !== 'call') return NOTHING;
    const named = tree.named(reference.name, tree.related(file));
    if (named.length === 0 || named.length > MAX_SUBTYPE_MEMBERS) return NOTHING;
    const places = named.filter((place) => {
      if (!FUNCTION_KINDS.has(tree.symbol(place).kind)) return false;
      const owner = this.types.ownerOf(place);
      return owner !== null && types.some((type) => this.types.inherits(owner, type));
    });
    if (places.length === 0) return NOTHING;
    return { confidence: places.length === 1 ? 'likely' : 'ambiguous', targets: places };
  }

  /**
   * A Rust module re-exports names of its child modules, often inside of a macro that selects features, where the
   * grammar shows no import.
   */
  #inChildModules(files: readonly number[], { file: from, reference }: Site, want: WantedKind): Resolution | null {
    const tree = this.#tree;
    const { childFolder } = tree.imports.of(from);
    if (!childFolder) return null;
    const folders = new Set(files.map((file) => childFolder(file)));
    const places = tree
      .named(reference.name, (file) => folders.has(tree.folder(file)) && !files.includes(file))
      .filter((place) => {
        const { kind } = tree.symbol(place);
        return kind !== 'macro' && tree.table(place.file).owners[place.ordinal] === '' && isWanted(kind, want);
      });
    return places.length === 1 ? { confidence: 'likely', targets: places } : NOTHING;
  }

  /**
   * The name has a receiver that the grammar does not show: in the tokens of a Rust macro, or Swift's `.member(…)`,
   * whose type the compiler infers.
   */
  #isMember({ file, reference }: Site): boolean {
    const { hiddenReceivers } = this.#tree.rules(file);
    if (hiddenReceivers === 'none' || (hiddenReceivers === 'types' && reference.kind === 'call')) return false;
    const before = this.#tree.lines(file)[reference.line - 1] ?? '';
    const sign = before[reference.column - 2];
    return sign === '.' || (sign === ':' && before[reference.column - 3] === ':');
  }

  /** `name!(…)` means a macro, `name(…)` never does. */
  #separateMacros(places: readonly SymbolPlace[], { file, reference }: Site, mark: string): readonly SymbolPlace[] {
    const isMacro = this.#tree.lines(file)[reference.line - 1]?.[reference.column - 1 + reference.name.length] === mark;
    return places.filter((place) => (this.#tree.symbol(place).kind === 'macro') === isMacro);
  }

  /** The extension functions that the call may mean. */
  #inExtensionFunctions(site: Site, meaning: Meaning): Resolution {
    if (site.reference.kind !== 'call') return NOTHING;
    const all = findExtensionFunctions(this.#tree, this.types, site.file, site.reference.name);
    const isExternal = meaning.kind === 'outside' && !meaning.derived;
    const places = isExternal ? withoutOwnTypes(this.#tree, site.file, all) : all;
    const picked = places.length > 0 ? this.#candidates.pick(places, site) : NOTHING;
    return picked.confidence === 'exact' ? { ...picked, confidence: 'likely' } : NOTHING;
  }

  /**
   * A member of an external type has an unknown type, possibly one that an extension of this tree extends:
   * `trust.af.performValidation()`. The call means that extension's method only if no other definition has its name.
   */
  #inExtensionBlocks(site: Site): Resolution {
    const { file, reference } = site;
    if (reference.kind !== 'call' || this.#tree.rules(file).builtinMethods.has(reference.name)) return NOTHING;
    const places = findInExtensionBlocks(this.#tree, file, reference.name);
    const others = this.#tree.named(reference.name, this.#tree.related(file)).length - places.length;
    const picked = places.length > 0 && others === 0 ? this.#candidates.pick(places, site) : NOTHING;
    return picked.confidence === 'exact' ? { ...picked, confidence: 'likely' } : NOTHING;
  }

  /** A macro that is defined under `#if` may have another definition, or none, where it is used. */
  #isConditionalMacro({ file, ordinal }: SymbolPlace, from: number): boolean {
    const { kind, startLine } = this.#tree.symbol({ file, ordinal });
    const { isConditional } = this.#tree.rules(from);
    return kind === 'macro' && (isConditional?.(this.#tree.lines(file), startLine, this.#tree.path(file)) ?? false);
  }
}
