/**
 * What people paste: messages, stack traces, names with a slip. Each is asked of a small repository that also holds
 * what looks more like it.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../../test/workspace.ts';
import { shareOfMessage } from './message-match.ts';

const filler = (name: string) =>
  Array.from(
    { length: 30 },
    (_, i) => `export function ${name}${i}(value: number): number {\n  return value + ${i};\n}\n`,
  );
const files = {
  'src/catalog/lookup.ts':
    `${filler('look').join('\n')}\nexport function openTable(name: string) {\n` +
    `  throw new Error(\`relation "\${name}" does not exist in this catalog\`);\n}\n`,
  'src/tables.ts':
    '/** A relation: what a relation is, where relations exist, and whether a relation does exist. */\n' +
    'export class Relation {\n  exist = true;\n  catalog = 1;\n  users = 2;\n}\n',
  'test/relation.test.ts':
    'test("relation", () => {\n  throws(\'relation "users" does not exist in this catalog\');\n});\n',
  'src/settings.ts': 'export const RETRY_BUDGET_SECONDS = 30;\n',
  'src/retry.ts':
    "import { RETRY_BUDGET_SECONDS } from './settings.ts';\n" +
    '/** The retry budget, in seconds: RETRY_BUDGET_SECONDS. */\nexport function retryBudget() {\n' +
    '  return RETRY_BUDGET_SECONDS + RETRY_BUDGET_SECONDS;\n}\n',
  'src/harbour.ts': '/** Moors a ship by the lighthouse. */\nexport function moorVessel() {}\n',
  'src/beacon.ts': 'export class Beacon {\n  breakwaterMetres = 5;\n  lit = true;\n}\n',
  'src/invoke/Retrying.java': `package com.shop.invoke;\n\npublic class Retrying {\n${Array.from({ length: 20 }, (_, i) => `  int step${i}(int value) {\n    return value + ${i};\n  }\n`).join('\n')}\n  void giveUp(String method) {\n    throw new IllegalStateException("Failed to invoke " + method + " of the provider " + type.getName() + ", tried " + times + " times");\n  }\n}\n`,
  'src/demo/DemoCart.java':
    'package com.shop.demo;\n\n/** The demo provider of a cart of the shop. */\npublic class DemoCart {\n' +
    '  int demo;\n  int cart;\n  int shop;\n}\n',
  'src/modules.go': `package shop\n\n// Modules that are registered: which module is registered, and which is not. A module of http handlers.\nfunc Modules() int {\n\treturn registered\n}\n\n${Array.from({ length: 30 }, (_, i) => `func step${i}(value int) int {\n\treturn value + ${i}\n}\n`).join('\n')}\nfunc Module(name string) error {\n\treturn fmt.Errorf("module not registered: %s", name)\n}\n`,
  'src/port.ts': 'export const taken = (port: number) => "port " + port + " of the harbour is taken";\n',
  'test/port.test.ts': "test('taken', () => equal(taken(80), 'port 80 of the harbour is taken'));\n",
  ...Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `src/parts/part${i}.ts`,
      `export function part${i}(lamps: Lamps) {\n  const missing = lamps.size;\n` +
        `  return missing > ${i} ? lamps.beaconFn : lamps;\n}\n`,
    ]),
  ),
  'src/check.ts':
    `${filler('verify').join('\n')}\nexport function check(item: Item) {\n` +
    `  if (!item.run) throw new Error("Missing beaconFn: " + item.name);\n}\n`,
  'src/mooring.py':
    'class Mooring:\n    """Moors ships."""\n\n    label = "Mooring"\n\n    def begin(self, berth):\n        self.berth = berth\n\n' +
    '    def look(self, berth):\n        if not berth:\n            info("mooring: all alone")\n        return berth\n',
  'src/migrate.ts':
    'export class ColumnAutodetector {\n  compare(before: string, after: string) {\n    return before === after;\n  }\n}\n',
  'src/foo.ts': 'export const foo = 1;\n',
  'src/faults.py': `from ports import TideException as PortTideException\n\n\nclass Ebb(dict):\n    depth: int\n    height: int\n\n\nclass TideException(PortTideException):\n    """Raised where the tide is out."""\n\n${Array.from({ length: 12 }, (_, i) => `    def level${i}(self, value):\n        return value + ${i}\n`).join('\n')}`,
  'src/cycle.ts':
    'export function cycle(key: string) {\n' +
    "  throw new Error('A circular import has been detected (property key: \"' + key + '\").');\n}\n",
  'src/pair.ts':
    'export const tidal = 1;\nexport function tidalWave() {\n  return tidal;\n}\nexport class Gauge {\n' +
    '  tide = 1;\n}\n',
};
let space: Workspace;
before(async () => {
  space = workspace(files);
  await space.engine.index(space.root);
});
after(() => space.close());
const ask = async (query: string) => (await space.engine.search(space.root, { query })).hits;

test('a message is found in code that has a placeholder for the quoted name', async () => {
  const [first] = await ask('ERROR: relation "users" does not exist in this catalog');
  assert.equal(first?.path, 'src/catalog/lookup.ts');
  assert.match(first.content, /does not exist in this catalog/);
});

test('filled-in addresses and qualified names weigh little, and a concatenated message is found', async () => {
  const [first] = await ask('Failed to invoke add of the provider com.shop.demo.DemoCart, tried 3 times');
  assert.equal(first?.path, 'src/invoke/Retrying.java');
  assert.match(first.content, /tried/);
});

test('a short message is found where the code prints it, not where most of its words occur', async () => {
  const [first] = await ask('module not registered: http.handlers.gzip');
  assert.equal(first?.path, 'src/modules.go');
  assert.match(first.content, /Errorf/);
});

