/** Resolves PHP imports: names by composer's autoload rules, else by the file that declares them; `require` by path. */

import { isRecord } from '../../model/runtime/is-record.ts';
import { folderOf } from '../../model/text/path-text.ts';
import { definers, mirrored } from '../runtime/imports/declared-packages.ts';
import { parseLooseJson } from '../runtime/imports/loose-json.ts';
import { joinPath, type PathIndex } from '../runtime/imports/path-index.ts';
import {
  found,
  type ImportRules,
  OUTSIDE,
  type ResolveImport,
  type SourceTree,
} from '../runtime/imports/source-tree.ts';

export const phpImports: ImportRules = {
  manifests: ['composer.json'],
  byName: true,
  over: (tree, paths) => ({ resolve: resolveNamespaces(tree, paths) }),
};

function resolveNamespaces(tree: SourceTree, paths: PathIndex): ResolveImport {
  let rules: readonly { readonly prefix: string; readonly folder: string }[] | null = null;
  const known = () => {
    rules ??= paths
      .named('composer.json')
      .flatMap((file) => autoloadRules(parseLooseJson(tree.text(file)) ?? {}, folderOf(paths.pathOf(file))))
      .sort((a, b) => b.prefix.length - a.prefix.length || (a.folder < b.folder ? -1 : 1));
    return rules;
  };
  const classFile = (name: string): number => {
    for (const { prefix, folder } of known()) {
      if (!name.startsWith(prefix)) continue;
      const path = joinPath(folder, `${name.slice(prefix.length).replaceAll('\\', '/')}.php`);
      const file = path === null ? -1 : paths.at(path);
      if (file >= 0) return file;
    }
    return -1;
  };
  return (file, { source }) => {
    if (/\.(?:php|inc|phtml)$/.test(source)) {
      const plain = source.replace(/^\//, '');
      const beside = joinPath(folderOf(paths.pathOf(file)), plain);
      const hit = paths.firstOf([...(beside === null ? [] : [beside]), plain]);
      if (hit >= 0) return found([hit]);
      const ends = paths.endingWith(plain.replace(/^(?:\.\.?\/)+/, ''));
      return ends.length === 1 ? found(ends) : OUTSIDE;
    }
    const name = source.replace(/^\\/, '');
    const direct = classFile(name);
    if (direct >= 0) return found([direct]);
    const segments = name.split('\\').filter(Boolean);
    const declared = segments.length === 1 ? [] : definers(tree, segments.slice(0, -1).join('\\'), segments.at(-1)!);
    if (declared.length > 0) return found(declared);
    const whole = tree.inPackage(name).filter((index) => tree.files[index]!.language === 'php');
    if (whole.length > 0) return found(whole);
    const like = mirrored(paths, tree, segments, /^php$/, file, 2);
    return known().length === 0 ? found(like) : OUTSIDE;
  };
}

function autoloadRules(
  composer: Readonly<Record<string, unknown>>,
  folder: string,
): { prefix: string; folder: string }[] {
  const rules: { prefix: string; folder: string }[] = [];
  for (const section of [composer.autoload, composer['autoload-dev']]) {
    if (!isRecord(section)) continue;
    for (const [standard, map] of Object.entries(section)) {
      if (!isRecord(map) || (standard !== 'psr-4' && standard !== 'psr-0')) continue;
      for (const [prefix, targets] of Object.entries(map)) {
        for (const target of Array.isArray(targets) ? targets : [targets]) {
          const base = typeof target === 'string' ? joinPath(folder, target) : null;
          // psr-0 repeats the prefix as folders below its target.
          if (base !== null)
            rules.push({ prefix, folder: standard === 'psr-4' ? base : `${base}/${prefix.replaceAll('\\', '/')}` });
        }
      }
    }
  }
  return rules;
}
