/** How the code is usually written here, counted in the postings: what is used everywhere, how files are named, where tests stand. Nothing is read for it. */

import type { Evidence } from '../../model/discovery.ts';
import { FileFlag } from '../../model/source-file.ts';
import { IMPORT_MARK, type StoreReader, type TreeView } from '../../store/store.ts';

export interface Idiom {
  readonly content: string;
  readonly confidence: number;
  readonly evidence: readonly Evidence[];
}

/** In at least so many files, and such a share of them. */
const MIN_FILES = 8;
const MIN_SHARE = 0.05;
const MAX_OF_A_KIND = 12;
const EXAMPLES = 3;
const MIN_NAME = 7;

export function mineIdioms(reader: StoreReader, view: TreeView): Idiom[] {
  const code = view.files.filter(({ flags, language }) => (flags & NOT_OURS) === 0 && language !== 'markdown');
  if (code.length < MIN_FILES) return [];
  const least = Math.max(MIN_FILES, MIN_SHARE * code.length);
  const uses: Uses = {
    reader,
    view,
    least,
    total: code.length,
    files: filesByContent(view),
    // Most names are used in a few files: those are never looked at one by one.
    terms: reader.frequentTerms('reference', Math.ceil(least)),
  };
  return [...fileNames(code), ...tests(view), ...commonNames(uses), ...commonImports(uses)];
}

interface Uses {
  readonly reader: StoreReader;
  readonly view: TreeView;
  /** Files that must use a name, of this many. */
  readonly least: number;
  readonly total: number;
  /** By content. */
  readonly files: ReadonlyMap<number, number>;
  /** Names and imports that so many contents hold, this tree's or another's. */
  readonly terms: readonly string[];
}

const NOT_OURS =
  FileFlag.Test | FileFlag.Vendored | FileFlag.Generated | FileFlag.Documentation | FileFlag.Config | FileFlag.Example;

const CASES: readonly (readonly [string, RegExp])[] = [
  ['kebab-case', /^[a-z0-9]+(?:-[a-z0-9]+)+$/],
  ['snake_case', /^[a-z0-9]+(?:_[a-z0-9]+)+$/],
  ['PascalCase', /^(?:[A-Z][a-z0-9]+){2,}$/],
  ['camelCase', /^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]+)+$/],
];

function fileNames(files: TreeView['files']): Idiom[] {
  const byLanguage = new Map<string, string[]>();
  for (const { path, language } of files) {
    const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '');
    // A name of one word follows every convention.
    if (/[-_]|[a-z][A-Z]/.test(stem)) byLanguage.set(language, [...(byLanguage.get(language) ?? []), path]);
  }
  return [...byLanguage].flatMap(([language, paths]) => {
    if (paths.length < MIN_FILES) return [];
    return CASES.flatMap(([name, pattern]) => {
      const own = paths.filter((path) => pattern.test(path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '')));
      if (own.length < 0.8 * paths.length) return [];
      return [
        {
          content: `Naming convention: files of ${language} are named in ${name} (${own.length} of ${paths.length} with more than one word).`,
          confidence: Math.min(0.8, (0.8 * own.length) / paths.length),
          evidence: own.slice(0, EXAMPLES).map((path) => ({ path })),
        },
      ];
    });
  });
}

