import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../test/workspace.ts';
import type { SearchFilters, SearchRequest } from '../model/records/query.ts';
import { linesOf } from '../model/text/lines.ts';
import { overviewText } from './places/present-hits.ts';

const ROUTES = Array.from({ length: 30 }, (_, i) => [
  `web/routes/route${i}.ts`,
  `/** Handles invoice request number ${i}. */\nexport function route${i}() {\n  return 'invoice ${i}';\n}\n`,
]);
const FILES: Readonly<Record<string, string>> = {
  'src/invoice.ts': `import { money } from './money.ts';

/** Computes the invoice total with taxes. */
export function invoiceTotal(lines: number[]): number {
  return money(lines.reduce((sum, line) => sum + line, 0));
}

export class InvoiceRepository {
  /** Stores an invoice. */
  save(invoice: object) {
    return invoice;
  }
}

export interface InvoicePrinter {
  print(): void;
}
`,
  'src/money.ts':
    'export function money(amount: number) {\n  // rounds half up, as the tax office wants it\n' +
    '  return Math.round(amount);\n}\n',
  'src/invoice.test.ts':
    "import { invoiceTotal } from './invoice.ts';\n\ntest('invoice total', () => {\n  invoiceTotal([1]);\n});\n",
  'jobs/billing/send_invoice.py':
    'class InvoiceMailer:\n    """Sends an invoice by mail."""\n\n    def send(self, invoice):\n' +
    '        return invoice\n',
  'java/com/shop/Invoice.java':
    'package com.shop.billing;\n\npublic class Invoice {\n  public int total() {\n    return 1;\n  }\n}\n',
  'docs/invoices.md':
    '---\ntags: [finance, guide]\n---\n\n# Invoices\n\nAn invoice is sent once a month.\n\n## Retention\n\n' +
    'An invoice is kept for ten years.\n',
  'docs/notes.md': '---\ntags: [finance]\n---\n\n# Notes\n\nThe invoice numbers are consecutive.\n',
  ...Object.fromEntries(ROUTES),
};

let space: Workspace;
before(async () => {
  space = workspace(FILES);
  await space.engine.index(space.root);
});
after(() => space.close());

const search = (query: string, rest: Omit<SearchRequest, 'query'> = {}) =>
  space.engine.search(space.root, { query, ...rest });
/** By words alone: whether the trained floor calls a weak hit an answer is not what a filter is about. */
const paths = async (query: string, filters: SearchFilters, limit = 50) =>
  [...new Set((await search(query, { filters, limit, mode: 'keyword' })).hits.map(({ path }) => path))].sort();

test('who asks for tests gets them first, who asks about testing does not', async () => {
  for (const query of ['tests for invoiceTotal', 'where is the invoice total tested', 'invoice total unit tests'])
    assert.equal((await search(query)).hits[0]?.path, 'src/invoice.test.ts', query);
  assert.equal((await search('test whether the invoice total has taxes')).hits[0]?.path, 'src/invoice.ts');
});

test('what only uses the code comes after it, unless it is what is asked for', async () => {
  const uses = "import { spawn } from '../src/task/spawn.ts';\n\n/** Spawns a task many times. */\n";
  const small = workspace({
    'src/task/spawn.ts':
      '/** Spawns a task on the runtime. */\nexport function spawn(task: () => void) {\n  queue.push(task);\n}\n',
    'src/queue.ts': 'export const queue: unknown[] = [];\n',
    'benches/spawn.ts': `${uses}export function spawnTask() {\n  spawn(() => {});\n}\n`,
    'examples/spawn-task.ts': `${uses}export function exampleSpawn() {\n  spawn(() => {});\n}\n`,
  });
  try {
    await small.engine.index(small.root);
    const first = async (query: string) => (await small.engine.search(small.root, { query })).hits[0]?.path;
    assert.equal(await first('how is a task spawned'), 'src/task/spawn.ts');
    assert.equal(await first('benchmarks for spawning a task'), 'benches/spawn.ts');
    assert.equal(await first('example: spawn a task'), 'examples/spawn-task.ts');
  } finally {
    await small.close();
  }
});

