/** Memory that needs neither git's log nor sessions: what documents say, and what people and agents record. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../workspace.ts';

let space: Workspace;
before(async () => {
  space = workspace({
    'package.json': '{"name": "shop", "private": true}\n',
    'docs/adr/0001-use-postgres.md':
      '# 1. Use Postgres for orders\n\n## Status\n\nAccepted\n\n## Decision\n\nOrders are stored in Postgres.\n',
    'CONTRIBUTING.md': '# Contributing\n\n## Logging\n\nNever log a customer address; use the\ncustomer id instead.\n',
    'src/auth/token.ts':
      '/** Refreshes a token before it runs out. */\nexport function refreshToken(token: string): string {\n' +
      '  // FIXME: two requests may refresh the same token at once\n  return token;\n}\n',
    'src/billing/receipt.ts':
      '/** Sends the receipt of an order. */\nexport function sendReceipt(order: number): number {\n  return order;\n}\n',
  });
  await space.engine.index(space.root);
});
after(() => space.close());

const search = (query: string, rest = {}) => space.engine.contextSearch(space.root, { query, ...rest });
const remember = (request: Parameters<Workspace['engine']['remember']>[1]) =>
  space.engine.remember(space.root, request);

test('decisions and rules of documents come first, with their places, and code is in the same ranking', async () => {
  const [why] = (await search('why are orders stored in postgres')).results;
  assert.deepEqual([why?.type, why?.source, why?.status], ['decision', 'discovery', 'Accepted']);
  assert.equal(why?.evidence[0]?.path, 'docs/adr/0001-use-postgres.md');
  const [may] = (await search('am I allowed to log the address of a customer')).results;
  assert.deepEqual([may?.type, may?.evidence[0]], ['rule', { path: 'CONTRIBUTING.md', startLine: 5, endLine: 6 }]);
  const { results } = await search('refresh a token', { limit: 10 });
  assert.ok(results.some(({ source, evidence }) => source === 'code' && evidence[0]?.path === 'src/auth/token.ts'));
  assert.ok(results.some(({ source, type }) => source === 'discovery' && type === 'issue'));
});

test('a recorded rule is found by its words, its type, its module and its id, until it is forgotten', async () => {
  const content = 'Receipts are numbered without gaps.';
  const { discovery } = await remember({ type: 'rule', content, evidence: [{ path: 'src/billing/receipt.ts' }] });
  const [found] = (await search('may receipts be numbered with gaps', { type: 'rule' })).results;
  assert.equal(found?.id, discovery.id);
  const listed = await space.engine.discoveries(space.root, { module: discovery.module, type: 'rule', recorded: true });
  assert.deepEqual(
    listed.map(({ id }) => id),
    [discovery.id],
  );
  assert.equal((await space.engine.discovery(space.root, discovery.id)).discovery.content, content);
  const elsewhere = await search('may receipts be numbered with gaps', { type: 'rule', module: 'auth' });
  assert.deepEqual(
    elsewhere.results.filter(({ id }) => id === discovery.id),
    [],
  );
  assert.equal(await space.engine.forget(space.root, discovery.id), true);
  const after = await search('may receipts be numbered with gaps', { type: 'rule' });
  assert.ok(!after.results.some(({ id }) => id === discovery.id));
});

test('a rule that is recorded twice is one entry', async () => {
  const content = 'Tokens are never written to a log.';
  const first = await remember({ type: 'rule', content });
  const second = await remember({ type: 'rule', content });
  assert.equal(second.discovery.id, first.discovery.id);
  const all = await space.engine.discoveries(space.root, { type: 'rule', recorded: true });
  assert.equal(all.filter((one) => one.content === content).length, 1);
});
