/**
 * Memory through the engine: one ranking of discoveries, sessions and code; modules; the context of the current work.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadStaticModel } from '../../src/embed/index.ts';
import { type MinedTree, ProjectMemory } from '../../src/engine/memory/project-memory.ts';
import { inSession } from '../../src/engine/memory/session-engine.ts';
import type { ResolvedProject } from '../../src/engine/projects/project-registry.ts';
import type { Hit } from '../../src/model/records/query.ts';
import { type Workspace, workspace } from '../workspace.ts';

let space: Workspace;
before(async () => {
  space = workspace({
    'package.json': '{"name": "shop", "private": true}\n',
    'docs/adr/0001-use-postgres.md':
      '# 1. Use Postgres for orders\n\n## Status\n\nAccepted\n\n## Context\n\nWe need transactions across tables.\n\n## Decision\n\nOrders are stored in Postgres.\n',
    'CONTRIBUTING.md': '# Contributing\n\n## Logging\n\nNever log a customer address; use the\ncustomer id instead.\n',
    'src/auth/token.ts':
      '/** Refreshes a token before it runs out. */\nexport function refreshToken(token: string): string {\n  // FIXME: two requests may refresh the same token at once\n  return token;\n}\n',
    'src/auth/session.ts': 'export function openSession(user: string): string {\n  return user;\n}\n',
    'src/billing/invoice.ts':
      '/** Sends the invoice of an order. */\nexport function sendInvoice(order: number): number {\n  return order;\n}\n',
    'src/billing/receipt.ts':
      '/** Sends the receipt of an order. */\nexport function sendReceipt(order: number): number {\n  return order;\n}\n',
  });
  space.git('init', '-q', '-b', 'main');
  space.git('add', '.');
  space.git(
    'commit',
    '-qm',
    'fix(billing): rounding of invoices was wrong\n\nCents were cut off instead of rounded, customers complained.',
  );
  await space.engine.index(space.root);
});
after(() => space.close());
const search = (query: string, rest = {}) => space.engine.contextSearch(space.root, { query, ...rest });

test('why, may I, was it seen: a decision, a rule, an issue come first, with their places', async () => {
  const [why] = (await search('why are orders stored in postgres')).results;
  assert.deepEqual([why?.type, why?.source, why?.status], ['decision', 'discovery', 'Accepted']);
  assert.equal(why?.evidence[0]?.path, 'docs/adr/0001-use-postgres.md');
  const [may] = (await search('am I allowed to log the address of a customer')).results;
  assert.deepEqual([may?.type, may?.evidence[0]], ['rule', { path: 'CONTRIBUTING.md', startLine: 5, endLine: 6 }]);
  const [seen] = (await search('rounding of cents is wrong')).results;
  assert.equal(seen?.type, 'issue');
  assert.match(seen?.evidence[0]?.commit ?? '', /^[0-9a-f]{40}$/);
});