test('a message names the function that prints it, not the first symbol of its chunk', async () => {
  const [first] = await ask('mooring: all alone');
  assert.equal(first?.symbol?.name, 'look');
});

test('a word finds the other forms that the repository has of it', async () => {
  assert.equal((await ask('how is a changed column autodetected'))[0]?.path, 'src/migrate.ts');
});

test('a message is found where the code prints it, even if many files contain more of its words', async () => {
  const [first] = await ask("Missing beaconFn: 'lamps'");
  assert.equal(first?.path, 'src/check.ts');
});

test('a name that a statement quotes need not occur, whether or not the statement reports a problem', async () => {
  assert.equal((await ask('A circular import has been detected (property key: "foo").'))[0]?.path, 'src/cycle.ts');
});

test('a quoted part of a plain question must occur', async () => {
  const { hits, notices } = await space.engine.search(space.root, { query: '"no such ship anywhere"' });
  assert.deepEqual(hits, []);
  assert.match(notices.join(), /without the quotes/);
});

test('a quoted message is found in code with placeholders, before a test that contains it verbatim', async () => {
  for (const query of [
    '"Failed to invoke add of the provider DemoCart, tried 3 times"',
    'where is "Failed to invoke add of the provider DemoCart" thrown',
  ]) {
    const [first] = await ask(query);
    assert.equal(first?.path, 'src/invoke/Retrying.java', query);
    assert.match(first.content, /Failed to invoke/, query);
  }
  const [source, repeated] = await ask('why "port 80 of the harbour is taken"');
  assert.equal(source?.path, 'src/port.ts');
  assert.equal(repeated?.path, 'test/port.test.ts');
});

test('a stack trace of another machine leads to its file and line', async () => {
  for (const trace of [
    '    at openTable (/srv/app/node_modules/shop/src/catalog/lookup.ts:62:9)',
    '  File "/opt/shop/src/catalog/lookup.ts", line 62, in open_table',
    'src/catalog/lookup.ts:62',
    '/opt/shop/src/catalog/lookup.ts:62:9',
    'b/src/catalog/lookup.ts#L62',
  ]) {
    const [first] = await ask(trace);
    assert.equal(first?.path, 'src/catalog/lookup.ts', trace);
    assert.ok(first.startLine <= 62 && 62 <= first.endLine, `${trace}: ${first.startLine}-${first.endLine}`);
  }
  for (const trace of [
    '\tat com.shop.invoke.Retrying.giveUp(Retrying.java:85)',
    'Exception in thread "main" java.lang.IllegalStateException: oops\n' +
      '\tat java.base/java.lang.Thread.run(Thread.java:833)\n\tat com.shop.invoke.Retrying.giveUp(Retrying.java:85)',
  ]) {
    const [first] = await ask(trace);
    assert.equal(first?.path, 'src/invoke/Retrying.java', trace);
    assert.ok(first.startLine <= 85 && 85 <= first.endLine, `${trace}: ${first.startLine}-${first.endLine}`);
  }
  const [whole] = await ask('src/catalog/lookup.ts');
  assert.equal(whole?.resultType, 'file');
});

test('a path that is no suffix of a file names no file', async () => {
  const [first] = await ask('at main (/home/me/other/lookup.ts:62:9) retry budget');
  assert.notEqual(first?.score, 1);
});

test('files of a named folder come first, and with other words the places that contain the words', async () => {
  const inCatalog = await ask('src/catalog');
  assert.equal(inCatalog[0]?.path, 'src/catalog/lookup.ts');
  assert.equal(inCatalog[0]?.resultType, 'file');
  const [first] = await ask('shop/invoke giveUp');
  assert.notEqual(first?.resultType, 'file');
  const [table] = await ask('src/catalog openTable');
  assert.equal(table?.path, 'src/catalog/lookup.ts');
  assert.match(table.content, /openTable/);
});

test('a setting is found where it is defined', async () => {
  assert.equal((await ask('RETRY_BUDGET_SECONDS'))[0]?.path, 'src/settings.ts');
});

test('the name of an exception leads to its definition, not to other occurrences of the letters', async () => {
  const [first] = await ask('TideException');
  assert.equal(first?.symbol?.name, 'TideException');
});

test('a misspelt name or word is found without vectors', async () => {
  const find = async (query: string) =>
    (await space.engine.search(space.root, { query, mode: 'keyword' })).hits.map(({ path }) => path);
  assert.equal((await find('morVessel'))[0], 'src/harbour.ts');
  assert.equal((await find('what about the lighthuose'))[0], 'src/harbour.ts');
});

test('two words are found where code writes them as one', async () => {
  const { hits } = await space.engine.search(space.root, {
    query: 'what do we know of a break water',
    mode: 'keyword',
  });
  assert.equal(hits[0]?.path, 'src/beacon.ts');
});

test('a kind filter names the hit after a symbol of that kind', async () => {
  const [first] = await ask('kind:class tidal gauge');
  assert.equal(first?.path, 'src/pair.ts');
  assert.equal(first.symbol?.kind, 'class');
});

test('shareOfMessage counts words in the same order, with a placeholder for any word', () => {
  const words = (text: string) => text.split(' ');
  assert.equal(
    shareOfMessage(words('relation users does not exist'), 'errmsg("relation \\"%s\\" does not exist", name)'),
    1,
  );
  assert.equal(shareOfMessage(words('port 80 was already in use'), '"port #{port} was already in use"'), 1);
  assert.equal(shareOfMessage(words('cannot open file today'), 'open the file; today it cannot'), 0);
  assert.ok(shareOfMessage(words('blue cannot open file'), 'cannot open file {}') < 1);
});
