/**
 * Reads the package.json and tsconfig.json files of a tree: workspace packages with their exports, private imports,
 * path aliases. They are read when the first import needs them.
 */
import { isRecord } from '../../model/runtime/is-record.ts';
import { folderOf, nameOf } from '../../model/text/path-text.ts';
import { parseLooseJson } from '../runtime/imports/loose-json.ts';
import { ancestors, joinPath, type PathIndex, under } from '../runtime/imports/path-index.ts';
import type { SourceTree } from '../runtime/imports/source-tree.ts';

export interface ScriptPackage {
  readonly folder: string;
  readonly name: string;
  readonly manifest: Readonly<Record<string, unknown>>;
}

export interface PathAliases {
  /** The folder that targets are relative to. */
  readonly base: string;
  /** The folder in which bare sources are searched; null if not configured. */
  readonly baseUrl: string | null;
  readonly patterns: readonly { readonly pattern: string; readonly targets: readonly string[] }[];
}

/** Export conditions; those that lead to source files come before those that lead to build output. */
const CONDITIONS = ['source', 'development', 'types', 'import', 'module', 'node', 'browser', 'default', 'require'];
const CONFIG_NAMES = ['tsconfig.json', 'jsconfig.json'];
const MAX_EXTENDS = 8;

export class ScriptPackages {
  readonly #tree: SourceTree;
  readonly #paths: PathIndex;
  #packages: ReadonlyMap<string, ScriptPackage> | null = null;
  #folders: ReadonlyMap<string, ScriptPackage> = new Map();
  readonly #aliases = new Map<string, readonly PathAliases[]>();

  constructor(tree: SourceTree, paths: PathIndex) {
    this.#tree = tree;
    this.#paths = paths;
  }

  /** The workspace package of a source and the subpath in it: `@acme/ui/button` is `./button` of `@acme/ui`. */
  named(source: string): { readonly package: ScriptPackage; readonly subpath: string } | null {
    const name = /^(?:@[^/]+\/)?[^/]+/.exec(source)?.[0];
    const found = name ? this.#byName().get(name) : undefined;
    return found && name ? { package: found, subpath: `.${source.slice(name.length)}` } : null;
  }

  /** The package that contains a file. */
  around(file: number): ScriptPackage | null {
    this.#byName();
    for (const folder of ancestors(this.#paths.pathOf(file))) {
      const found = this.#folders.get(folder);
      if (found) return found;
    }
    return null;
  }

  /** The path aliases of a file: those of the nearest configuration and of the ones that it extends or references. */
  aliases(file: number): readonly PathAliases[] {
    for (const folder of ancestors(this.#paths.pathOf(file))) {
      for (const name of CONFIG_NAMES) {
        const config = this.#paths.at(under(folder, name));
        if (config < 0) continue;
        let known = this.#aliases.get(folder);
        if (!known) {
          known = this.#readAliases(config, 0);
          this.#aliases.set(folder, known);
        }
        return known;
      }
    }
    return [];
  }

  #byName(): ReadonlyMap<string, ScriptPackage> {
    if (this.#packages) return this.#packages;
    const packages = new Map<string, ScriptPackage>();
    const folders = new Map<string, ScriptPackage>();
    for (const file of this.#paths.named('package.json')) {
      const manifest = parseLooseJson(this.#tree.text(file));
      if (!manifest) continue;
      const folder = folderOf(this.#paths.pathOf(file));
      const name = typeof manifest.name === 'string' ? manifest.name : '';
      const found = { folder, name, manifest };
      folders.set(folder, found);
      // Of two folders with one package name (often fixtures of tools), the outer one counts.
      if (name && (!packages.has(name) || folder.length < packages.get(name)!.folder.length)) packages.set(name, found);
    }
    this.#packages = packages;
    this.#folders = folders;
    return packages;
  }

  #readAliases(config: number, depth: number): readonly PathAliases[] {
    const json = parseLooseJson(this.#tree.text(config));
    if (!json || depth > MAX_EXTENDS) return [];
    const folder = folderOf(this.#paths.pathOf(config));
    const options = isRecord(json.compilerOptions) ? json.compilerOptions : {};
    const baseUrl = typeof options.baseUrl === 'string' ? joinPath(folder, options.baseUrl) : null;
    const aliases: PathAliases[] = [];
    if (isRecord(options.paths) || baseUrl !== null) {
      const patterns = Object.entries(isRecord(options.paths) ? options.paths : {}).map(([pattern, targets]) => ({
        pattern,
        targets: (Array.isArray(targets) ? targets : []).filter((t): t is string => typeof t === 'string'),
      }));
      aliases.push({ base: baseUrl ?? folder, baseUrl, patterns });
      if (patterns.length > 0) return aliases;
    }
    const parents = (Array.isArray(json.extends) ? json.extends : [json.extends]).flatMap((parent) =>
      typeof parent === 'string' ? this.#configAt(folder, parent) : [],
    );
    const referred = (Array.isArray(json.references) ? json.references : []).flatMap((entry) =>
      isRecord(entry) && typeof entry.path === 'string' ? this.#configAt(folder, entry.path) : [],
    );
    return [...aliases, ...[...parents, ...referred].flatMap((file) => this.#readAliases(file, depth + 1))];
  }

  #configAt(folder: string, target: string): number[] {
    if (!target.startsWith('.')) {
      const known = this.named(target);
      if (!known) return [];
      const path = joinPath(known.package.folder, known.subpath);
      const file = path === null ? -1 : this.#paths.firstOf([path, `${path}.json`, under(path, 'tsconfig.json')]);
      return file < 0 ? [] : [file];
    }
    const path = joinPath(folder, target);
    if (path === null) return [];
    const file = this.#paths.firstOf([path, `${path}.json`, under(path, 'tsconfig.json')]);
    return file < 0 || nameOf(path) === '' ? [] : [file];
  }
}

/** Targets of a subpath in `exports` or `imports`, most likely first; null if the manifest has no such field. */
export function exportTargets(field: unknown, subpath: string): readonly string[] | null {
  if (field === undefined) return null;
  const isMap = isRecord(field) && Object.keys(field).some((key) => key.startsWith('.') || key.startsWith('#'));
  if (!isMap) return subpath === '.' ? conditionTargets(field) : [];
  const exact = field[subpath];
  if (exact !== undefined) return conditionTargets(exact);
  // The longest matching pattern wins.
  const patterns = Object.keys(field)
    .filter((key) => key.includes('*'))
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  for (const pattern of patterns) {
    const rest = matchPattern(pattern, subpath);
    if (rest !== null) return conditionTargets(field[pattern]).map((target) => target.replaceAll('*', rest));
  }
  return [];
}

function conditionTargets(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(conditionTargets);
  if (!isRecord(value)) return [];
  const known = CONDITIONS.filter((condition) => condition in value);
  const others = Object.keys(value).filter((condition) => !CONDITIONS.includes(condition));
  return [...known, ...others].flatMap((condition) => conditionTargets(value[condition]));
}

/** The text that the star of a pattern matches; '' for an exact match without a star, null for no match. */
export function matchPattern(pattern: string, source: string): string | null {
  const star = pattern.indexOf('*');
  if (star < 0) return pattern === source ? '' : null;
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
  if (source.length < before.length + after.length || !source.startsWith(before) || !source.endsWith(after))
    return null;
  return source.slice(before.length, source.length - after.length);
}
