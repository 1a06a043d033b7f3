/**
 * What `parse` promises for any text: partial symbols, problems with lines, budgets, and no trace of one file in the
 * next.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ParsedFile } from '../../model/records/symbol.ts';
import { createParser, languageById } from '../index.ts';
import { linkGrammars } from './testing/grammar-folder.ts';

const folders = linkGrammars();
const parser = createParser(folders);
after(() => {
  parser.close();
  folders.remove();
});

async function parse(
  id: string | null,
  text: string,
  budgets: { parseBudgetMs?: number; queryBudgetMs?: number } = {},
): Promise<ParsedFile> {
  const language = id === null ? null : languageById(id);
  await parser.load(language, text);
  return parser.parse({ language, text, ...budgets });
}
const names = (file: ParsedFile) => file.symbols.map((symbol) => symbol.qualifiedName);

test('an empty file has no lines and no symbols', async () => {
  const file = await parse('go', '');
  assert.equal(file.lineCount, 0);
  assert.deepEqual([file.symbols, file.references, file.problems], [[], [], []]);
});

test('a missing grammar is reported as a missing part of the program', async () => {
  const broken = createParser({ ...folders, queryFolder: `${folders.queryFolder}/gone` });
  await assert.rejects(broken.load(languageById('go')), { code: 'unsupported', message: /grammar of Go .*go\.scm/ });
  broken.close();
});

test('lines are counted with and without a final line break', async () => {
  assert.equal((await parse('python', 'a = 1')).lineCount, 1);
  assert.equal((await parse('python', 'a = 1\n')).lineCount, 1);
  assert.equal((await parse('python', 'a = 1\n\n')).lineCount, 2);
});

test('a byte order mark and carriage returns change nothing but the text', async () => {
  const text = '/** Doc. */\nfunction a() {\n  b();\n}\n';
  const plain = await parse('javascript', text);
  const windows = await parse('javascript', `\ufeff${text.replaceAll('\n', '\r\n')}`);
  assert.deepEqual(windows.symbols, plain.symbols);
  assert.deepEqual(windows.references, plain.references);
});

test('columns and names are right after characters of any width', async () => {
  const file = await parse('javascript', 'const s = "𝒳é"; größe(s); function 𐐀x() {}\n');
  assert.deepEqual(
    file.references.map(({ name, column }) => [name, column]),
    [['größe', 18]],
  );
  assert.deepEqual(names(file), ['s', '𐐀x']);
});

test('NUL bytes and lone surrogates do not stop the parser', async () => {
  const file = await parse('python', 'def a():\n  x = "\0\ud800"\n\0\ndef b():\n  pass\n');
  assert.ok(names(file).includes('a'));
});

test('a file with a syntax error has a problem with its line and its other symbols', async () => {
  const file = await parse('go', 'package a\n\nfunc One() {}\n\nfunc Two( {\n\nfunc Three() {}\n');
  assert.deepEqual(
    file.symbols.map(({ name }) => name).filter((name) => name !== 'Two'),
    ['One', 'Three'],
  );
  assert.ok(file.problems.length > 0 && file.problems.length <= 20);
  assert.ok(file.problems.every(({ line, message }) => line >= 1 && line <= 7 && message.startsWith('syntax error')));
});

test('a statement after a syntax error is no function, and a method may have the name of a statement', async () => {
  const text =
    "const a = {\n  set(name: 'mac') {\n    switch (name) {\n      default: {\n        f();\n      }\n    }\n" +
    '  },\n};\n';
  const broken = await parse('javascript', text);
  assert.ok(broken.problems.length > 0);
  assert.ok(broken.symbols.every(({ name }) => name !== 'switch'));
  const whole = await parse('javascript', 'const gen = { if(test) { return test; } };\n');
  assert.deepEqual(
    whole.symbols.map(({ qualifiedName }) => qualifiedName),
    ['gen', 'gen.if'],
  );
});