test('code is in the same ranking, a document that was mined is not shown twice', async () => {
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

test('type and module filter every source, and modules agree', async () => {
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
  const told = await space.engine.remember(space.root, {
    type: 'rule',
    content: 'Receipts are numbered without gaps.',
    evidence: [{ path: 'src/billing/receipt.ts' }],
  });
  assert.equal(told.discovery.module, 'billing');
  assert.equal(
    (await space.engine.discoveries(space.root, { module: 'billing', type: 'rule' }))[0]?.id,
    told.discovery.id,
  );
});

test('a module may be named by its folder', async () => {
  for (const module of ['src/billing', './src/billing/', 'SRC/Billing']) {
    const { results } = await search('receipts of an order', { module, limit: 20 });
    assert.ok(results.length > 1, module);
    for (const { evidence } of results) assert.match(evidence[0]!.path!, /^src\/billing\//);
    assert.deepEqual(new Set(results.map(({ source }) => source)), new Set(['code', 'discovery']), module);
  }
  assert.deepEqual((await search('receipts of an order', { module: 'c/billing' })).results, []);
});

test('a session has what it asked, read and recorded, and is found by others, not by itself', async () => {
  const first = inSession(space.engine, 'session-one');
  await first.search(space.root, { query: 'where are invoices sent' });
  await first.readFile(space.root, { path: 'src/billing/invoice.ts' });
  await first.contextSearch(space.root, { query: 'sending of invoices by courier' });
  const { discovery } = await first.remember(space.root, {
    type: 'issue',
    content: 'Invoices over the courier limit are lost.',
  });
  await first.search(space.root, { query: 'password = hunter2hunter2' });
  await new Promise((resolve) => setTimeout(resolve, 50));
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
  // Another process sees it too.
  assert.equal((await space.anotherEngine().sessions(space.root))[0]?.id, 'session-one');
});

const contextOf = (hits: readonly Hit[], path: string) =>
  hits.find((hit) => hit.path === path)?.explanation?.find(({ feature }) => feature === 'context');

test('what is read rises, within its bound, with an explanation; without accesses or with the setting at 0 nothing changes', async () => {
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

test('edit, forget and import: recorded and mined ones', async () => {
  const { discovery } = await space.engine.remember(space.root, { type: 'rule', content: 'Prices are kept in cents.' });
  const changed = await space.engine.editDiscovery(space.root, discovery.id, {
    content: 'Prices are kept in cents, as integers.',
    module: 'billing',
  });
  assert.deepEqual([changed.id, changed.module], [discovery.id, 'billing']);
  await assert.rejects(space.engine.editDiscovery(space.root, discovery.id, { content: 'Ask jane@corp.org' }), {
    code: 'secret_refused',
  });
  await assert.rejects(space.engine.editDiscovery(space.root, 'rule-none', { content: 'Something.' }), {
    code: 'discovery_not_found',
  });
  const [rule] = (await search('log the address of a customer', { type: 'rule' })).results;
  const edited = await space.engine.editDiscovery(space.root, rule!.id, {
    content: 'Never log an address of a customer; log the id.',
  });
  assert.deepEqual([edited.id, edited.origin, edited.confidence], [rule!.id, 'person', 1]);
  assert.equal((await space.engine.discovery(space.root, rule!.id)).discovery.content, edited.content);
  const exported = await space.engine.discoveries(space.root, { recorded: true });
  assert.equal(await space.engine.forget(space.root, discovery.id), true);
  assert.equal(await space.engine.forget(space.root, discovery.id), false);
  const taken = await space.engine.importDiscoveries(space.root, [
    ...exported,
    { ...exported[0]!, id: 'rule-secret', content: `The key is AKIA${'Q7'.repeat(8)}` },
  ]);
  assert.deepEqual([taken.created, taken.updated, taken.unchanged], [1, 0, exported.length - 1]);
  assert.deepEqual(
    taken.refused.map(({ id }) => id),
    ['rule-secret'],
  );
  const [issue] = (await search('two requests refresh the same token at once', { type: 'issue' })).results;
  assert.equal((await space.engine.discovery(space.root, issue!.id)).file, null);
  assert.equal(await space.engine.forget(space.root, issue!.id), true);
  assert.ok(
    !(await search('two requests refresh the same token at once', { type: 'issue' })).results.some(
      ({ id }) => id === issue!.id,
    ),
    'a mined one stays away',
  );
  assert.ok(
    !(await space.anotherEngine().discoveries(space.root)).some(({ id }) => id === issue!.id),
    'for others too',
  );
});

test('what contradicts a rule of a guide is linked to it', async () => {
  // By a process that has not mined anything yet.
  const { outcome, discovery } = await space.anotherEngine().remember(space.root, {
    type: 'rule',
    content: 'Logging: log a customer address with the customer id.',
  });
  assert.equal(outcome, 'linked');
  const known = await space.engine.discoveries(space.root);
  assert.ok(
    discovery.contradicts.every((id) => known.some((each) => each.id === id)),
    JSON.stringify(discovery.contradicts),
  );
});

test('a broken file of memory is skipped and named', async () => {
  const { storeFolder } = await space.engine.project(space.root);
  const folder = join(storeFolder, 'memory');
  writeFileSync(join(folder, 'broken.md'), 'type: rule\n\nWithout an id.\n');
  assert.deepEqual(await space.engine.brokenMemories(space.root), [
    { file: join(folder, 'broken.md'), reason: 'it cannot be read as a discovery' },
  ]);
  assert.ok((await space.engine.discoveries(space.root, { recorded: true })).length > 0, 'the others are read');
  assert.match(readFileSync(join(folder, 'broken.md'), 'utf8'), /Without an id/);
  assert.ok(
    readdirSync(folder).every((name) => name.endsWith('.md') || name === 'forgotten'),
    readdirSync(folder).join(),
  );
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

test('a history that there is no time for is reported as unread, and read to its end on request', async () => {
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

test('a contradiction is shown at both ends, and at none once one of them is forgotten', async () => {
  const record = async (content: string) =>
    (await space.engine.remember(space.root, { type: 'rule', content })).discovery.id;
  const older = await record('Receipts are archived in Glacier');
  const newer = await record('Receipts are archived in Tarsnap');
  const linked = async (id: string) => (await space.engine.discovery(space.root, id)).discovery.contradicts;
  assert.deepEqual([await linked(older), await linked(newer)], [[newer], [older]]);
  const { results } = await search('where are receipts archived', { limit: 20 });
  assert.deepEqual(results.find(({ id }) => id === older)?.contradicts, [newer]);
  await space.engine.forget(space.root, newer);
  assert.deepEqual(await linked(older), []);
});

test('a rule that several packages repeat word for word is one answer, and each module has it', async () => {
  const guide = '# Contributing\n\nNever open a pull request against a mirrored package.\n';
  for (const name of ['one', 'two', 'three'])
    for (const [file, text] of [
      ['package.json', `{"name": "${name}"}\n`],
      ['CONTRIBUTING.md', guide],
    ] as const)
      space.write(`packages/${name}/${file}`, text);
  await space.engine.index(space.root);
  const found = async (rest = {}) =>
    (await search('may I open a pull request against a mirrored package', { limit: 20, ...rest })).results.filter(
      ({ content }) => content.includes('mirrored package'),
    );
  assert.equal((await found()).length, 1);
  assert.deepEqual(
    (await found({ module: 'two' })).map(({ module }) => module),
    ['two'],
  );
});

test('what replaces an entry must be there, and is not itself; a module is called by its name', async () => {
  const { id } = (await space.engine.remember(space.root, { type: 'rule', content: 'Vouchers run out after a year' }))
    .discovery;
  const edit = (changes: object) => space.engine.editDiscovery(space.root, id, changes);
  await assert.rejects(edit({ supersededBy: 'rule-that-is-none' }), { code: 'discovery_not_found' });
  await assert.rejects(edit({ supersededBy: id }), { code: 'invalid_input' });
  assert.equal((await edit({ module: 'BILLING' })).module, 'billing');
});
