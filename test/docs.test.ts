/**
 * Pages that can be wrong are compared with what they describe. After a change of the errors: `UPDATE_DOCS=1 npm test
 * -- test/docs`.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from '../src/cli/commands/index.ts';
import { parseLine } from '../src/cli/parsing/parse-arguments.ts';
import { SERVED_PROFILES } from '../src/contracts/index.ts';
import { LANGUAGES } from '../src/languages/index.ts';
import { ERROR_TABLE } from '../src/model/records/engine-errors.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
].filter((path) => path.endsWith('.md'));

test('docs/errors.md lists every error as the table has it', () => {
  const mark = '| code |';
  const text = read('docs/errors.md');
  const head = text.includes(mark) ? text.slice(0, text.indexOf(mark)) : text;
  const rows = Object.entries(ERROR_TABLE).map(
    ([code, { message, fix, http, exit }]) => `| \`${code}\` | ${message} | ${fix} | ${http} | ${exit} |`,
  );
  const expected = `${head}${mark} message | fix | HTTP | exit |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
  if (process.env.UPDATE_DOCS) writeFileSync(join(root, 'docs/errors.md'), expected);
  assert.equal(read('docs/errors.md'), expected);
});

test('docs/dependencies.md names every package and no other', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'));
  const named = [...read('docs/dependencies.md').matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1]!);
  assert.deepEqual(named.sort(), [...Object.keys(dependencies), ...Object.keys(devDependencies)].sort());
});

test('links between pages lead somewhere', () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)]
      .map((match) => match[1]!)
      .filter((target) => !existsSync(join(root, dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  );
  assert.deepEqual(broken, []);
});

test('every page is reached from README.md', () => {
  const readme = read('README.md');
  assert.deepEqual(
    pages.filter((page) => page !== 'README.md' && !readme.includes(`](${page})`)),
    [],
  );
});

test('docs/architecture.md has a part for every room, and names no file that is not there', () => {
  const holds = (folder: string) =>
    new Set(readdirSync(join(root, folder), { recursive: true }).map((path) => basename(String(path))));
  const parts = read('docs/architecture.md').split('\n## ').slice(1);
  const rooms = new Map(parts.flatMap((part) => (/^`\w+`:/.test(part) ? [[part.split('`')[1]!, part] as const] : [])));
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  assert.deepEqual([...rooms.keys()].sort(), folders.map(({ name }) => name).sort());
  const [where, ways] = ['Where to look', 'Three ways'].map((title) => parts.find((part) => part.startsWith(title))!);
  for (const [part, held] of [
    [where!, holds('src')] as const,
    [ways!, holds('src')] as const,
    ...[...rooms].map(([room, text]) => [text, holds(`src/${room}`)] as const),
  ]) {
    const named = [...part.matchAll(/`(?:[\w-]+\/)*([\w-]+)(\.ts|\/)`/g)].map(([, name, end]) =>
      end === '/' ? name! : `${name}.ts`,
    );
    for (const [, path] of part.matchAll(/`((?:[\w-]+\/)+[\w-]+\.ts)`/g))
      assert.ok(existsSync(join(root, path!)) || existsSync(join(root, 'src', path!)), path);
    assert.ok(named.length > 0, part);
    assert.deepEqual(
      named.filter((name) => !held.has(name)),
      [],
      part,
    );
  }
});

test('docs/reliability.md names tests that are there', () => {
  const named = [
    ...read('docs/reliability.md').matchAll(/`([\w/.-]+\.test\.ts)`(?:: (\*[^*|]+\*(?:, \*[^*|]+\*)*))?/g),
  ];
  assert.ok(named.length > 20, String(named.length));
  for (const [, file, words] of named) {
    const text = read(file!.includes('/') ? file! : `test/faults/${file}`);
    for (const [, part] of (words ?? '').matchAll(/\*([^*]+)\*/g)) assert.ok(text.includes(part!), `${file}: ${part}`);
  }
});

test('the pages name every script of package.json and no other', () => {
  const scripts = Object.keys(JSON.parse(read('package.json')).scripts).filter((name) => name !== 'prepack');
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/`npm (?:run )?([a-z][\w:]*)/g)]
      .map((match) => match[1]!)
      .filter((name) => !['ci', 'install', 'pack'].includes(name)),
  );
  assert.deepEqual([...new Set(named)].sort(), scripts.sort());
});

test('README.md names every language', () => {
  const written = new Map([
    ['cpp', 'C++'],
    ['csharp', 'C#'],
    ['protobuf', 'Protocol Buffers'],
    ['rst', 'reStructuredText'],
    ['text', 'plain text'],
  ]);
  const list = read('README.md').split('## Languages')[1]!.split('\n## ')[0]!;
  const named = [...list.matchAll(/^- [\w ]+: (.*)$/gm)].flatMap((match) => match[1]!.toLowerCase().split(', '));
  assert.deepEqual(named.sort(), LANGUAGES.map(({ id }) => (written.get(id) ?? id).toLowerCase()).sort());
});

test('every line of the pages that calls sextant is one that it accepts', () => {
  const wrong: string[] = [];
  for (const page of pages.filter((path) => path !== 'docs/cli.md'))
    for (const [, block] of read(page).matchAll(/```(?:sh|bash)\n([\s\S]*?)```/g))
      for (const line of block!.split('\n').filter((text) => /^(\.\/bin\/)?sextant /.test(text))) {
        const words = [...line.replace(/\s#.*$/, '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
          (m) => m[1] ?? m[2] ?? m[3]!,
        );
        try {
          parseLine(words.slice(1), COMMANDS);
        } catch (error) {
          wrong.push(`${page}: ${line}: ${(error as Error).message}`);
        }
      }
  assert.deepEqual(wrong, []);
});

test('README.md names no profile that is not served', () => {
  const table = read('README.md').split('## Profiles')[1]!.split('\n## ')[0]!;
  const named = [...table.matchAll(/^\| `([\w-]+)`/gm)].map((match) => match[1]!);
  assert.ok(named.length > 0);
  assert.deepEqual(
    named.filter((name) => !(SERVED_PROFILES as readonly string[]).includes(name)),
    [],
  );
});
