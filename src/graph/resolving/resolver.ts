/**
 * Resolves a reference to its targets, with a confidence. Several possible targets are ambiguous candidates; nothing is
 * invented.
 */
import type { NameRules } from '../../languages/name-rules.ts';
import type { Reference } from '../../model/records/symbol.ts';
import type { GraphTree, SymbolPlace } from '../graph-tree.ts';
import { receiverBefore } from '../reading/arguments.ts';
import { Candidates } from './candidates.ts';
import { extensionFunctions, inExtensionBlocks, ofOtherTypes } from './extensions.ts';
import { FUNCTION_KINDS, isWanted, type Want } from './kinds.ts';
import type { FileExports } from './names/file-exports.ts';
import type { Scope } from './names/lookup.ts';
import { UnqualifiedNames } from './names/unqualified-names.ts';
import { Namesakes } from './namesakes.ts';
import { ELSEWHERE, NOTHING, type Resolution, type Site } from './resolution.ts';
import { Types } from './types.ts';
import type { Meaning } from './values/meaning.ts';
import { Values } from './values/values.ts';

/** Receivers are at most 120 characters long. */
const CUT = 120;
/** Definitions of a name that are checked for one in a subtype. */
const MAX_BELOW = 30;

function wantOf({ kind }: Reference, { variablesApart }: NameRules): Want {
  if (kind === 'call') return variablesApart ? 'function' : 'call';
  return kind === 'read' ? 'any' : 'type';
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

  /** `name.call(…)`, `name.apply(…)`: called as the object that a function is. */
  #isApplied({ file, reference }: Site): boolean {
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
      return this.#superCall(site, rules.superCalls);
    const imported = isMember ? null : this.#calledImport(site);
    if (imported) return imported;
    if (!isMember) {
      const { places: all, outside, unproved, unknown } = this.#names.lookup(scope, reference.name, want);
      if (unknown) return this.#heldProperty(site, scope, want);
      const places = rules.macroMark !== '' && want === 'call' ? this.#macrosApart(all, site, rules.macroMark) : all;
      if (places.length > 0) {
        const picked = this.#candidates.pick(places, site);
        return picked.confidence === 'exact' && (unproved || this.#isConditional(picked.targets[0]!, file))
          ? { ...picked, confidence: 'likely' }
          : picked;
      }
      return outside ? ELSEWHERE : this.#namesakes.resolve(site, want, false);
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
    const members =
      reference.kind === 'read' && rules.propertiesApart
        ? found.filter((place) => !FUNCTION_KINDS.has(this.#tree.symbol(place).kind))
        : found;
    if (members.length > 0) return this.#pickMembers(members, site, meaning);
    if (meaning.kind === 'module' && meaning.scope === '') {
      const inner = this.#inChildren(meaning.files, site, want);
      if (inner) return inner;
    }
    return this.#unlisted(site, scope, receiver, meaning, want);
  }

  /** `const { load } = await import('./store')` names what the module gives; what an object holds may change. */
  #heldProperty(site: Site, scope: Scope, want: Want): Resolution {
    const { name } = site.reference;
    const local = this.#names.local(scope, name);
    if (!local || local.value === '') return NOTHING;
    const meaning = this.#values.meaning({ ...scope, line: local.line, column: 1 }, local.value);
    const isModule = meaning?.kind === 'module';
    const members = isModule ? this.#values.members(meaning, local.property || name, want) : [];
    if (members.length > 0) return this.#pickMembers(members, site, meaning);
    return meaning?.kind === 'outside' ? ELSEWHERE : NOTHING;
  }

  /** `require('./make')(…)` calls what the file gives as a whole. */
  #calledImport(site: Site): Resolution | null {
    const { file, reference } = site;
    const { calledImport } = this.#tree.rules(file);
    if (!calledImport || reference.kind !== 'call' || reference.name !== calledImport.word) return null;
    const line = this.#tree.lines(file)[reference.line - 1] ?? '';
    const [, source] = calledImport.pattern.exec(line.slice(reference.column - 1)) ?? [];
    if (source === undefined) return null;
    const { places, outside } = this.exports.valueOf(file, source);
    return places.length > 0 ? this.#candidates.pick(places, site) : outside ? ELSEWHERE : NOTHING;
  }

  /** `super(…)`: constructs what the type around inherits, or runs the method that it overrides. */
  #superCall(site: Site, means: 'constructor' | 'method'): Resolution {
    const { file, reference } = site;
    const own = this.types.around(file, reference.from);
    const above = own ? this.types.supers(own) : [];
    if (means === 'method') {
      const method = reference.from < 0 ? '' : this.#tree.symbol({ file, ordinal: reference.from }).name;
      const found = above.flatMap((type) => this.types.members(type, method));
      return found.length > 0 ? { confidence: 'exact', targets: found.slice(0, 1) } : ELSEWHERE;
    }
    const classes = above.filter((type) => this.#tree.symbol(type).kind !== 'interface');
    return classes.length > 0 ? { confidence: 'exact', targets: classes.slice(0, 1) } : ELSEWHERE;
  }

  /** A name that only code creates is `likely` at most. */
  #pickMembers(members: readonly SymbolPlace[], site: Site, meaning: Meaning | null): Resolution {
    const picked = this.#candidates.pick(members, site);
    const isProved = meaning?.kind !== 'type' || !meaning.unproved;
    return isProved || picked.confidence !== 'exact' ? picked : { ...picked, confidence: 'likely' };
  }

  /**
   * What stands before the name is known and does not have it: a subtype or an extension may, or it comes from
   * elsewhere.
   */
  #unlisted(site: Site, scope: Scope, receiver: string, meaning: Meaning, want: Want): Resolution {
    if (meaning.kind === 'type') {
      const made = this.#values.madeMembers(meaning, site.reference.name, want);
      if (made.length > 0) return this.#pickMembers(made, site, { ...meaning, unproved: true });
      const below = this.#inSubtypes(meaning.places, site);
      if (below.targets.length > 0) return below;
    }
    const extended = this.#extended(site, meaning);
    if (extended.targets.length > 0) return extended;
    if (meaning.kind !== 'outside') return NOTHING;
    const guessed = this.#values.guessed(scope, receiver);
    const members = guessed ? this.#values.members(guessed, site.reference.name, want) : [];
    if (members.length > 0) {
      const picked = this.#candidates.pick(members, site);
      return picked.confidence === 'exact' ? { ...picked, confidence: 'likely' } : picked;
    }
    return meaning.derived ? this.#inExtension(site) : ELSEWHERE;
  }

  /** A value that is declared as a type may be one of its subtypes, which have more members. */
  #inSubtypes(types: readonly SymbolPlace[], { file, reference }: Site): Resolution {
    const tree = this.#tree;
    if (reference.kind !== 'call') return NOTHING;
    const named = tree.named(reference.name, tree.related(file));
    if (named.length === 0 || named.length > MAX_BELOW) return NOTHING;
    const places = named.filter((place) => {
      if (!FUNCTION_KINDS.has(tree.symbol(place).kind)) return false;
      const owner = this.types.ownerOf(place);
      return owner !== null && types.some((type) => this.types.inherits(owner, type));
    });
    if (places.length === 0) return NOTHING;
    return { confidence: places.length === 1 ? 'likely' : 'ambiguous', targets: places };
  }

  /**
   * Modules in folders (Rust) give on what their own modules hold, often inside of a macro that says for which
   * features, where no import is seen.
   */
  #inChildren(files: readonly number[], { file: from, reference }: Site, want: Want): Resolution | null {
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
   * Something stands before the name that the grammar does not show: the tokens of a Rust macro, `.member(…)` of a type
   * that only the compiler knows.
   */
  #isMember({ file, reference }: Site): boolean {
    const { hiddenReceivers } = this.#tree.rules(file);
    if (hiddenReceivers === 'none' || (hiddenReceivers === 'types' && reference.kind === 'call')) return false;
    const before = this.#tree.lines(file)[reference.line - 1] ?? '';
    const sign = before[reference.column - 2];
    return sign === '.' || (sign === ':' && before[reference.column - 3] === ':');
  }

  /** `name!(…)` means a macro and nothing else does. */
  #macrosApart(places: readonly SymbolPlace[], { file, reference }: Site, mark: string): readonly SymbolPlace[] {
    const isMacro = this.#tree.lines(file)[reference.line - 1]?.[reference.column - 1 + reference.name.length] === mark;
    return places.filter((place) => (this.#tree.symbol(place).kind === 'macro') === isMacro);
  }

  /** Functions that extend a type from outside. */
  #extended(site: Site, meaning: Meaning): Resolution {
    if (site.reference.kind !== 'call') return NOTHING;
    const all = extensionFunctions(this.#tree, this.types, site.file, site.reference.name);
    const isForeign = meaning.kind === 'outside' && !meaning.derived;
    const places = isForeign ? ofOtherTypes(this.#tree, site.file, all) : all;
    const picked = places.length > 0 ? this.#candidates.pick(places, site) : NOTHING;
    return picked.confidence === 'exact' ? { ...picked, confidence: 'likely' } : NOTHING;
  }

  /**
   * Behind a member of a type from elsewhere anything may stand, also a type that an extension of this tree adds to:
   * `trust.af.performValidation()`. Only the one method of that name in an extension is taken for it.
   */
  #inExtension(site: Site): Resolution {
    const { file, reference } = site;
    if (reference.kind !== 'call' || this.#tree.rules(file).builtinMethods.has(reference.name)) return NOTHING;
    const places = inExtensionBlocks(this.#tree, file, reference.name);
    const others = this.#tree.named(reference.name, this.#tree.related(file)).length - places.length;
    const picked = places.length > 0 && others === 0 ? this.#candidates.pick(places, site) : NOTHING;
    return picked.confidence === 'exact' ? { ...picked, confidence: 'likely' } : NOTHING;
  }

  /** A macro that is defined under a condition may be another one, or none, where it is used. */
  #isConditional({ file, ordinal }: SymbolPlace, from: number): boolean {
    const { kind, startLine } = this.#tree.symbol({ file, ordinal });
    const { isConditional } = this.#tree.rules(from);
    return kind === 'macro' && (isConditional?.(this.#tree.lines(file), startLine, this.#tree.path(file)) ?? false);
  }
}
