/** Elixir imports modules by their global names. */
import { found, type ImportRules, type ResolveImport, type SourceTree } from '../runtime/imports/source-tree.ts';

export const elixirImports: ImportRules = {
  byName: true,
  over: (tree) => ({ resolve: resolveModules(tree) }),
};

/** Elixir: modules have global names; who defines the module decides. */
function resolveModules(tree: SourceTree): ResolveImport {
  return (_file, { source }) =>
    found(tree.modulesNamed(source).filter((index) => tree.files[index]!.language === 'elixir'));
}
