/**
 * Types that implement, inherit or conform to a type: those that say so, those that a declaration asserts, and, in
 * languages where nothing needs to say so, those that have all of its methods.
 */
import type { Confidence } from '../model/records/query.ts';
import type { Reference, ReferenceKind } from '../model/records/symbol.ts';
import type { GraphTree, SymbolPlace } from './graph-tree.ts';
import type { Resolution, Site } from './resolving/resolution.ts';
import { structuralImplementers } from './resolving/structural-implementers.ts';
import type { Types } from './resolving/types.ts';
import type { Sites } from './sites.ts';
import { isSame, keyOf } from './symbol-place.ts';

export interface Implementer {
  readonly place: SymbolPlace;
  readonly site: Site;
  readonly confidence: Confidence;
  /** The alias of a composition that it names instead. */
  readonly through?: SymbolPlace;
}

const SAYS_SUPER: ReadonlySet<ReferenceKind> = new Set(['inherit', 'conform']);
const NAMED: ReadonlySet<ReferenceKind> = new Set(['type']);

export class Implementers {
  readonly #tree: GraphTree;
  readonly #types: Types;
  readonly #sites: Sites;
  readonly #resolve: (site: Site) => Resolution;
  readonly #structural = new Map<string, readonly SymbolPlace[]>();

  constructor(tree: GraphTree, types: Types, sites: Sites, resolve: (site: Site) => Resolution) {
    this.#tree = tree;
    this.#types = types;
    this.#sites = sites;
    this.#resolve = resolve;
  }

  /** `target` null: the type of that name which is not in the tree, as a protocol of the language's library. */
  of(name: string, target: SymbolPlace | null, seen: ReadonlySet<string> = new Set()): Implementer[] {
    const found = new Map<string, Implementer>();
    const add = (each: Implementer) => {
      if (!found.has(keyOf(each.place))) found.set(keyOf(each.place), each);
    };
    for (const each of this.#saying(name, target)) add(each);
    if (!target) return [...found.values()];
    for (const each of this.#asserted(name, target)) add(each);
    for (const each of this.#throughAliases(name, target, seen)) add(each);
    for (const place of this.structural(target)) add(this.#having(name, place));
    return [...found.values()];
  }

  /** Types that have all methods of an interface. */
  structural(target: SymbolPlace): readonly SymbolPlace[] {
    const key = keyOf(target);
    const known = this.#structural.get(key);
    if (known) return known;
    const found = this.#withEmbedding(structuralImplementers(this.#tree, this.#types, target));
    this.#structural.set(key, found);
    return found;
  }

  /** `type Cached struct { Store }`: what embeds a type has its methods, too. */
  #withEmbedding(types: readonly SymbolPlace[]): readonly SymbolPlace[] {
    const all = new Map(types.map((type) => [keyOf(type), type]));
    for (const type of all.values())
      for (const { place } of this.#saying(this.#tree.symbol(type).name, type))
        if (this.#tree.symbol(place).kind !== 'interface') all.set(keyOf(place), place);
    return [...all.values()].sort((a, b) => a.file - b.file || a.ordinal - b.ordinal);
  }

  /** The type needs methods that are not in the tree: the types that have all of them are unknown. */
  isOpen(target: SymbolPlace): boolean {
    const isStructural = this.#tree.rules(target.file).methodShape !== null;
    return isStructural && this.#tree.symbol(target).kind === 'interface' && !this.#types.isClosed(target);
  }

  *#saying(name: string, target: SymbolPlace | null): Generator<Implementer> {
    const sites = target ? this.#sites.of(target, SAYS_SUPER) : this.#sites.named(name, SAYS_SUPER);
    for (const site of sites) {
      const { from } = site.reference;
      if (from < 0) continue;
      const { confidence, targets } = this.#resolve(site);
      const place = { file: site.file, ordinal: from };
      if (target === null) {
        if (targets.length === 0) yield { place, site, confidence: 'likely' };
      } else if (targets.some((each) => isSame(each, target))) yield { place, site, confidence };
    }
  }

  /** `var _ Render = (*Text)(nil)`: a declaration that compiles only if the type implements the interface. */
  *#asserted(name: string, target: SymbolPlace): Generator<Implementer> {
    const { assertedType } = this.#tree.rules(target.file);
    if (!assertedType) return;
    for (const site of this.#sites.named(name, NAMED)) {
      const { from, line, column } = site.reference;
      const written = from < 0 ? null : assertedType(this.#tree.symbol({ file: site.file, ordinal: from }).signature);
      if (!written) continue;
      if (!this.#resolve(site).targets.some((each) => isSame(each, target))) continue;
      const path = written.split('.');
      const reference: Reference = {
        kind: 'type',
        name: path.pop()!,
        receiver: path.join('.'),
        line,
        column,
        from: -1,
      };
      const [place] = this.#types.resolveType(site.file, -1, reference);
      if (!place) continue;
      const asserting: Reference = { ...site.reference, kind: 'conform' };
      yield { place, site: { file: site.file, reference: asserting }, confidence: 'exact' };
    }
  }

  /** `typealias Both = Reader & Writer`: who conforms to it conforms to each of them. */
  *#throughAliases(name: string, target: SymbolPlace, seen: ReadonlySet<string>): Generator<Implementer> {
    if (seen.size > 4) return;
    for (const site of this.#sites.named(name, NAMED)) {
      const alias = { file: site.file, ordinal: site.reference.from };
      if (alias.ordinal < 0 || seen.has(keyOf(alias)) || this.#tree.symbol(alias).kind !== 'type') continue;
      if (!this.#types.aliased(alias).some((each) => isSame(each, target))) continue;
      for (const each of this.of(this.#tree.symbol(alias).name, alias, new Set([...seen, keyOf(alias)])))
        yield { ...each, through: each.through ?? alias };
    }
  }

  #having(name: string, place: SymbolPlace): Implementer {
    const { nameLine: line, nameColumn: column } = this.#tree.symbol(place);
    const reference: Reference = { kind: 'conform', name, receiver: '', line, column, from: place.ordinal };
    return { place, site: { file: place.file, reference }, confidence: 'likely' };
  }
}
