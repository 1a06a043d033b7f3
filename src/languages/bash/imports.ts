/** A shell script sources files by path. */
import { ancestors, joinPath, type PathIndex } from '../runtime/imports/path-index.ts';
import {
  found,
  type ImportRules,
  OUTSIDE,
  type ResolveImport,
  type SourceTree,
} from '../runtime/imports/source-tree.ts';

export const shellImports: ImportRules = {
  over: (tree, paths) => ({ resolve: resolveSources(tree, paths) }),
};

/** `source ./lib/log.sh`: a path after a variable is resolved without the variable. */
function resolveSources(tree: SourceTree, paths: PathIndex): ResolveImport {
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
