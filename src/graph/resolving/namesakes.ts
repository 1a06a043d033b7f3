/** References whose meaning no scope, import or type gives: any definition of the name may be meant. */

import { FileFlag } from '../../model/records/source-file.ts';
import { CONTAINER_KINDS } from '../../model/records/symbol.ts';
import type { GraphTree, SymbolPlace } from '../graph-tree.ts';
import { isThirdPartyOrGenerated } from '../program-files.ts';
import type { Candidates } from './candidates.ts';
import { FUNCTION_KINDS, isWanted, type Want } from './kinds.ts';
import { MAX_CANDIDATES, NOTHING, type Resolution, type Site } from './resolution.ts';

const MAX_KNOWN = 5_000;

export class Namesakes {
  readonly #tree: GraphTree;
  readonly #candidates: Candidates;
  readonly #known = new Map<string, readonly SymbolPlace[]>();

  constructor(tree: GraphTree, candidates: Candidates) {
    this.#tree = tree;
    this.#candidates = candidates;
  }

  /** `qualified`: something unknown stands before the name. */
  resolve(site: Site, want: Want, qualified: boolean): Resolution {
    const tree = this.#tree;
    const { file, reference } = site;
    const { visible, sharedScripts, platformValues, builtinMethods } = tree.rules(file);
    const isScript = sharedScripts && tree.table(file).imports.length === 0;
    if (!qualified && visible !== 'global' && !isScript) return NOTHING;
    // `process.on.bind(process)`: most of what is passed on like this is the platform's.
    if (qualified && want === 'any' && platformValues) return NOTHING;
    const places = this.#named(reference.name, want, qualified, file);
    if (places.length === 0) return NOTHING;
    const found = this.#choose(site, places, qualified);
    // `cache.get(key)`: most values that have such a method are the language's own.
    const isAnyones = qualified && reference.kind === 'call' && builtinMethods.has(reference.name);
    const isDoubtful =
      isAnyones || (qualified ? this.#isDoubtful(site, found.targets[0]!) : this.#isApart(file, found));
    return isDoubtful ? { ...found, confidence: 'ambiguous' } : found;
  }

  /** Scripts share their names with each other; what a module defines is its own, unless a build joins the two. */
  #isApart(file: number, { targets }: Resolution): boolean {
    const tree = this.#tree;
    if (!tree.rules(file).sharedScripts) return false;
    return targets.every((place) => place.file !== file && tree.table(place.file).imports.length > 0);
  }

  /**
   * A helper of some test, a function of some object without a type, or a name that a field has, too: the value before
   * it may be another one.
   */
  #isDoubtful({ file, reference }: Site, target: SymbolPlace): boolean {
    const tree = this.#tree;
    const { parent } = tree.symbol(target);
    const isInType = parent >= 0 && CONTAINER_KINDS.has(tree.table(target.file).symbols[parent]!.kind);
    if (tree.rules(target.file).objectMembers && !isInType) return true;
    if (target.file !== file && (tree.files[target.file]!.flags & FileFlag.Test) !== 0) return true;
    return tree.named(reference.name, tree.related(file)).some((place) => {
      const { kind } = tree.symbol(place);
      return (kind === 'field' || kind === 'property') && !isThirdPartyOrGenerated(tree.files[place.file]!);
    });
  }

  #choose(site: Site, places: readonly SymbolPlace[], qualified: boolean): Resolution {
    const tree = this.#tree;
    const { file } = site;
    const { overloads } = tree.rules(file);
    if (places.length === 1) return { confidence: 'likely', targets: places };
    const fitting = overloads ? this.#candidates.findFitting(places, site).places : [];
    if (fitting.length === 1) return { confidence: 'likely', targets: fitting };
    // Overload signatures and redefinitions are one function.
    const [first] = places;
    const isOne = places.every(
      (place) =>
        place.file === first!.file &&
        tree.table(place.file).owners[place.ordinal] === tree.table(first!.file).owners[first!.ordinal],
    );
    if (isOne && !overloads) return { confidence: 'likely', targets: [places.at(-1)!] };
    const all = fitting.length > 0 ? fitting : places;
    // Of several methods, that one is imported or stands in the same file says little about an unknown value.
    const near = qualified ? [] : this.#near(file, all);
    if (near.length === 1) return { confidence: 'likely', targets: near };
    return { confidence: 'ambiguous', targets: (near.length > 0 ? near : all).slice(0, MAX_CANDIDATES) };
  }

  /** Definitions of a name that the file's language lets it refer to. */
  #named(name: string, want: Want, qualified: boolean, file: number): readonly SymbolPlace[] {
    const tree = this.#tree;
    const { family, bareMethods } = tree.rules(file);
    const isRelated = tree.related(file);
    const part = tree.view.partOf?.(file) ?? 0;
    const isReached = this.#reachedFrom(file);
    // Generated and vendored files are not what the rest of the code means by a name.
    const isAside = (each: number) => isThirdPartyOrGenerated(tree.files[each]!);
    const aside = isAside(file);
    const key = `${family} ${part} ${[...isReached].join()} ${aside} ${want} ${qualified} ${name}`;
    const known = this.#known.get(key);
    if (known) return known;
    const found = tree
      .named(
        name,
        (each) => isRelated(each) && (aside || !isAside(each)) && isReached.has(tree.view.partOf?.(each) ?? 0),
      )
      .filter((place) => {
        const symbol = tree.symbol(place);
        if (!isWanted(symbol.kind, want)) return false;
        // Behind an unknown value stands a method, in front of nothing a function.
        if (qualified && (want === 'call' || want === 'function'))
          return FUNCTION_KINDS.has(symbol.kind) && tree.table(place.file).owners[place.ordinal] !== '';
        return bareMethods || tree.table(place.file).owners[place.ordinal] === '';
      });
    if (this.#known.size > MAX_KNOWN) this.#known.clear();
    this.#known.set(key, found);
    return found;
  }

  /** Repositories of a workspace that a file can mean: its own, and those that it imports something from. */
  #reachedFrom(file: number): ReadonlySet<number> {
    const { partOf } = this.#tree.view;
    const parts = new Set([partOf?.(file) ?? 0]);
    if (partOf) for (const { files } of this.#tree.importsOf(file)) for (const each of files) parts.add(partOf(each));
    return parts;
  }

  #near(file: number, places: readonly SymbolPlace[]): readonly SymbolPlace[] {
    const own = places.filter((place) => place.file === file);
    if (own.length > 0) return own;
    const imported = new Set(this.#tree.importsOf(file).flatMap(({ files }) => files));
    return places.filter((place) => imported.has(place.file));
  }
}
