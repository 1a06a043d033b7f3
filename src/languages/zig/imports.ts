/** Resolves Zig imports: files by path, modules by the names that a build file declares. */

import { folderOf } from '../../model/text/path-text.ts';
import { pattern } from '../../model/text/pattern.ts';
import { joinPath, type PathIndex } from '../runtime/imports/path-index.ts';
import {
  found,
  type ImportRules,
  OUTSIDE,
  type ResolveImport,
  type SourceTree,
} from '../runtime/imports/source-tree.ts';

export const zigImports: ImportRules = {
  manifests: ['build.zig'],
  over: (tree, paths) => ({ resolve: resolveImports(tree, paths) }),
};

/** Files by path; other names are modules that a build file gives a root. */
/** A module that build.zig declares, and its root file. */
const ROOT_FILE = pattern('g')`
  (?:addModule|createModule|addImport|addExecutable|addLibrary)\s*\(\s*(?:"([\w-]+)"\s*,\s*)?
  \.?\{?[^;]*?root_source_file\s*=\s*b\.path\("([^"]+)"\)
`;

function resolveImports(tree: SourceTree, paths: PathIndex): ResolveImport {
  let modules: ReadonlyMap<string, number> | null = null;
  const known = () => {
    if (modules) return modules;
    const named = new Map<string, number>();
    for (const build of paths.named('build.zig')) {
      const text = tree.text(build);
      const folder = folderOf(paths.pathOf(build));
      for (const [, name, path] of text.matchAll(ROOT_FILE)) {
        const target = joinPath(folder, path!);
        const file = target === null ? -1 : paths.at(target);
        if (name && file >= 0 && !named.has(name)) named.set(name, file);
      }
    }
    for (const file of paths.endingWith('std/std.zig')) if (!named.has('std')) named.set('std', file);
    modules = named;
    return named;
  };
  return (file, { source }) => {
    if (source.endsWith('.zig') || source.includes('/')) {
      const path = joinPath(folderOf(paths.pathOf(file)), source);
      const hit = path === null ? -1 : paths.at(path);
      return hit >= 0 ? found([hit]) : OUTSIDE;
    }
    const hit = known().get(source);
    if (hit !== undefined) return found([hit]);
    // A build file may declare a name in many ways; if only one file of that name exists, it is the module.
    const named = source === 'std' || source === 'builtin' || source === 'root' ? [] : paths.named(`${source}.zig`);
    return named.length === 1 ? found(named) : OUTSIDE;
  };
}
