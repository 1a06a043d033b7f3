/** Resolves Lua's `require`: module names mirror paths. */
import { ancestors, type PathIndex, under } from '../runtime/imports/path-index.ts';
import { found, type ImportRules, OUTSIDE, type ResolveImport } from '../runtime/imports/source-tree.ts';

export const luaImports: ImportRules = {
  over: (_tree, paths) => ({ resolve: resolveRequires(paths) }),
};

function resolveRequires(paths: PathIndex): ResolveImport {
  return (file, { source }) => {
    const path = source.replace(/\.lua$/, '').replaceAll('.', '/');
    for (const folder of ancestors(paths.pathOf(file))) {
      const hit = paths.firstOf(
        ['lua', '', 'src', 'lib'].flatMap((root) => {
          const stem = under(under(folder, root), path);
          return [`${stem}.lua`, `${stem}/init.lua`];
        }),
      );
      if (hit >= 0) return found([hit]);
    }
    const files = [...paths.endingWith(`${path}.lua`), ...paths.endingWith(`${path}/init.lua`)];
    return files.length === 1 || (files.length > 1 && path.includes('/'))
      ? found([paths.nearest(file, files)])
      : OUTSIDE;
  };
}