const TEST_PLACES: readonly (readonly [string, RegExp])[] = [
  ['beside the code they test, as `*.test.*`', /^(?!.*(?:^|\/)(?:tests?|__tests__|spec)\/).*\.test\.\w+$/],
  ['beside the code they test, as `*.spec.*`', /^(?!.*(?:^|\/)(?:tests?|__tests__|spec)\/).*\.spec\.\w+$/],
  ['beside the code they test, as `*_test.*`', /^(?!.*(?:^|\/)tests?\/).*_test\.\w+$/],
  ['in folders named `__tests__`', /(?:^|\/)__tests__\//],
  ['in a folder `spec`', /(?:^|\/)spec\/.*_spec\.\w+$/],
  ['in a folder `test` or `tests`', /(?:^|\/)tests?\//],
];

function tests(view: TreeView): Idiom[] {
  const paths = view.files.filter(({ flags }) => (flags & FileFlag.Test) !== 0).map(({ path }) => path);
  if (paths.length < MIN_FILES) return [];
  for (const [where, pattern] of TEST_PLACES) {
    const own = paths.filter((path) => pattern.test(path));
    if (own.length < 0.6 * paths.length) continue;
    return [
      {
        content: `Tests stand ${where} (${own.length} of ${paths.length} test files).`,
        confidence: Math.min(0.8, (0.8 * own.length) / paths.length),
        evidence: own.slice(0, EXAMPLES).map((path) => ({ path })),
      },
    ];
  }
  return [];
}

/** Files of the tree that a reference posting names, tests left out. */
function usersOf({ reader, view, files }: Uses, term: string): number[] {
  const found: number[] = [];
  for (const content of reader.postings('reference', term).docs) {
    const file = files.get(content);
    if (file !== undefined && (view.files[file]!.flags & NOT_OURS) === 0) found.push(file);
  }
  return found;
}

function filesByContent(view: TreeView): Map<number, number> {
  const files = new Map<number, number>();
  view.contentOf.forEach((content, file) => {
    if (!files.has(content)) files.set(content, file);
  });
  return files;
}

/** Names defined in one place of the project and used all over it. */
function commonNames(uses: Uses): Idiom[] {
  const { reader, view, least, total } = uses;
  const found: { readonly name: string; readonly defined: string; readonly users: readonly number[] }[] = [];
  for (const name of uses.terms) {
    // Short names mean something else in every file.
    if (name.length < MIN_NAME || name.startsWith(IMPORT_MARK)) continue;
    const symbols = reader.postings('symbol', name).docs;
    if (symbols.length === 0 || symbols.length > 4) continue;
    const definers = new Set<number>();
    for (const symbol of symbols) {
      const file = view.fileOfSymbol[symbol] ?? -1;
      if (file >= 0 && (view.files[file]!.flags & NOT_OURS) === 0) definers.add(file);
    }
    if (definers.size !== 1) continue;
    const [definer] = definers;
    const users = usersOf(uses, name).filter((file) => file !== definer);
    if (users.length < least) continue;
    const shown = shownName(reader, view, definer!, name);
    if (shown) found.push({ name: shown, defined: view.files[definer!]!.path, users });
  }
  return found
    .sort((a, b) => b.users.length - a.users.length || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_OF_A_KIND)
    .map(({ name, defined, users }) => ({
      content: `Common pattern: \`${name}\` (${defined}) is used in ${users.length} of ${total} files.`,
      confidence: 0.5,
      evidence: [{ path: defined }, ...users.slice(0, EXAMPLES - 1).map((file) => ({ path: view.files[file]!.path }))],
    }));
}

/** As it is written where it is defined. */
function shownName(reader: StoreReader, view: TreeView, file: number, key: string): string | null {
  const { symbols } = reader.detail(view.contentOf[file]!);
  return symbols.find(({ name }) => name.replace(/[_$]/g, '').toLowerCase() === key)?.name ?? null;
}

function commonImports(uses: Uses): Idiom[] {
  const { view, least, total } = uses;
  const found: { readonly module: string; readonly users: readonly number[] }[] = [];
  // Folders of the project are no choice of a library.
  const folders = new Set(view.files.flatMap(({ path }) => path.toLowerCase().split(/[/.]/)));
  for (const term of uses.terms) {
    if (!term.startsWith(IMPORT_MARK)) continue;
    const module = term.slice(IMPORT_MARK.length);
    if (/^[./]/.test(module) || module.length < 3 || folders.has(module)) continue;
    const users = usersOf(uses, term);
    if (users.length >= least) found.push({ module, users });
  }
  return found
    .sort((a, b) => b.users.length - a.users.length || (a.module < b.module ? -1 : 1))
    .slice(0, MAX_OF_A_KIND)
    .map(({ module, users }) => ({
      content: `Common pattern: \`${module}\` is imported by ${users.length} of ${total} files.`,
      confidence: 0.4,
      evidence: users.slice(0, EXAMPLES).map((file) => ({ path: view.files[file]!.path })),
    }));
}