test('the place that is asked for comes first', async () => {
  assert.equal((await search('invoiceTotal')).hits[0]?.path, 'src/invoice.ts');
  assert.equal((await search('compute the total of an invoice with taxes')).hits[0]?.path, 'src/invoice.ts');
  assert.equal((await search('send_invoice.py')).hits[0]?.path, 'jobs/billing/send_invoice.py');
  assert.equal((await search('how long are invoices kept')).hits[0]?.path, 'docs/invoices.md');
});

test('a file named by its path comes first: the very path, then the same letters, then the less deep', async () => {
  const files = {
    'a/deep/api/index.ts': 'export const one = 1;\n',
    'api/index.ts': 'export const two = 2;\n',
    'index.ts': 'export const three = 3;\n',
    'lib/Index.ts': '// index index index\nexport const index = 4;\n',
    'main.ts': "import './api/index.ts'; // api index ts\nexport const apiIndex = 'api/index.ts';\n",
  };
  const small = workspace(files);
  try {
    await small.engine.index(small.root);
    const found = async (query: string, filters: SearchFilters = {}) =>
      (await small.engine.search(small.root, { query, filters })).hits
        .filter(({ resultType }) => resultType === 'file')
        .map(({ path }) => path);
    assert.deepEqual(await found('index.ts'), ['index.ts', 'api/index.ts', 'a/deep/api/index.ts', 'lib/Index.ts']);
    assert.deepEqual((await found('api/index.ts')).slice(0, 2), ['api/index.ts', 'a/deep/api/index.ts']);
    assert.deepEqual((await found('./api/index.ts:1')).slice(0, 2), ['api/index.ts', 'a/deep/api/index.ts']);
    assert.equal((await found('LIB/index.ts'))[0], 'lib/Index.ts');
    assert.deepEqual(await found('index.ts', { paths: ['lib/**'] }), ['lib/Index.ts']);
    assert.deepEqual(await found('index.ts', { kinds: ['class'] }), []);
  } finally {
    await small.close();
  }
});

test('a filter is applied before the limit: the rare ones are found behind thirty better ones', async () => {
  assert.deepEqual(await paths('invoice', { languages: ['python'] }, 1), ['jobs/billing/send_invoice.py']);
  assert.deepEqual(await paths('invoice', { paths: ['docs/**'] }, 2), ['docs/invoices.md', 'docs/notes.md']);
  assert.deepEqual(await paths('invoice', { kinds: ['interface'] }, 1), ['src/invoice.ts']);
  assert.deepEqual(await paths('invoice request', { kinds: ['class'], languages: ['java'] }, 1), [
    'java/com/shop/Invoice.java',
  ]);
});

test('each filter keeps what it says and nothing else', async () => {
  assert.deepEqual(await paths('invoice', { extensions: ['py', '.java'] }), [
    'java/com/shop/Invoice.java',
    'jobs/billing/send_invoice.py',
  ]);
  assert.deepEqual(await paths('invoice', { packages: ['com.shop.billing'] }), ['java/com/shop/Invoice.java']);
  assert.deepEqual(await paths('invoice', { packages: ['billing'] }), [
    'java/com/shop/Invoice.java',
    'jobs/billing/send_invoice.py',
  ]);
  assert.deepEqual(await paths('invoice', { dddRoles: ['repository'] }), ['src/invoice.ts']);
  assert.deepEqual(await paths('invoice', { chunkTypes: ['documentation'] }), ['docs/invoices.md', 'docs/notes.md']);
  assert.deepEqual(await paths('invoice', { tags: ['finance'] }), ['docs/invoices.md', 'docs/notes.md']);
  assert.deepEqual(await paths('invoice', { tags: ['finance', '#Guide'] }), ['docs/invoices.md']);
  assert.deepEqual(await paths('invoice', { tags: ['finance', 'routes'] }), []);
  assert.ok((await paths('invoice total', {})).includes('src/invoice.test.ts'));
  assert.ok(!(await paths('invoice total', { includeTests: false })).includes('src/invoice.test.ts'));
  const { hits } = await search('invoice', { filters: { kinds: ['class'] }, limit: 50, mode: 'keyword' });
  assert.ok(hits.length >= 3 && hits.every(({ content }) => /class /.test(content)));
});

