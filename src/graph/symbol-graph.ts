/**
 * Edges between symbols of one tree, resolved when asked for: by scope, receiver, import and package. Every edge carries its confidence, and
 * what cannot be told apart is `ambiguous` with its candidates; nothing is invented. A new tree takes over from the one before whatever its
 * changes cannot have touched, so that an update costs what changed.
 */

import { nameOf, stemOf } from '../model/paths.ts';
import type { Confidence } from '../model/query.ts';
import {
  CONTAINER_KINDS,
  type ImportRecord,
  type Reference,
  type ReferenceKind,
  type SymbolRecord,
} from '../model/symbol.ts';
import { nameKey } from '../model/terms.ts';
import { IMPORT_MARK, type StoreReader, type TreeView } from '../store/store.ts';
import { GraphTree, type SymbolPlace } from './graph-tree.ts';
import type { ResolvedImport } from './imports/index.ts';
import { mentionsOf } from './mentions.ts';
import type { Resolution, Site } from './resolving/resolution.ts';
import { Resolver } from './resolving/resolver.ts';
import { isSuperReceiver } from './resolving/wrappers.ts';

export type { SymbolPlace } from './graph-tree.ts';
export type { Resolution, Site } from './resolving/resolution.ts';

export interface Edge {
  readonly site: Site;
  readonly confidence: Confidence;
  readonly candidates: readonly SymbolPlace[];
}

export interface Implementer {
  readonly place: SymbolPlace;
  readonly site: Site;
  readonly confidence: Confidence;
}

const MAX_SITES = 5_000;
/** About 3 MB. */
const MAX_RESOLVED = 20_000;
const MAX_OVERRIDES = 8;
const SAYS_SUPER: ReadonlySet<ReferenceKind> = new Set(['inherit', 'conform']);
const CALLED: ReadonlySet<ReferenceKind> = new Set(['call']);
const NAMED: ReadonlySet<ReferenceKind> = new Set(['type']);
const ORDER: Readonly<Record<Confidence, number>> = { exact: 0, likely: 1, ambiguous: 2 };

export class SymbolGraph {
  readonly #tree: GraphTree;
  readonly #resolver: Resolver;
  readonly #imported = new Map<number, ReadonlySet<number>>();
  readonly #resolved = new Map<string, Resolution>();

  constructor(reader: StoreReader, view: TreeView, previous?: SymbolGraph) {
    this.#tree = new GraphTree(reader, view, previous ? previous.#tree : undefined);
    this.#resolver = new Resolver(this.#tree);
  }

  symbol(place: SymbolPlace): SymbolRecord {
    return this.#tree.symbol(place);
  }

  /** All symbols of the tree with this name, in the same case where there are such. */
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

  /** Every place that refers to the name, by kind. */
  sites(name: string, kinds: ReadonlySet<ReferenceKind>, filter: (file: number) => boolean = () => true): Site[] {
    const sites: Site[] = [];
    const { reader, view } = this.#tree;
    for (const row of reader.postings('reference', nameKey(name) || name).docs) {
      const files = view.filesOfContent(row).filter(filter);
      if (files.length === 0) continue;
      const own = this.#tree.tables.references(row).filter((each) => each.name === name && kinds.has(each.kind));
      for (const file of files) for (const reference of own) sites.push({ file, reference });
      if (sites.length >= MAX_SITES) break;
    }
    return sites.sort(bySite).slice(0, MAX_SITES);
  }

  /** What a reference means. Overloads, overrides and the next step of a walk ask for the same places again. */
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

  importOf(file: number, record: ImportRecord): ResolvedImport {
    const at = this.#tree.table(file).imports.indexOf(record);
    return at >= 0 ? this.#tree.importsOf(file)[at]! : this.#tree.imports.resolve(file, record);
  }

  /** Imports of a file with what each means. */
  imports(file: number): readonly { readonly record: ImportRecord; readonly resolved: ResolvedImport }[] {
    const resolved = this.#tree.importsOf(file);
    return this.#tree.table(file).imports.map((record, i) => ({ record, resolved: resolved[i]! }));
  }

