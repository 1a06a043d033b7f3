/**
 * Memory through the engine: one ranking of discoveries, sessions and code; modules; the context of the current work.
 */
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadStaticModel } from '../../src/embed/index.ts';
import { type MinedTree, ProjectMemory } from '../../src/engine/memory/project-memory.ts';
import { inSession } from '../../src/engine/memory/session-engine.ts';
import type { ResolvedProject } from '../../src/engine/projects/project-registry.ts';
import type { Hit } from '../../src/model/records/query.ts';
import { workspace } from '../workspace.ts';
import { contextOf, search, space } from './context-search-setup.ts';

test('questions for a reason, a permission and a problem rank the decision, rule and issue first', async () => {
  const [why] = (await search('why are orders stored in postgres')).results;
  assert.deepEqual([why?.type, why?.source, why?.status], ['decision', 'discovery', 'Accepted']);
  assert.equal(why?.evidence[0]?.path, 'docs/adr/0001-use-postgres.md');
  const [may] = (await search('am I allowed to log the address of a customer')).results;
  assert.deepEqual([may?.type, may?.evidence[0]], ['rule', { path: 'CONTRIBUTING.md', startLine: 5, endLine: 6 }]);
  const [seen] = (await search('rounding of cents is wrong')).results;
  assert.equal(seen?.type, 'issue');
  assert.match(seen?.evidence[0]?.commit ?? '', /^[0-9a-f]{40}$/);
});

test('code is ranked in the same list, and a mined document is shown once', async () => {
  const { results } = await search('refresh a token', { limit: 10 });
  assert.ok(
    results.some(({ source, evidence }) => source === 'code' && evidence[0]?.path === 'src/auth/token.ts'),
    JSON.stringify(results),
  );
  assert.ok(
    results.some(({ source, type }) => source === 'discovery' && type === 'issue'),
    'the FIXME is there',
  );
  const scores = results.map(({ score }) => score);
  assert.deepEqual(
    scores,
    [...scores].sort((a, b) => b - a),
  );
  const adr = (await search('orders postgres transactions', { limit: 10 })).results.filter(({ evidence }) =>
    evidence[0]?.path?.startsWith('docs/adr'),
  );
  assert.equal(adr.length, 1);
});

test('type and module filter every source', async () => {
  for (const type of ['decision', 'rule', 'issue', 'pattern'] as const)
    for (const result of (await search('order token customer', { type, limit: 20 })).results)
      assert.equal(result.type, type);
  const { results } = await search('sends fixes token order invoice', { module: 'billing', limit: 20 });
  assert.ok(results.length > 1, 'there are some');
  for (const { module, content } of results) assert.equal(module, 'billing', content);
  assert.ok(
    results.some(({ evidence }) => evidence[0]?.commit),
    'the commit belongs to the module that its scope names',
  );
  const file = await space.engine.readFile(space.root, { path: 'src/billing/invoice.ts' });
  assert.equal(file.module, 'billing');
  const recorded = await space.engine.remember(space.root, {
    type: 'rule',
    content: 'Receipts are numbered without gaps.',
    evidence: [{ path: 'src/billing/receipt.ts' }],
  });
  assert.equal(recorded.discovery.module, 'billing');
  assert.equal(
    (await space.engine.discoveries(space.root, { module: 'billing', type: 'rule' }))[0]?.id,
    recorded.discovery.id,
  );
});

