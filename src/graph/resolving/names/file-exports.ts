/** The exports of a file: its own names, its default, and names that it re-exports. */

import type { ModuleExports } from '../../../languages/name-rules.ts';
import { CONTAINER_KINDS } from '../../../model/records/symbol.ts';
import type { Binding, GraphTree, SymbolPlace } from '../../graph-tree.ts';
import { distinct, isSame } from '../../symbol-place.ts';
import { isMember, isWanted, type Want } from '../kinds.ts';
import { definitionsFirst } from './implicit-visibility.ts';
import { isInside, type Lookup, NO_NAMES, OUTSIDE } from './lookup.ts';

const MAX_REEXPORTS = 6;
const NO_EXPORTS: ModuleExports = { whole: '', passedOn: '', renamed: new Map(), required: new Map() };

export class FileExports {
  readonly #tree: GraphTree;
  /** The meaning of a name at the top of a file that exports it under another name. */
  readonly #ownName: (file: number, name: string, want: Want) => Lookup;
  readonly #known = new Map<number, ModuleExports>();
  readonly #tables = new Map<number, { readonly table: string; readonly parents: readonly number[] }>();

  constructor(tree: GraphTree, ownName: (file: number, name: string, want: Want) => Lookup) {
    this.#tree = tree;
    this.#ownName = ownName;
  }

  /** Symbols of a name at the top of some files, or re-exported by them. */
  inFiles(files: readonly number[], name: string, want: Want, inside = '', depth = 0): SymbolPlace[] {
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
    // Members of the object that a script exports as a whole.
    for (const file of files) {
      const { whole } = this.#exportsOf(file);
      const table = this.#tree.table(file);
      for (const ordinal of whole === '' ? [] : (table.byName.get(name) ?? []))
        if (table.owners[ordinal] === whole && isWanted(table.symbols[ordinal]!.kind, want))
          places.push({ file, ordinal });
    }
    if (places.length > 0) return places;
    for (const file of files) {
      const own = this.#exportsOf(file).renamed.get(name) ?? '';
      if (own !== '') places.push(...this.#ownName(file, own, want).places);
      places.push(...this.#required(file, name, want, depth));
    }
    if (places.length > 0) return places;
    const passed = files.flatMap((file) => this.#passedOn(file));
    if (passed.length > 0) return this.inFiles(passed, name, want, '', depth + 1);
    for (const file of files) places.push(...this.#reexported(file, name, want, depth));
    return distinct(places);
  }

  /** Files that a file gives away as a whole under a name: `exports.g = require('../g')`. */
  givenModule(file: number, name: string): readonly number[] {
    const given = this.#exportsOf(file).required.get(name);
    return given?.member === '' ? this.#sourceFiles(file, given.source) : [];
  }

  /** What a file gives as a whole to one that imports it as a value: `require('../make')`. */
  valueOf(file: number, source: string): Lookup {
    const { files, external } = this.#tree.imports.resolve(file, { ...NO_NAMES, source });
    return external ? OUTSIDE : { places: files.flatMap((each) => this.#default(each)), outside: false };
  }

  /** The symbol is what its file gives as a whole, or as its default. */
  isDefault(place: SymbolPlace): boolean {
    return this.#default(place.file).some((each) => isSame(each, place));
  }

  /**
   * The names under which a file gives on what it has under another: a local name, or the default of another file.
   * `exports.g = require('../g')` gives the default of g.js on as `g`.
   */
  exportedAs(file: number, local: string): string[] {
    const { whole, renamed } = this.#exportsOf(file);
    const names = [...renamed].flatMap(([name, own]) => (own === local ? [name] : []));
    return whole === local ? [...names, 'default'] : names;
  }

  /** And those under which it gives on the default of another file that it does not name itself. */
  defaultExportedAs(file: number, from: number): string[] {
    const { required } = this.#exportsOf(file);
    const names = [...required].flatMap(([name, { source, member }]) =>
      member === '' && this.#sourceFiles(file, source).includes(from) ? [name] : [],
    );
    return this.#passedOn(file).includes(from) ? [...names, 'default'] : names;
  }

  #required(file: number, name: string, want: Want, depth: number): SymbolPlace[] {
    const given = this.#exportsOf(file).required.get(name);
    if (!given) return [];
    const files = this.#sourceFiles(file, given.source);
    if (given.member !== '') return this.inFiles(files, given.member, want, '', depth + 1);
    return files.flatMap((each) => this.#default(each));
  }

  /** In the table that a file returns, and in what that falls back on. */
  #inTable(file: number, name: string, want: Want, inside: string, depth: number): SymbolPlace[] {
    const { table, parents } = this.#tableOf(file);
    const own = table === '' || table === inside ? [] : this.inFiles([file], name, want, table, MAX_REEXPORTS);
    if (own.length > 0 || parents.length === 0) return own;
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

  /** The meaning of an imported name. */
  bound(file: number, { resolved, record, name }: Binding, want: Want): Lookup {
    if (resolved.external) return OUTSIDE;
    if (name !== null && this.#tree.rules(file).bindsScopes) {
      // `using a::b` names something, not a file.
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
      const own = resolved.files.filter((each) => !resolved.modules.get(name)!.includes(each));
      return { places: this.inFiles(own, name, want), outside: false };
    }
    const segments = record.source.split(/[.:\\/]+/).filter(Boolean);
    const inside = this.#tree.rules(file).scopedImports
      ? segments.at(-1) === name
        ? segments.at(-2)
        : segments.at(-1)
      : this.scopeIn(file, record.source);
    const found =
      name === 'default' ? files.flatMap((each) => this.#default(each)) : this.inFiles(files, name, want, inside ?? '');
    // Members of objects are not exported by their names.
    const places = found.filter(
      (place) => !this.#tree.rules(place.file).objectMembers || !isMember(this.#tree.symbol(place).kind),
    );
    return { places, outside: places.length === 0 };
  }

  /** The scope inside of a file that a path of modules ends with. */
  scopeIn(file: number, source: string): string {
    const path = this.#tree.imports.of(file).follow?.(file, source.split('::').filter(Boolean));
    return path?.rest.at(-1) ?? '';
  }

  #reexported(file: number, name: string, want: Want, depth: number): SymbolPlace[] {
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

  /**
   * What a file gives when it is imported as a whole and used as a value: its default export, the module that it
   * defines.
   */
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
    const name = this.#exportsOf(file).whole;
    if (name === '') {
      const passed = this.#passedOn(file);
      return passed.length > 0 ? passed.flatMap((each) => this.#default(each)) : this.#unnamed(file);
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

  /** `module.exports = require('../lib/express')`: what the other file gives. */
  #passedOn(file: number): readonly number[] {
    const source = this.#exportsOf(file).passedOn;
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
