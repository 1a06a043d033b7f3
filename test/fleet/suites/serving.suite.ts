/** Nodes that answer: the real binary, a real client, several subjects. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { asSubject } from '../../../src/fleet/serving/subjects.ts';
import { type AuditRow, auditEntries } from '../audit-entries.ts';
import { askTool, indexByBinary, runSextant, serveFleet } from '../fleet-node.ts';
import { fleetFor, until } from '../fleet-under-test.ts';
import { openNodeOf, openSharedNode } from '../fleet-workspace.ts';

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
  const node = await serveFleet(under, { ann: ['a'], bob: ['b'], carl: [] });
  const [ann, bob, carl] = await Promise.all([node.client('ann'), node.client('bob'), node.client('carl')]);

  const found = await askTool(ann!, 'search_code', { path: 'acme/alpha', query: 'postAlphaLedger' });
  assert.equal(found.isError, false, found.text);
  assert.match(found.text, /src\/ledger\.ts/);
  assert.match(found.text, /acme\/alpha main [0-9a-f]{12}, \d+ s old/, 'an answer says its commit and age');
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
  const entries = await auditEntries(under);
  const subjects = new Set(entries.map(({ subject }) => subject));
  assert.ok(subjects.has('ann') && subjects.has('carl'));
  assert.ok(entries.some(({ tool, results }) => tool === 'search' && Number(results) > 0));
});

test('every answer says of which commit it is and how old that is, in its text and in its data', async (t) => {
  const under = await fleetFor(t);
  const files = { ...ALPHA, 'README.md': '# Ledger\n\nThe ledger posts what is paid.\n' };
  await under.fleet.add({ name: 'acme/alpha', url: under.repository('alpha', files), ref: null, groups: [] });
  await indexByBinary(under);
  const node = await serveFleet(under, { ann: [] });
  const ann = await node.client('ann');
  const said = /acme\/alpha main [0-9a-f]{12}, \d+ s old/;
  const calls: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[] = [
    ['search_code', { query: 'ledger' }],
    ['search_docs', { query: 'ledger' }],
    ['locate_symbol', { name: 'postAlphaLedger' }],
    ['code_research', { query: 'what calls postAlphaLedger' }],
    ['grep_codebase', { pattern: 'postAlphaLedger' }],
    ['context_search', { query: 'ledger' }],
    ['read_file', { path: 'acme/alpha/src/ledger.ts' }],
    ['read_file', { path: 'acme/alpha/src/ledger.ts', dependants: true }],
    ['read_file', { path: 'src/ledger.ts', project: 'acme/alpha' }],
    ['get_status', { path: 'acme/alpha' }],
    ['impact', { path: 'acme/alpha', target: 'postAlphaLedger' }],
  ];
  const ofOne: ReadonlySet<string> = new Set(['read_file', 'get_status', 'impact']);
  for (const [tool, args] of calls)
    for (const path of ofOne.has(tool) ? [args.path] : [undefined, 'acme/alpha']) {
      const result = await ann.callTool({ name: tool, arguments: { ...args, ...(path !== undefined && { path }) } });
      const [text] = result.content as readonly { readonly text?: string }[];
      const asked = `${tool} ${JSON.stringify(args)} ${path}`;
      assert.match(text?.text ?? '', said, asked);
      assert.match(JSON.stringify(result.structuredContent), said, asked);
      assert.ok(!JSON.stringify(result).includes(node.home), asked);
    }
  const { text: diff } = await askTool(ann, 'impact', { path: 'acme/alpha' });
  assert.match(diff, /no history: name a symbol or lines as target/);
  assert.ok(!diff.includes(node.home), diff);
  const { contents } = await ann.readResource({ uri: 'sextant://map' });
  assert.match(JSON.stringify(contents), /acme\/alpha main [0-9a-f]{12}, published \d{4}-\d\d-\d\dT/);
});

test("the repositories on a node's disk stay below their bound, the least recently used goes, and is brought again", async (t) => {
  const { under, node: roomy } = await openSharedNode(t);
  const names = ['one', 'two', 'three'];
  const bodyOf = (name: string) =>
    Array.from({ length: 400 }, (_, i) => `export function ${name}${i}() {\n  return ${i};\n}\n`).join('');
  for (const name of names) {
    const url = under.repository(name, { 'src/a.ts': bodyOf(name) });
    await under.fleet.add({ name, url, ref: null, groups: [] });
  }
  await under.work();
  const asAnn = <T>(work: () => Promise<T>) => asSubject({ name: 'ann', groups: new Set() }, work);
  const { indexBytes } = await asAnn(() => roomy.engine.status(join(roomy.folder, 'one')));
  const node = await openNodeOf(under, { cacheBytes: 2.5 * (indexBytes + bodyOf('one').length) });
  const ask = async (name: string) => {
    const path = join(node.folder, name);
    const { hits } = await asAnn(() => node.engine.search(path, { query: `${name}7` }));
    assert.equal(hits[0]?.path, 'src/a.ts', name);
  };
  const onDisk = () => names.filter((name) => existsSync(join(node.folder, name, 'src/a.ts')));
  for (const name of ['one', 'two', 'one', 'three']) await ask(name);
  assert.deepEqual(onDisk(), ['one', 'three']);
  await ask('two');
  assert.deepEqual(onDisk(), ['two', 'three']);
});

test('the audit log has who asked what about which repositories, not the question, for as long as it is kept', async (t) => {
  const { under, node } = await openSharedNode(t, { auditDays: 1 });
  const url = under.repository('shop', { 'src/a.ts': 'export function payInvoice() {}\n' });
  await under.fleet.add({ name: 'acme/shop', url, ref: null, groups: ['a'] });
  await under.work();
  const old = { atMs: Date.now() - 2 * 86_400_000, subject: 'old', tool: 'search', repositories: [], results: 0 };
  const index = `${under.prefix}-audit`;
  const query = { refresh: 'true' };
  await under.connection.ask({ method: 'PUT', path: `/${index}/_doc/old`, query, body: { ...old, outcome: 'ok' } });
  const ask = (groups: readonly string[], path: string) =>
    asSubject({ name: 'ann', groups: new Set(groups) }, () => node.engine.search(path, { query: 'payInvoice' }));
  await ask(['a'], join(node.folder, 'acme/shop'));
  await ask(['a'], node.folder);
  await assert.rejects(ask([], join(node.folder, 'acme/shop')));
  const { results: recalled } = await asSubject({ name: 'ann', groups: new Set(['a']) }, () =>
    node.engine.contextSearch(join(node.folder, 'acme/shop'), { query: 'payInvoice' }),
  );
  assert.ok(recalled.length > 0);
  let entries: readonly AuditRow[] = [];
  await until(async () => {
    entries = await auditEntries(under);
    return entries.length === 4 && entries.every(({ subject }) => subject === 'ann');
  });
  assert.deepEqual(
    entries.map(({ tool, repositories, results, outcome }) => ({ tool, repositories, results, outcome })),
    [
      { tool: 'search', repositories: ['acme/shop'], results: 1, outcome: 'ok' },
      { tool: 'search', repositories: ['acme/shop'], results: 1, outcome: 'ok' },
      { tool: 'search', repositories: [], results: null, outcome: 'not_served' },
      { tool: 'contextSearch', repositories: ['acme/shop'], results: recalled.length, outcome: 'ok' },
    ],
  );
  assert.doesNotMatch(JSON.stringify(entries), /payInvoice/);
});

test('an index on a laptop takes contents from a node, is the same as one that derived them, and gives nothing back', async (t) => {
  const under = await fleetFor(t);
  const files = { 'src/a.ts': 'export function alpha() {}\n', 'src/b.py': 'def beta():\n    return 1\n' };
  const remote = under.repository('shared', files);
  await under.fleet.add({ name: 'acme/shared', url: remote, ref: null, groups: ['nobody'] });
  await indexByBinary(under);
  const node = await serveFleet(under, { ann: [] });
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
