/** Resolves Elixir imports: module names are global. */
import { found, type ImportRules, type ResolveImport, type SourceTree } from '../runtime/imports/source-tree.ts';

export const elixirImports: ImportRules = {
  byName: true,
  over: (tree) => ({ resolve: resolveModules(tree) }),
};

/** Modules have global names: the file that defines a module is the one that is imported. */
function resolveModules(tree: SourceTree): ResolveImport {
  return (_file, { source }) =>
    found(tree.modulesNamed(source).filter((index) => tree.files[index]!.language === 'elixir'));
}
