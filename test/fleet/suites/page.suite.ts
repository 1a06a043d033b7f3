/** The page, the resources and the completions of a node, under the rule that holds for its tools. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askTool, FREELY, indexByBinary, type NodeUnderTest, serveFleet } from '../fleet-node.ts';
import { fleetFor } from '../fleet-under-test.ts';

const asPage = async (node: NodeUnderTest, subject: string, route: string) => {
  const headers = { Authorization: `Bearer token-of-${subject}-for-tests` };
  const response = await fetch(`${node.url}/api/${route}`, { headers });
  return { status: response.status, text: await response.text() };
};

test('the page of a node asks for a token, shows the repositories of its subject, and names no folder of the node', async (t) => {
  const under = await fleetFor(t);
  const alpha = under.repository('alpha', { 'src/ledger.ts': 'export function postLedger() {}\n' });
  const beta = under.repository('beta', { 'src/vault.ts': 'export function openVault() {}\n' });
  await under.fleet.add({ name: 'acme/alpha', url: alpha, ref: null, groups: ['a'] });
  await under.fleet.add({ name: 'acme/beta', url: beta, ref: null, groups: ['b'] });
  await indexByBinary(under);
  const node = await serveFleet(under, { ann: ['a'], bob: ['b'], both: ['a', 'b'] }, FREELY);
  const stranger = await fetch(node.url);
  assert.equal(stranger.status, 401);
  assert.match(stranger.headers.get('content-type') ?? '', /text\/html/);
  assert.equal((await fetch(`${node.url}/api/projects`)).status, 401);

  const { text: projects } = await asPage(node, 'ann', 'projects');
  assert.deepEqual(
    (JSON.parse(projects) as { name: string }[]).map(({ name }) => name),
    ['acme/alpha'],
  );
  const status = await asPage(node, 'ann', 'status');
  assert.equal(status.status, 200, status.text);
  assert.equal((JSON.parse(status.text) as { project: { root: string } }).project.root, 'acme/alpha');
  assert.match(status.text, /acme\/alpha main [0-9a-f]{12}, \d+ s old/);
  const found = await asPage(node, 'both', 'search?project=acme/beta&q=openVault');
  assert.match(found.text, /src\/vault\.ts/);
  const hidden = await asPage(node, 'ann', 'search?project=acme/beta&q=openVault');
  const missing = await asPage(node, 'ann', 'search?project=acme/none&q=openVault');
  assert.equal(hidden.text.replaceAll('acme/beta', 'acme/none'), missing.text);
  for (const route of ['status', 'projects', 'map', 'folder', 'file?path=src/ledger.ts', 'search?q=ledger', 'recent']) {
    const { text } = await asPage(node, 'ann', route);
    assert.ok(!text.includes(node.home), `${route}: ${text}`);
    assert.doesNotMatch(text, /vault/i, route);
  }
  assert.deepEqual(JSON.parse((await asPage(node, 'bob', 'recent')).text), []);
});

test('an answer of a node links resources that the node itself reads, and completions name what its subject may see', async (t) => {
  const under = await fleetFor(t);
  const alpha = under.repository('alpha', { 'src/a b/ledger.ts': 'export function postLedger() {}\n' });
  const beta = under.repository('beta', { 'src/ledgers.ts': 'export function postLedgers() {}\n' });
  await under.fleet.add({ name: 'acme/alpha', url: alpha, ref: null, groups: ['a'] });
  await under.fleet.add({ name: 'acme/beta', url: beta, ref: null, groups: ['b'] });
  await indexByBinary(under);
  const node = await serveFleet(under, { ann: ['a'], bob: ['b'] }, FREELY);
  const [ann, bob] = [await node.client('ann'), await node.client('bob')];
  const uri = 'sextant://file/acme/alpha/src/a%20b/ledger.ts';
  for (const path of ['acme/alpha', 'acme', undefined])
    for (const [tool, args] of [
      ['search_code', { query: 'postLedger' }],
      ['locate_symbol', { name: 'postLedger' }],
      ['grep_codebase', { pattern: 'postLedger' }],
    ] as const) {
      const { text } = await askTool(ann, tool, { path, ...args });
      assert.ok(text.includes(uri), `${tool} ${path}: ${text}`);
      assert.doesNotMatch(text, /file:\/\//);
      assert.ok(!text.includes(node.home), text);
    }
  const { contents } = await ann.readResource({ uri });
  assert.match(JSON.stringify(contents), /postLedger/);
  await assert.rejects(bob.readResource({ uri }));

  const complete = async (client: typeof ann, value: string) => {
    const ref = { type: 'ref/resource' as const, uri: 'sextant://file/{+path}' };
    return (await client.complete({ ref, argument: { name: 'path', value } })).completion.values;
  };
  assert.deepEqual(await complete(ann, 'ledger'), ['acme/alpha/src/a b/ledger.ts']);
  assert.deepEqual(await complete(bob, 'ledger'), ['acme/beta/src/ledgers.ts']);
});
