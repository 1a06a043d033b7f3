/** The sizes and names of CONTRIBUTING.md, measured: functions, folders, and names with two meanings. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Language, type Node, Parser } from 'web-tree-sitter';
import { LANGUAGES } from '../src/languages/index.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const MAX_FUNCTION_LINES = 80;
const MAX_SOURCES_IN_FOLDER = 18;
const MAX_COLUMNS = 120;
const MAX_TEST_LINES = 300;
/** Tables with a word and its translations on each line. */
const WIDE_TABLES = ['src/search/query/related/foreign-words.ts'];

/** Turns of phrase that hide who does what; two things may be "told apart", and one "told from" the other. */
const HIDDEN_SUBJECT =
  /\b(?:whoever|who asks|as it stands|what was said|(?:is|are|was|were) told(?! (?:apart|from)))\b/i;

/** A language's folder repeats the names of the parts it is made of; every room has an entry file. */
const isRepeated = (path: string) => path.startsWith('src/languages/') || basename(path) === 'index.ts';

interface Source {
  readonly path: string;
  readonly text: string;
}

function readSources(...folders: string[]): Source[] {
  return folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(?:tsx?|mjs)$/.test(entry.name))
    .map((entry) =>
      relative(root, join(entry.parentPath ?? entry.path, entry.name))
        .split(sep)
        .join('/'),
    )
    .filter((path) => !/\/(?:fixtures?|node_modules|out)\//.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

const product = readSources('src', 'scripts').filter(({ path }) => !/\.(?:test|fixture)\./.test(path));

const FUNCTIONS = [
  'function_declaration',
  'function_expression',
  'generator_function_declaration',
  'method_definition',
  'arrow_function',
];

/** Words that mean something else there: formats of answers and settings, shells, labels of package manifests. */
const OTHER_MEANINGS: readonly RegExp[] = [
  /^src\/cli\//,
  /^src\/contracts\//,
  /^src\/transports\//,
  /^src\/memory\/mining\/mine-configuration\.ts$/,
  /^src\/walk\/modules\/manifests\.ts$/,
  /^src\/model\/untrusted\/plain-forms\.ts$/,
  // In the browser, which has no parser and colours what it shows by the ending of the file.
  /^src\/web\/page\//,
];

describe('the house rules', () => {
  const parsers = new Map<string, Parser>();
  const parse = <T>({ path, text }: Source, read: (tree: Node) => T): T => {
    const tree = parsers.get(path.endsWith('x') ? 'tsx' : 'typescript')!.parse(text)!;
    try {
      return read(tree.rootNode);
    } finally {
      tree.delete();
    }
  };

  before(async () => {
    await Parser.init();
    const grammars = join(root, 'node_modules', 'tree-sitter-wasm', 'out');
    for (const name of ['typescript', 'tsx']) {
      const parser = new Parser();
      parser.setLanguage(await Language.load(join(grammars, name, `tree-sitter-${name}.wasm`)));
      parsers.set(name, parser);
    }
  });

  test(`no function of the product is longer than ${MAX_FUNCTION_LINES} lines`, () => {
    const long = product.flatMap((source) =>
      parse(source, (tree) =>
        tree
          .descendantsOfType(FUNCTIONS)
          .map(({ startPosition: { row }, endPosition }) => ({ row, length: endPosition.row - row + 1 }))
          .filter(({ length }) => length > MAX_FUNCTION_LINES)
          .map(({ row, length }) => `${source.path}:${row + 1} has ${length} lines`),
      ),
    );
    assert.deepEqual(long, []);
  });

  test(`no line of the product has more than ${MAX_COLUMNS} columns`, () => {
    const long = product
      .filter(({ path }) => !WIDE_TABLES.includes(path))
      .flatMap(({ path, text }) =>
        text.split('\n').flatMap((line, row) => ([...line].length > MAX_COLUMNS ? [`${path}:${row + 1}`] : [])),
      );
    assert.deepEqual(long, []);
  });

  test(`no test file has more than ${MAX_TEST_LINES} lines`, () => {
    const long = readSources('src', 'test', 'bench', 'training')
      .filter(({ path }) => path.includes('.test.'))
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ lines }) => lines > MAX_TEST_LINES)
      .map(({ path, lines }) => `${path} has ${lines} lines`);
    assert.deepEqual(long, []);
  });

  test(`no folder has more than ${MAX_SOURCES_IN_FOLDER} source files`, () => {
    const counts = new Map<string, number>();
    for (const { path } of product) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    assert.deepEqual(
      [...counts].filter(([, count]) => count > MAX_SOURCES_IN_FOLDER),
      [],
    );
  });

  test('no two files of the product have one name with two meanings', () => {
    const byName = new Map<string, string[]>();
    for (const { path } of product.filter((source) => source.path.startsWith('src/') && !isRepeated(source.path)))
      byName.set(basename(path), [...(byName.get(basename(path)) ?? []), path]);
    assert.deepEqual(
      [...byName.values()].filter((paths) => paths.length > 1),
      [],
    );
  });

  test('a sentence names its subject', () => {
    const hidden = readSources('src', 'scripts', 'test', 'bench')
      .filter(({ path }) => path !== 'test/house-rules.test.ts')
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, row) => (HIDDEN_SUBJECT.test(line) ? [`${path}:${row + 1} ${line.trim()}`] : [])),
      );
    assert.deepEqual(hidden, []);
  });

  test('no file outside of src/languages names a language', () => {
    // Plain text is what every unknown file is, and `text` is a word for other things.
    const ids = LANGUAGES.map(({ id }) => id).filter((id) => id !== 'text');
    const named = new RegExp(`'(?:${ids.join('|')})'`);
    const naming = product
      .filter(({ path }) => /^src\/(?!languages\/)/.test(path) && !OTHER_MEANINGS.some((place) => place.test(path)))
      .filter(({ text }) => named.test(text.replace(/ with \{ type: 'json' \}|^import .*$/gm, '')))
      .map(({ path }) => path);
    assert.deepEqual(naming, []);
  });
});
