/**
 * Where may a symbol be meant? The places that refer to its name, in the files that can see it, and those under names
 * that importers give it.
 */
import { CONTAINER_KINDS, type Reference, type ReferenceKind } from '../model/records/symbol.ts';
import { nameKey } from '../model/text/terms.ts';
import { IMPORT_MARK } from '../store/store.ts';
import type { FileGraph } from './file-graph.ts';
import type { GraphTree, SymbolPlace } from './graph-tree.ts';
import type { Site } from './resolving/resolution.ts';

const MAX_SITES = 5_000;

export class Sites {
  readonly #tree: GraphTree;
  readonly #files: FileGraph;

  constructor(tree: GraphTree, files: FileGraph) {
    this.#tree = tree;
    this.#files = files;
  }

  /** Every place that refers to the name, by kind. */
  named(name: string, kinds: ReadonlySet<ReferenceKind>, filter: (file: number) => boolean = () => true): Site[] {
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

  /** Every reference of a file. */
  in(file: number): readonly Reference[] {
    return this.#tree.tables.references(this.#tree.view.contentOf[file]!);
  }

  /**
   * Sites that may mean the symbol: of its name where it can be seen, and of the names that others give it when they
   * import it.
   */
  of(target: SymbolPlace, kinds: ReadonlySet<ReferenceKind>): Site[] {
    const tree = this.#tree;
    const symbol = tree.symbol(target);
    const { globalModules } = tree.rules(target.file);
    const sites = this.named(symbol.name, kinds, this.seeing(target));
    const renamed: Site[] = [];
    for (const { file, local } of this.renamed(target))
      for (const reference of this.in(file))
        if (reference.name === local && (reference.receiver === '' || globalModules) && kinds.has(reference.kind))
          renamed.push({ file, reference });
    return renamed.length > 0 ? [...new Set([...sites, ...renamed])].sort(bySite).slice(0, MAX_SITES) : sites;
  }

  /** Other names that files give the symbol when they import it. */
  renamed(target: SymbolPlace): { readonly file: number; readonly local: string }[] {
    const tree = this.#tree;
    const { name: own, kind, parent } = tree.symbol(target);
    if (parent >= 0 && !CONTAINER_KINDS.has(kind)) return [];
    const { readExports, globalModules } = tree.rules(target.file);
    const isRelated = tree.related(target.file);
    const outside = new Set([own, ...this.#exportedAs(target)]);
    const rows = new Set(
      [...outside].flatMap((each) => [...tree.reader.postings('reference', IMPORT_MARK + nameKey(each)).docs]),
    );
    if (readExports) for (const row of tree.reader.postings('reference', `${IMPORT_MARK}default`).docs) rows.add(row);
    const renamed: { readonly file: number; readonly local: string }[] = [];
    for (const file of tree.filesOf(rows)) {
      if (!isRelated(file)) continue;
      for (const { names, alias } of tree.table(file).imports) {
        for (const { name, local } of names) {
          if (local === own || local === '*' || (!outside.has(name) && name !== 'default')) continue;
          if (name === 'default' && !this.#files.importedBy(file).has(target.file)) continue;
          renamed.push({ file, local });
        }
        if (alias && alias !== own && CONTAINER_KINDS.has(kind) && globalModules) renamed.push({ file, local: alias });
      }
    }
    return renamed;
  }

  /** Names under which the file of a symbol exports it: `export { Hono as HonoBase }`. */
  #exportedAs(target: SymbolPlace): string[] {
    const { name } = this.#tree.symbol(target);
    const text = this.#tree.text(target.file);
    if (!text.includes(`${name} as `)) return [];
    const { renamed } = this.#tree.rules(target.file).readExports?.(text) ?? { renamed: new Map<string, string>() };
    return [...renamed].flatMap(([other, own]) => (own === name && other !== 'default' ? [other] : []));
  }

  /** Files whose language and whose place let them see the symbol. */
  seeing(target: SymbolPlace): (file: number) => boolean {
    const tree = this.#tree;
    const { visibility } = tree.symbol(target);
    const { folderPrivate, filePrivate } = tree.rules(target.file);
    const folder = tree.folder(target.file);
    const isRelated = tree.related(target.file);
    const isLocal = folderPrivate && visibility !== 'public';
    const isPrivate = filePrivate && visibility === 'private';
    return (file) =>
      isRelated(file) && (!isLocal || tree.folder(file) === folder) && (!isPrivate || file === target.file);
  }
}

export function bySite(a: Site, b: Site): number {
  return a.file - b.file || a.reference.line - b.reference.line || a.reference.column - b.reference.column;
}
