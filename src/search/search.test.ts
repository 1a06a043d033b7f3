import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workspace } from '../../test/workspace.ts';
import type { SearchFilters } from '../model/records/query.ts';
import { FILES, search, space } from './search.fixture.ts';

test('a question for tests lists them first, a question about testing does not', async () => {
  for (const query of ['tests for invoiceTotal', 'where is the invoice total tested', 'invoice total unit tests'])
    assert.equal((await search(query)).hits[0]?.path, 'src/invoice.test.ts', query);
  assert.equal((await search('test whether the invoice total has taxes')).hits[0]?.path, 'src/invoice.ts');
});

test('code that only uses a function ranks after it, unless the question asks for usage', async () => {
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

test('the definition that a question means comes first', async () => {
  assert.equal((await search('invoiceTotal')).hits[0]?.path, 'src/invoice.ts');
  assert.equal((await search('compute the total of an invoice with taxes')).hits[0]?.path, 'src/invoice.ts');
  assert.equal((await search('send_invoice.py')).hits[0]?.path, 'jobs/billing/send_invoice.py');
  assert.equal((await search('how long are invoices kept')).hits[0]?.path, 'docs/invoices.md');
});

test('a file named by its path comes first: the equal path, then another case, then the shallower path', async () => {
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

test('an explanation adds up to the score and names the related words', async () => {
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

test('a name that the tree does not define is found in the entry file that re-exports it', async (t) => {
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

test('a repeated search is answered from the cache, with the same hits', async () => {
  const first = await search('retention of invoices');
  const again = await search('retention of invoices');
  assert.equal(again.cacheHit, true);
  assert.deepEqual(again.hits, first.hits);
});

test('a search without a match returns only the nearest names', async () => {
  const { hits, nearestNames } = await search('invoiceTotle lang:go');
  assert.deepEqual(hits, []);
  assert.ok(nearestNames.includes('invoiceTotal'), nearestNames.join());
  const none = await search('zxqwv kubernetes helm chart', { mode: 'keyword' });
  assert.deepEqual(none.hits, []);
  const foreign = await search('photosynthesis of marine algae');
  assert.deepEqual([foreign.hits, foreign.nearestNames], [[], []], 'words of a sentence are no names');
});