test('code that declares no package is in the one of its manifest', async () => {
  const small = workspace({
    'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n',
    'crates/glob/Cargo.toml': '[package]\nname = "glob-set"\n',
    'crates/glob/README.md': '# Invoice globs\n',
    'crates/glob/src/lib.rs': '/// An invoice of globs.\npub fn invoice() {}\n',
    'crates/glob/src/part/deep.rs': '/// A part of an invoice.\npub fn part() {}\n',
    'crates/walk/Cargo.toml': '[package]\nname = "tree-walk"\n',
    'crates/walk/src/lib.rs': '/// Walks an invoice.\npub fn walk_invoice() {}\n',
    'go/globset/one.go': 'package globset\n\n// Invoice is one.\nfunc Invoice() {}\n',
  });
  try {
    await small.engine.index(small.root);
    const within = async (name: string) =>
      (await small.engine.search(small.root, { query: 'invoice', filters: { packages: [name] } })).hits
        .map(({ path }) => path)
        .sort();
    assert.deepEqual(await within('glob-set'), ['crates/glob/src/lib.rs', 'crates/glob/src/part/deep.rs']);
    assert.deepEqual(await within('Tree-Walk'), ['crates/walk/src/lib.rs']);
    assert.deepEqual(await within('globset'), ['go/globset/one.go']);
  } finally {
    await small.close();
  }
});

test('a hit is named after a symbol that the filters want', async () => {
  const named = async (filters: SearchFilters) =>
    (await search('user money', { filters, mode: 'keyword' })).hits.map(({ symbol }) => symbol?.name);
  space.write('src/user.ts', 'export interface User {}\nexport interface Money {}\nexport class PersonRepository {}\n');
  await space.engine.index(space.root);
  assert.deepEqual(await named({ dddRoles: ['repository'], paths: ['src/user.ts'] }), ['PersonRepository']);
  assert.deepEqual(await named({ exactKinds: ['class'], paths: ['src/user.ts'] }), ['PersonRepository']);
  space.remove('src/user.ts');
  await space.engine.index(space.root);
});

test('the total counts what passes the filters, and is the same at every limit', async () => {
  const totals = async (query: string, filters: SearchFilters) => {
    const [few, all] = [await search(query, { filters, limit: 2 }), await search(query, { filters, limit: 100 })];
    assert.equal(all.totalCandidates, all.hits.length, 'with room for all, all are shown');
    assert.equal(few.totalCandidates, all.totalCandidates);
    return few.totalCandidates;
  };
  const every = await totals('invoice', {});
  const functions = await totals('invoice', { exactKinds: ['function'] });
  const relevant = await totals('invoice', { minRelevance: 0.3 });
  assert.ok(functions >= 30 && functions < every, `${functions} of ${every}`);
  assert.ok(relevant > 0 && relevant < every, `${relevant} of ${every}`);
  assert.equal(await totals('invoice', { dddRoles: ['repository'] }), 1);
  assert.equal(await totals('"is sent once a month"', {}), 1);
  assert.equal(await totals('invoice', { minRelevance: 1 }), 0);
});

test('where few files are left to search, all of their places that have the question are told', async () => {
  const section = (name: string) => `## ${name}\n\n${`The parcel of ${name} is weighed.\n`.repeat(40)}\n`;
  const names = ['letters', 'boxes', 'pallets', 'tubes', 'barrels'];
  const own = workspace({
    'parcels.md': `# Shipping\n\n${names.map(section).join('')}## Holidays\n\n${'Nothing is sent.\n'.repeat(40)}`,
  });
  try {
    await own.engine.index(own.root);
    const ask = (limit: number) => own.engine.search(own.root, { query: 'parcel weighed', limit });
    const { hits, totalCandidates } = await ask(20);
    for (const name of names)
      assert.ok(
        hits.some(({ content }) => content.includes(`## ${name}`)),
        name,
      );
    assert.ok(hits.every(({ content }) => content.includes('weighed')));
    assert.ok(hits.every(({ score }, i) => i === 0 || score <= hits[i - 1]!.score));
    assert.equal(totalCandidates, hits.length);
    for (const limit of [1, 3]) {
      const few = await ask(limit);
      assert.deepEqual([few.hits.length, few.totalCandidates], [limit, totalCandidates]);
      assert.equal(few.hits[0]!.resultId, hits[0]!.resultId);
    }
  } finally {
    await own.close();
  }
});

