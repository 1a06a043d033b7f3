/** Edges between the files of a tree: what a file imports, what of that comes from outside, and who imports it. */

import type { ResolvedImport } from '../languages/runtime/imports/import-resolver.ts';
import type { ImportRecord } from '../model/records/symbol.ts';
import { nameOf, stemOf } from '../model/text/path-text.ts';
import { nameKey } from '../model/text/terms.ts';
import { IMPORT_MARK, NAMELESS } from '../store/store.ts';
import type { GraphTree } from './graph-tree.ts';

export class FileGraph {
  readonly #tree: GraphTree;
  readonly #imported = new Map<number, ReadonlySet<number>>();

  constructor(tree: GraphTree) {
    this.#tree = tree;
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
    const name = nameOf(tree.path(file));
    const keys = new Set(
      [
        stemOf(name),
        // A source is cut at its dots: `./card.module.css`.
        ...name.split('.').slice(0, -1),
        segments.at(-2) ?? '',
        // A module's own file is imported by the name of its folder's folder, too: src/index.ts, src/lib.rs.
        segments.at(-3) ?? '',
        ...packageName.split(/[./\\:]+/).slice(-2),
        ...symbols
          .filter((symbol) => symbol.parent < 0)
          .slice(0, 50)
          .map((symbol) => symbol.name),
        ...(tree.imports.of(file).packageNames?.(file) ?? []),
      ]
        .map((each) => nameKey(each.replace(/-/g, '')) || each)
        .filter((key) => key !== ''),
    );
    keys.add(NAMELESS);
    const rows = new Set<number>();
    for (const key of keys) for (const row of tree.reader.postings('reference', IMPORT_MARK + key).docs) rows.add(row);
    return tree.filesOf(rows).filter((other) => other !== file && this.importedBy(other).has(file));
  }

  /** Its language lets the file use what others define without an import: those of its package or target, or all. */
  seesOthers(file: number): boolean {
    return this.#tree.rules(file).visible !== 'none';
  }
}
