/** What a change does, by the real engine over a real repository. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../workspace.ts';

const FILES: Readonly<Record<string, string>> = {
  'src/money.ts':
    'export function round(value: number) {\n  return value;\n}\n\nexport function tax(value: number) {\n  return round(value * 0.2);\n}\n\nexport function unused() {\n  return 1;\n}\n',
  'src/cart.ts': "import { tax } from './money.ts';\n\nexport class Cart {\n  total() {\n    return tax(1);\n  }\n}\n",
  'src/mail.ts': 'export function send(to: string) {\n  return to;\n}\n',
  'test/money.test.ts':
    "import { round } from '../src/money.ts';\n\nfunction checkRound() {\n  round(1);\n}\ncheckRound();\n",
  'test/cart.test.ts':
    "import { Cart } from '../src/cart.ts';\n\nfunction checkCart() {\n  new Cart().total();\n}\ncheckCart();\n",
  'test/mail.test.ts': "import { send } from '../src/mail.ts';\n\nsend('a');\n",
  'package.json': '{ "name": "shop", "devDependencies": { "vitest": "1" } }\n',
};

let space: Workspace;
before(async () => {
  space = workspace(FILES);
  space.git('init', '-q');
  space.git('add', '-A');
  space.git('commit', '-qm', 'one');
  await space.engine.index(space.root);
});
after(() => space.close());

const impact = (request: Parameters<Workspace['engine']['impact']>[1] = {}) => space.engine.impact(space.root, request);
const symbols = (answer: Awaited<ReturnType<typeof impact>>) =>
  answer.symbols.map(({ name, change }) => `${name} ${change}`);
const tests = (answer: Awaited<ReturnType<typeof impact>>) => answer.tests.map(({ path }) => path);

function reset() {
  space.git('reset', '-q', '--hard', 'HEAD');
  space.git('clean', '-fdq');
}

test('a clean work tree has no impact, and the answer says so', async () => {
  const answer = await impact();
  assert.deepEqual(answer.symbols, []);
  assert.match(answer.notices.join(' '), /Nothing differs: the work tree against HEAD/);
});

test('a changed function is touched, its users depend on it, and their tests are named', async () => {
  space.write('src/money.ts', FILES['src/money.ts']!.replace('return value;', 'return Math.round(value);'));
  const answer = await impact();
  assert.deepEqual(symbols(answer), ['round changed']);
  const places = answer.modules.flatMap((module) =>
    module.places.map(({ path, line, hop }) => `${path}:${line} ${hop}`),
  );
  assert.deepEqual(places, ['src/money.ts:6 1', 'src/cart.ts:5 2']);
  assert.deepEqual(tests(answer), ['test/money.test.ts', 'test/cart.test.ts']);
  assert.deepEqual(answer.commands, [
    { runner: 'vitest', line: 'npx vitest run test/money.test.ts test/cart.test.ts' },
  ]);
  assert.equal(answer.suiteFiles, 3);
  reset();
});

test('impact lists a removed function with the places that still name it', async () => {
  space.write('src/money.ts', FILES['src/money.ts']!.replace(/export function tax[^}]*\}\n/, ''));
  const answer = await impact();
  assert.ok(symbols(answer).includes('tax removed'), symbols(answer).join());
  const unresolved = answer.modules.flatMap(({ places }) =>
    places.filter(({ confidence }) => confidence === 'unresolved'),
  );
  assert.deepEqual(
    unresolved.map(({ path, uses }) => `${path} ${uses}`),
    ['src/cart.ts tax'],
  );
  reset();
});

test('new, deleted and renamed files are part of a change', async () => {
  space.write('src/fresh.ts', 'export function fresh() {\n  return 1;\n}\n');
  rmSync(join(space.root, 'src/mail.ts'));
  space.git('mv', 'src/cart.ts', 'src/basket.ts');
  const answer = await impact();
  assert.deepEqual(
    answer.files.map(({ path, oldPath, status }) => [path, oldPath, status]),
    [
      ['src/basket.ts', 'src/cart.ts', 'renamed'],
      ['src/mail.ts', null, 'deleted'],
      ['src/fresh.ts', null, 'added'],
    ],
  );
  assert.ok(symbols(answer).includes('fresh added'));
  assert.ok(symbols(answer).includes('send removed'));
  assert.ok(tests(answer).includes('test/cart.test.ts'));
  reset();
});

test('what is staged is told apart from what is not, and a commit from the work tree', async () => {
  space.write('src/mail.ts', FILES['src/mail.ts']!.replace('return to;', 'return [to];'));
  space.git('add', 'src/mail.ts');
  space.write('src/money.ts', FILES['src/money.ts']!.replace('return 1;', 'return 2;'));
  assert.deepEqual(symbols(await impact({ staged: true })), ['send changed']);
  assert.deepEqual(symbols(await impact()), ['send changed', 'unused changed']);
  space.git('commit', '-qm', 'mail');
  assert.deepEqual(symbols(await impact({ diff: 'HEAD^!' })), ['send changed']);
  assert.deepEqual(symbols(await impact({ diff: 'HEAD~1..HEAD' })), ['send changed']);
  space.git('reset', '-q', '--hard', 'HEAD~1');
});

test('a symbol, a place and a file can be asked about before anything has changed', async () => {
  assert.deepEqual(symbols(await impact({ target: 'Cart.total' })), ['Cart.total named']);
  const lines = await impact({ target: 'src/money.ts:5-7' });
  assert.deepEqual(symbols(lines), ['tax named']);
  assert.equal(lines.change, 'a change of src/money.ts:5-7');
  assert.deepEqual(symbols(await impact({ target: 'src/mail.ts' })), ['send named']);
  const unused = await impact({ target: 'unused' });
  assert.deepEqual(unused.modules, []);
});

test("a name means the program's own function, not its copy in a dependency, and its header goes with it", async () => {
  const own = workspace({
    'deps/kit/dict.c': 'int dictAdd(int a) {\n  return a;\n}\n',
    'deps/kit/dict.h': 'int dictAdd(int a);\n',
    'src/dict.c': '#include "dict.h"\nint dictAdd(int a) {\n  return a;\n}\n',
    'src/dict.h': 'int dictAdd(int a);\n',
    'src/main.c': '#include "dict.h"\nint main(void) {\n  return dictAdd(1);\n}\n',
  });
  try {
    await own.engine.index(own.root);
    const answer = await own.engine.impact(own.root, { target: 'dictAdd' });
    assert.deepEqual(
      answer.symbols.map(({ path, line }) => `${path}:${line}`),
      ['src/dict.c:2', 'src/dict.h:1'],
    );
    assert.deepEqual(
      answer.modules.flatMap(({ places }) => places.map(({ path, line }) => `${path}:${line}`)),
      ['src/main.c:3'],
    );
    assert.match(answer.notices.join(' '), /Others have that name: \S*dictAdd \(deps\/kit\/dict\.c:1\)/);
  } finally {
    await own.close();
  }
});

test('bad requests get clear words', async () => {
  await assert.rejects(impact({ diff: 'nowhere' }), { code: 'ref_not_found' });
  await assert.rejects(impact({ target: 'money.ts:5' }), {
    code: 'file_not_found',
    fix: 'Files of that name: src/money.ts.',
  });
  await assert.rejects(impact({ target: 'src/gone.ts' }), { code: 'file_not_found' });
  await assert.rejects(impact({ target: 'Crate.total' }), { fix: 'Similar names: Cart.total.' });
  await assert.rejects(impact({ target: 'rounds' }), { code: 'symbol_not_found', fix: /^Similar names: round/ });
  await assert.rejects(impact({ diff: '--output=x' }), { code: 'ref_not_found' });
  await assert.rejects(impact({ target: 'noSuchThing' }), { code: 'symbol_not_found' });
  await assert.rejects(impact({ target: 'src/money.ts:4000' }), /has 11 lines/);
  await assert.rejects(impact({ target: 'tax', diff: 'HEAD' }), { code: 'invalid_input' });
});

test('without git a symbol is answered, and a diff is refused with the reason', async () => {
  const plain = workspace(FILES);
  try {
    await plain.engine.index(plain.root);
    const answer = await plain.engine.impact(plain.root, { target: 'tax' });
    assert.deepEqual(tests(answer), ['test/money.test.ts', 'test/cart.test.ts']);
    assert.equal(answer.commitsRead, 0);
    await assert.rejects(plain.engine.impact(plain.root), { code: 'not_a_repository' });
  } finally {
    await plain.close();
  }
});

test('a project without tests, a binary file and a merge are answered', async () => {
  const bare = workspace({ 'a.py': 'def run():\n    return 1\n' });
  try {
    bare.git('init', '-q');
    bare.git('add', '-A');
    bare.git('commit', '-qm', 'one');
    bare.git('checkout', '-qb', 'side');
    bare.write('a.py', 'def run():\n    return 2\n');
    bare.write('logo.bin', 'a\0b');
    bare.git('add', '-A');
    bare.git('commit', '-qm', 'two');
    bare.git('checkout', '-q', '-');
    bare.write('b.py', 'def walk():\n    return 1\n');
    bare.git('add', '-A');
    bare.git('commit', '-qm', 'three');
    bare.git('merge', '-q', '--no-ff', '-m', 'merge', 'side');
    await bare.engine.index(bare.root);
    const answer = await bare.engine.impact(bare.root, { diff: 'HEAD^!' });
    assert.deepEqual(
      answer.files.map(({ path, remark }) => [path, remark]),
      [
        ['a.py', null],
        ['logo.bin', 'binary'],
      ],
    );
    assert.equal(answer.suiteFiles, 0);
    assert.match(answer.notices.join(' '), /The index holds no tests/);
  } finally {
    await bare.close();
  }
});

test('a test with words of a changed symbol in its name is named, though nothing leads from it to the symbol', async () => {
  const read = "import { readFileSync } from 'node:fs';\n\nreadFileSync('shape.json');\n";
  const own = workspace({
    'src/adapters.ts': 'export function atomicLongAdapter() {\n  return 1;\n}\n',
    'test/concurrent-atomic.test.ts': read,
    'test/concurrent-time.test.ts': read,
    'test/enums.test.ts': read,
  });
  try {
    await own.engine.index(own.root);
    const { tests: chosen } = await own.engine.impact(own.root, { target: 'atomicLongAdapter' });
    assert.deepEqual(
      chosen.map(({ path, reasons }) => [path, reasons.map(({ description }) => description)]),
      [['test/concurrent-atomic.test.ts', ['has words of atomicLongAdapter in its name']]],
    );
  } finally {
    await own.close();
  }
});
