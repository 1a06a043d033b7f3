/**
 * Which files does an import mean? Each language knows its rules: manifests, source roots, declared packages. What
 * leads nowhere in the tree is external. Knows paths, manifests and packages, and no symbols beyond who defines a name.
 */

import type { ImportRecord } from '../../../model/records/symbol.ts';
import { nameOf } from '../../../model/text/path-text.ts';
import { LANGUAGES, languageById } from '../../registry.ts';
import { PathIndex } from './path-index.ts';
import type { ImportRules, LanguageImports, SourceTree } from './source-tree.ts';

export interface ResolvedImport {
  readonly source: string;
  /** File indexes in the tree, without the importer itself. */
  readonly files: readonly number[];
  /** Imported names that are modules themselves. */
  readonly modules: ReadonlyMap<string, readonly number[]>;
  readonly external: boolean;
}

const NO_MODULES: ReadonlyMap<string, readonly number[]> = new Map();
const NO_IMPORTS: LanguageImports = { resolve: () => null };
const MANIFESTS = [...new Set(LANGUAGES.flatMap(({ imports }) => imports?.manifests ?? []))];

/** Is it a manifest that decides about imports? Where one of them changes, imports are resolved anew. */
export function isImportManifest(path: string): boolean {
  const name = nameOf(path);
  return MANIFESTS.some((manifest) => (typeof manifest === 'string' ? manifest === name : manifest.test(name)));
}

/**
 * Lets the rules of a layout outlive the tree they were made for: paths and manifests are the same, contents are asked
 * for in the newest.
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
  /** Languages of a family share their rules, and what was read of manifests with them. */
  readonly #byRules = new Map<ImportRules, LanguageImports>();

  constructor(source: SourceTree) {
    this.#tree = new CurrentTree(source);
    this.paths = new PathIndex(this.#tree.files);
  }

  /** Takes over a newer tree with the same paths and manifests. */
  over(tree: SourceTree): this {
    this.#tree.tree = tree;
    return this;
  }

  /** The rules of a file's language over the tree. */
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