test('qualifiers in the query filter like filters', async () => {
  assert.deepEqual(await paths('invoice lang:python', {}), ['jobs/billing/send_invoice.py']);
  assert.deepEqual(await paths('invoice path:docs', {}), ['docs/invoices.md', 'docs/notes.md']);
  assert.deepEqual(await paths('invoice kind:interface', {}), ['src/invoice.ts']);
});

test('a filter that cannot be meant is refused', async () => {
  await assert.rejects(search('x', { filters: { paths: ['a['] } }), { code: 'invalid_pattern' });
  await assert.rejects(search('x', { filters: { kinds: ['gizmo'] } }), { code: 'invalid_input' });
  await assert.rejects(search('x', { filters: { languages: ['klingon'] } }), { code: 'invalid_input' });
  await assert.rejects(search(' \n'), { code: 'empty_query' });
  await assert.rejects(search('x', { limit: 0 }), { code: 'invalid_input' });
  await assert.rejects(search('x', { semanticWeight: 2 }), { code: 'invalid_input' });
});

test('quoted text must occur, negated words must not', async () => {
  const quoted = await search('"rounds half up"');
  assert.deepEqual(
    quoted.hits.map(({ path }) => path),
    ['src/money.ts'],
  );
  assert.deepEqual((await search('"rounds half down"')).hits, []);
  const { hits } = await search('invoice -retention', { filters: { paths: ['docs/**'] } });
  assert.ok(hits.length > 0 && hits.every(({ content }) => !/retention/i.test(content)));
});

test('quoted text is shown where it stands, also inside words and without any', async () => {
  const tall = await search('"kept for ten years"');
  assert.match(tall.hits[0]?.content ?? '', /kept for ten years/);
  const inside = await search('"nds half up, as the ta"');
  assert.deepEqual(
    inside.hits.map(({ path }) => path),
    ['src/money.ts'],
  );
  const signs = await search('"(sum, line) =>"');
  assert.equal(signs.hits[0]?.path, 'src/invoice.ts');
  const bare = await search('"): "', { limit: 50 });
  assert.deepEqual(
    bare.hits.map(({ path }) => path),
    ['src/invoice.ts'],
  );
});

test('negated qualifiers leave out what they name', async () => {
  const without = await paths('invoice -lang:typescript -path:docs', {});
  assert.deepEqual(without, ['java/com/shop/Invoice.java', 'jobs/billing/send_invoice.py']);
  const { hits } = await search('invoice -kind:class -kind:function', { limit: 50, mode: 'keyword' });
  assert.ok(hits.length > 0, 'something is left');
  for (const { symbol, path } of hits) assert.ok(!['class', 'function'].includes(symbol?.kind ?? ''), path);
  await assert.rejects(search('x -lang:klingon'), { code: 'invalid_input' });
});

test('an explanation adds up to the score that ranked, and names the words counted beside the question', async () => {
  const { hits, related } = await search('delete the invoice total', { explain: true });
  const total = hits.map(({ explanation }) => explanation!.reduce((sum, { contribution }) => sum + contribution, 0));
  assert.deepEqual(
    total,
    [...total].sort((a, b) => b - a),
    'the better total stands first',
  );
  for (const { explanation } of hits)
    for (const { value, weight, contribution } of explanation!)
      assert.ok(Math.abs(value * weight - contribution) < 1e-5, 'a contribution is value times weight');
  assert.ok(
    related?.some(({ term, weight }) => term === 'remov' && weight < 1),
    JSON.stringify(related),
  );
  assert.equal((await search('delete the invoice total')).related, undefined);
});

