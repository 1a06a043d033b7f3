import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../../test/workspace.ts';
import { earlierStableSymbolId, formatHandle } from '../../model/records/ids.ts';
import type { LocateRequest } from '../../model/records/query.ts';
import type { SymbolRecord } from '../../model/records/symbol.ts';
import { placesOfHandle } from './handles.ts';
import { issueStableId, stableIdIn } from './issued-ids.ts';

let space: Workspace;
before(async () => {
  space = workspace({
    'src/parse.ts':
      'export function parse(text: string) {\n  return text;\n}\n\nexport function parseFile(path: string) {\n' +
      '  return parse(path);\n}\n\nexport function fastParse() {\n  return 1;\n}\n\nexport class Config {\n' +
      '  parse() {\n    return 1;\n  }\n  reload() {\n    return 2;\n  }\n}\n\nexport class Session {\n' +
      '  reload() {\n    return 3;\n  }\n}\n',
    'src/parse.test.ts': 'export function parse() {\n  return "from a test";\n}\n',
    'app/settings.py': 'class Settings:\n    def reload(self):\n        return 1\n\n\nLIMIT = 3\n',
    'java/Client.java':
      'package net;\n\npublic class Client {\n  public static class Builder {\n' +
      '    Client build() { return null; }\n  }\n}\n',
    'src/clientBuilder.test.ts': 'export function clientBuilder() {\n  return 1;\n}\n',
    'src/shop-factory.ts':
      'class Made {\n  open() {\n    return 1;\n  }\n}\n\nexport const ShopFactory = new Made();\n\n' +
      'export class OpenDoor {}\n',
    'lib/mail.rb':
      'class Mail\n  def push(item)\n    item\n  end\n\n  def self.push(item)\n    new.push(item)\n  end\nend\n',
    'lang/de.json': '{ "Basket Error": "Fehler", "Basket Type": "Art" }',
    'lang/fr.json': '{ "Basket Error": "Erreur", "Basket Type": "Genre", "Till Error": "Caisse" }',
    'src/basket.ts': 'export class Basket {}\nexport class BasketView {}\n',
    'docs/install.md': '# Installation\n\nThe notes on installation.\n',
  });
  await space.engine.index(space.root);
});
after(() => space.close());

const locate = async (request: LocateRequest) => (await space.engine.locate(space.root, request)).symbols;

