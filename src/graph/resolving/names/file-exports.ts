/** Resolves the exports of a file: its declarations, its default export, and the names that it re-exports. */

import type { ModuleExports } from '../../../languages/name-rules.ts';
import { CONTAINER_KINDS } from '../../../model/records/symbol.ts';
import type { Binding, GraphTree, SymbolPlace } from '../../graph-tree.ts';
import { distinct, isSame } from '../../symbol-place.ts';
import { isMember, isWanted, type WantedKind } from '../kinds.ts';
import { definitionsFirst } from './implicit-visibility.ts';
import { isInside, type Lookup, NO_NAMES, OUTSIDE } from './lookup.ts';

const MAX_REEXPORTS = 6;
const NO_EXPORTS: ModuleExports = { defaultName: '', forwardedSource: '', renamed: new Map(), required: new Map() };

export class FileExports {
  readonly #tree: GraphTree;
  /** Looks a name up at the top level of a file. */
  readonly #lookupLocal: (file: number, name: string, want: WantedKind) => Lookup;
  readonly #known = new Map<number, ModuleExports>();
  readonly #tables = new Map<number, { readonly table: string; readonly parents: readonly number[] }>();

  constructor(tree: GraphTree, lookupLocal: (file: number, name: string, want: WantedKind) => Lookup) {
    this.#tree = tree;
    this.#lookupLocal = lookupLocal;
  }

