/**
 * Languages whose files declare the package or namespace they belong to: Java, Kotlin and Scala, C#, PHP, Haskell. An import names a
 * package or something in it; who declares the package is in the index.
 */
import { isRecord } from '../../../model/runtime/is-record.ts';
import { folderOf } from '../../../model/text/path-text.ts';
import { parseLooseJson } from './loose-json.ts';
import { endsWithPath, joinPath, type PathIndex } from './path-index.ts';
import { found, OUTSIDE, type Resolved, type ResolveImport, type SourceTree } from './source-tree.ts';

const WILD = '*';

/** Files of a package that define a name. */
function definers(tree: SourceTree, packageName: string, name: string): readonly number[] {
  const members = new Set(tree.inPackage(packageName));
  return members.size === 0 ? [] : tree.defining(name).filter((file) => members.has(file));
}

/** `a.b.C.D` is D in class C of package a.b: the longest beginning that is a package, and the name after it. */
function throughPackages(tree: SourceTree, segments: readonly string[]): readonly number[] {
  for (let length = segments.length - 1; length >= 1; length--) {
    const files = definers(tree, segments.slice(0, length).join('.'), segments[length]!);
    if (files.length > 0) return files;
  }
  return [];
}

/** Without declared packages to go by, paths that mirror them: `com/acme/Text.java`, at least in their last `least` segments. */
function mirrored(
  paths: PathIndex,
  tree: SourceTree,
  segments: readonly string[],
  languages: RegExp,
  file: number,
  least = segments.length,
): readonly number[] {
  const named = paths.stemmed(segments.at(-1)!).filter((index) => languages.test(tree.files[index]!.language));
  for (let length = segments.length; length >= Math.max(2, least); length--) {
    const ending = segments.slice(-length).join('/');
    const files = named.filter((index) => endsWithPath(paths.pathOf(index).replace(/\.\w+$/, ''), ending));
    if (files.length > 0) return [paths.nearest(file, files)];
  }
  return [];
}

export function jvmImports(tree: SourceTree, paths: PathIndex): ResolveImport {
  const languages = /^(?:java|kotlin|scala|groovy)$/;
  const wholePackage = (name: string) =>
    tree.inPackage(name).filter((index) => languages.test(tree.files[index]!.language));
  const byFolder = (segments: readonly string[]) => {
    const ending = segments.join('/');
    return segments.length < 2
      ? []
      : tree.files.flatMap(({ path, language }, index) => {
          const folder = folderOf(path);
          return languages.test(language) && (folder === ending || folder.endsWith(`/${ending}`)) ? [index] : [];
        });
  };
  /** A class, or a member of one. */
  const byPath = (segments: readonly string[], file: number) => {
    const direct = mirrored(paths, tree, segments, languages, file);
    return direct.length > 0 || segments.length < 4
      ? direct
      : mirrored(paths, tree, segments.slice(0, -1), languages, file);
  };
  const lookup = (file: number, source: string, names: readonly string[]): Resolved | null => {
    const segments = source.split('.').filter(Boolean);
    const files = new Set<number>();
    const last = segments.at(-1);
    for (const name of names.length > 0 ? names : [last ?? '']) {
      if (name === WILD) {
        for (const hit of wholePackage(source)) files.add(hit);
        if (files.size === 0) for (const hit of throughPackages(tree, segments)) files.add(hit);
        continue;
      }
      // Java repeats the name at the end of its source; Scala lists names behind it.
      const full = name === last ? segments : [...segments, name];
      const own = throughPackages(tree, full);
      const hits = own.length > 0 ? own : name !== last ? [] : throughPackages(tree, segments);
      for (const hit of hits.length > 0 ? hits : byPath(full, file)) files.add(hit);
      if (name !== last && hits.length === 0) for (const hit of wholePackage(full.join('.'))) files.add(hit);
    }
    if (files.size === 0 && (names.includes(WILD) || names.length === 0))
      for (const hit of byFolder(segments)) files.add(hit);
    if (files.size === 0 && names.length === 0) for (const hit of wholePackage(source)) files.add(hit);
    return found([...files]);
  };
  return (file, record) => {
    const names = record.names.map(({ name }) => name);
    const direct = lookup(file, record.source, names);
    if (direct || tree.files[file]!.language !== 'scala') return direct;
    // Scala's imports may start at any package around the file.
    const around = /^\s*package\s+([\w.]+)/m.exec(tree.text(file))?.[1]?.split('.') ?? [];
    for (let length = around.length; length >= 1; length--) {
      const hit = lookup(file, `${around.slice(0, length).join('.')}.${record.source}`, names);
      if (hit) return hit;
    }
    return OUTSIDE;
  };
}

export function dotnetImports(tree: SourceTree): ResolveImport {
  return (_file, record) => {
    const source = record.source.replace(/<.*$/, '').replace(/^global::/, '');
    const segments = source.split('.');
    const whole = tree.inPackage(source).filter((index) => tree.files[index]!.language === 'csharp');
    return found(whole.length > 0 ? whole : throughPackages(tree, segments));
  };
}

export function haskellImports(tree: SourceTree, paths: PathIndex): ResolveImport {
  return (file, { source }) => {
    const declared = tree.inPackage(source).filter((index) => tree.files[index]!.language === 'haskell');
    if (declared.length > 0) return found([paths.nearest(file, declared)]);
    const path = source.replaceAll('.', '/');
    const files = ['.hs', '.lhs', '.hsc'].flatMap((ending) => paths.endingWith(path + ending));
    return files.length > 0 ? found([paths.nearest(file, files)]) : OUTSIDE;
  };
}

/** PHP: namespaces by composer's autoload rules, then by who declares them; `require` by path. */
export function phpImports(tree: SourceTree, paths: PathIndex): ResolveImport {
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
          // psr-0 keeps the prefix as folders below its target.
          if (base !== null)
            rules.push({ prefix, folder: standard === 'psr-4' ? base : `${base}/${prefix.replaceAll('\\', '/')}` });
        }
      }
    }
  }
  return rules;
}
