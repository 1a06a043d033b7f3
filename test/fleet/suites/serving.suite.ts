/** Nodes that answer: the real binary, a real client, several subjects. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { askTool, indexByBinary, runSextant, serveFleet } from '../fleet-node.ts';
import { fleetFor, until } from '../fleet-under-test.ts';

const ALPHA = { 'src/ledger.ts': 'export function postAlphaLedger(amount: number) {\n  return amount * 2;\n}\n' };
const BETA = {
  'README.md': '# Beta\n\nThe beta vault keeps betaOnlySecretName.\n',
  'src/vault.ts': 'export function openBetaVault(betaOnlySecretName: string) {\n  return betaOnlySecretName;\n}\n',
};

test('a node answers by the published snapshot, follows the next one, and keeps groups apart in every tool', async (t) => {
  const under = await fleetFor(t);
  const alpha = under.repository('alpha', ALPHA);
  const beta = under.repository('beta', BETA);
  await under.fleet.add({ name: 'acme/alpha', url: alpha, ref: null, groups: ['a'] });
  await under.fleet.add({ name: 'acme/beta', url: beta, ref: null, groups: ['b'] });
  await indexByBinary(under);
  const node = await serveFleet(t, under, { ann: ['a'], bob: ['b'], carl: [] });
  const [ann, bob, carl] = await Promise.all([node.client('ann'), node.client('bob'), node.client('carl')]);

  const found = await askTool(ann!, 'search_code', { path: 'acme/alpha', query: 'postAlphaLedger' });
  assert.equal(found.isError, false, found.text);
  assert.match(found.text, /src\/ledger\.ts/);
  const own = await askTool(bob!, 'search_code', { path: 'acme/beta', query: 'openBetaVault' });
  assert.match(own.text, /src\/vault\.ts/);

  const { tools } = await ann!.listTools();
  const asked = { query: 'openBetaVault betaOnlySecretName', name: 'openBetaVault', pattern: 'betaOnlySecretName' };
  for (const { name, inputSchema } of tools)
    for (const path of [
      'acme/beta',
      'acme/beta/src',
      '../repositories/acme/beta',
      `${node.folder}/acme/beta`,
      '.',
      'acme',
    ]) {
      const known = Object.keys((inputSchema.properties ?? {}) as object);
      const args = Object.fromEntries(Object.entries({ ...asked, path }).filter(([key]) => known.includes(key)));
      for (const stranger of [ann!, carl!]) {
        const { text } = await askTool(stranger, name, args);
        // What a client sends comes back in an error; what only the repository holds must not.
        assert.doesNotMatch(
          text.replaceAll(JSON.stringify(path).slice(1, -1), ''),
          /vault\.ts|README\.md|keeps/,
          `${name} ${path}`,
        );
        assert.doesNotMatch(text, /acme\/alpha, acme\/beta|acme\/beta,/, `${name} ${path}`);
      }
    }
  const nobody = await fetch(`${node.url}/mcp`, {
    method: 'POST',
    body: '{}',
    headers: { Authorization: 'Bearer wrong' },
  });
  assert.equal(nobody.status, 401);

  under.commit(alpha, { 'src/refunds.ts': 'export function refundAlphaOrder() {\n  return 1;\n}\n' });
  await under.fleet.add({ name: 'acme/alpha', url: alpha, ref: null, groups: ['a'] });
  await indexByBinary(under);
  let text = '';
  await until(async () => {
    ({ text } = await askTool(ann!, 'search_code', { path: 'acme/alpha', query: 'refundAlphaOrder' }));
    return /refunds\.ts/.test(text);
  });
  assert.match(text, /src\/refunds\.ts/);

  // A group that is taken away is gone with the next look at the catalogue.
  await under.fleet.add({ name: 'acme/alpha', url: alpha, ref: null, groups: ['b'] });
  let refused = false;
  await until(async () => {
    refused = (await askTool(ann!, 'search_code', { path: 'acme/alpha', query: 'ledger' })).isError;
    return refused;
  });
  assert.equal(refused, true);

  assert.equal((await fetch(`${node.url}/healthz`)).status, 200);
  assert.equal((await fetch(`${node.url}/readyz`)).status, 200);
  await node.stop();
  interface Entry {
    readonly _source: { readonly subject: string; readonly tool: string; readonly results: number | null };
  }
  const { body } = await under.connection.ask<{ hits: { hits: Entry[] } }>({
    method: 'POST',
    path: `/${under.prefix}-audit/_search`,
    query: { size: 1000 },
    body: { query: { match_all: {} } },
  });
  const entries = body.hits.hits.map(({ _source }) => _source);
  const subjects = new Set(entries.map(({ subject }) => subject));
  assert.ok(subjects.has('ann') && subjects.has('carl'));
  assert.ok(entries.some(({ tool, results }) => tool === 'search' && results !== null && results > 0));
});

test('an index on a laptop takes contents from a node, is the same as one that derived them, and gives nothing back', async (t) => {
  const under = await fleetFor(t);
  const files = { 'src/a.ts': 'export function alpha() {}\n', 'src/b.py': 'def beta():\n    return 1\n' };
  const remote = under.repository('shared', files);
  await under.fleet.add({ name: 'acme/shared', url: remote, ref: null, groups: ['nobody'] });
  await indexByBinary(under);
  const node = await serveFleet(t, under, { ann: [] });
  const laptop = under.repository('laptop', { ...files, 'src/own.go': 'package own\n\nfunc Own() {}\n' });
  const indexed = async (home: string, more: readonly string[], env: Record<string, string> = {}) => {
    const child = runSextant(under, join(under.folder, home), ['index', laptop, '--format', 'json', ...more], env);
    let [out, err] = ['', ''];
    child.stdout!.on('data', (piece) => (out += piece));
    child.stderr!.on('data', (piece) => (err += piece));
    const [code] = await once(child, 'close');
    return { code, err, report: code === 0 ? (JSON.parse(out) as { files_indexed: number; symbols: number }) : null };
  };
  const contents = async () => (await under.fleet.status()).contents;
  await until(async () => (await contents()) === 2);
  const token = { SEXTANT_FLEET_TOKEN: 'token-of-ann-for-tests' };
  const helped = await indexed('laptop-home', ['--fleet', node.url], token);
  assert.equal(helped.code, 0, helped.err);
  assert.equal(helped.report?.files_indexed, 1, 'only its own file is parsed');
  const alone = await indexed('alone-home', []);
  assert.equal(alone.report?.files_indexed, 3);
  assert.equal(helped.report?.symbols, alone.report?.symbols);
  assert.equal(await contents(), 2);
  const refused = await indexed('refused-home', ['--fleet', node.url]);
  assert.notEqual(refused.code, 0);
  assert.match(refused.err, /refused the token/);
});
