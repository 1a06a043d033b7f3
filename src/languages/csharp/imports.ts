/** Resolves C# imports: namespaces and the types inside of them. */
import { throughPackages } from '../runtime/imports/declared-packages.ts';
import { found, type ImportRules, type ResolveImport, type SourceTree } from '../runtime/imports/source-tree.ts';

export const csharpImports: ImportRules = {
  byName: true,
  over: (tree) => ({ resolve: resolveNamespaces(tree) }),
};

function resolveNamespaces(tree: SourceTree): ResolveImport {
  return (_file, record) => {
    const source = record.source.replace(/<.*$/, '').replace(/^global::/, '');
    const segments = source.split('.');
    const whole = tree.inPackage(source).filter((index) => tree.files[index]!.language === 'csharp');
    return found(whole.length > 0 ? whole : throughPackages(tree, segments));
  };
}
