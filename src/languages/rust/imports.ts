/**
 * Resolves Rust paths: `crate`, `self` and `super` along the folders of modules, other names to crates of the workspace
 * or to sibling modules.
 */
import { folderOf, nameOf, stemOf } from '../../model/text/path-text.ts';
import { ancestors, type PathIndex, parentOf, under } from '../runtime/imports/path-index.ts';
import {
  type ImportRules,
  OUTSIDE,
  type Resolved,
  type ResolveImport,
  type SourceTree,
} from '../runtime/imports/source-tree.ts';

interface RustCrate {
  /** The name of the crate in paths, with `_` for `-`. */
  readonly name: string;
  readonly folder: string;
  /** The folder of the library's modules, and its root file (-1: not in the tree). */
  readonly source: string;
  readonly root: number;
  /** Root files of programs and tests that the manifest names. */
  readonly programs: readonly number[];
}

/** A folder from which a module path can start. */
interface Start {
  readonly folder: string;
  readonly rest: readonly string[];
  /** The root file of a library: a program of the same package shares the folder of modules. */
  readonly root?: number;
}

const STANDARD: ReadonlySet<string> = new Set(['std', 'core', 'alloc', 'proc_macro', 'test']);

export const rustImports: ImportRules = {
  manifests: ['Cargo.toml'],
  over: (tree, paths) => {
    const modules = new RustModules(tree, paths);
    return {
      resolve: resolveUse(modules, tree),
      unit: (file) => modules.crateFolder(file),
      packageNames: (file) =>
        modules.crates().flatMap(({ name, source }) => (paths.pathOf(file).startsWith(`${source}/`) ? [name] : [])),
      submodule: (file, name) => modules.moduleFile(`${modules.childFolder(file)}/${name}`),
      childFolder: (file) => modules.childFolder(file),
      follow: (file, segments) => modules.follow(file, segments),
    };
  },
};

class RustModules {
  readonly #tree: SourceTree;
  readonly #paths: PathIndex;
  #crates: readonly RustCrate[] | null = null;

  constructor(tree: SourceTree, paths: PathIndex) {
    this.#tree = tree;
    this.#paths = paths;
  }