  importedBy(file: number): ReadonlySet<number> {
    let known = this.#imported.get(file);
    if (!known) {
      known = new Set(this.#tree.importsOf(file).flatMap(({ files }) => files));
      this.#imported.set(file, known);
    }
    return known;
  }

  externals(file: number): string[] {
    return [...new Set(this.#tree.importsOf(file).flatMap(({ source, external }) => (external ? [source] : [])))];
  }

  /** Files that import this one, found through the names under which it can be imported. */
  dependants(file: number): number[] {
    const tree = this.#tree;
    const segments = tree.path(file).split('/');
    const { symbols, package: packageName } = tree.table(file);
    const keys = new Set(
      [
        stemOf(nameOf(tree.path(file))),
        segments.at(-2) ?? '',
        // A module's own file is imported by the name of its folder's folder, too: src/index.ts, src/lib.rs.
        segments.at(-3) ?? '',
        ...packageName.split(/[./\\:]+/).slice(-2),
        ...symbols
          .filter((symbol) => symbol.parent < 0)
          .slice(0, 50)
          .map((symbol) => symbol.name),
        ...this.#packageNames(file),
      ]
        .map((name) => nameKey(name.replace(/-/g, '')))
        .filter((key) => key.length > 1),
    );
    const rows = new Set<number>();
    for (const key of keys) for (const row of tree.reader.postings('reference', IMPORT_MARK + key).docs) rows.add(row);
    const { family } = tree.traits(file);
    return tree
      .filesOf(rows)
      .filter((other) => other !== file && tree.traits(other).family === family && this.importedBy(other).has(file));
  }

  /** Places that refer to the symbol, surest first. */
  references(target: SymbolPlace, kinds: ReadonlySet<ReferenceKind>): Edge[] {
    const edges: Edge[] = [];
    for (const site of this.#sitesOf(target, kinds)) {
      const { confidence, targets } = this.resolve(site);
      if (targets.some((place) => isSame(place, target))) edges.push({ site, confidence, candidates: targets });
    }
    if (kinds.has('call')) edges.push(...this.#constructions(target));
    return edges.sort(bySureness);
  }

  /** Whoever constructs a type calls its constructor, though only the type is named: `new Shape(1)`. */
  #constructions(target: SymbolPlace): Edge[] {
    const owner = this.#resolver.types.constructedBy(target);
    if (!owner) return [];
    const isRuby = this.#tree.language(target.file) === 'ruby';
    const edges: Edge[] = [];
    for (const { site, confidence } of this.references(owner, isRuby ? NAMED : CALLED)) {
      const { line, column, name } = site.reference;
      if (isRuby && !/^\.new\b/.test(this.#tree.lines(site.file)[line - 1]!.slice(column - 1 + name.length))) continue;
      const fitting = this.#resolver.construction(owner, target, site);
      if (!fitting.targets.some((place) => isSame(place, target))) continue;
      const least = ORDER[confidence] > ORDER[fitting.confidence] ? confidence : fitting.confidence;
      const reference: Reference = { ...site.reference, kind: 'call' };
      edges.push({ site: { file: site.file, reference }, confidence: least, candidates: fitting.targets });
    }
    return edges;
  }

  /** Places that name the symbol and are no references of an index: reads of what it holds, functions handed on by name. Surest first. */
  mentions(target: SymbolPlace): Edge[] {
    const edges: Edge[] = [];
    for (const { byName, ...site } of mentionsOf(this.#tree, target, this.#seeing(target), this.#renamed(target))) {
      if (this.#resolver.declares(site)) continue;
      const reference: Reference = byName ? { ...site.reference, kind: 'call' } : site.reference;
      const { confidence, targets } = this.resolve({ ...site, reference });
      if (targets.some((place) => isSame(place, target)))
        edges.push({ site, confidence: byName && confidence === 'exact' ? 'likely' : confidence, candidates: targets });
    }
    return edges.sort(bySureness);
  }

  /** What the symbol itself refers to, in the order of its lines. */
  outgoing(source: SymbolPlace, kinds: ReadonlySet<ReferenceKind>): Edge[] {
    const { symbols } = this.#tree.table(source.file);
    const inside = (from: number): boolean => from >= 0 && (from === source.ordinal || inside(symbols[from]!.parent));
    return this.outgoingOf(source.file, (reference) => kinds.has(reference.kind) && inside(reference.from));
  }

  /** What runs when a type is constructed: its constructors and the values of its fields, not what its methods do later. */
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

  /** What a whole file refers to, in the order of its lines, as far as it is asked for. */
  outgoingOf(file: number, isWanted: (reference: Reference) => boolean): Edge[] {
    return this.#referencesIn(file)
      .filter(isWanted)
      .map((reference) => {
        const site = { file, reference };
        const { confidence, targets } = this.resolve(site);
        return { site, confidence, candidates: targets };
      });
  }

  /** Its language lets the file use what others define without an import: those of its package or target, or all. */
  seesOthers(file: number): boolean {
    return this.#tree.traits(file).visible !== 'none';
  }

  /**
   * Types that inherit, implement or conform to a type, extensions included: the type's own place, or the place that says so. By name alone
   * where the type is not in the tree (a protocol of the language's library).
   */
  implementers(name: string, target: SymbolPlace | null = null): Implementer[] {
    const found = new Map<string, Implementer>();
    for (const site of this.sites(name, SAYS_SUPER)) {
      const { from } = site.reference;
      if (from < 0) continue;
      const { confidence, targets } = this.resolve(site);
      const isTarget = target !== null && targets.some((place) => isSame(place, target));
      if (target !== null && !isTarget) continue;
      const place = { file: site.file, ordinal: from };
      const key = `${place.file}:${place.ordinal}`;
      if (!found.has(key))
        found.set(key, { place, site, confidence: target === null && targets.length === 0 ? 'likely' : confidence });
    }
    return [...found.values()];
  }

  /** The type that an extension or impl block continues; itself for everything else. */
  wholeType(place: SymbolPlace): SymbolPlace {
    return CONTAINER_KINDS.has(this.symbol(place).kind) ? this.#resolver.types.whole(place) : place;
  }

  /** What a type inherits, implements or conforms to, as far as it is in the tree. */
  supers(place: SymbolPlace): readonly SymbolPlace[] {
    return CONTAINER_KINDS.has(this.symbol(place).kind) ? this.#resolver.types.supers(this.wholeType(place)) : [];
  }

  /** The methods of the same name in what the method's type inherits: a call of theirs may run it. */
  overridden(place: SymbolPlace): readonly SymbolPlace[] {
    const { kind, name } = this.symbol(place);
    const { types } = this.#resolver;
    const owner = kind === 'method' || kind === 'function' ? types.ownerOf(place) : null;
    if (!owner) return [];
    const found = types.supers(owner).flatMap((above) => types.members(above, name));
    return found.filter((each) => each.file !== place.file || each.ordinal !== place.ordinal).slice(0, MAX_OVERRIDES);
  }

  /** The methods that may run behind a call of this one: those of its name in types that inherit its type. */
  overriding(place: SymbolPlace): readonly SymbolPlace[] {
    const { kind, name } = this.symbol(place);
    const { types } = this.#resolver;
    const owner = kind === 'method' ? types.ownerOf(place) : null;
    if (!owner) return [];
    const found: SymbolPlace[] = [];
    for (const { place: below } of this.implementers(this.symbol(owner).name, owner)) {
      const whole = types.whole(below);
      for (const each of types.members(whole, name))
        if (
          (each.file !== place.file || each.ordinal !== place.ordinal) &&
          !found.some((other) => other.file === each.file && other.ordinal === each.ordinal)
        )
          found.push(each);
      if (found.length >= MAX_OVERRIDES) break;
    }
    return found;
  }

  /** Behind `super` runs what is inherited, and nothing that overrides it. */
  isSuperCall({ file, reference }: Site): boolean {
    return isSuperReceiver(reference.receiver, this.#tree.language(file));
  }

  /** The symbol and its scopes, from the inside out. */
  around({ file, ordinal }: SymbolPlace): SymbolPlace[] {
    const { symbols } = this.#tree.table(file);
    const places: SymbolPlace[] = [];
    for (let at = ordinal; at >= 0; at = symbols[at]!.parent) places.push({ file, ordinal: at });
    return places;
  }

  #referencesIn(file: number): readonly Reference[] {
    return this.#tree.tables.references(this.#tree.view.contentOf[file]!);
  }

  /** Sites that may mean the symbol: of its name where it can be seen, and of the names that others give it when they import it. */
  #sitesOf(target: SymbolPlace, kinds: ReadonlySet<ReferenceKind>): Site[] {
    const tree = this.#tree;
    const symbol = this.symbol(target);
    const { family } = tree.traits(target.file);
    const sites = this.sites(symbol.name, kinds, this.#seeing(target));
    const renamed: Site[] = [];
    for (const { file, local } of this.#renamed(target))
      for (const reference of this.#referencesIn(file))
        if (reference.name === local && (reference.receiver === '' || family === 'elixir') && kinds.has(reference.kind))
          renamed.push({ file, reference });
    return renamed.length > 0 ? [...new Set([...sites, ...renamed])].sort(bySite).slice(0, MAX_SITES) : sites;
  }

  /** Other names that files give the symbol when they import it. */
  #renamed(target: SymbolPlace): { readonly file: number; readonly local: string }[] {
    const tree = this.#tree;
    const { name: own, kind, parent } = this.symbol(target);
    if (parent >= 0 && !CONTAINER_KINDS.has(kind)) return [];
    const { family } = tree.traits(target.file);
    const rows = new Set(tree.reader.postings('reference', IMPORT_MARK + nameKey(own)).docs);
    if (family === 'script')
      for (const row of tree.reader.postings('reference', `${IMPORT_MARK}default`).docs) rows.add(row);
    const renamed: { readonly file: number; readonly local: string }[] = [];
    for (const file of tree.filesOf(rows)) {
      if (tree.traits(file).family !== family) continue;
      for (const { names, alias } of tree.table(file).imports) {
        for (const { name, local } of names) {
          if (local === own || local === '*' || (name !== own && name !== 'default')) continue;
          if (name === 'default' && !this.importedBy(file).has(target.file)) continue;
          renamed.push({ file, local });
        }
        if (alias && alias !== own && CONTAINER_KINDS.has(kind) && family === 'elixir')
          renamed.push({ file, local: alias });
      }
    }
    return renamed;
  }

  /** Files whose language and whose place let them see the symbol. */
  #seeing(target: SymbolPlace): (file: number) => boolean {
    const tree = this.#tree;
    const { visibility } = this.symbol(target);
    const { family } = tree.traits(target.file);
    const folder = tree.folder(target.file);
    const isLocal = tree.language(target.file) === 'go' && visibility !== 'public';
    const isPrivate =
      visibility === 'private' && (family === 'jvm' || family === 'script') && tree.language(target.file) !== 'scala';
    return (file) =>
      tree.traits(file).family === family &&
      (!isLocal || tree.folder(file) === folder) &&
      (!isPrivate || file === target.file);
  }

  /** Names of the packages around a file, as importers write them. */
  #packageNames(file: number): string[] {
    const { rust, swift } = this.#tree.imports;
    const language = this.#tree.language(file);
    if (language === 'rust')
      return rust
        .crates()
        .flatMap(({ name, source }) => (this.#tree.path(file).startsWith(`${source}/`) ? [name] : []));
    if (language === 'swift') return [swift.around(file).split('/').at(-1) ?? '', ...swift.namesOf(file)];
    return this.#tree.traits(file).family === 'script' ? this.#tree.imports.scriptPackageOf(file).split('/') : [];
  }
}

function isSame(a: SymbolPlace, b: SymbolPlace): boolean {
  return a.file === b.file && a.ordinal === b.ordinal;
}

function bySureness(a: Edge, b: Edge): number {
  return ORDER[a.confidence] - ORDER[b.confidence] || bySite(a.site, b.site);
}

function bySite(a: Site, b: Site): number {
  return a.file - b.file || a.reference.line - b.reference.line || a.reference.column - b.reference.column;
}
