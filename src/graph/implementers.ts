/**
 * Finds the types that implement, inherit or conform to a type: by their declaration, by an assertion
 * (`var _ Render = (*Text)(nil)`), and in languages with structural interfaces (Go) by having all of its methods.
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
  /** The type alias of a composition (`Reader & Writer`) that the implementer names instead of the type. */
  readonly through?: SymbolPlace;
}

const SUPERTYPE_KINDS: ReadonlySet<ReferenceKind> = new Set(['inherit', 'conform']);
const TYPE_USES: ReadonlySet<ReferenceKind> = new Set(['type']);
/** Aliases of aliases that are followed. */
const MAX_ALIASES = 4;

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

  /** `target` null: a type of this name that is not in the tree, such as a protocol of the standard library. */
  of(name: string, target: SymbolPlace | null, seen: ReadonlySet<string> = new Set()): Implementer[] {
    const found = new Map<string, Implementer>();
    const add = (each: Implementer) => {
      if (!found.has(keyOf(each.place))) found.set(keyOf(each.place), each);
    };
    for (const each of this.#declared(name, target)) add(each);
    if (!target) return [...found.values()];
    for (const each of this.#asserted(name, target)) add(each);
    for (const each of this.#throughAliases(name, target, seen)) add(each);
    for (const place of this.structural(target)) add(this.#presentStructural(name, place));
    return [...found.values()];
  }

  /** Types that have all methods of an interface, in a language in which that suffices. */
  structural(target: SymbolPlace): readonly SymbolPlace[] {
    const key = keyOf(target);
    const known = this.#structural.get(key);
    if (known) return known;
    const found = this.#withEmbedding(structuralImplementers(this.#tree, this.#types, target));
    this.#structural.set(key, found);
    return found;
  }

  /** `type Cached struct { Store }`: a Go struct has the methods of the types that it embeds. */
  #withEmbedding(types: readonly SymbolPlace[]): readonly SymbolPlace[] {
    const all = new Map(types.map((type) => [keyOf(type), type]));
    for (const type of all.values())
      for (const { place } of this.#declared(this.#tree.symbol(type).name, type))
        if (this.#tree.symbol(place).kind !== 'interface') all.set(keyOf(place), place);
    return [...all.values()].sort((a, b) => a.file - b.file || a.ordinal - b.ordinal);
  }

  /** The interface requires methods that are not in the tree, so the types that have all of them are unknown. */
  isOpen(target: SymbolPlace): boolean {
    const isStructural = this.#tree.rules(target.file).methodShape !== null;
    return isStructural && this.#tree.symbol(target).kind === 'interface' && !this.#types.isClosed(target);
  }

  *#declared(name: string, target: SymbolPlace | null): Generator<Implementer> {
    const sites = target ? this.#sites.of(target, SUPERTYPE_KINDS) : this.#sites.named(name, SUPERTYPE_KINDS);
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

  /** `var _ Render = (*Text)(nil)` compiles only if the type implements the interface. */
  *#asserted(name: string, target: SymbolPlace): Generator<Implementer> {
    const { assertedType } = this.#tree.rules(target.file);
    if (!assertedType) return;
    for (const site of this.#sites.named(name, TYPE_USES)) {
      const { from, line, column } = site.reference;
      const typeName = from < 0 ? null : assertedType(this.#tree.symbol({ file: site.file, ordinal: from }).signature);
      if (!typeName) continue;
      if (!this.#resolve(site).targets.some((each) => isSame(each, target))) continue;
      const path = typeName.split('.');
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

  /** `typealias Both = Reader & Writer`: a type that conforms to the alias conforms to each part. */
  *#throughAliases(name: string, target: SymbolPlace, seen: ReadonlySet<string>): Generator<Implementer> {
    if (seen.size > MAX_ALIASES) return;
    for (const site of this.#sites.named(name, TYPE_USES)) {
      const alias = { file: site.file, ordinal: site.reference.from };
      if (alias.ordinal < 0 || seen.has(keyOf(alias)) || this.#tree.symbol(alias).kind !== 'type') continue;
      if (!this.#types.aliased(alias).some((each) => isSame(each, target))) continue;
      for (const each of this.of(this.#tree.symbol(alias).name, alias, new Set([...seen, keyOf(alias)])))
        yield { ...each, through: each.through ?? alias };
    }
  }

  #presentStructural(name: string, place: SymbolPlace): Implementer {
    const { nameLine: line, nameColumn: column } = this.#tree.symbol(place);
    const reference: Reference = { kind: 'conform', name, receiver: '', line, column, from: place.ordinal };
    return { place, site: { file: place.file, reference }, confidence: 'likely' };
  }
}
