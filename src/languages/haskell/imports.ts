/** Resolves Haskell imports: modules by their declared names. */
import type { PathIndex } from '../runtime/imports/path-index.ts';
import {
  found,
  type ImportRules,
  OUTSIDE,
  type ResolveImport,
  type SourceTree,
} from '../runtime/imports/source-tree.ts';

export const haskellImports: ImportRules = {
  byName: true,
  over: (tree, paths) => ({ resolve: resolveModules(tree, paths) }),
};

function resolveModules(tree: SourceTree, paths: PathIndex): ResolveImport {
  return (file, { source }) => {
    const declared = tree.inPackage(source).filter((index) => tree.files[index]!.language === 'haskell');
    if (declared.length > 0) return found([paths.nearest(file, declared)]);
    const path = source.replaceAll('.', '/');
    const files = ['.hs', '.lhs', '.hsc'].flatMap((ending) => paths.endingWith(path + ending));
    return files.length > 0 ? found([paths.nearest(file, files)]) : OUTSIDE;
  };
}