test('a module filter accepts the folder of the module', async () => {
  for (const module of ['src/billing', './src/billing/', 'SRC/Billing']) {
    const { results } = await search('receipts of an order', { module, limit: 20 });
    assert.ok(results.length > 1, module);
    for (const { evidence } of results) assert.match(evidence[0]!.path!, /^src\/billing\//);
    assert.deepEqual(new Set(results.map(({ source }) => source)), new Set(['code', 'discovery']), module);
  }
  assert.deepEqual((await search('receipts of an order', { module: 'c/billing' })).results, []);
});

test('a session stores its queries, reads and records, and other sessions find it', async () => {
  const first = inSession(space.engine, 'session-one');
  await first.search(space.root, { query: 'where are invoices sent' });
  await first.readFile(space.root, { path: 'src/billing/invoice.ts' });
  await first.contextSearch(space.root, { query: 'sending of invoices by courier' });
  const { discovery } = await first.remember(space.root, {
    type: 'issue',
    content: 'Invoices over the courier limit are lost.',
  });
  await first.search(space.root, { query: 'password = hunter2hunter2' });
  const [session] = await space.engine.sessions(space.root);
  assert.equal(session?.id, 'session-one');
  assert.deepEqual(session?.queries, ['where are invoices sent', 'sending of invoices by courier']);
  assert.deepEqual(session?.reads, { 'src/billing/invoice.ts': 1 });
  assert.deepEqual(session?.discoveries, [discovery.id]);
  assert.equal(discovery.session, 'session-one');
  const found = (await search('courier for invoices', { limit: 20 })).results;
  const own = found.find(({ source }) => source === 'session');
  assert.equal(own?.id, 'session-one');
  assert.equal(own?.module, 'billing');
  assert.match(own?.content ?? '', /Asked: .*courier.* Read: src\/billing\/invoice\.ts\. Recorded: Invoices over/);
  assert.ok(found.findIndex(({ id }) => id === discovery.id) < found.indexOf(own!), 'what was recorded comes before');
  const self = await first.contextSearch(space.root, { query: 'courier for invoices', limit: 20 });
  assert.ok(!self.results.some(({ source }) => source === 'session'), 'not to itself');
  const rules = await search('courier for invoices', { type: 'rule', limit: 20 });
  assert.ok(!rules.results.some(({ source }) => source === 'session'), 'not among rules');
  // Another process finds the session, too.
  assert.equal((await space.anotherEngine().sessions(space.root))[0]?.id, 'session-one');
});

test('recently read files gain a bounded, explained score, and none if the setting is 0', async () => {
  const own = workspace({
    'src/billing/invoice.ts':
      '/** Sends the invoice of an order. */\nexport function sendInvoice(order: number): number {\n  return order;\n}\n',
    'src/billing/receipt.ts':
      '/** Sends the receipt of an order. */\nexport function sendReceipt(order: number): number {\n  return order;\n}\n',
  });
  try {
    await own.engine.index(own.root);
    const ask = (engine = own.engine) =>
      engine.search(own.root, { query: 'sends something of an order', explain: true });
    const before = (await ask()).hits;
    const last = before.at(-1)!.path;
    assert.equal(contextOf(before, last), undefined);
    for (let i = 0; i < 40; i++) {
      await own.engine.readFile(own.root, { path: last });
      await new Promise((resolve) => setImmediate(resolve));
    }
    const after = (await ask()).hits;
    const raised = contextOf(after, last);
    assert.ok(
      raised && raised.contribution > 0 && raised.contribution <= 0.1 && raised.weight === 0.1,
      JSON.stringify(raised),
    );
    assert.equal(after[0]!.path, last, 'of two that answer alike, the one that was read');
    const plain = (hits: readonly Hit[]) => hits.map(({ path, score }) => ({ path, score }));
    assert.deepEqual(plain((await ask(own.anotherEngine({ contextBound: 0 }))).hits), plain(before));
    assert.deepEqual(plain((await ask()).hits), plain(after), 'asked again, the same');
  } finally {
    await own.close();
  }
});

test('discoveries, sessions and code are ranked by the features of one model, which explains each score', async () => {
  const { results } = await search('courier for invoices that are sent', { limit: 50, explain: true });
  assert.deepEqual([...new Set(results.map(({ source }) => source))].sort(), ['code', 'discovery', 'session']);
  const sums = results.map(({ explanation }) =>
    (explanation ?? []).reduce((sum, { contribution }) => sum + contribution, 0),
  );
  assert.deepEqual(
    sums,
    [...sums].sort((a, b) => b - a),
  );
  const weights = new Map<string, number>();
  for (const { feature, value, weight, contribution } of results.flatMap(({ explanation }) => explanation ?? [])) {
    assert.equal(weights.get(feature) ?? weight, weight, feature);
    weights.set(feature, weight);
    assert.ok(Math.abs(contribution - value * weight) < 1e-6, feature);
  }
  for (const shared of ['coverage', 'similarity', 'best_chunk'])
    for (const source of ['code', 'discovery', 'session'])
      assert.ok(
        results.some((each) => each.source === source && each.explanation?.some(({ feature }) => feature === shared)),
        `${shared} of ${source}`,
      );
  assert.ok(
    results.every(({ score }) => score > 0 && score <= 1),
    JSON.stringify(results.map(({ score }) => score)),
  );
  assert.equal((await search('courier for invoices')).results[0]?.explanation, undefined);
});

test('a search without time to mine the history reports it as unread, and mines it on request', async () => {
  const { storeFolder } = await space.engine.project(space.root);
  const { reader, view, moduleOf } = await space.openTree();
  const tree: MinedTree = { reader, view, modules: { names: [], moduleOf } };
  const project = {
    root: space.root,
    storeFolder: join(storeFolder, 'apart'),
    git: null,
  } as unknown as ResolvedProject;
  const embedder = loadStaticModel(join(dirname(fileURLToPath(import.meta.url)), '../../models'));
  const hurried = new ProjectMemory(project, embedder, 0);
  const first = await hurried.all(tree);
  assert.equal(hurried.isHistoryRead, false);
  assert.ok(!first.some(({ origin }) => origin === 'commit'));
  const patient = new ProjectMemory(project, embedder);
  const whole = await patient.whole(tree);
  assert.equal(patient.isHistoryRead, true);
  assert.ok(whole.some(({ origin }) => origin === 'commit'));
});
