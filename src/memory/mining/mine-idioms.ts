/**
 * Mines idioms of a project: names and imports that are used everywhere, naming conventions of files, types and
 * functions, common base types, the places of tests and their libraries. Counts come from postings and from a bounded
 * sample of files.
 */

import { languageById, PLAIN_TEXT } from '../../languages/index.ts';
import type { Evidence } from '../../model/records/discovery.ts';
import { FileFlag } from '../../model/records/source-file.ts';
import { nameOf } from '../../model/text/path-text.ts';
import { nameKey } from '../../model/text/terms.ts';
import { IMPORT_MARK, type StoreReader, type TreeView } from '../../store/store.ts';
import { declarationIdioms, examplesOf } from './mine-declarations.ts';

export interface Idiom {
  readonly content: string;
  readonly confidence: number;
  /** Examples spread over the counted files. */
  readonly evidence: readonly Evidence[];
  /** The file that the idiom is about, if it is about one. */
  readonly home?: string;
}

/** An idiom occurs in at least this many files, and this share of them. */
const MIN_FILES = 8;
const MIN_SHARE = 0.05;
const MAX_PER_KIND = 12;
const EXAMPLE_COUNT = 3;
const MIN_NAME_LENGTH = 7;
/** Files read to find the spelling behind a posting. */
const SAMPLED_USERS = 3;

export function mineIdioms(reader: StoreReader, view: TreeView): Idiom[] {
  const code = view.files.filter(({ flags, language }) => (flags & NOT_PRODUCT) === 0 && !isProse(language));
  if (code.length < MIN_FILES) return [];
  const tests = view.files.filter(({ flags }) => (flags & FileFlag.Test) !== 0 && (flags & NOT_TESTS) === 0);
  const files = filesByContent(view);
  const usesOf = (total: number, counts: (flags: number) => boolean): Uses => {
    const minFiles = Math.max(MIN_FILES, MIN_SHARE * total);
    // frequentTerms leaves out most names, which occur in few files.
    return {
      reader,
      view,
      minFiles,
      total,
      files,
      counts,
      terms: reader.frequentTerms('reference', Math.ceil(minFiles)),
    };
  };
  const uses = usesOf(code.length, isProduct);
  const inTests = usesOf(tests.length, (flags) => (flags & FileFlag.Test) !== 0 && (flags & NOT_TESTS) === 0);
  return [
    ...fileNameIdioms(code),
    ...testPlaceIdioms(view),
    ...declarationIdioms(reader, view, isProduct),
    ...findCommonNames(uses),
    ...findCommonImports(uses, (source, count) => `Common pattern: \`${source}\` is imported by ${count} files.`),
    ...findCommonImports(inTests, (source, count) => `Tests use \`${source}\` (imported by ${count} test files).`),
  ];
}

interface Uses {
  readonly reader: StoreReader;
  readonly view: TreeView;
  /** Minimum number of files that use a name. */
  readonly minFiles: number;
  /** Number of counted files. */
  readonly total: number;
  /** File by content. */
  readonly files: ReadonlyMap<number, number>;
  /** Whether a file with these flags is counted. */
  readonly counts: (flags: number) => boolean;
  /** Names and imports in at least `minFiles` contents of the store, which also holds those of other trees. */
  readonly terms: readonly string[];
}

const NOT_TESTS = FileFlag.Vendored | FileFlag.Generated | FileFlag.Documentation | FileFlag.Config | FileFlag.Example;
const NOT_PRODUCT = FileFlag.Test | NOT_TESTS;
const isProduct = (flags: number) => (flags & NOT_PRODUCT) === 0;

const CASES: readonly (readonly [string, RegExp])[] = [
  ['kebab-case', /^[a-z0-9]+(?:-[a-z0-9]+)+$/],
  ['snake_case', /^[a-z0-9]+(?:_[a-z0-9]+)+$/],
  ['PascalCase', /^(?:[A-Z][a-z0-9]+){2,}$/],
  ['camelCase', /^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]+)+$/],
];

function fileNameIdioms(files: TreeView['files']): Idiom[] {
  const byLanguage = new Map<string, string[]>();
  for (const { path, language } of files) {
    const stem = nameOf(path).replace(/\..*$/, '');
    // A name of one word fits every convention.
    if (!/[-_]|[a-z][A-Z]/.test(stem)) continue;
    const paths = byLanguage.get(language);
    if (paths) paths.push(path);
    else byLanguage.set(language, [path]);
  }
  return [...byLanguage].flatMap(([language, paths]) => {
    if (paths.length < MIN_FILES) return [];
    return CASES.flatMap(([name, pattern]) => {
      const own = paths.filter((path) => pattern.test(nameOf(path).replace(/\..*$/, '')));
      if (own.length < 0.8 * paths.length) return [];
      return [
        {
          content:
            `Naming convention: files of ${language} are named in ${name} (${own.length} of ${paths.length} with ` +
            'more than one word).',
          confidence: Math.min(0.8, (0.8 * own.length) / paths.length),
          evidence: examplesOf(own),
        },
      ];
    });
  });
}

