/** Workspaces: several repositories queried as one. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../workspace.ts';

const FILES: Readonly<Record<string, string>> = {
  'api/package.json': '{ "name": "@shop/api", "main": "src/index.ts" }\n',
  'api/src/index.ts': "export { placeOrder } from './orders.ts';\n",
  'api/src/orders.ts':
    '/** Places an order and charges the card. */\nexport function placeOrder(card: string): string {\n  return card;\n}\n',
  'api/docs/adr/0001-queue.md':
    '# Orders go through a queue\n\nStatus: accepted\n\nWe decided to send orders through a queue, because the bank is slow.\n',
  'api/LICENSE': 'Permission is hereby granted to everybody who reads this unusual licence text.\n',
  'web/package.json': '{ "name": "@shop/web", "dependencies": { "@shop/api": "1.0.0" } }\n',
  'web/src/checkout.ts':
    "import { placeOrder } from '@shop/api';\n\n/** Sends the basket of the customer. */\nexport function checkout(card: string) {\n  return placeOrder(card);\n}\n",
  'web/LICENSE': 'Permission is hereby granted to everybody who reads this unusual licence text.\n',
  'infra/deploy.py': 'def deploy(region):\n    """Rolls the servers out to a region."""\n    return region\n',
  'web/src/late.ts': 'export function late(bank: any) {\n  return bank.settleAccount(1);\n}\n',
  'infra/bank.ts': 'export class Bank {\n  settleAccount(n: number) {\n    return n;\n  }\n}\n',
  'unread/main.go': 'package main\n',
};

let space: Workspace;
const root = (name: string) => join(space.root, name);
before(async () => {
  space = workspace(FILES);
  for (const name of ['api', 'web', 'infra']) await space.engine.index(root(name));
  await space.engine.addToWorkspace('shop', ['api', 'web', 'infra', 'unread'].map(root));
});
after(() => space.close());

const SHOP = 'workspace:shop';

test('search in a workspace ranks all repositories in one list with their names before the paths', async () => {
  const { hits, freshness } = await space.engine.search(SHOP, { query: 'charge the card for an order' });
  assert.equal(hits[0]?.path, 'api/src/orders.ts');
  assert.ok(hits.some(({ path }) => path === 'web/src/checkout.ts'));
  assert.deepEqual(
    freshness.missing?.map(({ name }) => name),
    ['unread'],
    'what is not indexed is named',
  );
  const again = await space.engine.search(SHOP, { query: 'charge the card for an order', stateless: true });
  assert.deepEqual(again.hits, hits, 'the same question has the same answer');
});

test('a scope with names searches only these repositories', async () => {
  const { hits } = await space.engine.search('workspace:shop/web,infra', { query: 'placeOrder' });
  assert.ok(hits.length > 0 && hits.every(({ path }) => !path.startsWith('api/')));
  const registered = await space.engine.search('workspace:/infra', { query: 'roll out servers' });
  assert.equal(registered.hits[0]?.path, 'infra/deploy.py');
  await assert.rejects(space.engine.search('workspace:shop/gone', { query: 'x' }), { code: 'repository_not_found' });
  await assert.rejects(space.engine.search('workspace:gone', { query: 'x' }), { code: 'workspace_not_found' });
  await assert.rejects(space.engine.search('workspace:shop/unread', { query: 'x' }), { code: 'not_indexed' });
});

test('a repository named in the query is a feature of its files, and the explained score adds up', async () => {
  const request = { query: 'where does web place an order with the card', explain: true };
  const { hits } = await space.engine.search(SHOP, request);
  const total = hits.map(({ explanation }) => explanation!.reduce((sum, { contribution }) => sum + contribution, 0));
  assert.deepEqual(
    total,
    [...total].sort((a, b) => b - a),
    'the better total stands first',
  );
  for (const { path, explanation } of hits)
    assert.equal(
      explanation!.some(({ feature }) => feature === 'repository_named'),
      path.startsWith('web/'),
      path,
    );
});

test('search shows a content of two repositories once', async () => {
  const { hits } = await space.engine.search(SHOP, { query: 'unusual licence text' });
  assert.deepEqual(
    hits.filter(({ path }) => path.endsWith('LICENSE')).map(({ path }) => path),
    ['api/LICENSE'],
  );
});

test('calls accept handles and paths of a workspace answer', async () => {
  const { hits } = await space.engine.search(SHOP, { query: 'placeOrder' });
  const { symbol, path } = hits[0]!;
  const located = await space.engine.locate(SHOP, { name: symbol!.symbolId });
  assert.equal(located.symbols[0]?.path, path);
  const file = await space.engine.readFile(SHOP, { path, includeDependants: true });
  assert.equal(file.path, 'api/src/orders.ts');
  assert.match(file.content, /charges the card/);
  await assert.rejects(space.engine.readFile(SHOP, { path: 'src/orders.ts' }), { code: 'invalid_input' });
});

test('an import of another repository’s package resolves to its definition, and its callers are found', async () => {
  const [symbol] = (await space.engine.locate(SHOP, { name: 'placeOrder' })).symbols;
  const detail = await space.engine.symbol(SHOP, symbol!.symbolId);
  const [caller] = detail.callers;
  assert.equal(caller?.path, 'web/src/checkout.ts');
  assert.equal(caller?.confidence, 'exact');
  const { edges } = await space.engine.research(SHOP, { query: 'who calls placeOrder' });
  assert.ok(edges.some(({ path }) => path === 'web/src/checkout.ts'));
  const checkout = await space.engine.readFile(SHOP, { path: 'web/src/checkout.ts', includeDependencies: true });
  assert.deepEqual(
    checkout.dependencies.map(({ path }) => path),
    ['api/src/index.ts'],
  );
});

