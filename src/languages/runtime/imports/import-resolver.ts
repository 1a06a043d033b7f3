/**
 * Resolves imports to files. Each language has its rules: manifests, source roots, declared packages. An import that
 * leads to no file is external. It reads paths, manifests and packages, and no symbols but who defines a name.
 */

import type { ImportRecord } from '../../../model/records/symbol.ts';
import { nameOf } from '../../../model/text/path-text.ts';
import { LANGUAGES, languageById } from '../../registry.ts';
import { PathIndex } from './path-index.ts';
import type { ImportRules, LanguageImports, SourceTree } from './source-tree.ts';

export interface ResolvedImport {
  readonly source: string;
  /** Indices of files, without the importer itself. */
  readonly files: readonly number[];
  /** Imported names that are modules themselves. */
  readonly modules: ReadonlyMap<string, readonly number[]>;
  readonly external: boolean;
}

const NO_MODULES: ReadonlyMap<string, readonly number[]> = new Map();
const NO_IMPORTS: LanguageImports = { resolve: () => null };
const MANIFESTS = [...new Set(LANGUAGES.flatMap(({ imports }) => imports?.manifests ?? []))];

/** The file is a manifest that affects imports: if it changes, all imports are resolved again. */
export function isImportManifest(path: string): boolean {
  const name = nameOf(path);
  return MANIFESTS.some((manifest) => (typeof manifest === 'string' ? manifest === name : manifest.test(name)));
}

/**
 * Keeps the rules of a layout valid for newer trees with the same paths and manifests: contents are read from the
 * newest tree.
 */
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
  readonly #tree: CurrentTree;
  readonly #byLanguage = new Map<string, LanguageImports>();
  /** Languages of a family share their rules and the parsed manifests. */
  readonly #byRules = new Map<ImportRules, LanguageImports>();

  constructor(source: SourceTree) {
    this.#tree = new CurrentTree(source);
    this.paths = new PathIndex(this.#tree.files);
  }

  /** Switches to a newer tree with the same paths and manifests. */
  over(tree: SourceTree): this {
    this.#tree.tree = tree;
    return this;
  }

  /** The import rules of a file's language over the tree. */
  of(file: number): LanguageImports {
    const { language } = this.#tree.files[file]!;
    let known = this.#byLanguage.get(language);
    if (!known) {
      const rules = languageById(language)?.imports;
      known = rules ? (this.#byRules.get(rules) ?? rules.over(this.#tree, this.paths)) : NO_IMPORTS;
      if (rules) this.#byRules.set(rules, known);
      this.#byLanguage.set(language, known);
    }
    return known;
  }

  resolve(file: number, record: ImportRecord): ResolvedImport {
    const source = record.source.trim();
    const hit = this.of(file).resolve(file, source === record.source ? record : { ...record, source });
    return {
      source,
      files: hit ? hit.files.filter((index) => index !== file) : [],
      modules: hit?.modules ?? NO_MODULES,
      external: hit === null,
    };
  }
}
