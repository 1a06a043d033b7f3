/**
 * Under which names do other files know a symbol? Importers rename it, files give it on under another name, and what a
 * file gives as a whole has the name that each importer chooses. Names are candidates: resolving a place tells what is
 * meant there.
 */
import { CONTAINER_KINDS } from '../model/records/symbol.ts';
import { nameKey } from '../model/text/terms.ts';
import { IMPORT_MARK } from '../store/store.ts';
import type { FileGraph } from './file-graph.ts';
import type { GraphTree, SymbolPlace } from './graph-tree.ts';
import type { FileExports } from './resolving/names/file-exports.ts';

/** Names that a symbol is given on under; one that has more is given on by many packages of a monorepo. */
const MAX_NAMES = 200;
const WHOLE = 'default';

export interface LocalAlias {
  readonly file: number;
  readonly local: string;
}

export interface Aliases {
  /** Names inside of single files. */
  readonly locals: readonly LocalAlias[];
  /** Names under which files give it on, which stand behind the name of a module, too: `express.Route`. */
  readonly outside: readonly string[];
}

const NONE: Aliases = { locals: [], outside: [] };

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
    const { name: own, kind, parent } = tree.symbol(target);
    const isWhole = this.#exports.isDefault(target);
    if (parent >= 0 && !CONTAINER_KINDS.has(kind) && !isWhole) return NONE;
    const locals = new Map<string, LocalAlias>();
    const queue: { readonly file: number; readonly name: string }[] = [];
    const seen = new Set<string>();
    const give = (file: number, name: string) => {
      // A name is looked up in every file that imports it, what a file gives as a whole by the importers of the file.
      const key = name === WHOLE ? `${file}` : name;
      if (seen.has(key) || seen.size >= MAX_NAMES) return;
      seen.add(key);
      queue.push({ file, name });
    };
    const known = (file: number, local: string, isGiven: boolean) => {
      if (local !== own && local !== '*') locals.set(`${file} ${local}`, { file, local });
      if (isGiven) give(file, local);
      for (const name of this.#exports.givenOn(file, local)) give(file, name);
    };
    give(target.file, own);
    for (const name of this.#exports.givenOn(target.file, own)) give(target.file, name);
    if (isWhole) give(target.file, WHOLE);
    for (const { file, name } of queue) {
      if (name === WHOLE) this.#importersOfWhole(file, known, give);
      else this.#importersOfName(target, name, known);
    }
    const outside = queue.map(({ name }) => name).filter((name) => name !== own && name !== WHOLE);
    return { locals: [...locals.values()], outside: [...new Set(outside)] };
  }

  #importersOfName(target: SymbolPlace, name: string, known: Known): void {
    const tree = this.#tree;
    const { name: own, kind } = tree.symbol(target);
    const { globalModules } = tree.rules(target.file);
    const takesAlias = globalModules && name === own && CONTAINER_KINDS.has(kind);
    const isRelated = tree.related(target.file);
    for (const file of tree.filesOf(tree.reader.postings('reference', IMPORT_MARK + nameKey(name)).docs)) {
      if (!isRelated(file)) continue;
      for (const { names, alias, line } of tree.table(file).imports) {
        for (const each of names) if (each.name === name) known(file, each.local, this.#givesOn(file, line));
        if (takesAlias && alias && alias !== own) known(file, alias, false);
      }
    }
  }

  #importersOfWhole(file: number, known: Known, give: (file: number, name: string) => void): void {
    for (const other of this.#files.dependants(file)) {
      const { importsAreValues, calledImport, readExports } = this.#tree.rules(other);
      if (!readExports) continue;
      for (const { record, resolved } of this.#files.imports(other)) {
        if (!resolved.files.includes(file)) continue;
        const { names, alias, line } = record;
        for (const each of names) if (each.name === WHOLE) known(other, each.local, this.#givesOn(other, line));
        if (importsAreValues && alias) known(other, alias, false);
        if (calledImport && names.length === 0 && alias === '') known(other, calledImport.word, false);
      }
      for (const name of this.#exports.defaultGivenOn(other, file)) give(other, name);
    }
  }

  /** The names that an import brings in are given on: `export { a as b } from './a'`, and always where files do so. */
  #givesOn(file: number, line: number): boolean {
    const { readExports, reexports } = this.#tree.rules(file);
    if (reexports === 'none' || reexports === 'modules') return false;
    return !readExports || /^\s*export\b/.test(this.#tree.lines(file)[line - 1] ?? '');
  }
}

type Known = (file: number, local: string, isGiven: boolean) => void;
