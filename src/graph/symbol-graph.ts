/**
 * Edges between symbols of one tree, resolved when asked for: by scope, receiver, import and package. Every edge carries its confidence, and
 * what cannot be told apart is `ambiguous` with its candidates; nothing is invented.
 */
import { dirname } from 'node:path/posix';
import type { Confidence } from '../model/query.ts';
import type { Reference, ReferenceKind, SymbolKind, SymbolRecord } from '../model/symbol.ts';
import { nameKey } from '../model/terms.ts';
import { IMPORT_MARK, type StoreReader, type TreeView } from '../store/store.ts';
import { ImportResolver } from './imports.ts';

/** A symbol of the tree: file index and ordinal inside its content. */
export interface SymbolPlace {
  readonly file: number;
  readonly ordinal: number;
}
export interface Site {
  readonly file: number;
  readonly reference: Reference;
}
export interface Resolution {
  readonly confidence: Confidence;
  readonly targets: readonly SymbolPlace[];
}
export interface Edge {
  readonly site: Site;
  readonly confidence: Confidence;
  readonly candidates: readonly SymbolPlace[];
}

const CALLABLE: ReadonlySet<SymbolKind> = new Set([
  'function',
  'method',
  'macro',
  'class',
  'struct',
  'enum',
  'type',
  'constant',
  'variable',
  'property',
  'field',
]);
const TYPES: ReadonlySet<SymbolKind> = new Set([
  'class',
  'struct',
  'interface',
  'protocol',
  'trait',
  'enum',
  'type',
  'module',
  'extension',
]);
const SELF = /^(?:this|self|Self|super|cls|@|me)$/;
const MAX_SITES = 5_000;

export class SymbolGraph {
  readonly #reader: StoreReader;
  readonly #view: TreeView;
  /** Copies of one content are files of their own: each calls and imports what stands around it. */
  readonly #filesOfContent = new Map<number, number[]>();
  readonly imports: ImportResolver;
  readonly #imported = new Map<number, ReadonlySet<number>>();

  constructor(reader: StoreReader, view: TreeView) {
    this.#reader = reader;
    this.#view = view;
    this.imports = new ImportResolver(view, (file) => reader.text(view.contentOf[file]!));
    for (let file = 0; file < view.files.length; file++) {
      const row = view.contentOf[file]!;
      this.#filesOfContent.set(row, [...(this.#filesOfContent.get(row) ?? []), file]);
    }
  }

  symbol({ file, ordinal }: SymbolPlace): SymbolRecord {
    return this.#detail(file).symbols[ordinal]!;
  }

