/** Finds what a meaning has under a name: members of a type, definitions in a module. */
import { CONTAINER_KINDS } from '../../../model/records/symbol.ts';
import type { GraphTree, SymbolPlace } from '../../graph-tree.ts';
import { isWanted, type WantedKind } from '../kinds.ts';
import type { FileExports } from '../names/file-exports.ts';
import type { Types } from '../types.ts';
import type { Meaning } from './meaning.ts';

export class MeaningMembers {
  readonly #tree: GraphTree;
  readonly #exports: FileExports;
  readonly #types: Types;

  constructor(tree: GraphTree, exports: FileExports, types: Types) {
    this.#tree = tree;
    this.#exports = exports;
    this.#types = types;
  }

  /** Members of a type, or definitions in a module, of a name. */
  of(meaning: Meaning, name: string, want: WantedKind): readonly SymbolPlace[] {
    if (meaning.kind === 'type') {
      // Each reopening of a Ruby class leads to the members of all others.
      const [first] = meaning.places;
      const isReopened = first && this.#tree.rules(first.file).parts === 'reopened';
      const found = (isReopened ? [first] : meaning.places).flatMap((place) => this.#types.members(place, name));
      return found.filter((place) => isWanted(this.#tree.symbol(place).kind, want));
    }
    if (meaning.kind !== 'module') return [];
    const found = this.#exports.inFiles(meaning.files, name, want, meaning.scope);
    const mayBeModule = found.length === 0 && want === 'type' && meaning.files.length > 0;
    return mayBeModule ? this.globallyNamed(meaning.files[0]!, `${meaning.scope}.${name}`) : found;
  }

  /**
   * Modules with a qualified name, in languages in which module names are global. Elixir's `Shop.Store` is no member of
   * `Shop`, which need not exist: only the qualified name identifies it.
   */
  globallyNamed(from: number, name: string): readonly SymbolPlace[] {
    if (!this.#tree.rules(from).globalModules) return [];
    return this.#tree
      .named(name.slice(name.lastIndexOf('.') + 1), this.#tree.related(from))
      .filter((place) => CONTAINER_KINDS.has(this.#tree.symbol(place).kind))
      .filter((place) => this.#tree.symbol(place).qualifiedName === name);
  }
}
