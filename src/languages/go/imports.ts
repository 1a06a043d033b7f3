/**
 * Resolves Go imports: a package is the files of a folder. Manifests (go.mod) tell which paths are in the tree; a
 * vendor folder has copies of others; `std` is the standard library.
 */

import { folderOf } from '../../model/text/path-text.ts';
import { pattern } from '../../model/text/pattern.ts';
import { ancestors, joinPath, type PathIndex, under } from '../runtime/imports/path-index.ts';
import {
  found,
  type ImportRules,
  OUTSIDE,
  type ResolveImport,
  type SourceTree,
} from '../runtime/imports/source-tree.ts';

interface GoModule {
  readonly name: string;
  readonly folder: string;
}

const STANDARD = pattern()`
  ^(?:archive|bufio|builtin|bytes|cmp|compress|container|context|crypto|database|debug|embed|encoding|errors|expvar
  |flag|fmt|go|hash|html|image|index|io|iter|log|maps|math|mime|net|os|path|plugin|reflect|regexp|runtime|slices|sort
  |strconv|strings|structs|sync|syscall|testing|text|time|unicode|unique|unsafe|weak)(?:\/|$)
`;

export const goImports: ImportRules = {
  manifests: ['go.mod', 'go.work'],
  over: (tree, paths) => ({ resolve: resolvePackages(tree, paths) }),
};

function resolvePackages(tree: SourceTree, paths: PathIndex): ResolveImport {
  let modules: readonly GoModule[] | null = null;
  const known = () => {
    modules ??= paths
      .named('go.mod')
      .flatMap((file) => {
        const name = /^module\s+"?([^\s"]+)/m.exec(tree.text(file))?.[1];
        return name ? [{ name, folder: folderOf(paths.pathOf(file)) }] : [];
      })
      // A nested module claims its paths before the module that encloses it.
      .sort((a, b) => b.name.length - a.name.length || (a.folder < b.folder ? -1 : 1));
    return modules;
  };
  const packageAt = (folder: string | null) =>
    folder === null
      ? []
      : paths
          .inFolder(folder)
          .filter((index) => tree.files[index]!.language === 'go' && !paths.pathOf(index).endsWith('_test.go'));

  return (file, { source }) => {
    if (/^\.{1,2}\//.test(source)) return found(packageAt(joinPath(folderOf(paths.pathOf(file)), source)));
    for (const folder of ancestors(paths.pathOf(file))) {
      const vendored = packageAt(under(under(folder, 'vendor'), source));
      if (vendored.length > 0) return found(vendored);
    }
    for (const { name, folder } of known()) {
      if (source === name || source.startsWith(`${name}/`))
        return found(packageAt(joinPath(folder, source.slice(name.length + 1))));
    }
    const standard = known().find(({ name }) => name === 'std');
    if (standard) return found(packageAt(joinPath(standard.folder, source)));
    // With manifests in the tree, a path that none of them claims belongs to an external module.
    if (known().length > 0 || STANDARD.test(source)) return OUTSIDE;
    return found(byEnding(file, source));
  };

  /** Without a manifest: the folder whose path shares the longest ending with the import, of at least two segments. */
  function byEnding(file: number, source: string): readonly number[] {
    const segments = source.split('/').filter(Boolean);
    for (let length = segments.length; length >= Math.min(2, segments.length); length--) {
      const ending = segments.slice(-length).join('/');
      const folders = new Set<string>();
      for (let i = 0; i < tree.files.length; i++) {
        const folder = folderOf(paths.pathOf(i));
        if (tree.files[i]!.language === 'go' && (folder === ending || folder.endsWith(`/${ending}`)))
          folders.add(folder);
      }
      if (folders.size === 0) continue;
      const inside = [...folders].flatMap((folder) => packageAt(folder));
      return inside.length > 0 ? packageAt(folderOf(paths.pathOf(paths.nearest(file, inside)))) : [];
    }
    return [];
  }
}