  /** All symbols of the tree with this name, in the same case where there are such. */
  named(name: string): SymbolPlace[] {
    const places: SymbolPlace[] = [];
    for (const id of this.#reader.postings('symbol', nameKey(name) || name).docs) {
      const file = this.#view.fileOfSymbol[id] ?? -1;
      if (file >= 0) places.push({ file, ordinal: id - this.#view.firstSymbolOf[file]! });
    }
    const exact = places.filter((place) => this.symbol(place).name === name);
    return exact.length > 0 ? exact : places;
  }

  /** Every place that refers to the name, by kind. */
  sites(name: string, kinds: ReadonlySet<ReferenceKind>): Site[] {
    const sites: Site[] = [];
    for (const row of this.#reader.postings('reference', nameKey(name) || name).docs) {
      for (const file of this.#filesOfContent.get(row) ?? []) {
        for (const reference of this.#detail(file).references) {
          if (reference.name === name && kinds.has(reference.kind)) sites.push({ file, reference });
          if (sites.length >= MAX_SITES) return sites;
        }
      }
    }
    return sites.sort((a, b) => (a.file === b.file ? a.reference.line - b.reference.line : a.file - b.file));
  }

  /** What a reference means. */
  resolve({ file, reference }: Site): Resolution {
    const wanted = reference.kind === 'call' ? CALLABLE : TYPES;
    const language = this.#family(this.#view.files[file]!.language);
    const all = this.named(reference.name).filter((place) => {
      const symbol = this.symbol(place);
      return (
        symbol.name === reference.name &&
        wanted.has(symbol.kind) &&
        this.#family(this.#view.files[place.file]!.language) === language
      );
    });
    if (all.length === 0) return { confidence: 'ambiguous', targets: [] };
    const receiver = reference.receiver
      .replace(/\(.*$/, '')
      .split(/::|->|[.#\\]/)
      .filter(Boolean);
    const last = receiver.at(-1) ?? '';
    const own = all.filter((place) => place.file === file);
    if (receiver.length === 0) {
      const scoped = this.#inScope(own, file, reference);
      if (scoped) return { confidence: 'exact', targets: [scoped] };
      const free = own.filter((place) => this.symbol(place).kind !== 'method');
      if (free.length === 1) return { confidence: 'exact', targets: free };
    } else if (SELF.test(last) || SELF.test(receiver[0]!)) {
      const sibling = this.#sibling(own, file, reference);
      if (sibling) return { confidence: receiver.length === 1 ? 'exact' : 'likely', targets: [sibling] };
    } else {
      const typed = all.filter((place) => this.#ownerNames(place).has(last));
      if (typed.length === 1) return { confidence: 'exact', targets: typed };
      if (typed.length > 1) return this.#narrow(file, typed, 'likely');
    }
    return this.#narrow(file, all, receiver.length === 0 ? 'exact' : 'likely');
  }

  /** Imported files first, then the same package, then the only one there is. */
  #narrow(file: number, places: readonly SymbolPlace[], best: Confidence): Resolution {
    const imported = this.importedBy(file);
    const near = places.filter((place) => imported.has(place.file));
    if (near.length === 1) return { confidence: best, targets: near };
    const folder = dirname(this.#view.files[file]!.path);
    const beside = places.filter((place) => dirname(this.#view.files[place.file]!.path) === folder);
    if (near.length === 0 && beside.length === 1)
      return { confidence: best === 'exact' ? 'exact' : 'likely', targets: beside };
    if (places.length === 1) return { confidence: 'likely', targets: places };
    return { confidence: 'ambiguous', targets: near.length > 0 ? near : places };
  }

  /** Nested definitions and siblings of the enclosing type hide what lies outside. */
  #inScope(own: readonly SymbolPlace[], file: number, reference: Reference): SymbolPlace | null {
    const { symbols } = this.#detail(file);
    for (let scope = reference.from; scope >= -1; scope = scope < 0 ? -2 : symbols[scope]!.parent) {
      const inside = own.filter(
        (place) => symbols[place.ordinal]!.parent === scope && place.ordinal !== reference.from,
      );
      if (inside.length === 1) return inside[0]!;
      if (inside.length > 1) return null;
    }
    const recursive = own.find((place) => place.ordinal === reference.from);
    return recursive ?? null;
  }

  #sibling(own: readonly SymbolPlace[], file: number, reference: Reference): SymbolPlace | null {
    const { symbols } = this.#detail(file);
    const owner = symbols[reference.from]?.parent ?? -1;
    const name = owner >= 0 ? symbols[owner]!.name : '';
    const inside = own.filter((place) => {
      const parent = symbols[place.ordinal]!.parent;
      return parent === owner || (parent >= 0 && symbols[parent]!.name === name);
    });
    return inside.length === 1 ? inside[0]! : null;
  }

  /** Names by which a member is reached: its type, its module, its package, its file. */
  #ownerNames(place: SymbolPlace): Set<string> {
    const detail = this.#detail(place.file);
    const symbol = detail.symbols[place.ordinal]!;
    const { path } = this.#view.files[place.file]!;
    const names = new Set(symbol.qualifiedName.split(/::|[.#\\/]/).slice(0, -1));
    if (symbol.parent >= 0) names.add(detail.symbols[symbol.parent]!.name);
    const isMember = symbol.parent >= 0 && symbol.kind === 'method';
    if (!isMember) {
      for (const part of detail.package.split(/[./\\:]+/).slice(-1)) if (part) names.add(part);
      const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '');
      names.add(stem);
      names.add(dirname(path).split('/').at(-1)!);
    }
    return names;
  }

  importedBy(file: number): ReadonlySet<number> {
    let known = this.#imported.get(file);
    if (!known) {
      known = new Set(this.#detail(file).imports.flatMap((record) => this.imports.resolve(file, record).files));
      this.#imported.set(file, known);
    }
    return known;
  }

  externals(file: number): string[] {
    return [
      ...new Set(
        this.#detail(file)
          .imports.map((record) => this.imports.resolve(file, record))
          .filter(({ files }) => files.length === 0)
          .map(({ source }) => source),
      ),
    ];
  }

  /** Files that import this one, found through the names under which it can be imported. */
  dependants(file: number): number[] {
    const { path } = this.#view.files[file]!;
    const segments = path.split('/');
    const stem = segments.at(-1)!.replace(/\..*$/, '');
    const keys = new Set(
      [
        stem,
        segments.at(-2) ?? '',
        ...this.#detail(file)
          .symbols.filter((s) => s.parent < 0)
          .slice(0, 50)
          .map((s) => s.name),
      ]
        .map((name) => nameKey(name.replace(/-/g, '')))
        .filter((key) => key.length > 1),
    );
    const rows = new Set<number>();
    for (const key of keys) for (const row of this.#reader.postings('reference', IMPORT_MARK + key).docs) rows.add(row);
    const found: number[] = [];
    for (const row of rows) {
      for (const other of this.#filesOfContent.get(row) ?? [])
        if (other !== file && this.importedBy(other).has(file)) found.push(other);
    }
    return found.sort((a, b) => a - b);
  }

  /** Places that refer to the symbol, surest first. */
  references(target: SymbolPlace, kinds: ReadonlySet<ReferenceKind>): Edge[] {
    const edges: Edge[] = [];
    for (const site of this.sites(this.symbol(target).name, kinds)) {
      const { confidence, targets } = this.resolve(site);
      if (targets.some((place) => place.file === target.file && place.ordinal === target.ordinal))
        edges.push({ site, confidence, candidates: targets });
    }
    const order: Readonly<Record<Confidence, number>> = { exact: 0, likely: 1, ambiguous: 2 };
    return edges.sort(
      (a, b) =>
        order[a.confidence] - order[b.confidence] ||
        a.site.file - b.site.file ||
        a.site.reference.line - b.site.reference.line,
    );
  }

  /** What the symbol itself refers to, in the order of its lines. */
  outgoing(source: SymbolPlace, kinds: ReadonlySet<ReferenceKind>): Edge[] {
    const detail = this.#detail(source.file);
    const inside = (from: number): boolean =>
      from >= 0 && (from === source.ordinal || inside(detail.symbols[from]!.parent));
    return detail.references
      .filter((reference) => kinds.has(reference.kind) && inside(reference.from))
      .map((reference) => {
        const site = { file: source.file, reference };
        const { confidence, targets } = this.resolve(site);
        return { site, confidence, candidates: targets };
      });
  }

  /** Types that inherit, implement or conform to a name, extensions included: the type's own place, or the place that says so. */
  implementers(name: string): { readonly place: SymbolPlace; readonly site: Site }[] {
    const found = new Map<string, { place: SymbolPlace; site: Site }>();
    for (const site of this.sites(name, new Set<ReferenceKind>(['inherit', 'conform']))) {
      const from = site.reference.from;
      const detail = this.#detail(site.file);
      const extended = detail.references.find(
        (other) => other.kind === 'extend' && other.from === from && Math.abs(other.line - site.reference.line) < 20,
      );
      const [type] = extended
        ? this.named(extended.name).filter(
            (place) => TYPES.has(this.symbol(place).kind) && this.symbol(place).kind !== 'extension',
          )
        : [];
      const place = from >= 0 ? { file: site.file, ordinal: from } : type;
      if (!place) continue;
      const key = `${place.file}:${place.ordinal}`;
      if (!found.has(key)) found.set(key, { place, site });
    }
    return [...found.values()];
  }

  #detail(file: number) {
    return this.#reader.detail(this.#view.contentOf[file]!);
  }

  #family(language: string): string {
    if (language === 'javascript' || language === 'tsx' || language === 'jsx') return 'typescript';
    if (language === 'c') return 'cpp';
    return language === 'java' || language === 'scala' ? 'kotlin' : language;
  }
}
