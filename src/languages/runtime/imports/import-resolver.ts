/**
 * Which files does an import mean? One file per family of languages knows its rules: manifests, source roots, declared packages. What leads
 * nowhere in the tree is external. Knows paths, manifests and packages, and no symbols beyond who defines a name.
 */
import type { ImportRecord } from '../../../model/records/symbol.ts';
import { goImports } from '../../go/imports.ts';
import { pythonImports } from '../../python/imports.ts';
import { RustModules, rustImports } from '../../rust/imports.ts';
import { scriptImports } from '../../script/imports.ts';
import { ScriptPackages } from '../../script/packages.ts';
import {
  dartImports,
  elixirImports,
  includes,
  luaImports,
  rubyImports,
  SwiftModules,
  shellImports,
  swiftImports,
  zigImports,
} from './by-path.ts';
import { dotnetImports, haskellImports, jvmImports, phpImports } from './packages.ts';
import { PathIndex } from './path-index.ts';
import type { ResolveImport, SourceTree } from './source-tree.ts';

export interface ResolvedImport {
  readonly source: string;
  /** File indexes in the tree, without the importer itself. */
  readonly files: readonly number[];
  /** Imported names that are modules themselves. */
  readonly modules: ReadonlyMap<string, readonly number[]>;
  readonly external: boolean;
}

const NO_MODULES: ReadonlyMap<string, readonly number[]> = new Map();
const SCRIPT = ['javascript', 'typescript', 'tsx', 'jsx', 'vue', 'svelte', 'astro', 'mdx'];

/** Lets the rules of a layout outlive the tree they were made for: paths and manifests are the same, contents are asked for in the newest. */
class CurrentTree implements SourceTree {
  tree: SourceTree;
  constructor(tree: SourceTree) {
    this.tree = tree;
  }
  get files() {
    return this.tree.files;
  }
  text(file: number) {
    return this.tree.text(file);
  }
  inPackage(name: string) {
    return this.tree.inPackage(name);
  }
  defining(name: string) {
    return this.tree.defining(name);
  }
  modulesNamed(name: string) {
    return this.tree.modulesNamed(name);
  }
}

export class ImportResolver {
  readonly paths: PathIndex;
  readonly rust: RustModules;
  readonly swift: SwiftModules;
  readonly #scripts: ScriptPackages;
  readonly #tree: CurrentTree;
  readonly #families = new Map<string, ResolveImport>();
  readonly #make: ReadonlyMap<string, () => ResolveImport>;

  constructor(source: SourceTree) {
    const tree = new CurrentTree(source);
    const paths = new PathIndex(tree.files);
    this.#tree = tree;
    this.paths = paths;
    this.rust = new RustModules(tree, paths);
    this.swift = new SwiftModules(tree, paths);
    this.#scripts = new ScriptPackages(tree, paths);
    const jvm = once(() => jvmImports(tree, paths));
    const script = once(() => scriptImports(tree, paths, this.#scripts));
    const include = once(() => includes(tree, paths));
    this.#make = new Map<string, () => ResolveImport>([
      ...SCRIPT.map((language) => [language, script] as const),
      ...['java', 'kotlin', 'scala', 'groovy'].map((language) => [language, jvm] as const),
      ['c', include],
      ['cpp', include],
      ['python', () => pythonImports(tree, paths)],
      ['go', () => goImports(tree, paths)],
      ['rust', () => rustImports(this.rust)],
      ['csharp', () => dotnetImports(tree)],
      ['php', () => phpImports(tree, paths)],
      ['haskell', () => haskellImports(tree, paths)],
      ['ruby', () => rubyImports(tree, paths)],
      ['lua', () => luaImports(tree, paths)],
      ['zig', () => zigImports(tree, paths)],
      ['dart', () => dartImports(tree, paths)],
      ['bash', () => shellImports(tree, paths)],
      ['swift', () => swiftImports(this.swift, tree, paths)],
      ['elixir', () => elixirImports(tree)],
    ]);
  }

  /** Name of the package that a script belongs to, '' for none. */
  scriptPackageOf(file: number): string {
    return this.#scripts.around(file)?.name ?? '';
  }

  /** The same rules over a newer tree with the same paths and manifests. */
  over(tree: SourceTree): this {
    this.#tree.tree = tree;
    return this;
  }

  resolve(file: number, record: ImportRecord): ResolvedImport {
    const { language } = this.#tree.files[file]!;
    let family = this.#families.get(language);
    if (!family) {
      family = this.#make.get(language)?.() ?? (() => null);
      this.#families.set(language, family);
    }
    const source = record.source.trim();
    const hit = family(file, source === record.source ? record : { ...record, source });
    return {
      source,
      files: hit ? hit.files.filter((index) => index !== file) : [],
      modules: hit?.modules ?? NO_MODULES,
      external: hit === null,
    };
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
