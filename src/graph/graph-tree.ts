/**
 * A tree as the graph reads it: tables of its files, definitions by name, imports by file. All computed on first use.
 */

import type { NameRules } from '../languages/name-rules.ts';
import { languageById, nameRulesOf } from '../languages/registry.ts';
import { ImportResolver, isImportManifest, type ResolvedImport } from '../languages/runtime/imports/import-resolver.ts';
import type { SourceTree } from '../languages/runtime/imports/source-tree.ts';
import type { ImportRecord, SymbolRecord } from '../model/records/symbol.ts';
import { folderOf } from '../model/text/path-text.ts';
import { nameKey } from '../model/text/terms.ts';
import { PACKAGE_MARK, type StoreReader, type TreeView } from '../store/store.ts';
import { type ContentTable, type ContentTables, tablesOf } from './content-tables.ts';

/** A symbol of the tree: the index of its file, and its ordinal in the file's blob. */
export interface SymbolPlace {
  readonly file: number;
  readonly ordinal: number;
}

/** The import behind a local name of a file. */
export interface Binding {
  readonly resolved: ResolvedImport;
  readonly record: ImportRecord;
  /** The name in the imported module; null where the local name stands for the module itself. */
  readonly name: string | null;
}

export interface Bindings {
  readonly named: ReadonlyMap<string, Binding>;
  /** Imports of all names of a module: `from x import *`, `#include`, `using`. */
  readonly wild: readonly Binding[];
}

const MAX_INCLUDED = 2_000;

export class GraphTree implements SourceTree {
  readonly reader: StoreReader;
  readonly view: TreeView;
  readonly files: TreeView['files'];
  readonly tables: ContentTables;
  readonly imports: ImportResolver;
  readonly #resolved = new Map<number, { readonly row: number; readonly imports: readonly ResolvedImport[] }>();
  readonly #bindings = new Map<number, Bindings>();
  readonly #named = new Map<string, readonly SymbolPlace[]>();
  readonly #included = new Map<number, ReadonlySet<number>>();

