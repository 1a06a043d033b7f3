/** Languages that import files by path or by names that mirror paths: C and C++, Ruby, Lua, Zig, Dart, shell; and Swift, whose modules are folders. */
import { folderOf } from '../../../model/text/path-text.ts';
import { ancestors, joinPath, type PathIndex, under } from './path-index.ts';
import { found, OUTSIDE, type ResolveImport, type SourceTree } from './source-tree.ts';

/** Headers are named with their ending, so that is where to look, and nowhere else. */
export function includes(tree: SourceTree, paths: PathIndex): ResolveImport {
  return (file, { source, names }) => {
    // `using` names a scope and not a file.
    if (names.length > 0) return { files: [] };
    const beside = joinPath(folderOf(paths.pathOf(file)), source);
    const direct = beside === null ? -1 : paths.at(beside);
    if (direct >= 0) return found([direct]);
    const wanted = source.replace(/^(?:\.\.?\/)+/, '');
    for (const folder of ancestors(paths.pathOf(file))) {
      const hit = paths.firstOf(['', 'include', 'inc', 'src', 'lib'].map((root) => under(under(folder, root), wanted)));
      if (hit >= 0 && /^(?:c|cpp)$/.test(tree.files[hit]!.language)) return found([hit]);
    }
    const files = paths.endingWith(wanted).filter((index) => /^(?:c|cpp)$/.test(tree.files[index]!.language));
    return files.length === 1 || (files.length > 1 && wanted.includes('/'))
      ? found([paths.nearest(file, files)])
      : OUTSIDE;
  };
}

export function rubyImports(_tree: SourceTree, paths: PathIndex): ResolveImport {
  return (file, { source }) => {
    const name = source.endsWith('.rb') ? source : `${source}.rb`;
    if (source.startsWith('.')) {
      const path = joinPath(folderOf(paths.pathOf(file)), name);
      const hit = path === null ? -1 : paths.at(path);
      return hit >= 0 ? found([hit]) : OUTSIDE;
    }
    // Load paths: lib of every gem around, then the customs of tests and applications.
    for (const folder of ancestors(paths.pathOf(file))) {
      const hit = paths.firstOf(['lib', '', 'app', 'spec', 'test'].map((root) => under(under(folder, root), name)));
      if (hit >= 0) return found([hit]);
    }
    const files = paths.endingWith(`lib/${name}`);
    return files.length > 0 ? found([paths.nearest(file, files)]) : OUTSIDE;
  };
}

export function luaImports(_tree: SourceTree, paths: PathIndex): ResolveImport {
  return (file, { source }) => {
    const path = source.replace(/\.lua$/, '').replaceAll('.', '/');
    for (const folder of ancestors(paths.pathOf(file))) {
      const hit = paths.firstOf(
        ['lua', '', 'src', 'lib'].flatMap((root) => {
          const stem = under(under(folder, root), path);
          return [`${stem}.lua`, `${stem}/init.lua`];
        }),
      );
      if (hit >= 0) return found([hit]);
    }
    const files = [...paths.endingWith(`${path}.lua`), ...paths.endingWith(`${path}/init.lua`)];
    return files.length === 1 || (files.length > 1 && path.includes('/'))
      ? found([paths.nearest(file, files)])
      : OUTSIDE;
  };
}

