/**
 * Resolves imports of TypeScript and JavaScript: relative files, with the extension left out or that of the compiled
 * file, tsconfig paths, private imports, workspace packages through their exports. It reads only the paths of a tree,
 * so a ref without a checkout resolves like the work tree. The tests compare it with oxc-resolver.
 */
import { folderOf } from '../../model/text/path-text.ts';
import { ancestors, joinPath, type PathIndex, under } from '../runtime/imports/path-index.ts';
import {
  found,
  type ImportRules,
  OUTSIDE,
  type ResolveImport,
  type SourceTree,
} from '../runtime/imports/source-tree.ts';
import { exportTargets, matchPattern, type ScriptPackage, ScriptPackages } from './packages.ts';

const ENDINGS = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.vue', '.svelte', '.json'];
const SCRIPT_ENDINGS = ['.js', '.jsx', '.mjs', '.cjs', '.ts', '.tsx', '.d.ts', '.vue', '.svelte', '.json'];
/** Source extensions by the extension of the compiled file. */
const COMPILED: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts', '.js', '.jsx'],
  '.jsx': ['.tsx', '.d.ts', '.jsx'],
  '.mjs': ['.mts', '.d.mts', '.mjs'],
  '.cjs': ['.cts', '.d.cts', '.cjs'],
};
const BUILT = /^(?:\.\/)?(?:dist|build|lib|out|esm|cjs|types)\/(?:(?:esm|cjs|types|src|es|node|browser)\/)?/;

export const scriptImports: ImportRules = {
  manifests: ['package.json', 'jsconfig.json', /^tsconfig[^/]*\.json$/],
  over: (tree, paths) => {
    const packages = new ScriptPackages(tree, paths);
    const resolver = new ScriptResolver(tree, paths, packages);
    return {
      resolve: (file, record) => resolver.resolve(file, record),
      packageNames: (file) => (packages.around(file)?.name ?? '').split('/'),
    };
  },
};

class ScriptResolver {
  readonly #tree: SourceTree;
  readonly #paths: PathIndex;
  readonly #packages: ScriptPackages;

  constructor(tree: SourceTree, paths: PathIndex, packages: ScriptPackages) {
    this.#tree = tree;
    this.#paths = paths;
    this.#packages = packages;
  }

  resolve(...[file, record]: Parameters<ResolveImport>): ReturnType<ResolveImport> {
    const source = record.source.replace(/[?#](?:raw|url|inline|worker|component|react).*$/, '');
    const typed = this.#tree.files[file]!.language !== 'javascript';
    const isRelative = /^\.{1,2}(?:\/|$)/.test(source);
    const hit = isRelative
      ? this.#at(joinPath(folderOf(this.#paths.pathOf(file)), source), typed)
      : this.#named(file, source, typed);
    return hit < 0 ? OUTSIDE : found([hit]);
  }

  /** A source that is no path: an alias, a private import, a workspace package, or a bundler's convention. */
  #named(file: number, source: string, typed: boolean): number {
    const aliased = this.#aliased(file, source, typed);
    if (aliased >= 0) return aliased;
    const ownPackage = source.startsWith('#') ? this.#packages.around(file) : null;
    for (const path of (ownPackage && exportTargets(ownPackage.manifest.imports, source)) ?? []) {
      const hit = this.#target(ownPackage!.folder, path, typed);
      if (hit >= 0) return hit;
    }
    const known = this.#packages.named(source);
    const inside = known ? this.#inPackage(known.package, known.subpath, typed) : -1;
    return inside >= 0 ? inside : this.#custom(file, source, typed);
  }

  #at(path: string | null, typed: boolean): number {
    if (path === null) return -1;
    const written = /\.[mc]?jsx?$/.exec(path)?.[0];
    if (written && typed) {
      const stem = path.slice(0, -written.length);
      const source = this.#paths.firstOf(COMPILED[written]!.map((ending) => stem + ending));
      if (source >= 0) return source;
    }
    const endings = typed ? ENDINGS : SCRIPT_ENDINGS;
    const direct = this.#paths.at(path);
    if (direct >= 0) return direct;
    const named = this.#paths.firstOf(endings.map((ending) => path + ending));
    if (named >= 0) return named;
    if (written) {
      const stem = path.slice(0, -written.length);
      const source = this.#paths.firstOf(COMPILED[written]!.map((ending) => stem + ending));
      if (source >= 0) return source;
    }
    return this.#paths.firstOf(endings.map((ending) => under(path, `index${ending}`)));
  }

  /** A manifest often names a compiled file; the source has the same name. */
  #target(folder: string, path: string, typed: boolean): number {
    const direct = this.#at(joinPath(folder, path), typed);
    if (direct >= 0 || !BUILT.test(path)) return direct;
    const inner = path.replace(BUILT, '').replace(/\.d\.([mc]?)ts$/, '.$1js');
    for (const root of ['src', 'lib', '']) {
      const source = this.#at(joinPath(folder, root, inner), true);
      if (source >= 0) return source;
    }
    return -1;
  }

  #inPackage({ folder, manifest }: ScriptPackage, subpath: string, typed: boolean): number {
    const targets = exportTargets(manifest.exports, subpath);
    for (const path of targets ?? []) {
      const file = this.#target(folder, path, typed);
      if (file >= 0) return file;
    }
    if (subpath === '.') {
      for (const field of ['source', 'types', 'typings', 'module', 'main']) {
        const value = manifest[field];
        const file = typeof value === 'string' ? this.#target(folder, value, typed) : -1;
        if (file >= 0) return file;
      }
    }
    for (const root of ['', 'src', 'lib']) {
      const file = this.#at(joinPath(folder, root, subpath), typed);
      if (file >= 0) return file;
    }
    return -1;
  }

  #aliased(file: number, source: string, typed: boolean): number {
    for (const { base, baseUrl, patterns } of this.#packages.aliases(file)) {
      const fitting = patterns
        .map(({ pattern, targets }) => ({ pattern, targets, rest: matchPattern(pattern, source) }))
        .filter(({ rest }) => rest !== null)
        .sort((a, b) => b.pattern.length - a.pattern.length);
      for (const { targets, rest } of fitting) {
        for (const path of targets) {
          const hit = this.#at(joinPath(base, path.replace('*', rest!)), typed);
          if (hit >= 0) return hit;
        }
      }
      const bare = baseUrl === null ? -1 : this.#at(joinPath(baseUrl, source), typed);
      if (bare >= 0) return bare;
    }
    return -1;
  }

  /** `@/x` and `~/x` without a configured alias: by convention of bundlers, the source folder of the package. */
  #custom(file: number, source: string, typed: boolean): number {
    const rest = /^[@~]\/(.*)$/.exec(source)?.[1] ?? /^\/(.*)$/.exec(source)?.[1];
    if (rest === undefined) return -1;
    for (const folder of ancestors(this.#paths.pathOf(file))) {
      for (const root of ['src', 'app', '']) {
        const hit = this.#at(joinPath(folder, root, rest), typed);
        if (hit >= 0) return hit;
      }
    }
    return -1;
  }
}
