/** What does a file give to those who import it? Its own names, its default, and what it gives on from others. */

import { readExports, type ScriptExports } from '../../languages/script/exports.ts';
import { CONTAINER_KINDS } from '../../model/records/symbol.ts';
import type { Binding, GraphTree, SymbolPlace } from '../graph-tree.ts';
import { distinct } from '../symbol-place.ts';
import { isMember, isWanted, type Want } from './kinds.ts';
import { isInside, type Lookup, NO_NAMES, OUTSIDE } from './lookup.ts';
import { luaModule } from './lua-module.ts';
import { definitionsFirst } from './visible.ts';

const MAX_REEXPORTS = 6;

export class Exports {
  readonly #tree: GraphTree;
  /** What a name means at the top of a file: one that it gives away under another name. */
  readonly #ownName: (file: number, name: string, want: Want) => Lookup;
  readonly #known = new Map<number, ScriptExports>();

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
      if (this.#tree.language(file) !== 'lua') continue;
      const { table, parents } = luaModule(this.#tree, file);
      const own = table === '' || table === inside ? [] : this.inFiles([file], name, want, table, MAX_REEXPORTS);
      if (own.length > 0) return own;
      const above = parents.filter((each) => each !== file);
      const inherited = above.length > 0 ? this.inFiles(above, name, want, '', depth + 1) : [];
      if (inherited.length > 0) return inherited;
    }
    if (inside !== '') return this.inFiles(files, name, want, '', depth + 1);
    // Members of the object that a script exports as a whole.
    for (const file of files) {
      if (this.#tree.traits(file).family !== 'script') continue;
      const whole = this.#exportsOf(file).whole;
      const table = this.#tree.table(file);
      for (const ordinal of whole === '' ? [] : (table.byName.get(name) ?? []))
        if (table.owners[ordinal] === whole && isWanted(table.symbols[ordinal]!.kind, want))
          places.push({ file, ordinal });
    }
    if (places.length > 0) return places;
    for (const file of files) {
      const own = this.#tree.traits(file).family === 'script' ? (this.#exportsOf(file).renamed.get(name) ?? '') : '';
      if (own !== '') places.push(...this.#ownName(file, own, want).places);
    }
    if (places.length > 0) return places;
    const passed = files.flatMap((file) => (this.#tree.traits(file).family === 'script' ? this.#passedOn(file) : []));
    if (passed.length > 0) return this.inFiles(passed, name, want, '', depth + 1);
    for (const file of files) places.push(...this.#reexported(file, name, want, depth));
    return distinct(places);
  }

  /** What an imported name stands for. */
  bound(file: number, { resolved, record, name }: Binding, want: Want): Lookup {
    if (resolved.external) return OUTSIDE;
    if (name !== null && this.#tree.traits(file).family === 'c') {
      // `using a::b` names something, not a file.
      const owner = record.source.split('::').slice(0, -1).join('::');
      const found = this.#tree
        .named(name, (each) => this.#tree.traits(each).family === 'c')
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
    const isScoped =
      this.#tree.traits(file).family === 'jvm' ||
      this.#tree.traits(file).family === 'elixir' ||
      this.#tree.traits(file).family === 'haskell';
    const inside = isScoped
      ? segments.at(-1) === name
        ? segments.at(-2)
        : segments.at(-1)
      : this.rustScope(file, record.source);
    const found =
      name === 'default' ? files.flatMap((each) => this.#default(each)) : this.inFiles(files, name, want, inside ?? '');
    // Members of objects are not exported by their names.
    const places = found.filter(
      (place) => this.#tree.traits(place.file).family !== 'script' || !isMember(this.#tree.symbol(place).kind),
    );
    return { places, outside: places.length === 0 };
  }

  rustScope(file: number, source: string): string {
    if (this.#tree.language(file) !== 'rust') return '';
    const rest = this.#tree.imports.rust.follow(file, source.split('::').filter(Boolean))?.rest ?? [];
    return rest.at(-1) ?? '';
  }

  #reexported(file: number, name: string, want: Want, depth: number): SymbolPlace[] {
    const { family } = this.#tree.traits(file);
    if (family === 'go' || family === 'jvm' || family === 'csharp' || family === 'c' || family === 'php') return [];
    const { named, wild } = this.#tree.bindings(file);
    const binding = named.get(name);
    if (binding && !binding.resolved.external && binding.name !== null) {
      const inside = this.rustScope(file, binding.record.source);
      const places =
        binding.name === 'default'
          ? binding.resolved.files.flatMap((each) => this.#default(each))
          : this.inFiles(binding.resolved.files, binding.name, want, inside, depth + 1);
      if (places.length > 0) return places;
    }
    for (const { resolved, record } of wild) {
      if (resolved.files.length === 0 || family === 'swift' || family === 'ruby') continue;
      const places = this.inFiles(resolved.files, name, want, this.rustScope(file, record.source), depth + 1);
      if (places.length > 0) return places;
    }
    return [];
  }

  /** What a file gives when it is imported as a whole and used as a value: its default export, the module that it defines. */
  #asValue(files: readonly number[], source: string): SymbolPlace[] {
    return files.flatMap((file) => {
      const { family } = this.#tree.traits(file);
      if (family === 'script') return this.#default(file);
      if (family !== 'elixir' && family !== 'csharp') return [];
      const table = this.#tree.table(file);
      const name = source.replace(/<.*$/, '').split('.').at(-1)!;
      return (table.byName.get(name) ?? [])
        .filter(
          (ordinal) =>
            CONTAINER_KINDS.has(table.symbols[ordinal]!.kind) &&
            (family !== 'elixir' || table.symbols[ordinal]!.qualifiedName === source),
        )
        .map((ordinal) => ({ file, ordinal }));
    });
  }

  #default(file: number): SymbolPlace[] {
    const table = this.#tree.table(file);
    const unnamed = table.byName.get('default');
    if (unnamed) return unnamed.map((ordinal) => ({ file, ordinal }));
    const name = this.#exportsOf(file).whole;
    if (name === '') return this.#passedOn(file).flatMap((each) => this.#default(each));
    const top = (table.byName.get(name) ?? []).filter((ordinal) => table.owners[ordinal] === '');
    if (top.length > 0) return top.map((ordinal) => ({ file, ordinal }));
    const binding = this.#tree.bindings(file).named.get(name);
    return binding ? [...this.bound(file, binding, 'any').places] : [];
  }

  /** `module.exports = require('./lib/express')`: what the other file gives. */
  #passedOn(file: number): readonly number[] {
    const source = this.#exportsOf(file).passedOn;
    return source === '' ? [] : this.#tree.imports.resolve(file, { ...NO_NAMES, source }).files;
  }

  #exportsOf(file: number): ScriptExports {
    const row = this.#tree.view.contentOf[file]!;
    let known = this.#known.get(row);
    if (!known) {
      known = readExports(this.#tree.lines(file).join('\n'));
      this.#known.set(row, known);
    }
    return known;
  }
}