interface TestPath {
  /** The folders above the file. */
  readonly folders: readonly string[];
  readonly name: string;
}

/** Conventions for the place of tests; the first one that most test files follow is reported. */
const TEST_PLACES: readonly (readonly [string, (path: TestPath) => boolean])[] = [
  ['beside the code they test, as `*.test.*`', (path) => isBeside(path) && /\.test\.\w+$/.test(path.name)],
  ['beside the code they test, as `*.spec.*`', (path) => isBeside(path) && /\.spec\.\w+$/.test(path.name)],
  [
    'beside the code they test, as `*_test.*`',
    ({ folders, name }) => !folders.some(isTestFolder) && /_test\.\w+$/.test(name),
  ],
  ['in folders named `__tests__`', ({ folders }) => folders.includes('__tests__')],
  ['in a folder `spec`', ({ folders, name }) => folders.includes('spec') && /_spec\.\w+$/.test(name)],
  ['in a folder `test` or `tests`', ({ folders }) => folders.some(isTestFolder)],
];

function isTestFolder(folder: string): boolean {
  return folder === 'test' || folder === 'tests';
}

function isBeside({ folders }: TestPath): boolean {
  return !folders.some((folder) => isTestFolder(folder) || folder === '__tests__' || folder === 'spec');
}

function splitPath(path: string): TestPath {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  return { folders, name };
}

function testPlaceIdioms(view: TreeView): Idiom[] {
  const paths = view.files.filter(({ flags }) => (flags & FileFlag.Test) !== 0).map(({ path }) => path);
  if (paths.length < MIN_FILES) return [];
  for (const [where, isThere] of TEST_PLACES) {
    const own = paths.filter((path) => isThere(splitPath(path)));
    if (own.length < 0.6 * paths.length) continue;
    return [
      {
        content: `Tests stand ${where} (${own.length} of ${paths.length} test files).`,
        confidence: Math.min(0.8, (0.8 * own.length) / paths.length),
        evidence: examplesOf(own),
      },
    ];
  }
  return [];
}

