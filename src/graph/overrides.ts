/** Finds the methods that a method overrides or implements, and those that override or implement it. */
import { FileFlag } from '../model/records/source-file.ts';
import type { GraphTree, SymbolPlace } from './graph-tree.ts';
import type { Implementers } from './implementers.ts';
import type { Types } from './resolving/types.ts';
import { isSame } from './symbol-place.ts';

const MAX_OVERRIDES = 8;

export class Overrides {
  readonly #tree: GraphTree;
  readonly #types: Types;
  readonly #implementers: Implementers;

  constructor(tree: GraphTree, types: Types, implementers: Implementers) {
    this.#tree = tree;
    this.#types = types;
    this.#implementers = implementers;
  }

  /** The methods that a method overrides or implements: a call of theirs may run it. */
  above(place: SymbolPlace): readonly SymbolPlace[] {
    const { kind, name } = this.#tree.symbol(place);
    const owner = kind === 'method' || kind === 'function' ? this.#types.ownerOf(place) : null;
    if (!owner) return [];
    const inherited = this.#types.supers(owner).flatMap((type) => this.#types.members(type, name));
    return [...inherited, ...this.#inStructuralInterfaces(owner, name)]
      .filter((each) => !isSame(each, place))
      .slice(0, MAX_OVERRIDES);
  }

  /** The methods that override or implement a method: a call of it may run them. Those in tests come last. */
  below(place: SymbolPlace, limit = MAX_OVERRIDES): readonly SymbolPlace[] {
    const { kind, name } = this.#tree.symbol(place);
    const owner = kind === 'method' ? this.#types.ownerOf(place) : null;
    if (!owner) return [];
    const found: SymbolPlace[] = [];
    for (const implementer of this.#implementers.of(this.#tree.symbol(owner).name, owner))
      for (const each of this.#types.members(this.#types.whole(implementer.place), name))
        if (!isSame(each, place) && !found.some((other) => isSame(other, each))) found.push(each);
    const isTest = ({ file }: SymbolPlace) => Number((this.#tree.files[file]!.flags & FileFlag.Test) !== 0);
    return found.sort((a, b) => isTest(a) - isTest(b)).slice(0, limit);
  }

  /** Methods of a name in interfaces that a type implements structurally (Go). */
  #inStructuralInterfaces(owner: SymbolPlace, name: string): readonly SymbolPlace[] {
    const tree = this.#tree;
    if (!tree.rules(owner.file).methodShape || tree.symbol(owner).kind === 'interface') return [];
    return tree.named(name, tree.related(owner.file)).filter(({ file, ordinal }) => {
      const { parent } = tree.symbol({ file, ordinal });
      if (parent < 0 || tree.symbol({ file, ordinal: parent }).kind !== 'interface') return false;
      return this.#implementers.structural({ file, ordinal: parent }).some((type) => isSame(type, owner));
    });
  }
}
