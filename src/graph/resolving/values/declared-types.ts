/** Finds the type that the code declares for an expression, as text. */
import type { GraphTree } from '../../graph-tree.ts';
import { type Chain, readChain } from '../../reading/chain.ts';
import { beginsWithLiteral } from '../../reading/literal.ts';
import { declaredValueOf, resultOf } from '../../reading/signature.ts';
import { FUNCTION_KINDS } from '../kinds.ts';
import type { Scope } from '../names/lookup.ts';
import type { UnqualifiedNames } from '../names/unqualified-names.ts';
import type { Meaning } from './meaning.ts';
import type { MeaningMembers } from './meaning-members.ts';

/** The part of `Values` that declared types need; `Values` itself offers declared types. */
interface Chains {
  readonly members: MeaningMembers;
  follow(scope: Scope, chain: Chain, depth: number): Meaning | null;
}

export class DeclaredTypes {
  readonly #tree: GraphTree;
  readonly #names: UnqualifiedNames;
  readonly #chains: Chains;

  constructor(tree: GraphTree, names: UnqualifiedNames, chains: Chains) {
    this.#tree = tree;
    this.#names = names;
    this.#chains = chains;
  }

  /** The declared type of an expression as text, also of a type outside of the tree; '' where none is declared. */
  of(scope: Scope, expression: string): string {
    const chain = beginsWithLiteral(expression, this.#tree.rules(scope.file)) ? null : readChain(expression);
    if (!chain) return '';
    if (chain.cast !== '' && chain.links.length === 0) return chain.cast;
    const last = chain.links.at(-1);
    if (!last || last.indexed) return '';
    if (chain.links.length === 1 && !last.called) {
      const local = this.#names.local(scope, last.name.replace(/^\$/, ''));
      if (local?.element) return '';
      if (local?.type === '' && local.value !== '' && local.property === undefined)
        return this.of({ ...scope, line: local.line, column: 1 }, local.value);
      if (local) return local.type;
    }
    if (chain.constructed && chain.links.length === 1) return last.name;
    const before =
      chain.links.length === 1
        ? null
        : this.#chains.follow(scope, { ...chain, links: chain.links.slice(0, -1), awaited: false }, 1);
    const places =
      chain.links.length === 1
        ? this.#names.lookup(scope, last.name, 'any').places
        : before
          ? this.#chains.members.of(before, last.name, 'any')
          : [];
    const place = places.find((each) => FUNCTION_KINDS.has(this.#tree.symbol(each).kind) === last.called);
    if (!place) return '';
    const symbol = this.#tree.symbol(place);
    const rules = this.#tree.rules(place.file);
    return last.called
      ? resultOf(symbol.signature, symbol.name, rules)
      : declaredValueOf(symbol.signature, symbol.name, rules).type;
  }
}
