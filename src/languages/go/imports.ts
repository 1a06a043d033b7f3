/**
 * Go: a package is the files of a folder. Manifests say which paths are ours; a vendor folder has copies of others;
 * `std` is Go's own library.
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
      // A module inside another one is meant before it.
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
    const own = known().find(({ name }) => name === 'std');
    if (own) return found(packageAt(joinPath(own.folder, source)));
    // A path that no manifest claims belongs to another module.
    if (known().length > 0 || STANDARD.test(source)) return OUTSIDE;
    return found(byEnding(file, source));
  };

  /** Without a manifest: the folder that shares the longest ending, of two segments at least. */
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