test('neither a licence nor a banner is the doc of the next definition', async () => {
  const docOf = async (id: string, text: string) => (await parse(id, text)).symbols[0]!.doc;
  assert.equal(await docOf('python', '# Copyright 2024 Someone\n# SPDX-License-Identifier: MIT\nX = 1\n'), '');
  assert.equal(await docOf('java', '/* Copyright 2024 Someone. */\n/** Says it. */\nclass A {}\n'), 'Says it.');
  assert.equal(await docOf('c', '// All rights reserved.\nint a;\n'), '');
  assert.equal(
    await docOf('python', 'import a\n# The copyright line of a page.\nX = 1\n'),
    'The copyright line of a page.',
  );
  assert.equal(await docOf('python', 'import a\n#### Output ####\n# Writes.\nX = 1\n'), 'Writes.');
  assert.equal(await docOf('javascript', '// ----- Options\nconst a = 1;\n'), '');
});

test('a signature found by pattern has all of its parameters', async () => {
  const parsed = await parse(null, 'func open(\n  path: String,\n  mode: Int\n) -> File {\n  x\n}\nfunc half(\n');
  assert.deepEqual(
    parsed.symbols.map(({ signature }) => signature),
    ['func open( path: String, mode: Int ) -> File', 'func half('],
  );
});

test('shell functions after an unfinished one are found', async () => {
  const parsed = await parse('bash', 'a() {\n  if [ "$1" ]; then\n    echo "$(b\n}\n\nc() {\n  echo c\n}\n');
  assert.ok(parsed.problems.length > 0);
  assert.deepEqual(
    parsed.symbols.map(({ name, signature }) => [name, signature]),
    [
      ['a', 'a()'],
      ['c', 'c()'],
    ],
  );
});

test('C++ module declarations hide no symbols', async () => {
  const parsed = await parse(
    'cpp',
    'module;\nexport module shop.orders;\nimport std;\nexport template <class T> T total(T a) { return a; }\n' +
      'export namespace shop { class Order {}; }\n',
  );
  assert.deepEqual(parsed.problems, []);
  assert.deepEqual(
    parsed.symbols.map(({ qualifiedName }) => qualifiedName),
    ['total', 'shop', 'shop::Order'],
  );
});

test('a file has at most twenty problems', async () => {
  const file = await parse('javascript', 'let = = ;\nfoo bar baz\n'.repeat(200));
  assert.equal(file.problems.length, 20);
});

test('definitions inside of an error are found by pattern, in order and with parents before children', async () => {
  const text = 'class A {\n  a() {}\n  b( {{{\n}\nfunction broken(((\nclass B {\nfunction late() {}\n';
  const file = await parse('javascript', text);
  assert.ok(
    names(file).some((name) => name.endsWith('late')),
    names(file).join(),
  );
  file.symbols.forEach((symbol, index) => {
    assert.ok(symbol.parent < index);
    assert.ok(index === 0 || file.symbols[index - 1]!.startLine <= symbol.startLine);
  });
});

test('after an exhausted parse budget, the pattern scan runs, a problem is reported, and the parser still works', async () => {
  const big = `${'x = [1, (2, {3: 4})]\n'.repeat(20_000)}def last():\n  pass\n`;
  const file = await parse('python', big, { parseBudgetMs: 0 });
  assert.deepEqual(names(file), ['last']);
  assert.match(file.problems[0]!.message, /parsing took more than 0 ms of CPU time/);
  assert.deepEqual(names(await parse('python', 'def small(): pass\n')), ['small']);
});

test('budgets count CPU time, so a busy machine finds as many symbols', async () => {
  const go = languageById('go')!;
  await parser.load(go);
  let waited = false;
  const waiting = {
    ...go,
    // Waits longer than the budget, without working.
    kindOf: (...given: Parameters<NonNullable<typeof go.kindOf>>) => {
      if (!waited) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
      waited = true;
      return go.kindOf?.(...given) ?? given[0];
    },
  };
  const text = `package a\n${Array.from({ length: 300 }, (_, i) => `func F${i}() {}\n`).join('')}`;
  const file = parser.parse({ language: waiting, text, queryBudgetMs: 500 });
  assert.equal(file.symbols.length, 300);
  assert.deepEqual(file.problems, []);
});