/** Files by path; other names are modules that a build file gives a root. */
export function zigImports(tree: SourceTree, paths: PathIndex): ResolveImport {
  let modules: ReadonlyMap<string, number> | null = null;
  const known = () => {
    if (modules) return modules;
    const named = new Map<string, number>();
    for (const build of paths.named('build.zig')) {
      const text = tree.text(build);
      const folder = folderOf(paths.pathOf(build));
      const rule =
        /(?:addModule|createModule|addImport|addExecutable|addLibrary)\s*\(\s*(?:"([\w-]+)"\s*,\s*)?\.?\{?[^;]*?root_source_file\s*=\s*b\.path\("([^"]+)"\)/g;
      for (const [, name, path] of text.matchAll(rule)) {
        const target = joinPath(folder, path!);
        const file = target === null ? -1 : paths.at(target);
        if (name && file >= 0 && !named.has(name)) named.set(name, file);
      }
    }
    for (const file of paths.endingWith('std/std.zig')) if (!named.has('std')) named.set('std', file);
    modules = named;
    return named;
  };
  return (file, { source }) => {
    if (source.endsWith('.zig') || source.includes('/')) {
      const path = joinPath(folderOf(paths.pathOf(file)), source);
      const hit = path === null ? -1 : paths.at(path);
      return hit >= 0 ? found([hit]) : OUTSIDE;
    }
    const hit = known().get(source);
    if (hit !== undefined) return found([hit]);
    // Build files may give a name in many ways; a lone file of that name is what they mean.
    const named = source === 'std' || source === 'builtin' || source === 'root' ? [] : paths.named(`${source}.zig`);
    return named.length === 1 ? found(named) : OUTSIDE;
  };
}

export function dartImports(tree: SourceTree, paths: PathIndex): ResolveImport {
  let packages: ReadonlyMap<string, string> | null = null;
  const known = () => {
    packages ??= new Map(
      paths.named('pubspec.yaml').flatMap((file) => {
        const name = /^name:\s*["']?([\w-]+)/m.exec(tree.text(file))?.[1];
        return name ? [[name, folderOf(paths.pathOf(file))] as const] : [];
      }),
    );
    return packages;
  };
  return (file, { source }) => {
    const named = /^package:([^/]+)\/(.*)$/.exec(source);
    if (!named && /^\w+:/.test(source)) return OUTSIDE;
    const folder = named ? known().get(named[1]!) : folderOf(paths.pathOf(file));
    const path = folder === undefined ? null : joinPath(folder, named ? 'lib' : '', named ? named[2]! : source);
    const hit = path === null ? -1 : paths.at(path);
    return hit >= 0 ? found([hit]) : OUTSIDE;
  };
}

/** `source ./lib/log.sh`; what stands in a variable before the path is passed over. */
export function shellImports(tree: SourceTree, paths: PathIndex): ResolveImport {
  return (file, { source }) => {
    const plain = source.replace(/^["']|["']$/g, '');
    const written = plain.replace(/^(?:\$\{[^}]*\}|\$\([^)]*\)|\$\w+)\/?/, '');
    if (written === '' || written.includes('$')) return OUTSIDE;
    for (const folder of ancestors(paths.pathOf(file))) {
      const path = joinPath(folder, written);
      const hit = path === null ? -1 : paths.at(path);
      if (hit >= 0) return found([hit]);
    }
    if (written === plain) return OUTSIDE;
    const files = paths.endingWith(written).filter((index) => tree.files[index]!.language === 'bash');
    return files.length === 1 ? found(files) : OUTSIDE;
  };
}

/** A Swift module is a target: its folder, by the manifest or by custom. */
export class SwiftModules {
  readonly #tree: SourceTree;
  readonly #paths: PathIndex;
  #folders: ReadonlyMap<string, readonly string[]> | null = null;

  constructor(tree: SourceTree, paths: PathIndex) {
    this.#tree = tree;
    this.#paths = paths;
  }

  /** Folders of a target. */
  named(name: string): readonly string[] {
    return this.#targets().get(name) ?? [];
  }

  /** Folder of the target that a file belongs to; '' where everything is one. */
  around(file: number): string {
    const path = this.#paths.pathOf(file);
    let best = '';
    for (const folders of this.#targets().values())
      for (const folder of folders) if (path.startsWith(`${folder}/`) && folder.length > best.length) best = folder;
    return best;
  }

  /** Names under which others import a file's target. */
  namesOf(file: number): string[] {
    const own = this.around(file);
    return [...this.#targets()].flatMap(([name, folders]) => (folders.includes(own) ? [name] : []));
  }

  #targets(): ReadonlyMap<string, readonly string[]> {
    if (this.#folders) return this.#folders;
    const targets = new Map<string, string[]>();
    const add = (name: string, folder: string) => {
      const known = targets.get(name) ?? [];
      if (this.#paths.hasFolder(folder) && !known.includes(folder)) targets.set(name, [...known, folder]);
    };
    for (const manifest of this.#paths.named('Package.swift')) {
      const base = folderOf(this.#paths.pathOf(manifest));
      const text = this.#tree.text(manifest).replace(/\/\/[^\n]*/g, '');
      for (const [, kind, name, rest] of text.matchAll(
        /\.(target|executableTarget|testTarget|macro|systemLibrary|plugin)\s*\(\s*name:\s*"([^"]+)"((?:[^()]|\([^()]*\)|\((?:[^()]|\([^()]*\))*\))*)\)/g,
      )) {
        const path = /\bpath:\s*"([^"]+)"/.exec(rest!)?.[1];
        if (path) add(name!, under(base, path.replace(/\/$/, '')));
        else
          for (const root of kind === 'testTarget' ? ['Tests', 'Sources'] : ['Sources', 'Source', 'src'])
            add(name!, under(under(base, root), name!));
      }
    }
    this.#folders = targets;
    return targets;
  }
}

export function swiftImports(modules: SwiftModules, tree: SourceTree, paths: PathIndex): ResolveImport {
  return (_file, { source }) => {
    const [name] = source.split('.');
    const files = modules
      .named(name!)
      .flatMap((folder) => paths.below(folder))
      .filter((index) => tree.files[index]!.language === 'swift');
    return found(files);
  };
}

/** Elixir: modules have global names; who defines the module decides. */
export function elixirImports(tree: SourceTree): ResolveImport {
  return (_file, { source }) =>
    found(tree.modulesNamed(source).filter((index) => tree.files[index]!.language === 'elixir'));
}
