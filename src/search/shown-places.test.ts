/** Which lines of a file a hit shows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workspace } from '../../test/workspace.ts';
import type { SearchRequest } from '../model/records/query.ts';
import { linesOf } from '../model/text/lines.ts';
import { overviewText } from './places/present-hits.ts';
import { FILES, search, space } from './search.fixture.ts';

test('a hit shows the lines of the symbol that names it, and another strong symbol is another hit', async () => {
  const filler = Array.from({ length: 40 }, (_, i) => `export const filler${i} = { number: ${i}, text: 'none' };`);
  const part = (name: string) =>
    `/** The ${name} of the comet is watched at night. */\nexport function ${name}Comet(night: number[]) {\n` +
    `${Array.from({ length: 24 }, (_, i) => `  night.push(${i}); // comet`).join('\n')}\n  return night;\n}\n`;
  const sky = workspace({
    'near.ts': `${part('tail')}\n${part('head')}`,
    'far.ts':
      `${part('dust')}\n${filler.join('\n')}\n\n` +
      `${filler.map((line) => line.replace('filler', 'other')).join('\n')}\n\n${part('ice')}`,
  });
  try {
    await sky.engine.index(sky.root);
    const { hits } = await sky.engine.search(sky.root, { query: 'comet watched at night', limit: 10 });
    const near = hits.filter(({ path }) => path === 'near.ts');
    assert.deepEqual(near.map(({ symbol }) => symbol?.name).sort(), ['headComet', 'tailComet']);
    for (const { symbol, startLine, endLine, content } of near) {
      assert.deepEqual([startLine, endLine], [symbol!.startLine - 1, symbol!.endLine], 'with its comment, and no more');
      assert.equal(content.includes('tailComet'), symbol!.name === 'tailComet');
    }
    const far = hits.filter(({ path }) => path === 'far.ts').map(({ startLine }) => startLine);
    assert.equal(far.length, 2, far.join());
    assert.ok(Math.abs(far[0]! - far[1]!) > 60, far.join());
  } finally {
    await sky.close();
  }
});

test('a pasted issue finds the function whose lines it links to and the innermost function of its trace', async (t) => {
  const part = (name: string, text: string) =>
    `def ${name}(order):\n${Array.from({ length: 12 }, (_, i) => `    order.append(${i})  # ${text}`).join('\n')}\n\n\n`;
  const shop = workspace({
    'shop/sales.py': ['place', 'cancel', 'refund'].map((name) => part(name, 'an order of the shop')).join(''),
    'shop/stock.py': ['reserve', 'release', 'count']
      .map((name) => part(name, 'an order of the shop in stock'))
      .join(''),
    'shop/mail.py': ['greet', 'remind'].map((name) => part(name, 'an order of the shop is mailed')).join(''),
  });
  t.after(() => shop.close());
  await shop.engine.index(shop.root);
  const about =
    'An order of the shop is not as it was before it was mailed, and nobody knows since when that happens. ';
  const ask = async (pointer: string) => {
    const query = `Order of the shop is wrong\n\n${about}${about}${about}\n\n${pointer}\n`;
    const { hits } = await shop.engine.search(shop.root, { query, limit: 8, explain: true });
    return hits;
  };
  const placeOf = (hits: Awaited<ReturnType<typeof ask>>, name: string) => {
    const at = hits.findIndex(({ symbol }) => symbol?.name === name);
    return at < 0 ? hits.length : at;
  };
  const names = (hits: Awaited<ReturnType<typeof ask>>) => hits.map(({ symbol }) => symbol?.name).join();
  const plain = await ask('Nothing else is known.');
  const linked = await ask('See https://example.org/shop/blob/4f2a/shop/stock.py#L17-L19 for the place.');
  assert.ok(placeOf(linked, 'release') < placeOf(plain, 'release'), names(linked));
  assert.equal(linked.find(({ path }) => path === 'shop/stock.py')?.symbol?.name, 'release');
  const told = linked[placeOf(linked, 'release')]!.explanation!.map(({ feature }) => feature);
  assert.ok(told.includes('file_in_report') && told.includes('place_line_in_report'), told.join());
  const traced = await ask(
    'Traceback (most recent call last):\n  File "/srv/shop/sales.py", line 3, in place\n' +
      '  File "/srv/shop/stock.py", line 33, in count\nIndexError: nothing is left',
  );
  assert.ok(placeOf(traced, 'count') < placeOf(plain, 'count'), names(traced));
  assert.equal(traced.find(({ path }) => path === 'shop/stock.py')?.symbol?.name, 'count');
});

test('a pasted issue finds several functions of its file before files that hardly match', async (t) => {
  const step = (name: string, words: string) =>
    `/** ${words} of the tide table. */\nexport function ${name}(tide: number[]) {\n` +
    `${Array.from({ length: 20 }, (_, i) => `  tide.push(${i}); // ${words}`).join('\n')}\n  return tide;\n}\n`;
  const others = ['pier', 'quay', 'mast', 'hull'].map(
    (name) =>
      [`${name}.ts`, `/** Paints the ${name} white. */\nexport const ${name} = (hour: number) => hour;\n`] as const,
  );
  const harbour = workspace({
    'tide.ts': ['readTide', 'roundTide', 'printTide'].map((name) => step(name, `${name} rounds the hour`)).join('\n'),
    ...Object.fromEntries(others),
  });
  t.after(() => harbour.close());
  await harbour.engine.index(harbour.root);
  const issue =
    'Tide table shows a wrong hour\n\nWhen the tide table is read and printed, the hour of the tide is rounded twice: ' +
    'the hour that is read is right, and the hour that is printed is one too high. Expected: the hour of the tide table ' +
    'as it was read, rounded once. It does not matter which harbour the tide table belongs to.\n';
  const { hits } = await harbour.engine.search(harbour.root, { query: issue, limit: 4 });
  assert.deepEqual(
    hits.slice(0, 3).map(({ path }) => path),
    ['tide.ts', 'tide.ts', 'tide.ts'],
    JSON.stringify(hits.map(({ path, score, symbol }) => [path, score, symbol?.name])),
  );
  assert.deepEqual(
    hits.map(({ score }) => score),
    hits.map(({ score }) => score).sort((a, b) => b - a),
  );
  const short = await harbour.engine.search(harbour.root, { query: 'tide table shows a wrong hour', limit: 4 });
  assert.ok(short.hits.filter(({ path }) => path === 'tide.ts').length < 3, 'a question is answered by more files');
});

test('a second place of a file scores less the lower its match is', async (t) => {
  const part = (name: string, words: string) =>
    `/** ${words}. */\nexport function ${name}(hour: number) {\n${'  hour += 1; // tide\n'.repeat(12)}  return hour;\n}\n`;
  const space = workspace({
    'tide.ts': `${part('readTide', 'Reads the tide of the harbour')}\n${part('showTide', 'Reads the tide of the pier')}`,
  });
  t.after(() => space.close());
  await space.engine.index(space.root);
  const { hits } = await space.engine.search(space.root, { query: 'read the tide of the harbour', limit: 5 });
  assert.equal(hits[0]?.symbol?.name, 'readTide');
  assert.ok(hits[1] === undefined || hits[1].score < hits[0]!.score);
});

test('a function is shown at its definition, not at its declaration in a header', async () => {
  const space = workspace({
    'include/moor.h':
      '/* moor_ship ties up. moor_ship moor_ship */\nint moor_ship(int berth);\nint moor_ship_late(int berth);\n',
    'src/moor.c': '#include "moor.h"\n\nint moor_ship(int berth) {\n  return berth + 1;\n}\n',
  });
  try {
    await space.engine.index(space.root);
    const { hits } = await space.engine.search(space.root, { query: 'moor_ship' });
    assert.equal(hits[0]?.path, 'src/moor.c');
  } finally {
    await space.close();
  }
});

test('a sentence about a type shows the member that it describes, and the bare name shows the type', async () => {
  const method = (name: string, word: string) =>
    `  /** ${word} at the end of the day. */\n  ${name}(drawer: string[]) {\n` +
    `${Array.from({ length: 40 }, (_, i) => `    drawer.push('${word} ${i}');`).join('\n')}\n    return drawer;\n` +
    `  }\n`;
  const till = workspace({
    'till.ts':
      `/** The till of a shop. */\nexport class TillKeeper {\n${method('open', 'unlock')}\n` +
      `${method('balance', 'reconcile')}\n${method('shut', 'lock')}}\n`,
  });
  try {
    await till.engine.index(till.root);
    const first = async (query: string) => (await till.engine.search(till.root, { query })).hits[0];
    assert.match((await first('how does TillKeeper reconcile the drawer'))?.content ?? '', /balance\(/);
    assert.match((await first('TillKeeper'))?.content ?? '', /class TillKeeper/);
  } finally {
    await till.close();
  }
});

test('a qualified member is shown, not a namesake elsewhere or a longer name beside it', async (t) => {
  const body = (name: string) =>
    `    pub fn ${name}() -> usize {\n` +
    `${Array.from({ length: 12 }, (_, i) => `        let step${i} = ${i};`).join('\n')}\n        step0\n    }\n`;
  const other = workspace({
    'src/glob.rs':
      `pub struct Plan;\nimpl Plan {\n${body('open')}}\n\npub struct Glob;\nimpl Glob {\n${body('open_glob')}\n` +
      `${body('open')}}\n`,
    'src/open_glob.rs': `pub struct Opener;\nimpl Opener {\n${body('open')}}\n`,
    'src/lib.rs': 'pub mod glob;\npub mod open_glob;\n',
  });
  t.after(() => other.close());
  await other.engine.index(other.root);
  for (const query of ['Glob::open', 'glob::Glob::open', 'Glob.open()']) {
    const [first] = (await other.engine.search(other.root, { query })).hits;
    assert.match(`${first?.path} ${first?.symbol?.qualifiedName}`, /^src\/glob\.rs .*Glob::open$/, query);
  }
});

test('context lines are the lines around the hit', async () => {
  const { hits } = await search('InvoiceRepository', { contextLines: 2, limit: 1 });
  const [hit] = hits;
  const lines = FILES['src/invoice.ts']!.split('\n');
  assert.equal(hit!.content, lines.slice(hit!.startLine - 1, hit!.endLine).join('\n'));
  assert.equal(hit!.contextBefore, lines.slice(Math.max(0, hit!.startLine - 3), hit!.startLine - 1).join('\n'));
});

test('linesOf returns the lines of a range, cut to the text', () => {
  const text = 'a\nb\r\nc\n';
  assert.equal(linesOf(text, 1, 1), 'a');
  assert.equal(linesOf(text, 2, 2), 'b');
  assert.equal(linesOf(text, 2, 3), 'b\r\nc');
  assert.equal(linesOf(text, 3, 99), 'c');
  assert.equal(linesOf(text, 9, 10), '');
  assert.equal(linesOf('no end', 1, 1), 'no end');
  assert.equal(linesOf('', 1, 1), '');
});

test('the overview of a file lists its definitions by group and with lines', async () => {
  const { reader, view } = await space.openTree();
  const overview = overviewText(reader.detail(view.contentOf[view.indexOfPath('src/invoice.ts')]!));
  assert.match(overview, /^Imports: 1 package\n/);
  assert.match(
    overview,
    /Types:\n {2}- InvoiceRepository \(class\) \(lines 8-13\)\n {2}- InvoicePrinter \(interface\)/,
  );
  assert.match(overview, /Functions:\n {2}- invoiceTotal \(function\) \(lines 4-6\)/);
});

test('an overview names the top-level symbols of its file, and overviewLines shows its code instead', async () => {
  const filters = { chunkTypes: ['symbols'], paths: ['src/invoice.ts'] } as const;
  const first = async (more: Partial<SearchRequest> = {}) =>
    (await search('invoice total', { filters, ...more })).hits[0]!;
  const told = await first();
  assert.match(told.content, /^Imports: /);
  assert.deepEqual(told.symbolNames, ['invoiceTotal', 'InvoiceRepository', 'InvoicePrinter']);
  assert.equal(told.symbol, null);
  const shown = await first({ overviewLines: 3 });
  assert.deepEqual([shown.startLine, shown.endLine], [1, 3]);
  assert.equal(shown.content, FILES['src/invoice.ts']!.split('\n').slice(0, 3).join('\n'));
  assert.deepEqual(shown.symbolNames, told.symbolNames);
  const whole = await first({ overviewLines: 500 });
  assert.equal(`${whole.content}\n`, FILES['src/invoice.ts']);
});

test('a definition after a long comment shows its name, and a short type head the lines after it', async (t) => {
  const comment = Array.from({ length: 150 }, (_, i) => ` * Turbines of the kind ${i} are described here at length.`);
  const method = (name: string) =>
    `  ${name}(): string {\n${Array.from({ length: 25 }, (_, i) => `    this.step(${i}, '${name} goes on for quite some time');`).join('\n')}\n    return '';\n  }\n`;
  const own = workspace({
    'src/turbine.ts': `/**\n${comment.join('\n')}\n */\nexport class Turbine {\n${method('start')}\n${method('stop')}}\n`,
    'src/rotor.ts': `/** Turns. */\nexport class Rotor {\n${method('spin')}\n${method('halt')}\n${method('brake')}}\n`,
  });
  t.after(() => own.close());
  await own.engine.index(own.root);
  const first = async (query: string) => (await own.engine.search(own.root, { query })).hits[0]!;
  const turbine = await first('Turbine');
  assert.ok(turbine.content.includes('export class Turbine {'), `${turbine.startLine}-${turbine.endLine}`);
  const rotor = await first('Rotor');
  assert.ok(rotor.content.includes('export class Rotor {'), rotor.content);
  assert.ok(rotor.content.includes('spin(): string {'), rotor.content);
});