  crates(): readonly RustCrate[] {
    this.#crates ??= this.#paths.named('Cargo.toml').flatMap((file) => {
      const text = this.#tree.text(file);
      const folder = folderOf(this.#paths.pathOf(file));
      const name = /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/ms.exec(text)?.[1];
      if (!name) return [];
      const library = /^\[lib\]([^[]*)/ms.exec(text)?.[1] ?? '';
      const path = /^path\s*=\s*"([^"]+)"/m.exec(library)?.[1] ?? 'src/lib.rs';
      const root = this.#paths.at(under(folder, path));
      const programs = [...text.matchAll(/^\[\[(?:bin|test|example|bench)\]\]([^[]*)/gms)].flatMap(([, body]) => {
        const main = /^path\s*=\s*"([^"]+)"/m.exec(body!)?.[1];
        const found = main ? this.#paths.at(under(folder, main)) : -1;
        return found < 0 ? [] : [found];
      });
      const libraryName = /^name\s*=\s*"([^"]+)"/m.exec(library)?.[1] ?? name;
      return [
        { name: libraryName.replaceAll('-', '_'), folder, source: folderOf(under(folder, path)), root, programs },
      ];
    });
    return this.#crates;
  }

  /** The folder of the modules of a file's crate. */
  crateFolder(file: number): string {
    const path = this.#paths.pathOf(file);
    for (const folder of ancestors(path)) {
      if (this.#paths.at(under(folder, 'Cargo.toml')) < 0) continue;
      const crate = this.crates().find((each) => each.folder === folder);
      if (crate && path.startsWith(`${crate.source}/`)) return crate.source;
      const program = crate?.programs
        .map((root) => folderOf(this.#paths.pathOf(root)))
        .find((each) => path.startsWith(`${each}/`));
      if (program !== undefined) return program;
      // Tests, examples, benches and programs are crates of their own: the file is the root.
      const side = /^(?:tests|examples|benches|src\/bin)\//.exec(
        path.slice(folder === '' ? 0 : folder.length + 1),
      )?.[0];
      return side ? under(folder, side.slice(0, -1)) : (crate?.source ?? under(folder, 'src'));
    }
    return /^(?:.*\/)?src(?=\/)/.exec(path)?.[0] ?? folderOf(path);
  }

  /** The folder of the child modules of a file. */
  childFolder(file: number): string {
    const path = this.#paths.pathOf(file);
    const folder = folderOf(path);
    return this.isRoot(file) || nameOf(path) === 'mod.rs' ? folder : under(folder, stemOf(nameOf(path)));
  }

  isRoot(file: number): boolean {
    const path = this.#paths.pathOf(file);
    if (/^(?:lib|main|build)\.rs$/.test(nameOf(path))) return true;
    const folder = folderOf(path);
    return (
      this.crates().some(({ root, programs }) => root === file || programs.includes(file)) ||
      (/(?:^|\/)(?:tests|examples|benches|bin)$/.test(folder) && this.crateFolder(file) === folder)
    );
  }

  /** The file of the module whose child modules are in a folder. */
  moduleFile(folder: string): number {
    const beside = this.#paths.firstOf([`${folder}.rs`, under(folder, 'mod.rs')]);
    if (beside >= 0) return beside;
    const crate = this.crates().find(({ source, root }) => source === folder && root >= 0);
    const program = this.crates()
      .flatMap(({ programs }) => programs)
      .find((root) => folderOf(this.#paths.pathOf(root)) === folder);
    if (!crate && program !== undefined) return program;
    return crate ? crate.root : this.#paths.firstOf([under(folder, 'lib.rs'), under(folder, 'main.rs')]);
  }

  /** Folders from which a path can start, with the remaining segments; null: the path is external. */
  starts(file: number, segments: readonly string[]): Start[] | null {
    const [first] = segments;
    const ownFolder = this.childFolder(file);
    if (first === 'crate' || first === '$crate') return [{ folder: this.crateFolder(file), rest: segments.slice(1) }];
    if (first === 'self' || first === 'super') {
      let folder = ownFolder;
      let at = 0;
      for (; segments[at] === 'self' || segments[at] === 'super'; at++)
        if (segments[at] === 'super') folder = parentOf(folder);
      const rest = segments.slice(at);
      // In an inline module, `super` is the file itself.
      return folder === ownFolder
        ? [{ folder, rest }]
        : [
            { folder, rest },
            { folder: ownFolder, rest },
          ];
    }
    if (first === undefined || STANDARD.has(first)) return null;
    const beside = this.moduleFile(under(ownFolder, first));
    if (beside >= 0 && beside !== file) return [{ folder: ownFolder, rest: segments }];
    const crate = this.crates().find(({ name }) => name === first);
    if (crate && crate.root >= 0) return [{ folder: crate.source, rest: segments.slice(1), root: crate.root }];
    // Older editions start paths of an import at the root of the crate.
    const top = this.crateFolder(file);
    const inRoot = this.moduleFile(under(top, first));
    return inRoot >= 0 && inRoot !== file ? [{ folder: top, rest: segments }] : null;
  }

  /** The file that a module path leads to, and the segments that remain inside of the file. */
  follow(file: number, segments: readonly string[]): { file: number; folder: string; rest: readonly string[] } | null {
    for (const { folder, rest, root } of this.starts(file, segments) ?? []) {
      for (let length = rest.length; length >= 0; length--) {
        const inner = rest.slice(0, length).reduce(under, folder);
        const isOwn = length === 0 && folder === this.childFolder(file);
        const hit = length === 0 && root !== undefined ? root : isOwn ? file : this.moduleFile(inner);
        // A relative path that leads to no file may mean an inline module of the other start.
        if (hit >= 0 && (length > 0 || rest.length === 0 || this.#startsEndHere(file, segments, folder)))
          return { file: hit, folder: inner, rest: rest.slice(length) };
      }
    }
    return null;
  }

  #startsEndHere(file: number, segments: readonly string[], folder: string): boolean {
    const starts = this.starts(file, segments) ?? [];
    return starts.every(
      ({ folder: other, rest }) => other === folder || this.moduleFile(under(other, rest[0] ?? '')) < 0,
    );
  }
}

function resolveUse(modules: RustModules, tree: SourceTree): ResolveImport {
  return (file, record): Resolved | null => {
    const written = record.source.split('::').filter(Boolean);
    const segments = fromFile(written, () => modulesAround(tree.text(file), record.line));
    const isOwn = segments !== written && segments[0] === 'self';
    const base = modules.follow(file, segments);
    if (!base) return OUTSIDE;
    const inner = new Map<string, readonly number[]>();
    let needsOwn = record.names.length === 0;
    for (const { name } of record.names) {
      const hit = name === '*' || base.rest.length > 0 ? null : modules.follow(file, [...segments, name]);
      if (hit && hit.rest.length === 0 && hit.file !== base.file) inner.set(name, [hit.file]);
      else needsOwn = true;
    }
    const files = [...new Set([...inner.values()].flat())];
    if (needsOwn && !files.includes(base.file) && !(isOwn && base.file === file)) files.push(base.file);
    return { files, modules: inner };
  };
}

/** Rewrites a path that begins with `super` relative to the file: `super` of an inline module is the file. */
function fromFile(segments: readonly string[], around: () => number): readonly string[] {
  if (segments[0] !== 'super') return segments;
  const supers = segments.findIndex((segment) => segment !== 'super');
  const inside = Math.min(around(), supers < 0 ? segments.length : supers);
  if (inside === 0) return segments;
  const rest = segments.slice(inside);
  return rest[0] === 'super' ? rest : ['self', ...rest];
}

/** How many inline modules enclose a line, by the indentation that rustfmt produces. */
function modulesAround(text: string, line: number): number {
  const lines = text.split('\n', line);
  let indent = lines[line - 1]?.search(/\S/) ?? 0;
  let count = 0;
  for (let at = line - 2; at >= 0 && indent > 0; at--) {
    const own = lines[at]!.search(/\S/);
    if (own < 0 || own >= indent || /^\s*#/.test(lines[at]!)) continue;
    indent = own;
    if (/^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+\w+\s*\{/.test(lines[at]!)) count++;
  }
  return count;
}