test('a hit has the lines of the symbol that it names; a second strong symbol of the file is its own hit', async () => {
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

test('a function is shown where it is defined, not where a header announces it', async () => {
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

test('a name that nobody here defines is found where an entry file passes it on', async (t) => {
  const using = (name: string) =>
    `use crate::extract::FromRequest;\n\npub struct ${name};\n\nimpl FromRequest for ${name} {\n` +
    `    fn from_request(&self) -> u8 {\n        1\n    }\n}\n`;
  const other = workspace({
    'src/extract/mod.rs': '//! Parts of a request.\n\npub use outside::{FromRequest, Rejection};\n\npub mod path;\n',
    'src/handler/mod.rs': 'use crate::extract::FromRequest;\n\npub fn call<T: FromRequest>(_part: T) {}\n',
    'src/json.rs': using('Json'),
    'src/form.rs': using('Form'),
  });
  t.after(() => other.close());
  await other.engine.index(other.root);
  const { hits } = await other.engine.search(other.root, { query: 'FromRequest', explain: true });
  const exactly = hits.filter(({ explanation }) =>
    explanation?.some(({ feature, value }) => feature === 'defines_exactly' && value > 0),
  );
  assert.deepEqual(
    exactly.map(({ path }) => path),
    ['src/extract/mod.rs'],
  );
});

test('a sentence about a type shows the member that it speaks of, its bare name the type', async () => {
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

test('a member asked for with its type is shown, not a namesake elsewhere nor a longer name beside it', async (t) => {
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

test('the same question gets the same answer, from a fresh store and from one that grew', async () => {
  const grown = workspace({ 'src/money.ts': 'export const old = 1;\n', 'gone.ts': 'export const invoice = 1;\n' });
  try {
    await grown.engine.index(grown.root);
    for (const [path, text] of Object.entries(FILES).reverse()) grown.write(path, text);
    await grown.engine.index(grown.root);
    grown.remove('gone.ts');
    await grown.engine.index(grown.root);
    const another = space.anotherEngine();
    for (const query of ['invoice', 'invoice total', 'InvoiceMailer', 'invoice request handler', 'kept for years']) {
      const first = (await search(query, { limit: 30 })).hits;
      const shape = (hits: typeof first) => hits.map(({ path, startLine, score }) => `${path}:${startLine} ${score}`);
      assert.deepEqual(shape((await another.search(space.root, { query, limit: 30 })).hits), shape(first));
      assert.deepEqual(shape((await grown.engine.search(grown.root, { query, limit: 30 })).hits), shape(first));
    }
  } finally {
    await grown.close();
  }
});

test('an answer from memory is the same answer', async () => {
  const first = await search('retention of invoices');
  const again = await search('retention of invoices');
  assert.equal(again.cacheHit, true);
  assert.deepEqual(again.hits, first.hits);
});

test('where nothing matches, nothing is shown but the nearest names', async () => {
  const { hits, nearestNames } = await search('invoiceTotle lang:go');
  assert.deepEqual(hits, []);
  assert.ok(nearestNames.includes('invoiceTotal'), nearestNames.join());
  const none = await search('zxqwv kubernetes helm chart', { mode: 'keyword' });
  assert.deepEqual(none.hits, []);
  const foreign = await search('photosynthesis of marine algae');
  assert.deepEqual([foreign.hits, foreign.nearestNames], [[], []], 'words of a sentence are no names');
});

test('context lines are those around the hit', async () => {
  const { hits } = await search('InvoiceRepository', { contextLines: 2, limit: 1 });
  const [hit] = hits;
  const lines = FILES['src/invoice.ts']!.split('\n');
  assert.equal(hit!.content, lines.slice(hit!.startLine - 1, hit!.endLine).join('\n'));
  assert.equal(hit!.contextBefore, lines.slice(Math.max(0, hit!.startLine - 3), hit!.startLine - 1).join('\n'));
});

test('lines are cut as they are counted', () => {
  const text = 'a\nb\r\nc\n';
  assert.equal(linesOf(text, 1, 1), 'a');
  assert.equal(linesOf(text, 2, 2), 'b');
  assert.equal(linesOf(text, 2, 3), 'b\r\nc');
  assert.equal(linesOf(text, 3, 99), 'c');
  assert.equal(linesOf(text, 9, 10), '');
  assert.equal(linesOf('no end', 1, 1), 'no end');
  assert.equal(linesOf('', 1, 1), '');
});

test('the overview of a file lists what it defines, by group and with lines', async () => {
  const { reader, view } = await space.openTree();
  const overview = overviewText(reader.detail(view.contentOf[view.indexOfPath('src/invoice.ts')]!));
  assert.match(overview, /^Imports: 1 package\n/);
  assert.match(
    overview,
    /Types:\n {2}- InvoiceRepository \(class\) \(lines 8-13\)\n {2}- InvoicePrinter \(interface\)/,
  );
  assert.match(overview, /Functions:\n {2}- invoiceTotal \(function\) \(lines 4-6\)/);
});

test('an overview names the top level of its file, and is shown as code where that is asked for', async () => {
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

test('a definition is shown with its name after a long comment, and a bare head with the lines after it', async (t) => {
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
