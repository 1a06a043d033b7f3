import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embeddedOnly, workspace } from '../../../test/workspace.ts';
import type { LocateRequest } from '../../model/records/query.ts';
import { locate, space } from './locate.fixture.ts';

test('a name is found as a call, with type arguments, as a decorator and with its arity', async () => {
  for (const [name, path] of [
    ['parseFile(path)', 'src/parse.ts'],
    ['Config<T>', 'src/parse.ts'],
    ['Config<T>.reload()', 'src/parse.ts'],
    ['(*Config).reload', 'src/parse.ts'],
    ['@Config', 'src/parse.ts'],
    ['@Settings()', 'app/settings.py'],
    ['$this->parseFile', 'src/parse.ts'],
    ['self.LIMIT', 'app/settings.py'],
    ['Config.reload/1', 'src/parse.ts'],
    ['class Config', 'src/parse.ts'],
    ['export function parseFile(path: string) {', 'src/parse.ts'],
    ['func (c *Config[T]) reload(force bool) error', 'src/parse.ts'],
    ['class Settings:', 'app/settings.py'],
    ['def self.parseFile(path)', 'src/parse.ts'],
    ['Config`1', 'src/parse.ts'],
    ['net.Client$Builder', 'java/Client.java'],
    ['Client$Builder$1.build', 'java/Client.java'],
    ['ShopFactory.open', 'src/shop-factory.ts'],
  ] as const) {
    const [first] = await locate({ name });
    assert.equal(first?.path, path, name);
    assert.ok(first.match === 'exact' || first.match === 'qualified', `${name}: ${first.match}`);
  }
});

test('locate ignores symbols that only share the single letter of a file extension', async () => {
  assert.deepEqual(await locate({ name: 'parse.p' }), []);
});

test('the same name in another scope ranks before a name that only begins with it', async () => {
  const found = await locate({ name: 'Shelf.open' });
  assert.deepEqual(
    found.map(({ qualifiedName }) => qualifiedName),
    ['Made.open', 'OpenDoor'],
  );
});

test('Ruby: Client.push and Client#push find the class method and the instance method', async () => {
  for (const name of ['Mail.push', 'Mail#push']) assert.equal((await locate({ name }))[0]?.qualifiedName, name);
});

test('data keys that only resemble the name are dropped if code has a match', async () => {
  const names = async (name: string) => (await locate({ name })).map(({ qualifiedName }) => qualifiedName);
  assert.deepEqual(await names('Basket'), ['Basket', 'BasketView']);
  assert.deepEqual(await names('Basket Error'), ['Basket Error', 'Basket Error']);
  assert.deepEqual(await names('Till'), ['Till Error']);
});

test('exact names rank before prefixes, prefixes before subwords, product code before tests', async () => {
  const found = await locate({ name: 'parse' });
  assert.deepEqual(
    found.map(({ qualifiedName, path, match }) => [qualifiedName, path, match]),
    [
      ['parse', 'src/parse.ts', 'exact'],
      ['Config.parse', 'src/parse.ts', 'exact'],
      ['parse', 'src/parse.test.ts', 'exact'],
      ['parseFile', 'src/parse.ts', 'prefix'],
      ['fastParse', 'src/parse.ts', 'subword'],
    ],
  );
  assert.ok(found.every(({ score }, i) => i === 0 || score <= found[i - 1]!.score + 0.06));
});

test('a typo is corrected only if no symbol has that name', async () => {
  const [first] = await locate({ name: 'parseFlie' });
  assert.equal(first?.name, 'parseFile');
  assert.equal(first?.match, 'typo');
  assert.ok((await locate({ name: 'parse' })).every(({ match }) => match !== 'typo'));
});

test('a qualified name in any notation finds its symbol', async () => {
  for (const name of ['Session.reload', 'Session::reload', 'Session#reload', 'Session->reload', 'Session.reload()']) {
    const [first, ...others] = await locate({ name });
    assert.equal(first?.qualifiedName, 'Session.reload', name);
    assert.equal(first?.match, 'qualified', name);
    assert.ok(others.every(({ match }) => match !== 'qualified'));
  }
  assert.equal((await locate({ name: 'settings.reload', limit: 1 }))[0]?.path, 'app/settings.py');
});

