/**
 * Resolves paths that begin with a module or namespace, by the rules of each language: to files, and to how many names
 * of the path they cover.
 */
import { CONTAINER_KINDS } from '../../../model/records/symbol.ts';
import type { Binding, GraphTree, SymbolPlace } from '../../graph-tree.ts';
import type { Scope } from '../names/lookup.ts';
import type { UnqualifiedNames } from '../names/unqualified-names.ts';
import { type Begun, type Meaning, type ModuleMeaning, OUTSIDE } from './meaning.ts';

const MAX_REEXPORTS = 4;

export class ModulePaths {
  readonly #tree: GraphTree;
  readonly #names: UnqualifiedNames;

  constructor(tree: GraphTree, names: UnqualifiedNames) {
    this.#tree = tree;
    this.#names = names;
  }

  /** The target of an import's binding: a module, or a name in one. */
  module(file: number, binding: Binding, path: readonly string[], depth = 0): Begun {
    const { resolved, record, name } = binding;
    if (resolved.external) return { meaning: OUTSIDE, used: 1 };
    // A module that is neither external nor in another file is in this one: a file may contain several.
    const files = resolved.files.length > 0 ? resolved.files : [file];
    const inner = name === null ? undefined : resolved.modules.get(name);
    if (inner) return { meaning: { kind: 'module', files: inner, scope: '', binding: null }, used: 1 };
    // A default export is usually an object of functions and used like a module.
    if (name === 'default' || (name === null && this.#tree.rules(file).importsAreValues))
      return { meaning: { kind: 'module', files, scope: '', binding: null }, used: 1 };
    if (name !== null) return this.#reexported(files, name, path, depth);
    const { dottedModules, globalModules } = this.#tree.rules(file);
    if (dottedModules && record.source.includes('.') && record.alias === record.source.split('.')[0])
      return this.dottedModule(file, path) ?? { meaning: null, used: 1 };
    const scope = globalModules ? record.source : '';
    return { meaning: { kind: 'module', files, scope, binding }, used: 1 };
  }

  /** A module that a file re-exports under a name: `export * as ns from './a'`, `from . import base as b`. */
  #reexported(files: readonly number[], name: string, path: readonly string[], depth: number): Begun {
    for (const file of depth < MAX_REEXPORTS ? files : []) {
      const binding = this.#tree.bindings(file).named.get(name);
      if (binding && (binding.name === null || binding.resolved.modules.has(binding.name)))
        return this.module(file, binding, path, depth + 1);
    }
    return { meaning: null, used: 1 };
  }

  /** The value of `import('./a')`. */
  imported(file: number, source: string): Meaning {
    const { files, external } = this.#tree.imports.resolve(file, { source, names: [], alias: '', line: 1 });
    return external ? OUTSIDE : { kind: 'module', files, scope: '', binding: null };
  }

  /** A module inside of a module: a file of a Python package, a child of a Rust module, an import of the file. */
  submodule({ files, binding }: ModuleMeaning, name: string): Meaning | null {
    for (const file of files) {
      const inner = this.#tree.imports.of(file).submodule?.(file, name) ?? -1;
      if (inner >= 0) return { kind: 'module', files: [inner], scope: '', binding: null };
      const reexported = this.#names.exports.reexportedModule(file, name);
      if (reexported.length > 0) return { kind: 'module', files: reexported, scope: '', binding: null };
      const bound = this.#tree.bindings(file).named.get(name);
      if (bound && this.#tree.rules(file).reexports !== 'none') return this.module(file, bound, [name]).meaning;
    }
    return binding?.resolved.external ? OUTSIDE : null;
  }

  /** Python's `import a.b.c` allows `a.b.c.f`: the longest imported source that the path begins with. */
  dottedModule(file: number, path: readonly string[]): Begun | null {
    if (!this.#tree.rules(file).dottedModules) return null;
    const imports = this.#tree.importsOf(file);
    for (let used = path.length; used >= 1; used--) {
      const source = path.slice(0, used).join('.');
      const hit = imports.find(
        (each, i) => each.source === source && this.#tree.table(file).imports[i]!.names.length === 0,
      );
      if (hit)
        return {
          meaning: hit.external ? OUTSIDE : { kind: 'module', files: hit.files, scope: '', binding: null },
          used,
        };
    }
    const [first] = path;
    const outside = imports.some(
      (each, i) =>
        each.external && each.source.startsWith(`${first}.`) && this.#tree.table(file).imports[i]!.alias === first,
    );
    return outside ? { meaning: OUTSIDE, used: 1 } : null;
  }

  /** Rust paths without an import: from the crate, the module itself, its parent, or a declared child module. */
  modulePath(scope: Scope, path: readonly string[]): Begun | null {
    const { follow } = this.#tree.imports.of(scope.file);
    const [first] = path;
    const isRelative = this.#tree.rules(scope.file).pathWords?.has(first!) ?? false;
    const bound = this.#tree.bindings(scope.file).named.get(first!);
    // `mod net;` is recorded as an import of the file itself.
    const binding = bound?.record.source === 'self' ? undefined : bound;
    const known = isRelative ? [] : this.#names.lookup(scope, first!, 'any').places;
    // A module on a single line is a declaration (`mod net;`), not an inline module.
    const isDeclared = known.every(
      (place) =>
        this.#tree.symbol(place).kind === 'module' &&
        this.#tree.symbol(place).startLine === this.#tree.symbol(place).endLine,
    );
    if (!isRelative && (binding || !isDeclared)) return null;
    if (first === 'self' && path.length === 1) return null;
    // In an inline module, `super` is the module that encloses it in the same file.
    const around = this.#inlineModules(scope);
    let inside = 0;
    while (path[inside] === 'super' && inside < around.length) inside++;
    if (inside > 0 && path[inside] !== 'super')
      return {
        meaning: { kind: 'module', files: [scope.file], scope: around[inside] ?? '', binding: null },
        used: inside,
      };
    for (let used = path.length; used > inside; used--) {
      const hit = follow?.(scope.file, path.slice(inside, used));
      if (!hit) continue;
      if (hit.rest.length > 1) continue;
      return { meaning: { kind: 'module', files: [hit.file], scope: hit.rest.at(-1) ?? '', binding: null }, used };
    }
    return isRelative ? { meaning: null, used: 1 } : null;
  }

  /** Names of the inline modules around a place, from the inside out. */
  #inlineModules({ file, from }: Scope): string[] {
    const { symbols } = this.#tree.table(file);
    const names: string[] = [];
    for (let at = from; at >= 0; at = symbols[at]!.parent) {
      const { kind, name, startLine, endLine } = symbols[at]!;
      if (kind === 'module' && endLine > startLine) names.push(name);
    }
    return names;
  }

  /** Elixir modules, fully qualified PHP, C# and Java names, C++ and Ruby scopes. */
  globalModule(scope: Scope, path: readonly string[]): Begun | null {
    const { globalModules, globalPaths, namespaceFunctions, packageSeparator } = this.#tree.rules(scope.file);
    if (globalModules) {
      for (let used = path.length; used >= 1; used--) {
        const name = path.slice(0, used).join('.');
        const files = this.#tree.modulesNamed(name).filter(this.#tree.related(scope.file));
        if (files.length > 0) return { meaning: { kind: 'module', files, scope: name, binding: null }, used };
      }
      return null;
    }
    if (namespaceFunctions) {
      // A PHP namespace also contains functions: `\\Acme\\Util\\format()`.
      const files = this.globalPath(scope, path).length > 0 ? [] : this.#tree.inPackage(path.join(packageSeparator));
      if (files.length > 0) return { meaning: { kind: 'module', files, scope: '', binding: null }, used: path.length };
    }
    if (path.length < 2) {
      const places = globalPaths === 'any' ? this.globalPath(scope, path) : [];
      return places.length > 0 ? { meaning: { kind: 'type', places, args: [], scope }, used: 1 } : null;
    }
    for (let used = path.length; used >= 2; used--) {
      const places = this.globalPath(scope, path.slice(0, used));
      if (places.length > 0) return { meaning: { kind: 'type', places, args: [], scope }, used };
    }
    return null;
  }

  /** Types with a qualified name, in languages whose namespaces need no import: `Acme.Orders.Service`, `A::B`. */
  globalPath(scope: Scope, path: readonly string[]): readonly SymbolPlace[] {
    if (this.#tree.rules(scope.file).globalPaths === 'none') return [];
    const owner = path.slice(0, -1);
    return this.#tree.named(path.at(-1)!, this.#tree.related(scope.file)).filter((place) => {
      const table = this.#tree.table(place.file);
      const whole = [table.package, table.owners[place.ordinal]!]
        .flatMap((part) => part.split(/::|[.#\\]/))
        .filter(Boolean);
      return (
        CONTAINER_KINDS.has(table.symbols[place.ordinal]!.kind) &&
        owner.every((part, i) => whole[whole.length - owner.length + i] === part)
      );
    });
  }
}