  /** `previous`: the tree before this one. With the same paths and manifests, unchanged files keep resolved imports. */
  constructor(reader: StoreReader, view: TreeView, previous?: GraphTree) {
    this.reader = reader;
    this.view = view;
    this.files = view.files;
    this.tables = tablesOf(reader);
    if (previous && previous.reader === reader && sameLayout(previous.view, view)) {
      this.imports = previous.imports.over(this);
      for (const [file, known] of previous.#resolved)
        if (known.row === view.contentOf[file] && !languageById(this.language(file))?.imports?.byName)
          this.#resolved.set(file, known);
    } else this.imports = new ImportResolver(this);
  }

  path(file: number): string {
    return this.files[file]!.path;
  }

  language(file: number): string {
    return this.files[file]!.language;
  }

  rules(file: number): NameRules {
    return nameRulesOf(this.files[file]!.language);
  }

  /** A filter for files whose language can refer to symbols of this file's language (TypeScript and JavaScript). */
  related(file: number): (other: number) => boolean {
    const { family } = this.rules(file);
    return (other) => this.rules(other).family === family;
  }

  table(file: number): ContentTable {
    return this.tables.of(this.view.contentOf[file]!);
  }

  symbol({ file, ordinal }: SymbolPlace): SymbolRecord {
    return this.table(file).symbols[ordinal]!;
  }

  /** Ordinal of the innermost symbol that contains a line, -1 at top level: enclosing symbols precede inner ones. */
  symbolAt(file: number, line: number): number {
    return this.table(file).symbols.findLastIndex(({ startLine, endLine }) => startLine <= line && line <= endLine);
  }

  lines(file: number): readonly string[] {
    return this.tables.lines(this.view.contentOf[file]!);
  }

  text(file: number): string {
    return this.reader.text(this.view.contentOf[file]!);
  }

  inPackage(name: string): readonly number[] {
    return this.filesOf(this.reader.postings('reference', PACKAGE_MARK + name).docs);
  }

  defining(name: string): readonly number[] {
    return [...new Set(this.named(name).map(({ file }) => file))];
  }

  modulesNamed(name: string): readonly number[] {
    return this.named(name.slice(name.lastIndexOf('.') + 1))
      .filter((place) => this.symbol(place).qualifiedName === name)
      .map(({ file }) => file);
  }

  /** Files with these blobs, in path order. */
  filesOf(rows: Iterable<number>): number[] {
    const files: number[] = [];
    for (const row of rows) files.push(...this.view.filesOfContent(row));
    return files.sort((a, b) => a - b);
  }

  /** All symbols of exactly this name, in path order. Files that the filter rejects are not read. */
  named(name: string, filter: ((file: number) => boolean) | null = null): readonly SymbolPlace[] {
    if (!filter) {
      const known = this.#named.get(name);
      if (known) return known;
    }
    const places: SymbolPlace[] = [];
    const { fileOfSymbol, firstSymbolOf, contentOf } = this.view;
    for (const id of this.reader.postings('symbol', nameKey(name) || name).docs) {
      const first = fileOfSymbol[id] ?? -1;
      if (first < 0) continue;
      const ordinal = id - firstSymbolOf[first]!;
      for (const file of this.view.filesOfContent(contentOf[first]!)) {
        if (filter && !filter(file)) continue;
        if (this.table(file).symbols[ordinal]?.name === name) places.push({ file, ordinal });
      }
    }
    places.sort((a, b) => a.file - b.file || a.ordinal - b.ordinal);
    if (!filter) {
      if (this.#named.size > 20_000) this.#named.clear();
      this.#named.set(name, places);
    }
    return places;
  }

  /** The files behind each import of a file, in the order of its import records. */
  importsOf(file: number): readonly ResolvedImport[] {
    const row = this.view.contentOf[file]!;
    const known = this.#resolved.get(file);
    if (known) return known.imports;
    const imports = this.table(file).imports.map((record) => this.imports.resolve(file, record));
    this.#resolved.set(file, { row, imports });
    return imports;
  }

  bindings(file: number): Bindings {
    const known = this.#bindings.get(file);
    if (known) return known;
    const named = new Map<string, Binding>();
    const wild: Binding[] = [];
    const resolved = this.importsOf(file);
    const { opensImports, writesAlias, importsAreValues } = this.rules(file);
    this.table(file).imports.forEach((record, i) => {
      const binding = { resolved: resolved[i]!, record };
      if (record.alias) named.set(record.alias, { ...binding, name: null });
      for (const { name, local } of record.names) {
        if (name === '*') wild.push({ ...binding, name: null });
        else named.set(local, { ...binding, name });
      }
      // `require('./x')` of a script binds one value and opens no names.
      const isWild = opensImports || (record.alias === '' && !importsAreValues);
      if (record.names.length === 0 && isWild) wild.push({ ...binding, name: null });
      // A Go import is known by the package clause of its files, which may differ from the name of the folder.
      const [first] = binding.resolved.files;
      if (writesAlias && first !== undefined && record.names.length === 0) {
        const declared = this.table(first).package;
        const hasAlias = record.alias !== '' && writesAlias(this.lines(file)[record.line - 1] ?? '', record.alias);
        if (declared && !named.has(declared) && !hasAlias) named.set(declared, { ...binding, name: null });
      }
    });
    const bindings = { named, wild };
    this.#bindings.set(file, bindings);
    return bindings;
  }

  /** Files that a file includes, directly or through other includes. */
  included(file: number): ReadonlySet<number> {
    let known = this.#included.get(file);
    if (!known) {
      const seen = new Set<number>();
      const queue = [file];
      for (let next = queue.pop(); next !== undefined && seen.size < MAX_INCLUDED; next = queue.pop()) {
        for (const { files } of this.importsOf(next)) {
          for (const other of files) {
            if (seen.has(other) || other === file) continue;
            seen.add(other);
            queue.push(other);
          }
        }
      }
      known = seen;
      this.#included.set(file, known);
    }
    return known;
  }

  folder(file: number): string {
    return folderOf(this.path(file));
  }
}

function sameLayout(before: TreeView, after: TreeView): boolean {
  if (before.files.length !== after.files.length) return false;
  for (let i = 0; i < after.files.length; i++) {
    if (before.files[i] === after.files[i]) continue;
    const [a, b] = [before.files[i]!, after.files[i]!];
    if (a.path !== b.path || a.language !== b.language) return false;
    if (before.contentOf[i] !== after.contentOf[i] && isImportManifest(b.path)) return false;
  }
  return true;
}
