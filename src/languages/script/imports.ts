/**
 * TypeScript and JavaScript: relative files with their endings left out or written as what they compile to, tsconfig paths, private
 * imports, packages of the workspace through their exports. Works on the paths of a tree, so that a ref without files on disk resolves
 * like the files as they are; the tests hold it against oxc-resolver.
 */
import { folderOf } from '../../model/text/path-text.ts';
import { ancestors, joinPath, type PathIndex, under } from '../runtime/imports/path-index.ts';
import { found, OUTSIDE, type ResolveImport, type SourceTree } from '../runtime/imports/source-tree.ts';
import { exportTargets, matchPattern, type ScriptPackage, type ScriptPackages } from './packages.ts';

const ENDINGS = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.vue', '.svelte', '.json'];
const SCRIPT_ENDINGS = ['.js', '.jsx', '.mjs', '.cjs', '.ts', '.tsx', '.d.ts', '.vue', '.svelte', '.json'];
/** What a written ending may have been before it was compiled. */
const COMPILED: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts', '.js', '.jsx'],
  '.jsx': ['.tsx', '.d.ts', '.jsx'],
  '.mjs': ['.mts', '.d.mts', '.mjs'],
  '.cjs': ['.cts', '.d.cts', '.cjs'],
};
const BUILT = /^(?:\.\/)?(?:dist|build|lib|out|esm|cjs|types)\/(?:(?:esm|cjs|types|src|es|node|browser)\/)?/;

export function scriptImports(tree: SourceTree, paths: PathIndex, packages: ScriptPackages): ResolveImport {
  function at(path: string | null, typed: boolean): number {
    if (path === null) return -1;
    const written = /\.[mc]?jsx?$/.exec(path)?.[0];
    if (written && typed) {
      const stem = path.slice(0, -written.length);
      const source = paths.firstOf(COMPILED[written]!.map((ending) => stem + ending));
      if (source >= 0) return source;
    }
    const endings = typed ? ENDINGS : SCRIPT_ENDINGS;
    const direct = paths.at(path);
    if (direct >= 0) return direct;
    const named = paths.firstOf(endings.map((ending) => path + ending));
    if (named >= 0) return named;
    if (written) {
      const stem = path.slice(0, -written.length);
      const source = paths.firstOf(COMPILED[written]!.map((ending) => stem + ending));
      if (source >= 0) return source;
    }
    return paths.firstOf(endings.map((ending) => under(path, `index${ending}`)));
  }

  /** What a manifest names is often built from a source of the same name. */
  function target(folder: string, path: string, typed: boolean): number {
    const direct = at(joinPath(folder, path), typed);
    if (direct >= 0 || !BUILT.test(path)) return direct;
    const inner = path.replace(BUILT, '').replace(/\.d\.([mc]?)ts$/, '.$1js');
    for (const root of ['src', 'lib', '']) {
      const source = at(joinPath(folder, root, inner), true);
      if (source >= 0) return source;
    }
    return -1;
  }

  function inPackage({ folder, manifest }: ScriptPackage, subpath: string, typed: boolean): number {
    const targets = exportTargets(manifest.exports, subpath);
    for (const path of targets ?? []) {
      const file = target(folder, path, typed);
      if (file >= 0) return file;
    }
    if (subpath === '.') {
      for (const field of ['source', 'types', 'typings', 'module', 'main']) {
        const value = manifest[field];
        const file = typeof value === 'string' ? target(folder, value, typed) : -1;
        if (file >= 0) return file;
      }
    }
    for (const root of ['', 'src', 'lib']) {
      const file = at(joinPath(folder, root, subpath), typed);
      if (file >= 0) return file;
    }
    return -1;
  }

  function aliased(file: number, source: string, typed: boolean): number {
    for (const { base, baseUrl, patterns } of packages.aliases(file)) {
      const fitting = patterns
        .map(({ pattern, targets }) => ({ pattern, targets, rest: matchPattern(pattern, source) }))
        .filter(({ rest }) => rest !== null)
        .sort((a, b) => b.pattern.length - a.pattern.length);
      for (const { targets, rest } of fitting) {
        for (const path of targets) {
          const hit = at(joinPath(base, path.replace('*', rest!)), typed);
          if (hit >= 0) return hit;
        }
      }
      const bare = baseUrl === null ? -1 : at(joinPath(baseUrl, source), typed);
      if (bare >= 0) return bare;
    }
    return -1;
  }

  /** `@/x` and `~/x` without a configuration that says so: the source folder of the package, by custom of the bundlers. */
  function custom(file: number, source: string, typed: boolean): number {
    const rest = /^[@~]\/(.*)$/.exec(source)?.[1] ?? /^\/(.*)$/.exec(source)?.[1];
    if (rest === undefined) return -1;
    for (const folder of ancestors(paths.pathOf(file))) {
      for (const root of ['src', 'app', '']) {
        const hit = at(joinPath(folder, root, rest), typed);
        if (hit >= 0) return hit;
      }
    }
    return -1;
  }

  return (file, record) => {
    const source = record.source.replace(/[?#](?:raw|url|inline|worker|component|react).*$/, '');
    const { path, language } = { path: paths.pathOf(file), language: tree.files[file]!.language };
    const typed = language !== 'javascript' && language !== 'jsx';
    let hit: number;
    if (/^\.{1,2}(?:\/|$)/.test(source)) hit = at(joinPath(folderOf(path), source), typed);
    else {
      hit = aliased(file, source, typed);
      if (hit < 0 && source.startsWith('#')) {
        const own = packages.around(file);
        for (const path of (own && exportTargets(own.manifest.imports, source)) ?? []) {
          if (hit < 0) hit = target(own!.folder, path, typed);
        }
      }
      if (hit < 0) {
        const known = packages.named(source);
        if (known) hit = inPackage(known.package, known.subpath, typed);
      }
      if (hit < 0) hit = custom(file, source, typed);
    }
    return hit < 0 ? OUTSIDE : found([hit]);
  };
}
