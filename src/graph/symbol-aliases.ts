/**
 * Finds the names under which other files refer to a symbol: importers rename it, files re-export it under another
 * name, and each importer of a default export chooses a name. An alias is only a candidate: resolving a reference to it
 * confirms that it means the symbol.
 */
import { CONTAINER_KINDS } from '../model/records/symbol.ts';
import { nameKey } from '../model/text/terms.ts';
import { IMPORT_MARK } from '../store/store.ts';
import type { FileGraph } from './file-graph.ts';
import type { GraphTree, SymbolPlace } from './graph-tree.ts';
import type { FileExports } from './resolving/names/file-exports.ts';

/** Names under which a symbol is exported; a symbol with more is re-exported by many packages of a monorepo. */
const MAX_NAMES = 200;
const DEFAULT_EXPORT = 'default';

export interface LocalAlias {
  readonly file: number;
  readonly local: string;
}

export interface Aliases {
  /** Names that are valid in one file each. */
  readonly locals: readonly LocalAlias[];
  /** Names under which files re-export the symbol. They also occur behind the name of a module: `express.Route`. */
  readonly exported: readonly string[];
}

const NONE: Aliases = { locals: [], exported: [] };

type AddExport = (file: number, name: string) => void;
type AddLocal = (file: number, local: string, isExported: boolean) => void;

export class SymbolAliases {
  readonly #tree: GraphTree;
  readonly #files: FileGraph;
  readonly #exports: FileExports;

  constructor(tree: GraphTree, files: FileGraph, exports: FileExports) {
    this.#tree = tree;
    this.#files = files;
    this.#exports = exports;
  }

  of(target: SymbolPlace): Aliases {
    const tree = this.#tree;
    const { name: ownName, kind, parent } = tree.symbol(target);
    const isDefault = this.#exports.isDefault(target);
    if (parent >= 0 && !CONTAINER_KINDS.has(kind) && !isDefault) return NONE;
    const locals = new Map<string, LocalAlias>();
    const queue: { readonly file: number; readonly name: string }[] = [];
    const seen = new Set<string>();
    const addExport: AddExport = (file, name) => {
      // Importers of a name are found by the name, importers of a default export by the file.
      const key = name === DEFAULT_EXPORT ? `${file}` : name;
      if (seen.has(key) || seen.size >= MAX_NAMES) return;
      seen.add(key);
      queue.push({ file, name });
    };
    const addLocal: AddLocal = (file, local, isExported) => {
      if (local !== ownName && local !== '*') locals.set(`${file} ${local}`, { file, local });
      if (isExported) addExport(file, local);
      for (const name of this.#exports.exportedAs(file, local)) addExport(file, name);
    };
    addExport(target.file, ownName);
    for (const name of this.#exports.exportedAs(target.file, ownName)) addExport(target.file, name);
    if (isDefault) addExport(target.file, DEFAULT_EXPORT);
    for (const { file, name } of queue) {
      if (name === DEFAULT_EXPORT) this.#addImportersOfDefault(file, addLocal, addExport);
      else this.#addImportersOfName(target, name, addLocal);
    }
    const exported = queue.map(({ name }) => name).filter((name) => name !== ownName && name !== DEFAULT_EXPORT);
    return { locals: [...locals.values()], exported: [...new Set(exported)] };
  }

  #addImportersOfName(target: SymbolPlace, name: string, addLocal: AddLocal): void {
    const tree = this.#tree;
    const { name: ownName, kind } = tree.symbol(target);
    const { globalModules } = tree.rules(target.file);
    // `alias Shop.Cart, as: Basket` (Elixir) renames the module itself.
    const isAliasable = globalModules && name === ownName && CONTAINER_KINDS.has(kind);
    const isRelated = tree.related(target.file);
    for (const file of tree.filesOf(tree.reader.postings('reference', IMPORT_MARK + nameKey(name)).docs)) {
      if (!isRelated(file)) continue;
      for (const { names, alias, line } of tree.table(file).imports) {
        for (const each of names) if (each.name === name) addLocal(file, each.local, this.#isReexported(file, line));
        if (isAliasable && alias && alias !== ownName) addLocal(file, alias, false);
      }
    }
  }

  #addImportersOfDefault(file: number, addLocal: AddLocal, addExport: AddExport): void {
    for (const other of this.#files.dependants(file)) {
      const { importsAreValues, calledImport, readExports } = this.#tree.rules(other);
      if (!readExports) continue;
      for (const { record, resolved } of this.#files.imports(other)) {
        if (!resolved.files.includes(file)) continue;
        const { names, alias, line } = record;
        for (const each of names)
          if (each.name === DEFAULT_EXPORT) addLocal(other, each.local, this.#isReexported(other, line));
        if (importsAreValues && alias) addLocal(other, alias, false);
        if (calledImport && names.length === 0 && alias === '') addLocal(other, calledImport.word, false);
      }
      for (const name of this.#exports.defaultExportedAs(other, file)) addExport(other, name);
    }
  }

  /**
   * The import re-exports its names: in scripts by the word (`export { a as b } from './a'`), in Python and others
   * always.
   */
  #isReexported(file: number, line: number): boolean {
    const { readExports, reexports } = this.#tree.rules(file);
    if (reexports === 'none' || reexports === 'modules') return false;
    return !readExports || /^\s*export\b/.test(this.#tree.lines(file)[line - 1] ?? '');
  }
}
