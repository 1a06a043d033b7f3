/** Resolves Ruby's `require`: by path, along the load paths. */
import { folderOf } from '../../model/text/path-text.ts';
import { ancestors, joinPath, type PathIndex, under } from '../runtime/imports/path-index.ts';
import { found, type ImportRules, OUTSIDE, type ResolveImport } from '../runtime/imports/source-tree.ts';

export const rubyImports: ImportRules = {
  over: (_tree, paths) => ({ resolve: resolveRequires(paths) }),
};

function resolveRequires(paths: PathIndex): ResolveImport {
  return (file, { source }) => {
    const name = source.endsWith('.rb') ? source : `${source}.rb`;
    if (source.startsWith('.')) {
      const path = joinPath(folderOf(paths.pathOf(file)), name);
      const hit = path === null ? -1 : paths.at(path);
      return hit >= 0 ? found([hit]) : OUTSIDE;
    }
    // Load paths: `lib` of every enclosing gem, then conventional folders of tests and applications.
    for (const folder of ancestors(paths.pathOf(file))) {
      const hit = paths.firstOf(['lib', '', 'app', 'spec', 'test'].map((root) => under(under(folder, root), name)));
      if (hit >= 0) return found([hit]);
    }
    const files = paths.endingWith(`lib/${name}`);
    return files.length > 0 ? found([paths.nearest(file, files)]) : OUTSIDE;
  };
}