test('a name is found as code writes it: called, generic, as a decorator, with its arity', async () => {
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

test('what begins with the one letter that ends a file name is not what was asked for', async () => {
  assert.deepEqual(await locate({ name: 'parse.p' }), []);
});

test('a name in another scope is nearer than one that only begins with it', async () => {
  const found = await locate({ name: 'Shelf.open' });
  assert.deepEqual(
    found.map(({ qualifiedName }) => qualifiedName),
    ['Made.open', 'OpenDoor'],
  );
});

test('Ruby: a method of the class and one of its instances are told apart as they are written', async () => {
  for (const name of ['Mail.push', 'Mail#push']) assert.equal((await locate({ name }))[0]?.qualifiedName, name);
});

test('keys of data that only look like the name are no answer where code has one', async () => {
  const names = async (name: string) => (await locate({ name })).map(({ qualifiedName }) => qualifiedName);
  assert.deepEqual(await names('Basket'), ['Basket', 'BasketView']);
  assert.deepEqual(await names('Basket Error'), ['Basket Error', 'Basket Error']);
  assert.deepEqual(await names('Till'), ['Till Error']);
});

test('exact before prefix before subword, product code before tests', async () => {
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

test('a slip of the finger is forgiven only where nothing is named so', async () => {
  const [first] = await locate({ name: 'parseFlie' });
  assert.equal(first?.name, 'parseFile');
  assert.equal(first?.match, 'typo');
  assert.ok((await locate({ name: 'parse' })).every(({ match }) => match !== 'typo'));
});

test('a qualified name in any notation means that one', async () => {
  for (const name of ['Session.reload', 'Session::reload', 'Session#reload', 'Session->reload', 'Session.reload()']) {
    const [first, ...others] = await locate({ name });
    assert.equal(first?.qualifiedName, 'Session.reload', name);
    assert.equal(first?.match, 'qualified', name);
    assert.ok(others.every(({ match }) => match !== 'qualified'));
  }
  assert.equal((await locate({ name: 'settings.reload', limit: 1 }))[0]?.path, 'app/settings.py');
});

test('the requested scope comes before a symbol in a module of that name, whatever was read lately', async (t) => {
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

test('kinds by any of their names, languages, and what is unknown is refused', async () => {
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

test('filters come before the limit of names that are only similar', async (t) => {
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

test('every limit shows the start of the same list and the same count, also after a file was read', async () => {
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

test('a handle finds its symbol again; one of nothing finds nothing', async () => {
  const [session] = await locate({ name: 'Session' });
  for (const name of [session!.symbolId, session!.stableId])
    assert.deepEqual(
      (await locate({ name })).map(({ qualifiedName }) => qualifiedName),
      ['Session'],
    );
  assert.deepEqual(await locate({ name: `b3:${'0'.repeat(64)}` }), []);
});

test('the id of a result finds all symbols that it showed, the one that it was named after first', async () => {
  const search = async (query: string) => (await space.engine.search(space.root, { query, limit: 20 })).hits;
  let packed = 0;
  for (const query of ['Session', 'reload', 'parse', 'settings', 'close the session']) {
    for (const { resultId, resultType, symbol, symbolNames } of await search(query)) {
      // An overview is a text about all of them.
      if (resultType === 'file') continue;
      const found = await locate({ name: resultId, limit: 100 });
      assert.equal(found[0]?.symbolId, symbol?.symbolId, `${query}: ${resultId}`);
      assert.deepEqual(found.map(({ name }) => name).sort(), [...symbolNames].sort());
      if (symbolNames.length > 1) packed++;
    }
  }
  assert.ok(packed > 0);
});

test('an id that no answer of this process had finds all symbols of its chunk', () => {
  const symbols = ['Alpha', 'Beta', 'Gamma'].map((name) => ({ name }));
  const detail = {
    symbols,
    symbol: (ordinal: number) => symbols[ordinal],
    chunks: [
      { type: 'symbols', symbol: -1, symbolCount: 3 },
      { type: 'definitions', symbol: 1, symbolCount: 2 },
    ],
  };
  const blobId = 'c'.repeat(40);
  const presenter = {
    reader: { detail: () => detail },
    view: { files: [{ blobId }, { blobId: 'd'.repeat(40) }, { blobId }], contentOf: [0, 1, 0] },
  } as unknown as Parameters<typeof placesOfHandle>[0];
  assert.deepEqual(placesOfHandle(presenter, formatHandle('snip', blobId, 1)), [
    { file: 0, ordinal: 1 },
    { file: 2, ordinal: 1 },
    { file: 0, ordinal: 2 },
    { file: 2, ordinal: 2 },
  ]);
  assert.deepEqual(placesOfHandle(presenter, formatHandle('snip', blobId, 0)), []);
  assert.deepEqual(placesOfHandle(presenter, formatHandle('snip', blobId, 7)), []);
});

test('the id of a result without a symbol finds its text', async () => {
  const { hits } = await space.engine.search(space.root, { query: 'installation notes', limit: 20 });
  const page = hits.find(({ symbol }) => symbol === null)!;
  const { symbols, chunks } = await space.engine.locate(space.root, { name: page.resultId });
  assert.deepEqual(symbols, []);
  assert.deepEqual(
    chunks.map(({ path, startLine, endLine, content }) => [path, startLine, endLine, content]),
    [[page.path, page.startLine, page.endLine, page.content]],
  );
});

test('a stable id that an answer named is found through its name; any other by looking everywhere', () => {
  const opened: number[] = [];
  const record = (name: string) => ({ name, kind: 'class', qualifiedName: name, signature: name, parent: -1 });
  const details = [record('Alpha'), record('Beta'), record('Gamma')];
  const files = ['a.ts', 'b.ts', 'c.ts'].map((path) => ({ language: 'typescript', path }));
  const presenter = {
    reader: {
      detail: (row: number) => {
        opened.push(row);
        return { package: '', symbols: [details[row]!] };
      },
      postings: (_space: string, term: string) => ({
        docs: details.flatMap(({ name }, i) => (name.toLowerCase() === term ? [i] : [])),
      }),
    },
    view: { files, contentOf: [0, 1, 2], fileOfSymbol: [0, 1, 2], filesOfContent: (row: number) => [row] },
  } as unknown as Parameters<typeof placesOfHandle>[0];
  const [alpha, beta] = details as unknown as SymbolRecord[];
  assert.deepEqual(
    placesOfHandle(presenter, issueStableId({ language: 'typescript', path: 'b.ts', package: '' }, beta!, null)),
    [{ file: 1, ordinal: 0 }],
  );
  assert.deepEqual(opened, [1]);
  opened.length = 0;
  assert.deepEqual(
    placesOfHandle(presenter, stableIdIn({ language: 'typescript', path: 'a.ts', package: '' }, alpha!, null)),
    [{ file: 0, ordinal: 0 }],
  );
  assert.deepEqual(opened, [0, 1, 2]);
});

test('a stable id of before modules were part of it means every symbol that had it', () => {
  const record = { name: 'main', kind: 'function', qualifiedName: 'main', signature: 'fn main()', parent: -1 };
  const files = ['examples/chat.rs', 'examples/echo.rs'].map((path) => ({ language: 'rust', path }));
  const presenter = {
    reader: { detail: () => ({ package: '', symbols: [record] }), postings: () => ({ docs: [] }) },
    view: { files, contentOf: [0, 1], fileOfSymbol: [0, 1], filesOfContent: (row: number) => [row] },
  } as unknown as Parameters<typeof placesOfHandle>[0];
  const symbol = record as unknown as SymbolRecord;
  assert.deepEqual(placesOfHandle(presenter, earlierStableSymbolId('rust', '', symbol)), [
    { file: 0, ordinal: 0 },
    { file: 1, ordinal: 0 },
  ]);
  const now = stableIdIn({ language: 'rust', path: 'examples/echo.rs', package: '' }, symbol, null);
  assert.deepEqual(placesOfHandle(presenter, now), [{ file: 1, ordinal: 0 }]);
});

test('identical files each have their symbols: all copies are listed, each with an id of its own', async () => {
  const text = 'export class Twin {\n  run() {}\n}\n';
  const twins = workspace({ 'a/twin.ts': text, 'b/twin.ts': text });
  await twins.engine.index(twins.root);
  const { symbols } = await twins.engine.locate(twins.root, { name: 'Twin' });
  assert.deepEqual(
    symbols.filter(({ match }) => match === 'exact').map(({ path }) => path),
    ['a/twin.ts', 'b/twin.ts'],
  );
  assert.equal(new Set(symbols.map(({ stableId }) => stableId)).size, 2);
  twins.close();
});

test('where nothing fits, the nearest names are told', async () => {
  const answer = await space.engine.locate(space.root, { name: 'Sattongz' });
  assert.deepEqual(answer.symbols, []);
  assert.ok(
    answer.nearestNames.some((name) => name.toLowerCase() === 'settings'),
    answer.nearestNames.join(),
  );
});