  /** Symbols that some files export under a name. `inside`: the scope in the files that contains the name. */
  inFiles(files: readonly number[], name: string, want: WantedKind, inside = '', depth = 0): SymbolPlace[] {
    const places: SymbolPlace[] = [];
    for (const file of files) {
      const table = this.#tree.table(file);
      for (const ordinal of table.byName.get(name) ?? []) {
        if (!isWanted(table.symbols[ordinal]!.kind, want)) continue;
        const owner = table.owners[ordinal]!;
        const isTop = owner === '' || /^(?:module\.)?exports$/.test(owner);
        if (isTop ? inside === '' || table.symbols[ordinal]!.kind !== 'method' : isInside(owner, inside))
          places.push({ file, ordinal });
      }
    }
    if (places.length > 0 || depth > MAX_REEXPORTS) return places;
    for (const file of files) {
      const found = this.#inTable(file, name, want, inside, depth);
      if (found.length > 0) return found;
    }
    if (inside !== '') return this.inFiles(files, name, want, '', depth + 1);
    // `module.exports = api` exports the members of the object `api`.
    for (const file of files) {
      const { defaultName } = this.#exportsOf(file);
      const table = this.#tree.table(file);
      for (const ordinal of defaultName === '' ? [] : (table.byName.get(name) ?? []))
        if (table.owners[ordinal] === defaultName && isWanted(table.symbols[ordinal]!.kind, want))
          places.push({ file, ordinal });
    }
    if (places.length > 0) return places;
    for (const file of files) {
      const localName = this.#exportsOf(file).renamed.get(name) ?? '';
      if (localName !== '') places.push(...this.#lookupLocal(file, localName, want).places);
      places.push(...this.#required(file, name, want, depth));
    }
    if (places.length > 0) return places;
    const forwarded = files.flatMap((file) => this.#forwardedFiles(file));
    if (forwarded.length > 0) return this.inFiles(forwarded, name, want, '', depth + 1);
    for (const file of files) places.push(...this.#reexported(file, name, want, depth));
    return distinct(places);
  }

  /** The files of a module that a file re-exports under a name: `exports.g = require('./g')`. */
  reexportedModule(file: number, name: string): readonly number[] {
    const required = this.#exportsOf(file).required.get(name);
    return required?.member === '' ? this.#sourceFiles(file, required.source) : [];
  }

  /** The value of an imported file: `require('./make')`. */
  valueOf(file: number, source: string): Lookup {
    const { files, external } = this.#tree.imports.resolve(file, { ...NO_NAMES, source });
    return external ? OUTSIDE : { places: files.flatMap((each) => this.#default(each)), outside: false };
  }

  /** The symbol is the default export of its file, or its `module.exports`. */
  isDefault(place: SymbolPlace): boolean {
    return this.#default(place.file).some((each) => isSame(each, place));
  }

  /** Other names under which a file exports a local name. */
  exportedAs(file: number, local: string): string[] {
    const { defaultName, renamed } = this.#exportsOf(file);
    const names = [...renamed].flatMap(([name, localName]) => (localName === local ? [name] : []));
    return defaultName === local ? [...names, 'default'] : names;
  }

  /** Names under which a file re-exports the default export of another: `exports.g = require('./g')`. */
  defaultExportedAs(file: number, from: number): string[] {
    const { required } = this.#exportsOf(file);
    const names = [...required].flatMap(([name, { source, member }]) =>
      member === '' && this.#sourceFiles(file, source).includes(from) ? [name] : [],
    );
    return this.#forwardedFiles(file).includes(from) ? [...names, 'default'] : names;
  }

  #required(file: number, name: string, want: WantedKind, depth: number): SymbolPlace[] {
    const required = this.#exportsOf(file).required.get(name);
    if (!required) return [];
    const files = this.#sourceFiles(file, required.source);
    if (required.member !== '') return this.inFiles(files, required.member, want, '', depth + 1);
    return files.flatMap((each) => this.#default(each));
  }

  /** Lua: members of the table that a file returns, and of the tables that lookups in it fall back to. */
  #inTable(file: number, name: string, want: WantedKind, inside: string, depth: number): SymbolPlace[] {
    const { table, parents } = this.#tableOf(file);
    const inOwnTable = table === '' || table === inside ? [] : this.inFiles([file], name, want, table, MAX_REEXPORTS);
    if (inOwnTable.length > 0 || parents.length === 0) return inOwnTable;
    return this.inFiles(parents, name, want, '', depth + 1);
  }

  #tableOf(file: number): { readonly table: string; readonly parents: readonly number[] } {
    let known = this.#tables.get(file);
    if (!known) {
      const returned = this.#tree.rules(file).returnedTable?.(this.#tree.lines(file).join('\n'));
      const { imports } = this.#tree.table(file);
      const parents = (returned?.parents ?? []).flatMap(({ source, alias }) => {
        const at = imports.findIndex((record) => (source ? record.source === source : record.alias === alias));
        return at < 0 ? [] : this.#tree.importsOf(file)[at]!.files;
      });
      known = { table: returned?.table ?? '', parents: parents.filter((each) => each !== file) };
      this.#tables.set(file, known);
    }
    return known;
  }

  /** The symbols that an imported name means. */
  bound(file: number, { resolved, record, name }: Binding, want: WantedKind): Lookup {
    if (resolved.external) return OUTSIDE;
    if (name !== null && this.#tree.rules(file).bindsScopes) {
      // C++ `using a::b` names a symbol, not a file.
      const owner = record.source.split('::').slice(0, -1).join('::');
      const found = this.#tree
        .named(name, this.#tree.related(file))
        .filter(
          (place) =>
            this.#tree.table(place.file).owners[place.ordinal] === owner &&
            isWanted(this.#tree.symbol(place).kind, want),
        );
      return { places: definitionsFirst(this.#tree, found), outside: found.length === 0 };
    }
    const files = resolved.files.length > 0 ? resolved.files : [file];
    if (name === null) {
      const exported = this.#asValue(files, record.source);
      return { places: exported, outside: exported.length === 0 };
    }
    if (resolved.modules.has(name)) {
      const definingFiles = resolved.files.filter((each) => !resolved.modules.get(name)!.includes(each));
      return { places: this.inFiles(definingFiles, name, want), outside: false };
    }
    const segments = record.source.split(/[.:\\/]+/).filter(Boolean);
    const inside = this.#tree.rules(file).scopedImports
      ? segments.at(-1) === name
        ? segments.at(-2)
        : segments.at(-1)
      : this.scopeIn(file, record.source);
    const found =
      name === 'default' ? files.flatMap((each) => this.#default(each)) : this.inFiles(files, name, want, inside ?? '');
    // A member of an object literal is no export, though the index lists it at top level.
    const places = found.filter(
      (place) => !this.#tree.rules(place.file).objectMembers || !isMember(this.#tree.symbol(place).kind),
    );
    return { places, outside: places.length === 0 };
  }

  /** Rust: the inline module of a file at the end of a module path; '' for none. */
  scopeIn(file: number, source: string): string {
    const path = this.#tree.imports.of(file).follow?.(file, source.split('::').filter(Boolean));
    return path?.rest.at(-1) ?? '';
  }

  #reexported(file: number, name: string, want: WantedKind, depth: number): SymbolPlace[] {
    const { reexports } = this.#tree.rules(file);
    if (reexports === 'none' || reexports === 'modules') return [];
    const { named, wild } = this.#tree.bindings(file);
    const binding = named.get(name);
    if (binding && !binding.resolved.external && binding.name !== null) {
      const inside = this.scopeIn(file, binding.record.source);
      const places =
        binding.name === 'default'
          ? binding.resolved.files.flatMap((each) => this.#default(each))
          : this.inFiles(binding.resolved.files, binding.name, want, inside, depth + 1);
      if (places.length > 0) return places;
    }
    for (const { resolved, record } of wild) {
      if (resolved.files.length === 0 || reexports !== 'all') continue;
      const places = this.inFiles(resolved.files, name, want, this.scopeIn(file, record.source), depth + 1);
      if (places.length > 0) return places;
    }
    return [];
  }

  /** The value of a file that is imported as a whole: its default export, or the module that it defines. */
  #asValue(files: readonly number[], source: string): SymbolPlace[] {
    return files.flatMap((file) => {
      const { importsAreValues, aliasIsType, globalModules } = this.#tree.rules(file);
      if (importsAreValues) return this.#default(file);
      if (!aliasIsType) return [];
      const table = this.#tree.table(file);
      const name = source.replace(/<.*$/, '').split('.').at(-1)!;
      return (table.byName.get(name) ?? [])
        .filter(
          (ordinal) =>
            CONTAINER_KINDS.has(table.symbols[ordinal]!.kind) &&
            (!globalModules || table.symbols[ordinal]!.qualifiedName === source),
        )
        .map((ordinal) => ({ file, ordinal }));
    });
  }

  #default(file: number): SymbolPlace[] {
    const table = this.#tree.table(file);
    const unnamed = table.byName.get('default');
    if (unnamed) return unnamed.map((ordinal) => ({ file, ordinal }));
    const name = this.#exportsOf(file).defaultName;
    if (name === '') {
      const forwarded = this.#forwardedFiles(file);
      return forwarded.length > 0 ? forwarded.flatMap((each) => this.#default(each)) : this.#unnamed(file);
    }
    const top = (table.byName.get(name) ?? []).filter((ordinal) =>
      /^(?:(?:module\.)?exports)?$/.test(table.owners[ordinal]!),
    );
    if (top.length > 0) return top.map((ordinal) => ({ file, ordinal }));
    const binding = this.#tree.bindings(file).named.get(name);
    return binding ? [...this.bound(file, binding, 'any').places] : [];
  }

  /** `module.exports = function () {…}` */
  #unnamed(file: number): SymbolPlace[] {
    const table = this.#tree.table(file);
    return (table.byName.get('exports') ?? [])
      .filter((ordinal) => table.owners[ordinal] === 'module' && isWanted(table.symbols[ordinal]!.kind, 'call'))
      .map((ordinal) => ({ file, ordinal }));
  }

  /** The files whose exports a file forwards: `module.exports = require('./lib/express')`. */
  #forwardedFiles(file: number): readonly number[] {
    const source = this.#exportsOf(file).forwardedSource;
    return source === '' ? [] : this.#sourceFiles(file, source);
  }

  #sourceFiles(file: number, source: string): readonly number[] {
    return this.#tree.imports.resolve(file, { ...NO_NAMES, source }).files;
  }

  #exportsOf(file: number): ModuleExports {
    const row = this.#tree.view.contentOf[file]!;
    let known = this.#known.get(row);
    if (!known) {
      known = this.#tree.rules(file).readExports?.(this.#tree.lines(file).join('\n')) ?? NO_EXPORTS;
      this.#known.set(row, known);
    }
    return known;
  }
}
