import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { workspace } from '../../../test/workspace.ts';

const CART = `import { round, LIMIT as MOST } from './money.ts';

/** Sums up. */
export function total(items: number[]): number {
  const sum = items.reduce((a, b) => a + b, 0);
  return round(Math.min(sum, MOST));
}

export const table = { total };
`;
const space = workspace({
  'package.json': '{"name":"shop"}\n',
  'src/cart/cart.ts': CART.replace('./money.ts', '../money/money.ts'),
  'src/cart/page.ts': "import { total } from './cart.ts';\n\nexport function show() {\n  return total([1]);\n}\n",
  'src/cart/empty.ts': 'export const nothing = 0;\n',
  'src/money/money.ts': 'export const LIMIT = 9;\nexport function round(value: number) {\n  return value;\n}\n',
  'src/money/words.ts': "import { show } from '../cart/page.ts';\nexport const words = () => show();\n",
  'src/money/more.ts': 'export const more = 1;\n',
});
after(() => space.close());

before(async () => {
  const commit = (message: string) => {
    space.git('add', '-A');
    space.git('commit', '-qm', message);
  };
  space.git('init', '-q', '-b', 'main');
  commit('Add the shop');
  space.write(
    'src/money/money.ts',
    'export const LIMIT = 10;\nexport function round(value: number) {\n  return value;\n}\n',
  );
  commit('Raise the limit');
  await space.engine.index(space.root);
});

test('files() lists every file with its language and lines', async () => {
  const files = await space.engine.files(space.root);
  assert.deepEqual(
    files.find(({ path }) => path === 'src/cart/empty.ts'),
    { path: 'src/cart/empty.ts', language: 'typescript', lines: 1, bytes: 26, isTest: false },
  );
});

test('identifierLinks() resolves calls, imports, renamed imports and reads to their definitions', async () => {
  const { links, symbols } = await space.engine.identifierLinks(space.root, 'src/cart/cart.ts');
  const lines = (await space.engine.readFile(space.root, { path: 'src/cart/cart.ts' })).content.split('\n');
  const shown = links.map(({ line, column, length, targets, path, isDefinition }) => {
    const target = symbols[targets[0] ?? -1];
    const text = lines[line - 1]!.slice(column - 1, column - 1 + length);
    return `${line} ${text} -> ${path ?? `${target!.path}:${target!.startLine}`}${isDefinition ? ' (definition)' : ''}`;
  });
  for (const expected of [
    '1 round -> src/money/money.ts:2',
    '1 LIMIT -> src/money/money.ts:1',
    '1 ../money/money.ts -> src/money/money.ts',
    '4 total -> src/cart/cart.ts:4 (definition)',
    '6 round -> src/money/money.ts:2',
    '9 total -> src/cart/cart.ts:4',
  ])
    assert.ok(shown.includes(expected), `${expected} is not among\n${shown.join('\n')}`);
  assert.match(symbols.find(({ name }) => name === 'total')!.doc, /Sums up/);
  await assert.rejects(space.engine.identifierLinks(space.root, 'src/none.ts'), { code: 'file_not_found' });
});

test('lineHistory() returns the commit of each line, uncommitted lines, and discoveries about the lines', async () => {
  const ask = (startLine: number, endLine: number) =>
    space.engine.lineHistory(space.root, { file: 'src/money/money.ts', startLine, endLine });
  const { commits } = await ask(1, 4);
  assert.deepEqual(commits.map(({ subject, author, lines }) => [subject, author, lines]).sort(), [
    ['Add the shop', 'Test', 3],
    ['Raise the limit', 'Test', 1],
  ]);
  const evidence = [{ path: 'src/money/money.ts', startLine: 1, endLine: 1 }];
  const { discovery } = await space.engine.remember(space.root, {
    type: 'decision',
    content: 'Ten is enough.',
    evidence,
  });
  const about = async (line: number) => (await ask(line, line)).discoveries.map(({ id }) => id);
  assert.deepEqual([(await about(1)).includes(discovery.id), (await about(3)).includes(discovery.id)], [true, false]);
  space.write('src/cart/empty.ts', 'export const nothing = 1;\n');
  const fresh = await space.engine.lineHistory(space.root, { file: 'src/cart/empty.ts', startLine: 1, endLine: 1 });
  assert.equal(fresh.commits[0]!.id, null);
  assert.deepEqual((await ask(90, 99)).commits, [], 'no such lines');
  await assert.rejects(ask(3, 1), { code: 'invalid_input' });
  await assert.rejects(space.engine.lineHistory(space.root, { file: '../x', startLine: 1, endLine: 1 }), {
    code: 'path_forbidden',
  });
});

test('callNeighbours() lists each caller and callee once', async () => {
  const [total] = (await space.engine.locate(space.root, { name: 'total' })).symbols;
  const { symbol, callers, callees } = await space.engine.callNeighbours(space.root, total!.symbolId);
  assert.equal(symbol.name, 'total');
  assert.deepEqual(
    callers.map(({ symbol: caller, confidence, sites }) => [caller?.name, confidence, sites[0]!.path]),
    [['show', 'exact', 'src/cart/page.ts']],
  );
  assert.ok(callees.some(({ symbol: callee, confidence }) => callee?.name === 'round' && confidence === 'exact'));
  await assert.rejects(space.engine.callNeighbours(space.root, 'sym:nope'), { code: 'symbol_not_found' });
});

test('repositoryMap() lists modules, dependencies with a place, and cycles', async () => {
  const { modules, dependencies, cycles } = await space.engine.repositoryMap(space.root);
  assert.deepEqual(modules.map(({ name, files, folder }) => [name, files, folder]).sort(), [
    ['cart', 3, 'src/cart'],
    ['money', 3, 'src/money'],
  ]);
  const [tie] = dependencies.filter(({ from }) => from === 'cart');
  assert.deepEqual([tie!.to, tie!.path, tie!.line], ['money', 'src/cart/cart.ts', 1]);
  assert.deepEqual(cycles, [['cart', 'money']]);
});

test('activity() counts commits and added lines and ranks files by changes', async () => {
  const { commits, days, changedFiles, changedModules, partial } = await space.engine.activity(space.root);
  assert.equal(commits, 2);
  assert.equal(
    days.reduce((sum, { commits: each }) => sum + each, 0),
    2,
  );
  assert.deepEqual(changedFiles[0], { path: 'src/money/money.ts', commits: 2 });
  assert.equal(changedModules[0]!.name, 'money');
  assert.equal(partial, false);
});

test('indexedFile() reads a file of another ref from the index', async () => {
  space.git('tag', 'first', 'HEAD~1');
  await space.engine.index(space.root, { ref: 'first' });
  const { content, outline } = await space.engine.indexedFile(space.root, 'src/money/money.ts', 'first');
  assert.match(content, /LIMIT = 9/);
  assert.ok(outline.some(({ name }) => name === 'round'));
});

test('knownProjects() names registered projects; questionOf() tells questions about structure from plain words', async () => {
  assert.deepEqual(await space.engine.knownProjects(), [{ root: space.root, name: 'shop', mcpPath: '/p/project/mcp' }]);
  assert.equal(await space.engine.questionOf('what calls total'), 'callers');
  assert.equal(await space.engine.questionOf('how are totals rounded'), 'open');
});
