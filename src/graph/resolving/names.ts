/**
 * What does a bare name mean at a place? Scopes from the inside out, then the file, then what the file imports, then what its package or
 * language lets it see without an import.
 */

import { CONTAINER_KINDS, type SymbolKind } from '../../model/symbol.ts';
import { standsOutside } from '../content-tables.ts';
import type { Binding, GraphTree, SymbolPlace } from '../graph-tree.ts';
import { indentOf, inForce } from '../reading/locals.ts';
import { readExports, requiredMember, type ScriptExports } from '../reading/script-exports.ts';
import { FUNCTION_KINDS, isWanted, VALUE_KINDS, type Want } from './kinds.ts';
import { type Local, Locals } from './locals.ts';
import { luaModule } from './lua-module.ts';
import type { Types } from './types.ts';
import { definitionsFirst, visibleFrom } from './visible.ts';

/** A place in a file from which names are looked up. */
export interface Scope {
  readonly file: number;
  /** The innermost symbol around it, -1 at the top. */
  readonly from: number;
  readonly line: number;
  /** 1-based; everything on the line before it counts. */
  readonly column: number;
}

export interface Lookup {
  readonly places: readonly SymbolPlace[];
  /** Found without proof that it can be seen from here. */
  readonly unproved?: boolean;
  /** Known to be something that has no definition in the tree: imported from outside, or a local variable. */
  readonly outside: boolean;
}

const NOTHING: Lookup = { places: [], outside: false };
const OUTSIDE: Lookup = { places: [], outside: true };
const MAX_REEXPORTS = 6;
const NO_NAMES = { names: [], alias: '', line: 1 };

export class Names {
  readonly #tree: GraphTree;
  types!: Types;
  readonly #fileLevel = new Map<string, Lookup>();
  readonly #exports = new Map<number, ScriptExports>();
  readonly #locals: Locals;

  constructor(tree: GraphTree) {
    this.#tree = tree;
    this.#locals = new Locals(tree);
  }