test('a call on an unknown value does not resolve to a repository that is not imported', async () => {
  const { summary } = await space.engine.research(SHOP, { query: 'what calls settleAccount' });
  assert.doesNotMatch(summary, /late calls .*settleAccount.*\(likely\)/);
  assert.match(summary, /web\/src\/late\.ts:2 \(unresolved\)/);
});

test('grep, map, file search and memory cover all repositories', async () => {
  const { matches, totalMatches } = await space.engine.grep(SHOP, { pattern: 'placeOrder', limit: 2 });
  assert.deepEqual([...new Set(matches.map(({ path }) => path))], ['api/src/index.ts', 'api/src/orders.ts']);
  assert.equal(totalMatches, 4);
  const narrowed = await space.engine.grep(SHOP, { pattern: 'placeOrder', filePattern: 'web/**/*.ts' });
  assert.deepEqual(new Set(narrowed.matches.map(({ path }) => path)), new Set(['web/src/checkout.ts']));
  const map = await space.engine.map(SHOP);
  for (const path of ['api/src/orders.ts', 'infra/deploy.py']) assert.ok(map.includes(path), map);
  assert.deepEqual(await space.engine.findPaths(SHOP, 'checkout'), ['web/src/checkout.ts']);
  const { results } = await space.engine.contextSearch(SHOP, { query: 'why do orders go through a queue' });
  assert.equal(results[0]?.evidence[0]?.path, 'api/docs/adr/0001-queue.md');
  await assert.rejects(space.engine.remember(SHOP, { type: 'rule', content: 'Orders are never retried twice.' }), {
    code: 'invalid_input',
  });
  const { discovery } = await space.engine.remember(SHOP, {
    type: 'rule',
    content: 'Orders are never retried twice.',
    evidence: [{ path: 'api/src/orders.ts', startLine: 1, endLine: 2 }],
  });
  assert.equal(discovery.evidence[0]?.path, 'src/orders.ts');
});

test('answers of a workspace list a changed file of one repository as pending', async () => {
  space.write('infra/deploy.py', 'def deploy(region):\n    return region + 1\n');
  // This engine has just checked the files and does not check again so soon; a new engine does.
  const { freshness } = await space.anotherEngine().search(SHOP, { query: 'deploy a region' });
  assert.deepEqual([freshness.status, freshness.pending], ['stale', ['infra/deploy.py']]);
  await space.engine.index(root('infra'));
  const fresh = await space.engine.search(SHOP, { query: 'deploy a region' });
  assert.match(fresh.hits[0]!.content, /region \+ 1/);
});

test('folders with the same name get distinct names, and a workspace without repositories is deleted', async () => {
  space.write('old/api/main.go', 'package main\n');
  const { members } = await space.engine.addToWorkspace('two', [root('api'), root('old/api')]);
  assert.deepEqual(
    members.map(({ name }) => name),
    ['api', 'old-api'],
  );
  assert.deepEqual((await space.engine.removeFromWorkspace('two', ['old-api'])).members.length, 1);
  await space.engine.removeFromWorkspace('two');
  assert.deepEqual(
    (await space.engine.workspaces()).map(({ name }) => name),
    ['shop'],
  );
  await assert.rejects(space.engine.addToWorkspace('a/b', [root('api')]), { code: 'invalid_input' });
});

test('the page reads a workspace as one tree: files, identifiers, calls, map, history', async () => {
  const status = await space.engine.status(SHOP);
  assert.deepEqual([status.project.moduleName, status.indexing, status.ref], ['shop', 'ready', '4 repositories']);
  assert.ok(status.languages.some(({ language }) => language === 'python'));
  const files = (await space.engine.files(SHOP)).map(({ path }) => path);
  assert.equal(files.length, status.fileCount);
  assert.ok(files.includes('api/src/orders.ts') && files.includes('infra/deploy.py'));
  const { links, symbols } = await space.engine.identifierLinks(SHOP, 'web/src/checkout.ts');
  const call = links.find(({ line, isDefinition }) => line === 5 && !isDefinition)!;
  assert.equal(symbols[call.targets[0]!]!.path, 'api/src/orders.ts', 'an identifier leads into another repository');
  const [placed] = (await space.engine.locate(SHOP, { name: 'placeOrder' })).symbols;
  const { callers } = await space.engine.callNeighbours(SHOP, placed!.symbolId);
  assert.deepEqual(
    callers.map(({ symbol }) => symbol?.path),
    ['web/src/checkout.ts'],
  );
  const { title, modules } = await space.engine.repositoryMap(SHOP);
  assert.equal(title, 'shop');
  assert.ok(modules.some(({ name }) => name.startsWith('api')));
  assert.deepEqual((await space.engine.activity(SHOP)).days, [], 'none of them has a history');
  const request = { file: 'api/src/orders.ts', startLine: 1, endLine: 1 };
  assert.deepEqual((await space.engine.lineHistory(SHOP, request)).commits, []);
  await assert.rejects(space.engine.lineHistory(SHOP, { ...request, file: '../x' }), { code: 'invalid_input' });
});