test('after an exhausted query budget, symbols are partial and a problem is reported', async () => {
  const big = `${'function f() { g(); }\n'.repeat(20_000)}`;
  const file = await parse('javascript', big, { queryBudgetMs: 0 });
  assert.ok(file.symbols.length > 0);
  assert.ok(file.problems.some(({ message }) => message.includes('symbols are partial')));
});

test('deep nesting ends within the budgets, with a problem and bounded names', async () => {
  const depth = 20_000;
  const nested = await parse('javascript', 'function a(){'.repeat(depth) + '}'.repeat(depth), { queryBudgetMs: 300 });
  assert.ok(nested.problems.some(({ message }) => message.includes('partial')));
  assert.ok(nested.symbols.length > 0 && nested.symbols.every(({ qualifiedName }) => qualifiedName.length < 1000));
  const brackets = await parse('go', `package a\nfunc f() { x(${'('.repeat(depth)}`, { queryBudgetMs: 300 });
  assert.ok(brackets.problems.length > 0);
});

test('JavaScript with Flow types is parsed as TSX and stays JavaScript', async () => {
  const text = `/**
 * @flow strict
 */
import type {Node} from './node';
export type Fiber = {tag: number, child: ?Fiber};
const keys: Map<string, Fiber> = new Map();
export function visit(fiber: Fiber, depth?: number): Node | null {
  return keys.get(String(depth));
}
`;
  const flow = await parse('javascript', text);
  assert.equal(flow.language, 'javascript');
  assert.deepEqual([names(flow), flow.problems], [['Fiber', 'keys', 'visit'], []]);
  // The mark counts in the first comment only.
  assert.ok((await parse('javascript', `const a = 1;\n${text}`)).problems.length > 0);
});

test('the generic scan reads unknown languages, not prose', async () => {
  const code = await parse(null, 'module Foo\n  sub bar(x)\n  end\nend\n\nstruct point p;\ntype of thing\n');
  assert.deepEqual(names(code), ['Foo', 'Foo.bar']);
  assert.equal(code.language, 'text');
  const prose = await parse(null, 'The class of functions is\ndef initely large.\n');
  assert.deepEqual(prose.symbols, []);
});

test('borders of a long definition are lines of its statements, also if it is a single statement', async () => {
  const body = Array.from({ length: 80 }, (_, i) => `    step(${i});`).join('\n');
  const file = await parse('javascript', `function long() {\n  wrap(() => {\n${body}\n  });\n}\nfunction short() {}\n`);
  const [long, short] = file.symbols;
  assert.equal(short!.borders, undefined);
  assert.ok(long!.borders!.includes(3) && long!.borders!.includes(82), String(long!.borders));
  assert.ok(long!.borders!.every((line) => line > long!.startLine && line <= long!.endLine));
});

test('variables inside of functions are local, functions inside of functions are not', async () => {
  const file = await parse(
    'typescript',
    'export function a() { const x = 1; const f = () => x; return f; }\nconst y = 2;\n',
  );
  assert.deepEqual(names(file), ['a', 'a.f', 'y']);
});

test('parsing before the grammar is loaded is an internal error', () => {
  const fresh = createParser(folders);
  assert.throws(() => fresh.parse({ language: languageById('go'), text: '' }), { code: 'internal_error' });
});

test('Lua: the table that a file returns is its module and the parent of its functions', async () => {
  for (const name of ['_M', 'utils']) {
    const file = await parse('lua', `local ${name} = {}\nlocal mt = {}\nfunction ${name}.open() end\nreturn ${name}\n`);
    assert.deepEqual(
      file.symbols.map(({ kind, qualifiedName, parent }) => [kind, qualifiedName, parent]),
      [
        ['module', name, -1],
        ['variable', 'mt', -1],
        ['function', `${name}.open`, 0],
      ],
    );
  }
});

test('a long comment between head and body is no part of the signature', async () => {
  const comment = `  # ${'Middleware is code that runs before a job. '.repeat(2)}\n`.repeat(40);
  const { symbols } = await parse('ruby', `module Jobs\n${comment}  class Chain\n  end\nend\n`);
  assert.equal(symbols[0]!.signature, 'module Jobs');
});
