/** Infers the values inside of external containers and wrappers from the arguments of their types. */
import type { GraphTree } from '../../graph-tree.ts';
import { FROM_OUTSIDE, type Meaning } from './meaning.ts';
import type { TypeNames } from './type-names.ts';

export class WrappedValues {
  readonly #tree: GraphTree;
  readonly #typeNames: TypeNames;

  constructor(tree: GraphTree, typeNames: TypeNames) {
    this.#tree = tree;
    this.#typeNames = typeNames;
  }

  /** An element of a container. */
  element(meaning: Meaning, depth: number): Meaning | null {
    // The elements of an external container (`new Set(projects)`) may be of a type of the tree.
    if (meaning.kind === 'outside') return FROM_OUTSIDE;
    if (meaning.kind !== 'wrapper' || meaning.args.length === 0) return null;
    return this.#typeNames.typed(meaning.scope, meaning.args.at(-1)!, depth + 1);
  }

  /** The value inside of a wrapper: behind `await`, `?` and calls such as `unwrap()`. */
  unwrapped(meaning: Meaning, depth: number): Meaning | null {
    if (meaning.kind !== 'wrapper' || meaning.args.length === 0) return meaning.kind === 'wrapper' ? null : meaning;
    return this.#typeNames.typed(meaning.scope, meaning.args[0]!, depth + 1);
  }

  /** `type Result<T> = std::result::Result<T, Error>;`: an alias with type arguments counts as the wrapper. */
  unaliased(meaning: Meaning): Meaning {
    if (meaning.kind !== 'type' || meaning.args.length === 0) return meaning;
    const { kind, name } = this.#tree.symbol(meaning.places[0]!);
    return kind === 'type' ? { kind: 'wrapper', name, args: meaning.args, scope: meaning.scope } : meaning;
  }
}
