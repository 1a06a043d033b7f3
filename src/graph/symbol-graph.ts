/**
 * Edges between the symbols of one tree, resolved on demand: by scope, receiver, import and package. Every edge has a
 * confidence; a reference with several possible targets is `ambiguous` and lists its candidates. The graph of a new
 * tree takes over what its changes cannot have affected, so an update costs in proportion to the change.
 */
import type { Confidence } from '../model/records/query.ts';
import { FileFlag } from '../model/records/source-file.ts';
import {
  CONTAINER_KINDS,
  isTestModule,
  type Reference,
  type ReferenceKind,
  type SymbolRecord,
} from '../model/records/symbol.ts';
import { nameKey } from '../model/text/terms.ts';
import type { StoreReader, TreeView } from '../store/store.ts';
import { FileGraph } from './file-graph.ts';
import { GraphTree, type SymbolPlace } from './graph-tree.ts';
import { findIdentifiers, type Identifier } from './identifiers.ts';
import { type Implementer, Implementers } from './implementers.ts';
import { WireJoins } from './joins/wire-joins.ts';
import { findMentions } from './mentions.ts';
import { Overrides } from './overrides.ts';
import { isOwnProgram } from './program-files.ts';
import { functionDeclarations } from './resolving/function-declarations.ts';
import type { Resolution, Site } from './resolving/resolution.ts';
import { Resolver } from './resolving/resolver.ts';
import { isSuperReceiver } from './resolving/values/wrappers.ts';
import { bySite, Sites } from './sites.ts';
import { superCalls } from './super-calls.ts';
import { SymbolAliases } from './symbol-aliases.ts';
import { isSame } from './symbol-place.ts';

export type { SymbolPlace } from './graph-tree.ts';
export type { Implementer } from './implementers.ts';

export interface Edge {
  readonly site: Site;
  readonly confidence: Confidence;
  readonly candidates: readonly SymbolPlace[];
}

/** Cached resolutions, about 3 MB. */
const MAX_RESOLVED = 20_000;
const CALLS: ReadonlySet<ReferenceKind> = new Set(['call']);
const TYPE_USES: ReadonlySet<ReferenceKind> = new Set(['type']);
/** The most confident first. */
export const CONFIDENCE_ORDER: Readonly<Record<Confidence, number>> = { exact: 0, likely: 1, ambiguous: 2 };

export class SymbolGraph {
  readonly #tree: GraphTree;
  readonly #resolver: Resolver;
  readonly sites: Sites;
  readonly files: FileGraph;
  /** Calls over a network. */
  readonly joins: WireJoins;
  readonly #resolved = new Map<string, Resolution>();
  readonly #implementers: Implementers;
  readonly #overrides: Overrides;