/** Counted files of the tree that refer to a term. */
function usersOf({ reader, view, files, counts }: Uses, term: string): number[] {
  const found: number[] = [];
  for (const content of reader.postings('reference', term).docs) {
    const file = files.get(content);
    if (file !== undefined && counts(view.files[file]!.flags)) found.push(file);
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

/** Idioms for names that one file defines and many files use. */
function findCommonNames(uses: Uses): Idiom[] {
  const { reader, view, minFiles, total } = uses;
  const found: { readonly name: string; readonly definer: number; readonly users: readonly number[] }[] = [];
  for (const name of uses.terms) {
    // Short names have many meanings.
    if (name.length < MIN_NAME_LENGTH || name.startsWith(IMPORT_MARK)) continue;
    const symbols = reader.postings('symbol', name).docs;
    if (symbols.length === 0 || symbols.length > 4) continue;
    const definers = new Set<number>();
    for (const symbol of symbols) {
      const file = view.fileOfSymbol[symbol] ?? -1;
      if (file >= 0 && (view.files[file]!.flags & NOT_PRODUCT) === 0) definers.add(file);
    }
    if (definers.size !== 1) continue;
    const [definer] = definers;
    const users = usersOf(uses, name).filter((file) => file !== definer);
    if (users.length >= minFiles) found.push({ name, definer: definer!, users });
  }
  found.sort((a, b) => b.users.length - a.users.length || (a.name < b.name ? -1 : 1));
  const idioms: Idiom[] = [];
  for (const { name, definer, users } of found) {
    if (idioms.length >= MAX_PER_KIND) break;
    const shown = definedName(reader, view, definer, name);
    if (!shown || !isUsed(uses, users, shown)) continue;
    const { path } = view.files[definer]!;
    idioms.push({
      content: `Common pattern: \`${shown}\` (${path}) is used in ${users.length} of ${total} files.`,
      confidence: 0.5,
      evidence: [{ path }, ...users.slice(0, EXAMPLE_COUNT - 1).map((file) => ({ path: view.files[file]!.path }))],
      home: path,
    });
  }
  return idioms;
}

/** A sample of the files at even distances. */
function sampleOf(users: readonly number[]): number[] {
  return Array.from({ length: SAMPLED_USERS }, (_, i) => users[Math.floor((i * users.length) / SAMPLED_USERS)]!);
}

/** Whether sampled files use the exact spelling: postings ignore case and underscores (`StartsWith`, `startswith`). */
function isUsed({ reader, view }: Uses, users: readonly number[], name: string): boolean {
  const own = sampleOf(users).filter((file) =>
    reader.detail(view.contentOf[file]!).references.some((reference) => reference.name === name),
  );
  return own.length > SAMPLED_USERS / 2;
}

/** The name as its definition spells it; null for a method, whose namesakes in other types cannot be told apart. */
function definedName(reader: StoreReader, view: TreeView, file: number, key: string): string | null {
  const { symbols } = reader.detail(view.contentOf[file]!);
  return symbols.find(({ name, kind }) => kind !== 'method' && keyOf(name) === key)?.name ?? null;
}

function findCommonImports(uses: Uses, say: (source: string, count: string) => string): Idiom[] {
  const { view, minFiles, total } = uses;
  const found: { readonly key: string; readonly users: readonly number[] }[] = [];
  for (const term of uses.terms) {
    if (!term.startsWith(IMPORT_MARK)) continue;
    const users = usersOf(uses, term);
    if (users.length >= minFiles) found.push({ key: term.slice(IMPORT_MARK.length), users });
  }
  found.sort((a, b) => b.users.length - a.users.length || (a.key < b.key ? -1 : 1));
  const folders = foldersOf(view);
  const languageOf = (users: readonly number[]) => view.files[users[0]!]!.language;
  const idioms = new Map<string, Idiom>();
  for (const { key, users } of found) {
    if (idioms.size >= MAX_PER_KIND) break;
    const source = commonSource(uses, users, key, folders);
    if (
      source === null ||
      idioms.has(source) ||
      languageById(languageOf(users))?.standardLibrary?.test(source) ||
      isOwn(source, folders)
    )
      continue;
    idioms.set(source, {
      content: say(source, `${users.length} of ${total}`),
      confidence: 0.4,
      evidence: examplesOf(users.map((file) => view.files[file]!.path)),
    });
  }
  return [...idioms.values()];
}

/** The import that most sampled files have for a key, as they write it; null if they import different modules. */
function commonSource({ reader, view }: Uses, users: readonly number[], key: string, folders: string): string | null {
  const counts = new Map<string, number>();
  for (const file of sampleOf(users)) {
    const { imports } = reader.detail(view.contentOf[file]!);
    const foreign = imports.filter(({ source }) => !isOwn(source, folders));
    for (const source of new Set(foreign.flatMap((each) => sourceUpTo(each.source, key) ?? [])))
      counts.set(source, (counts.get(source) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return most && most[1] > SAMPLED_USERS / 2 && !isHost(most[0]) ? most[0] : null;
}

/** An import's source up to the part that equals the key: "werkzeug" of "werkzeug.exceptions". */
function sourceUpTo(source: string, key: string): string | null {
  const parts = source.split(/([/\\.:]+)/);
  const at = parts.findIndex((part) => keyOf(part) === key);
  return at < 0 ? null : parts.slice(0, at + 1).join('');
}

/** Whether a source names a host or account instead of a library: "github.com", "github.com/acme". */
function isHost(source: string): boolean {
  return (
    /^(?:github|gitlab|golang|google|gopkg|bitbucket|com|org|net|io)\b/.test(source) && source.split('/').length < 3
  );
}

function keyOf(name: string): string {
  return nameKey(name.replace(/-/g, ''));
}

/** Documents follow other naming habits than code; a file in an unknown language counts as code. */
function isProse(language: string): boolean {
  return language !== PLAIN_TEXT && languageById(language)?.family === 'documentation';
}

/** All folders and top-level files of the project as name keys between slashes, one per line. */
function foldersOf(view: TreeView): string {
  const places = view.files.map(({ path }) =>
    /^(?:src\/)?[^/]+$/.test(path) ? `/${path.replace(/\.\w+$/, '')}/` : `/${path.slice(0, path.lastIndexOf('/') + 1)}`,
  );
  return [...new Set(places.map(keyOf))].join('\n');
}

/** Whether an import means the project's own code: a relative path, or a path to one of its folders or files. */
function isOwn(source: string, folders: string): boolean {
  const parts = source
    .split(/[/\\.:]+/)
    .filter(Boolean)
    .map(keyOf);
  if (/^(?:[./~#]|@\/|crate\b|super\b|self\b)/.test(source) || parts.length === 0) return true;
  const above = parts.length > 1 ? parts.slice(0, -1) : parts;
  // A module path contains a folder of the project as its last parts: "github.com/acme/shop/internal/cart".
  const isBelow = parts.some((_, at) => parts.length - at > 1 && folders.includes(`/${parts.slice(at).join('/')}/`));
  return isBelow || folders.includes(`/${above.join('/')}/`);
}
