/** Resolves references that no scope, import or type decides: any definition of the name may be meant. */

import { FileFlag } from '../../model/records/source-file.ts';
import { CONTAINER_KINDS } from '../../model/records/symbol.ts';
import type { GraphTree, SymbolPlace } from '../graph-tree.ts';
import { isThirdPartyOrGenerated } from '../program-files.ts';
import type { Candidates } from './candidates.ts';
import { FUNCTION_KINDS, isWanted, type WantedKind } from './kinds.ts';
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

  /** `qualified`: the name has a receiver of unknown type. */
  resolve(site: Site, want: WantedKind, qualified: boolean): Resolution {
    const tree = this.#tree;
    const { file, reference } = site;
    const { visible, sharedScripts, platformValues, builtinMethods } = tree.rules(file);
    const isScript = sharedScripts && tree.table(file).imports.length === 0;
    if (!qualified && visible !== 'global' && !isScript) return NOTHING;
    // `process.on.bind(process)`: most functions that a script passes as values behind a receiver are the platform's.
    if (qualified && want === 'any' && platformValues) return NOTHING;
    const places = this.#named(reference.name, want, qualified, file);
    if (places.length === 0) return NOTHING;
    const found = this.#choose(site, places, qualified);
    // `cache.get(key)`: most values with such a method are of a type of the standard library.
    const isBuiltinMethod = qualified && reference.kind === 'call' && builtinMethods.has(reference.name);
    const isDoubtful =
      isBuiltinMethod || (qualified ? this.#isDoubtful(site, found.targets[0]!) : this.#isInModules(file, found));
    return isDoubtful ? { ...found, confidence: 'ambiguous' } : found;
  }

  /** Scripts without imports share one global scope; names of a module are its own, unless a build joins the two. */
  #isInModules(file: number, { targets }: Resolution): boolean {
    const tree = this.#tree;
    if (!tree.rules(file).sharedScripts) return false;
    return targets.every((place) => place.file !== file && tree.table(place.file).imports.length > 0);
  }

  /**
   * The receiver may well be another value: the target is a helper of another test file, a function of an object
   * literal, or a method that shares its name with a field.
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
    // Overload signatures and redefinitions are declarations of one function.
    const [first] = places;
    const isOneFunction = places.every(
      (place) =>
        place.file === first!.file &&
        tree.table(place.file).owners[place.ordinal] === tree.table(first!.file).owners[first!.ordinal],
    );
    if (isOneFunction && !overloads) return { confidence: 'likely', targets: [places.at(-1)!] };
    const all = fitting.length > 0 ? fitting : places;
    // An imported or local method is no likelier than others to belong to a receiver of unknown type.
    const near = qualified ? [] : this.#near(file, all);
    if (near.length === 1) return { confidence: 'likely', targets: near };
    return { confidence: 'ambiguous', targets: (near.length > 0 ? near : all).slice(0, MAX_CANDIDATES) };
  }

  /** Definitions of a name that the file can refer to, by the rules of its language. */
  #named(name: string, want: WantedKind, qualified: boolean, file: number): readonly SymbolPlace[] {
    const tree = this.#tree;
    const { family, bareMethods } = tree.rules(file);
    const isRelated = tree.related(file);
    const part = tree.view.partOf?.(file) ?? 0;
    const isReached = this.#reachedFrom(file);
    // The program's own code rarely means a definition in a generated or third-party file.
    const isExcluded = (each: number) => isThirdPartyOrGenerated(tree.files[each]!);
    const includesAll = isExcluded(file);
    const key = `${family} ${part} ${[...isReached].join()} ${includesAll} ${want} ${qualified} ${name}`;
    const known = this.#known.get(key);
    if (known) return known;
    const found = tree
      .named(
        name,
        (each) => isRelated(each) && (includesAll || !isExcluded(each)) && isReached.has(tree.view.partOf?.(each) ?? 0),
      )
      .filter((place) => {
        const symbol = tree.symbol(place);
        if (!isWanted(symbol.kind, want)) return false;
        // A call with a receiver means a method, a call without one a function.
        if (qualified && (want === 'call' || want === 'function'))
          return FUNCTION_KINDS.has(symbol.kind) && tree.table(place.file).owners[place.ordinal] !== '';
        return bareMethods || tree.table(place.file).owners[place.ordinal] === '';
      });
    if (this.#known.size > MAX_KNOWN) this.#known.clear();
    this.#known.set(key, found);
    return found;
  }

  /** The repositories of a workspace that a file can refer to: its own, and those that it imports from. */
  #reachedFrom(file: number): ReadonlySet<number> {
    const { partOf } = this.#tree.view;
    const parts = new Set([partOf?.(file) ?? 0]);
    if (partOf) for (const { files } of this.#tree.importsOf(file)) for (const each of files) parts.add(partOf(each));
    return parts;
  }

  /** The places in the file itself, else those in files that it imports. */
  #near(file: number, places: readonly SymbolPlace[]): readonly SymbolPlace[] {
    const inFile = places.filter((place) => place.file === file);
    if (inFile.length > 0) return inFile;
    const imported = new Set(this.#tree.importsOf(file).flatMap(({ files }) => files));
    return places.filter((place) => imported.has(place.file));
  }
}