  lookup(scope: Scope, name: string, want: Want): Lookup {
    const inner = this.#inScopes(scope, name, want);
    if (inner) {
      // Parameters and variables of the functions in between hide it.
      if (hasLocals(want) && this.#isHidden(scope, name, inner.places, inner.scope)) return OUTSIDE;
      return { places: inner.places, outside: false };
    }
    const outer = this.#atFile(scope.file, name, want);
    const own = outer.places.filter((place) => place.file !== scope.file || this.#isInForce(place, scope));
    if (hasLocals(want) && this.#isHidden(scope, name, own)) return OUTSIDE;
    if (own.length === outer.places.length) return outer;
    return own.length === 0 ? OUTSIDE : { places: this.#innermost(own), outside: false };
  }

  /** A local of the same name stands between; a definition does not hide itself. */
  #isHidden(scope: Scope, name: string, places: readonly SymbolPlace[], boundary = -1): boolean {
    // In Ruby brackets make it a call, whatever variables there are.
    if (
      this.#tree.language(scope.file) === 'ruby' &&
      this.#tree.lines(scope.file)[scope.line - 1]?.[scope.column - 1 + name.length] === '('
    )
      return false;
    const local = this.local(scope, name, boundary);
    return (
      local !== null &&
      !places.some((place) => {
        const { startLine, nameLine } = this.#tree.symbol(place);
        return place.file === scope.file && local.line >= startLine && local.line <= nameLine;
      })
    );
  }

  /** The local variable or parameter of this name that is in force at a place. */
  local(scope: Scope, name: string, boundary = -1): Local | null {
    return this.#locals.find(scope, name, boundary);
  }

  /** In scripts a definition inside of a callback is seen in that callback only. */
  #isInForce(place: SymbolPlace, scope: Scope): boolean {
    if (this.#tree.traits(scope.file).family !== 'script') return true;
    return inForce(this.#tree.lines(scope.file), this.#tree.symbol(place).startLine, scope.line);
  }

  #innermost(places: readonly SymbolPlace[]): SymbolPlace[] {
    const depth = (place: SymbolPlace) =>
      indentOf(this.#tree.lines(place.file)[this.#tree.symbol(place).startLine - 1] ?? '');
    const most = Math.max(...places.map(depth));
    return places.filter((place) => depth(place) === most);
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
      if (own !== '') places.push(...this.#atFile(file, own, want).places);
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
    if (name === null) {
      const exported = this.#asValue(resolved.files.length > 0 ? resolved.files : [file], record.source);
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
      : this.#rustScope(file, record.source);
    const files = resolved.files.length > 0 || resolved.external ? resolved.files : [file];
    const found =
      name === 'default' ? files.flatMap((each) => this.#default(each)) : this.inFiles(files, name, want, inside ?? '');
    // Members of objects are not exported by their names.
    const places = found.filter(
      (place) => this.#tree.traits(place.file).family !== 'script' || !isMember(this.#tree.symbol(place).kind),
    );
    return { places, outside: places.length === 0 };
  }

  #rustScope(file: number, source: string): string {
    if (this.#tree.language(file) !== 'rust') return '';
    const rest = this.#tree.imports.rust.follow(file, source.split('::').filter(Boolean))?.rest ?? [];
    return rest.at(-1) ?? '';
  }

  #inScopes(scope: Scope, name: string, want: Want): { places: SymbolPlace[]; scope: number } | null {
    const { file } = scope;
    const table = this.#tree.table(file);
    const traits = this.#tree.traits(file);
    const own = table.byName.get(name);
    const wanted = (places: readonly SymbolPlace[]) =>
      places.filter((place) => isWanted(this.#tree.symbol(place).kind, want));
    for (let at = scope.from; at >= 0; at = table.symbols[at]!.parent) {
      const symbol = table.symbols[at]!;
      const isModule = symbol.kind === 'module';
      const isType = CONTAINER_KINDS.has(symbol.kind) && !isModule;
      if (isType && !traits.implicitSelf) continue;
      let places: SymbolPlace[] = [];
      if (isType) places = wanted(this.types.members(this.types.whole({ file, ordinal: at }), name));
      else {
        places = (own ?? [])
          .filter(
            (ordinal) =>
              table.symbols[ordinal]!.parent === at || (isModule && table.owners[ordinal] === symbol.qualifiedName),
          )
          .filter(
            (ordinal) =>
              isWanted(table.symbols[ordinal]!.kind, want) &&
              (traits.implicitSelf || !isMember(table.symbols[ordinal]!.kind)),
          )
          .map((ordinal) => ({ file, ordinal }))
          .filter((place) => this.#isInForce(place, scope));
        if (places.length > 1 && traits.family === 'script') places = this.#innermost(places);
        if (places.length === 0 && isModule && traits.openTypes && traits.implicitSelf)
          places = wanted(this.types.members({ file, ordinal: at }, name));
        // A method that stands outside of its type sees the type's members.
        if (places.length === 0 && traits.implicitSelf && FUNCTION_KINDS.has(symbol.kind) && standsOutside(table, at)) {
          const type = this.types.ownerOf({ file, ordinal: at });
          if (type) places = wanted(this.types.members(type, name));
        }
      }
      if (places.length > 0) return { places, scope: at };
    }
    return null;
  }

  #atFile(file: number, name: string, want: Want): Lookup {
    const key = `${file} ${want} ${name}`;
    const known = this.#fileLevel.get(key);
    if (known) return known;
    const made = this.#findAtFile(file, name, want);
    if (this.#fileLevel.size > 50_000) this.#fileLevel.clear();
    this.#fileLevel.set(key, made);
    return made;
  }

  #findAtFile(file: number, name: string, want: Want): Lookup {
    const tree = this.#tree;
    const table = tree.table(file);
    const top = (table.byName.get(name) ?? []).filter(
      (ordinal) =>
        table.owners[ordinal] === '' &&
        isWanted(table.symbols[ordinal]!.kind, want) &&
        !(tree.traits(file).family === 'script' && isMember(table.symbols[ordinal]!.kind)),
    );
    const { named, wild } = tree.bindings(file);
    const binding = named.get(name);
    // `var x = require('x')` holds an import.
    const holdsImport =
      binding &&
      tree.traits(file).family === 'script' &&
      top.every((ordinal) => VALUE_KINDS.has(table.symbols[ordinal]!.kind));
    const required =
      top.length === 1 && !binding ? this.#required(file, table.symbols[top[0]!]!.signature, want) : null;
    if (required) return required;
    if (top.length > 0 && !holdsImport) return { places: top.map((ordinal) => ({ file, ordinal })), outside: false };
    if (binding) {
      const found = this.bound(file, binding, want);
      if (found.places.length > 0 || found.outside) return found;
    }
    const visible = visibleFrom(tree, file, name, want);
    if (visible.places.length > 0) return { ...visible, outside: false };
    for (const each of wild) {
      const places = this.#wild(file, each, name, want);
      if (places.length > 0) return { places, outside: false };
    }
    return NOTHING;
  }

  #wild(file: number, { resolved, record }: Binding, name: string, want: Want): SymbolPlace[] {
    const { family } = this.#tree.traits(file);
    if (resolved.files.length === 0) return [];
    // Whole namespaces and headers: through the name, not through every file.
    if (
      family === 'csharp' ||
      family === 'swift' ||
      family === 'jvm' ||
      family === 'c' ||
      family === 'go' ||
      family === 'elixir'
    ) {
      const members = new Set(resolved.files);
      const inside = record.source.split('.').at(-1)!;
      const top = this.#tree
        .named(name, (each) => members.has(each))
        .filter((place) => isWanted(this.#tree.symbol(place).kind, want));
      const outer = top.filter((place) => this.#tree.table(place.file).owners[place.ordinal] === '');
      if (outer.length > 0) return outer;
      return top.filter((place) => {
        const owner = this.#tree.table(place.file).owners[place.ordinal]!;
        return family === 'elixir' ? owner === record.source : isInside(owner, inside);
      });
    }
    return this.inFiles(resolved.files, name, want, this.#rustScope(file, record.source));
  }

  #reexported(file: number, name: string, want: Want, depth: number): SymbolPlace[] {
    const { family } = this.#tree.traits(file);
    if (family === 'go' || family === 'jvm' || family === 'csharp' || family === 'c' || family === 'php') return [];
    const { named, wild } = this.#tree.bindings(file);
    const binding = named.get(name);
    if (binding && !binding.resolved.external && binding.name !== null) {
      const inside = this.#rustScope(file, binding.record.source);
      const places =
        binding.name === 'default'
          ? binding.resolved.files.flatMap((each) => this.#default(each))
          : this.inFiles(binding.resolved.files, binding.name, want, inside, depth + 1);
      if (places.length > 0) return places;
    }
    for (const { resolved, record } of wild) {
      if (resolved.files.length === 0 || family === 'swift' || family === 'ruby') continue;
      const places = this.inFiles(resolved.files, name, want, this.#rustScope(file, record.source), depth + 1);
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

  /** `var f = require('./x').f`: an import in other words. */
  #required(file: number, signature: string, want: Want): Lookup | null {
    const written = this.#tree.traits(file).family === 'script' ? requiredMember(signature) : null;
    if (!written) return null;
    const { files, external } = this.#tree.imports.resolve(file, { ...NO_NAMES, source: written.source });
    const places = this.inFiles(files, written.name, want);
    return external || places.length > 0 ? { places, outside: places.length === 0 } : null;
  }

  /** `module.exports = require('./lib/express')`: what the other file gives. */
  #passedOn(file: number): readonly number[] {
    const source = this.#exportsOf(file).passedOn;
    return source === '' ? [] : this.#tree.imports.resolve(file, { ...NO_NAMES, source }).files;
  }

  #exportsOf(file: number): ScriptExports {
    const row = this.#tree.view.contentOf[file]!;
    let known = this.#exports.get(row);
    if (!known) {
      known = readExports(this.#tree.lines(file).join('\n'));
      this.#exports.set(row, known);
    }
    return known;
  }
}

/** Variables hide what is called like them, unless only functions or types can be meant. */
function hasLocals(want: Want): boolean {
  return want === 'call' || want === 'any';
}

/** Members of types and of objects are no names by themselves. */
function isMember(kind: SymbolKind): boolean {
  return kind === 'method' || kind === 'field' || kind === 'property';
}

export function isInside(owner: string, scope: string): boolean {
  if (scope === '') return false;
  return owner === scope || (owner.endsWith(scope) && /[.:#\\]/.test(owner[owner.length - scope.length - 1]!));
}

export function distinct(places: readonly SymbolPlace[]): SymbolPlace[] {
  return [...new Map(places.map((place) => [`${place.file}:${place.ordinal}`, place])).values()];
}
