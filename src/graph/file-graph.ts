/** Edges between the files of a tree: the files and external packages that a file imports, and its importers. */

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

  /** The imports of a file, each with the files that it leads to. */
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

  /**
   * Files that import this one. The index finds imports by their last name, so candidates come from every name under
   * which the file can be imported; resolving their imports confirms them.
   */
  dependants(file: number): number[] {
    const tree = this.#tree;
    const segments = tree.path(file).split('/');
    const { symbols, package: packageName } = tree.table(file);
    const fileName = nameOf(tree.path(file));
    const keys = new Set(
      [
        stemOf(fileName),
        // The index splits sources at dots: `./card.module.css` is found under `card` and `module`.
        ...fileName.split('.').slice(0, -1),
        segments.at(-2) ?? '',
        // The entry file of a package is imported by the name of the package's folder: src/index.ts, src/lib.rs.
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

  /** The language lets a file use symbols of other files without an import: those of its package or target, or all. */
  seesOtherFiles(file: number): boolean {
    return this.#tree.rules(file).visible !== 'none';
  }
}