test('the requested scope ranks before a module of that name, whatever was read before', async (t) => {
  const other = workspace({
    'src/glob.rs':
      'pub struct Strategy;\nimpl Strategy {\n    pub fn new() -> Strategy {\n        Strategy\n    }\n}\n\n' +
      'pub struct Glob;\nimpl Glob {\n    pub fn new() -> Glob {\n        Glob\n    }\n}\n',
    'src/lib.rs': 'pub mod glob;\n',
  });
  t.after(() => other.close());
  await other.engine.index(other.root);
  const first = async (name: string) => (await other.engine.locate(other.root, { name })).symbols[0];
  const [strategy] = (await other.engine.locate(other.root, { name: 'Strategy::new' })).symbols;
  await other.engine.symbol(other.root, strategy!.symbolId);
  for (const name of ['Glob::new', 'glob::Glob::new', 'Glob.new()'])
    assert.match((await first(name))!.qualifiedName, /Glob::new$/, name);
});

test('kinds are accepted under all of their names, languages filter, and unknown values are refused', async () => {
  assert.deepEqual(
    (await locate({ name: 'parse', kind: 'method' })).map(({ qualifiedName }) => qualifiedName),
    ['Config.parse'],
  );
  assert.ok((await locate({ name: 'parse', kind: 'fn' })).length >= 3);
  assert.deepEqual(
    (await locate({ name: 'reload', language: 'python' })).map(({ path }) => path),
    ['app/settings.py'],
  );
  await assert.rejects(locate({ name: 'parse', kind: 'gizmo' }), { code: 'invalid_input' });
  await assert.rejects(locate({ name: 'parse', language: 'klingon' }), { code: 'invalid_input' });
  await assert.rejects(locate({ name: '  ' }), { code: 'invalid_input' });
});

test('filters apply before the limit of similar names', async (t) => {
  const many = Array.from(
    { length: 130 },
    (_, i) => `export function getA${i}thing() {}\nexport function a${i}Gadget() {}\n`,
  );
  const crowd = workspace({
    'a.ts': many.join(''),
    'z.py': 'class getZebra:\n    pass\n\n\nclass ZuluGadget:\n    pass\n',
  });
  t.after(() => crowd.close());
  await crowd.engine.index(crowd.root);
  const first = async (request: LocateRequest) => (await crowd.engine.locate(crowd.root, request)).symbols[0]?.name;
  assert.equal(await first({ name: 'get', kind: 'class' }), 'getZebra');
  assert.equal(await first({ name: 'gadget', language: 'python' }), 'ZuluGadget');
  assert.equal((await crowd.engine.locate(crowd.root, { name: 'getA', limit: 100 })).symbols.length, 100);
});

test('the limit cuts the list, not the count', async () => {
  const answer = await space.engine.locate(space.root, { name: 'reload', limit: 1 });
  assert.equal(answer.symbols.length, 1);
  assert.equal(answer.totalCandidates, 3);
});

const noted = embeddedOnly('a node notes nothing of what a subject reads');

test('every limit shows the start of the same list and the same count, also after a file was read', noted, async () => {
  const own = workspace({
    'a/one.ts': 'export class One {\n  reload() {}\n}\n',
    'b/two.ts': 'export class Two {\n  reload() {}\n  reloadAll() {}\n  unreload() {}\n}\n',
  });
  try {
    await own.engine.index(own.root);
    const found = async (limit: number) => {
      const { symbols, totalCandidates } = await own.engine.locate(own.root, { name: 'reload', limit });
      return { names: symbols.map(({ qualifiedName }) => qualifiedName), totalCandidates };
    };
    const all = await found(20);
    assert.deepEqual(all, { names: ['One.reload', 'Two.reload', 'Two.reloadAll', 'Two.unreload'], totalCandidates: 4 });
    await own.engine.readFile(own.root, { path: 'b/two.ts' });
    await new Promise((resolve) => setImmediate(resolve));
    for (const limit of [1, 2, 3])
      assert.deepEqual(await found(limit), {
        names: ['Two.reload', 'One.reload', 'Two.reloadAll'].slice(0, limit),
        totalCandidates: 4,
      });
  } finally {
    await own.close();
  }
});

test('without a match, locate lists the nearest names', async () => {
  const answer = await space.engine.locate(space.root, { name: 'Sattongz' });
  assert.deepEqual(answer.symbols, []);
  assert.ok(
    answer.nearestNames.some((name) => name.toLowerCase() === 'settings'),
    answer.nearestNames.join(),
  );
});