  constructor(reader: StoreReader, view: TreeView, previous?: SymbolGraph) {
    this.#tree = new GraphTree(reader, view, previous ? previous.#tree : undefined);
    this.#resolver = new Resolver(this.#tree);
    this.files = new FileGraph(this.#tree);
    this.sites = new Sites(this.#tree, new SymbolAliases(this.#tree, this.files, this.#resolver.exports));
    this.joins = new WireJoins(this.#tree, this.sites);
    this.#implementers = new Implementers(this.#tree, this.#resolver.types, this.sites, (site) => this.resolve(site));
    this.#overrides = new Overrides(this.#tree, this.#resolver.types, this.#implementers);
  }

  symbol(place: SymbolPlace): SymbolRecord {
    return this.#tree.symbol(place);
  }

  /** All symbols of this name; where none has the same case, those that differ in case. */
  named(name: string): readonly SymbolPlace[] {
    const exact = this.#tree.named(name);
    if (exact.length > 0) return exact;
    const { view, reader } = this.#tree;
    const places: SymbolPlace[] = [];
    for (const id of reader.postings('symbol', nameKey(name) || name).docs) {
      const file = view.fileOfSymbol[id] ?? -1;
      if (file >= 0) places.push({ file, ordinal: id - view.firstSymbolOf[file]! });
    }
    return places;
  }

  /** Resolves a reference. Cached: overloads, overrides and the next step of a walk ask for the same sites again. */
  resolve(site: Site): Resolution {
    const { kind, name, line, column } = site.reference;
    const key = `${site.file}:${line}:${column} ${kind} ${name}`;
    let known = this.#resolved.get(key);
    if (!known) {
      known = this.#resolver.resolve(site);
      if (this.#resolved.size >= MAX_RESOLVED) this.#resolved.clear();
      this.#resolved.set(key, known);
    }
    return known;
  }

  /** Places that refer to the symbol, most confident first. */
  references(target: SymbolPlace, kinds: ReadonlySet<ReferenceKind>): Edge[] {
    const edges: Edge[] = [];
    const sites = this.sites.of(target, kinds);
    if (kinds.has('call')) sites.push(...superCalls(this.#tree, this.#resolver.types, this.sites, target));
    const includesTarget = this.#targetTest(target);
    for (const site of sites) {
      const { confidence, targets } = this.resolve(site);
      if (includesTarget(targets)) edges.push({ site, confidence, candidates: targets });
    }
    if (kinds.has('call')) edges.push(...this.#constructions(target));
    return edges.sort(byConfidence);
  }

  /** A test whether targets include the symbol, or another declaration of the same function. */
  #targetTest(target: SymbolPlace): (targets: readonly SymbolPlace[]) => boolean {
    const group = functionDeclarations(this.#tree, target);
    return (targets) => targets.some((place) => group.some((each) => isSame(each, place)));
  }

  /** References to the symbol's name, where the symbol is visible, that could not be resolved to anything. */
  unresolved(target: SymbolPlace, kinds: ReadonlySet<ReferenceKind>): Site[] {
    return this.sites.of(target, kinds).filter((site) => {
      const { targets, elsewhere } = this.resolve(site);
      return targets.length === 0 && !elsewhere;
    });
  }

  /** Calls of a constructor, which name only the type: `new Shape(1)`. */
  #constructions(target: SymbolPlace): Edge[] {
    const owner = this.#resolver.types.constructedBy(target);
    if (!owner) return [];
    const { constructionMark } = this.#tree.rules(target.file);
    const edges: Edge[] = [];
    for (const { site, confidence } of this.references(owner, constructionMark ? TYPE_USES : CALLS)) {
      const { line, column, name } = site.reference;
      const behind = this.#tree.lines(site.file)[line - 1]!.slice(column - 1 + name.length);
      if (constructionMark && !constructionMark.test(behind)) continue;
      const constructors = this.#resolver.construction(owner, target, site);
      if (!constructors.targets.some((place) => isSame(place, target))) continue;
      const reference: Reference = { ...site.reference, kind: 'call' };
      edges.push({
        site: { file: site.file, reference },
        confidence: leastConfident(confidence, constructors.confidence),
        candidates: constructors.targets,
      });
    }
    return edges;
  }

  /**
   * Places that name the symbol and for which the index stores no reference: reads of a value, functions passed as
   * values. Most confident first.
   */
  mentions(target: SymbolPlace): Edge[] {
    const edges: Edge[] = [];
    const includesTarget = this.#targetTest(target);
    for (const { byName, ...site } of findMentions(
      this.#tree,
      target,
      this.sites.seeing(target),
      this.sites.localAliases(target),
    )) {
      if (this.#resolver.declares(site)) continue;
      const reference: Reference = byName ? { ...site.reference, kind: 'call' } : site.reference;
      const { confidence, targets } = this.resolve({ ...site, reference });
      if (includesTarget(targets))
        edges.push({ site, confidence: byName && confidence === 'exact' ? 'likely' : confidence, candidates: targets });
    }
    return edges.sort(byConfidence);
  }

  /** The references inside of a symbol, in the order of its lines. */
  outgoing(source: SymbolPlace, kinds: ReadonlySet<ReferenceKind>): Edge[] {
    const { symbols } = this.#tree.table(source.file);
    const inside = (from: number): boolean => from >= 0 && (from === source.ordinal || inside(symbols[from]!.parent));
    return this.outgoingOf(source.file, (reference) => kinds.has(reference.kind) && inside(reference.from));
  }

  /** The references that run when a type is constructed: those of its constructors and of the values of its fields. */
  constructing(type: SymbolPlace, kinds: ReadonlySet<ReferenceKind>): Edge[] {
    const { symbols } = this.#tree.table(type.file);
    const runs = (from: number): boolean => {
      if (from < 0) return false;
      if (from === type.ordinal) return true;
      const { kind, parent } = symbols[from]!;
      if (parent !== type.ordinal) return runs(parent);
      return kind === 'field' || this.#resolver.types.constructedBy({ file: type.file, ordinal: from }) !== null;
    };
    return this.outgoingOf(type.file, (reference) => kinds.has(reference.kind) && runs(reference.from));
  }

  /** The references of a file that a filter accepts, in the order of its lines. */
  outgoingOf(file: number, isWanted: (reference: Reference) => boolean): Edge[] {
    return this.sites
      .in(file)
      .filter(isWanted)
      .map((reference) => {
        const site = { file, reference };
        const { confidence, targets } = this.resolve(site);
        return { site, confidence, candidates: targets };
      });
  }

  /** The identifiers of a file with their targets, in the order of their places. */
  identifiers(file: number): Identifier[] {
    const source = {
      tree: this.#tree,
      resolve: (site: Site) => this.resolve(site),
      declares: (site: Site) => this.#resolver.declares(site),
      referencesIn: (index: number) => this.sites.in(index),
    };
    return findIdentifiers(source, file);
  }

  /**
   * Types and extensions that inherit, implement or conform to a type, each with the place that declares it. Without a
   * target: those of a type that is not in the tree (a protocol of the standard library).
   */
  implementers(name: string, target: SymbolPlace | null = null): Implementer[] {
    return this.#implementers.of(name, target);
  }

  /** The interface requires methods that are not in the tree, so the types that have all of them are unknown. */
  isOpenInterface(place: SymbolPlace): boolean {
    return this.#implementers.isOpen(place);
  }

  isConstructor(place: SymbolPlace): boolean {
    return this.#resolver.types.constructedBy(place) !== null;
  }

  /** The type, or the method's type, has a supertype outside of the tree, which may call the method. */
  hasOutsideSupers(place: SymbolPlace): boolean {
    const isType = CONTAINER_KINDS.has(this.symbol(place).kind);
    const owner = isType ? place : this.#resolver.types.ownerOf(place);
    return owner !== null && !this.#resolver.types.isClosed(owner);
  }

  /** The type that an extension or impl block belongs to; the place itself for everything else. */
  wholeType(place: SymbolPlace): SymbolPlace {
    return CONTAINER_KINDS.has(this.symbol(place).kind) ? this.#resolver.types.whole(place) : place;
  }

  /** The supertypes of a type that are in the tree. */
  supers(place: SymbolPlace): readonly SymbolPlace[] {
    return CONTAINER_KINDS.has(this.symbol(place).kind) ? this.#resolver.types.supers(this.wholeType(place)) : [];
  }

  /** The methods that a method overrides or implements: a call of theirs may run it. */
  overridden(place: SymbolPlace): readonly SymbolPlace[] {
    return this.#overrides.above(place);
  }

  /** The methods that override or implement a method: a call of it may run them. Those in tests come last. */
  overriding(place: SymbolPlace, limit?: number): readonly SymbolPlace[] {
    return this.#overrides.below(place, limit);
  }

  /** A call through `super`: it runs the inherited method and no override. */
  isSuperCall({ file, reference }: Site): boolean {
    const rules = this.#tree.rules(file);
    return isSuperReceiver(reference.receiver || reference.name, rules);
  }

  /** The file belongs to the program: it is no test, example, generated or third-party file. */
  isOwnProgram(file: number): boolean {
    return isOwnProgram(this.#tree.view.files[file]!);
  }

  /** The site is in a test file, or in a test module beside the code under test, as in Rust. */
  isTest({ file, reference: { from } }: Site): boolean {
    if ((this.#tree.view.files[file]!.flags & FileFlag.Test) !== 0) return true;
    if (from < 0) return false;
    return this.around({ file, ordinal: from }).some((place) => isTestModule(this.symbol(place)));
  }

  /** The symbol and the symbols that enclose it, from the inside out. */
  around({ file, ordinal }: SymbolPlace): SymbolPlace[] {
    const { symbols } = this.#tree.table(file);
    const places: SymbolPlace[] = [];
    for (let at = ordinal; at >= 0; at = symbols[at]!.parent) places.push({ file, ordinal: at });
    return places;
  }
}

function leastConfident(a: Confidence, b: Confidence): Confidence {
  return CONFIDENCE_ORDER[a] > CONFIDENCE_ORDER[b] ? a : b;
}

function byConfidence(a: Edge, b: Edge): number {
  return (
    CONFIDENCE_ORDER[a.confidence] - CONFIDENCE_ORDER[b.confidence] ||
    // Among ambiguous references, those with fewer candidates rank first.
    a.candidates.length - b.candidates.length ||
    bySite(a.site, b.site)
  );
}
