/** Resolves Swift imports: a module is a target of a package. */

import { folderOf } from '../../model/text/path-text.ts';
import { pattern } from '../../model/text/pattern.ts';
import { type PathIndex, under } from '../runtime/imports/path-index.ts';
import { found, type ImportRules, type ResolveImport, type SourceTree } from '../runtime/imports/source-tree.ts';

export const swiftImports: ImportRules = {
  manifests: ['Package.swift'],
  over: (tree, paths) => {
    const modules = new SwiftModules(tree, paths);
    return {
      resolve: resolveModules(modules, tree, paths),
      unit: (file) => modules.around(file),
      packageNames: (file) => [modules.around(file).split('/').at(-1) ?? '', ...modules.namesOf(file)],
    };
  },
};

/** A target that Package.swift declares: its kind, its name, and the rest of its arguments. */
const TARGET = pattern('g')`
  \.(target|executableTarget|testTarget|macro|systemLibrary|plugin)\s*\(\s*name:\s*"([^"]+)"
  ((?:[^()]|\([^()]*\)|\((?:[^()]|\([^()]*\))*\))*)\)
`;

/** A Swift module is a target: a folder, by the manifest or by convention. */
class SwiftModules {
  readonly #tree: SourceTree;
  readonly #paths: PathIndex;
  #folders: ReadonlyMap<string, readonly string[]> | null = null;

  constructor(tree: SourceTree, paths: PathIndex) {
    this.#tree = tree;
    this.#paths = paths;
  }

  /** The folders of a target. */
  named(name: string): readonly string[] {
    return this.#targets().get(name) ?? [];
  }

  /** The folder of a file's target; '' where the whole tree is one. */
  around(file: number): string {
    const path = this.#paths.pathOf(file);
    let best = '';
    for (const folders of this.#targets().values())
      for (const folder of folders) if (path.startsWith(`${folder}/`) && folder.length > best.length) best = folder;
    return best;
  }

  /** Module names under which other files import a file's target. */
  namesOf(file: number): string[] {
    const folder = this.around(file);
    return [...this.#targets()].flatMap(([name, folders]) => (folders.includes(folder) ? [name] : []));
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
      for (const [, kind, name, rest] of text.matchAll(TARGET)) {
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

function resolveModules(modules: SwiftModules, tree: SourceTree, paths: PathIndex): ResolveImport {
  return (_file, { source }) => {
    const [name] = source.split('.');
    const files = modules
      .named(name!)
      .flatMap((folder) => paths.below(folder))
      .filter((index) => tree.files[index]!.language === 'swift');
    return found(files);
  };
}
