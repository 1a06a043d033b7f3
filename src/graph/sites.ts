/**
 * Finds the references that may mean a symbol: those to its name in files that can see it, and those to its aliases in
 * importers. Resolving a site confirms it.
 */
import type { Reference, ReferenceKind } from '../model/records/symbol.ts';
import { nameKey } from '../model/text/terms.ts';
import type { GraphTree, SymbolPlace } from './graph-tree.ts';
import type { Site } from './resolving/resolution.ts';
import type { LocalAlias, SymbolAliases } from './symbol-aliases.ts';

const MAX_SITES = 5_000;

export class Sites {
  readonly #tree: GraphTree;
  readonly #aliases: SymbolAliases;

  constructor(tree: GraphTree, aliases: SymbolAliases) {
    this.#tree = tree;
    this.#aliases = aliases;
  }

  /** All references to a name, of some kinds, in path order. */
  named(name: string, kinds: ReadonlySet<ReferenceKind>, filter: (file: number) => boolean = () => true): Site[] {
    const sites: Site[] = [];
    const { reader, view } = this.#tree;
    for (const row of reader.postings('reference', nameKey(name) || name).docs) {
      const files = view.filesOfContent(row).filter(filter);
      if (files.length === 0) continue;
      const references = this.#tree.tables.references(row).filter((each) => each.name === name && kinds.has(each.kind));
      for (const file of files) for (const reference of references) sites.push({ file, reference });
      if (sites.length >= MAX_SITES) break;
    }
    return sites.sort(bySite).slice(0, MAX_SITES);
  }

  in(file: number): readonly Reference[] {
    return this.#tree.tables.references(this.#tree.view.contentOf[file]!);
  }

  /** References that may mean the symbol: to its name where it is visible, and to its aliases. */
  of(target: SymbolPlace, kinds: ReadonlySet<ReferenceKind>): Site[] {
    const tree = this.#tree;
    const symbol = tree.symbol(target);
    const { globalModules } = tree.rules(target.file);
    const sites = this.named(symbol.name, kinds, this.seeing(target));
    const { locals, exported } = this.#aliases.of(target);
    const renamed: Site[] = exported.flatMap((name) => this.named(name, kinds, this.seeing(target)));
    for (const { file, local } of locals)
      for (const reference of this.in(file))
        if (reference.name === local && (reference.receiver === '' || globalModules) && kinds.has(reference.kind))
          renamed.push({ file, reference });
    if (renamed.length === 0) return sites;
    const all = new Map([...sites, ...renamed].map((site) => [siteKey(site), site]));
    return [...all.values()].sort(bySite).slice(0, MAX_SITES);
  }

  /** Names that importers give the symbol, each valid in one file. */
  localAliases(target: SymbolPlace): readonly LocalAlias[] {
    return this.#aliases.of(target).locals;
  }

  /** A filter for files that can see the symbol, by the visibility rules of its language. */
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

function siteKey({ file, reference: { kind, name, line, column } }: Site): string {
  return `${file}:${line}:${column} ${kind} ${name}`;
}
