/** Resolves Dart imports: files by path, packages by the names in their manifests. */
import { folderOf } from '../../model/text/path-text.ts';
import { joinPath, type PathIndex } from '../runtime/imports/path-index.ts';
import {
  found,
  type ImportRules,
  OUTSIDE,
  type ResolveImport,
  type SourceTree,
} from '../runtime/imports/source-tree.ts';

export const dartImports: ImportRules = {
  manifests: ['pubspec.yaml'],
  over: (tree, paths) => ({ resolve: resolveImports(tree, paths) }),
};

function resolveImports(tree: SourceTree, paths: PathIndex): ResolveImport {
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
