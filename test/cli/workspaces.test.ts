/** Workspaces from a terminal and over MCP, as real processes. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { launcher, sandbox } from './sextant.ts';

const box = sandbox('code');
box.write({
  'api/package.json': '{ "name": "@shop/api", "main": "src/index.ts" }\n',
  'api/src/index.ts': "export * from './orders.ts';\n",
  'api/src/orders.ts':
    '/** Places an order and charges the card. */\nexport function placeOrder(card: string) {\n  return card;\n}\n',
  'web/src/checkout.ts':
    "import { placeOrder } from '@shop/api';\n\n/** Sends the basket. */\nexport function checkout(card: string) {\n  return placeOrder(card);\n}\n",
  'notes/readme.md': '# Notes\n\nNo clone.\n',
});
for (const name of ['api', 'web']) mkdirSync(box.path(name, '.git'));

const json = (args: readonly string[], cwd?: string) => {
  const { stdout, stderr, code } = box.run([...args, '--format', 'json'], cwd === undefined ? {} : { cwd });
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
};

test('a folder of clones becomes a workspace, and its repositories are searched as one', () => {
  const made = json(['workspace', 'create', 'shop', '--from', '.', '--yes']);
  assert.deepEqual(
    made.repositories.map(({ name }: { name: string }) => name),
    ['api', 'web'],
  );
  const { hits } = json(['search', 'charge the card for an order', '--workspace', 'shop'], box.folder);
  assert.equal(hits[0].path, 'api/src/orders.ts');
  const some = json(['search', 'placeOrder', '--workspace', 'shop', '--repos', 'web'], box.folder);
  assert.ok(some.hits.every(({ path }: { path: string }) => path.startsWith('web/')));
  const read = box.run(['read', 'web/src/checkout.ts:4-6', '--workspace', 'shop'], { cwd: box.folder });
  assert.match(read.stdout, /return placeOrder/);
  const grep = box.run(['grep', 'placeOrder', '--workspace', 'shop'], { cwd: box.folder });
  assert.match(grep.stdout, /^web\/src\/checkout\.ts:5:/m);
  const research = json(['research', 'who calls placeOrder', '--workspace', 'shop'], box.folder);
  assert.match(JSON.stringify(research), /web\/src\/checkout\.ts/);
  assert.match(box.run(['map', '--workspace', 'shop'], { cwd: box.folder }).stdout, /api\/src\/orders\.ts/);
  assert.match(box.run(['sync', '--workspace', 'shop'], { cwd: box.folder }).stdout, /^api: Up to date/m);
});

test('a name that is a workspace and a folder is refused with both ways to write it', () => {
  box.run(['workspace', 'create', 'api', 'api']);
  const { code, stderr } = box.run(['search', 'order', '--workspace', 'api']);
  assert.equal(code, 2);
  assert.match(stderr, /workspace:api.*\.\/api/);
  assert.equal(box.run(['search', 'order', '--workspace', 'workspace:api']).code, 0);
  assert.equal(box.run(['workspace', 'remove', 'api']).code, 0);
  const unknown = box.run(['search', 'order', '--workspace', 'gone']);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /There is no workspace gone/);
});

test('what a workspace has is listed, shown, added to and taken from', () => {
  assert.match(box.run(['workspace', 'list']).stdout, /shop\s+api, web/);
  assert.equal(box.run(['workspace', 'add', 'shop', 'notes']).code, 0);
  const { repositories } = json(['workspace', 'show', 'shop']);
  assert.deepEqual(
    repositories.map(({ name, status }: { name: string; status: string }) => `${name} ${status}`),
    ['api fresh', 'notes not_indexed', 'web fresh'],
  );
  const { freshness } = json(['search', 'order', '--workspace', 'shop']);
  assert.equal(freshness.missing[0].name, 'notes');
  assert.equal(box.run(['workspace', 'remove', 'shop', 'notes']).code, 0);
  assert.equal(box.run(['workspace', 'create', 'shop', 'api']).code, 2, 'it is there already');
});

test('an MCP server of a workspace answers with paths that its tools take back', async () => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [launcher, 'serve-mcp', '--workspace', 'shop'],
      env: box.environment() as Record<string, string>,
      cwd: join(box.folder),
      stderr: 'ignore',
    }),
  );
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })).structuredContent as Record<string, never>;
  try {
    const found = await call('search_code', { query: 'charge the card for an order' });
    const [first] = found.results as unknown as { path: string }[];
    assert.equal(first?.path, 'api/src/orders.ts');
    assert.match(String((await call('read_file', { path: first!.path })).content), /charges the card/);
    const some = await call('search_code', { query: 'placeOrder', repos: ['web'] });
    assert.doesNotMatch(JSON.stringify(some), /api\/src/);
    const inside = await call('grep_codebase', { pattern: 'placeOrder', path: 'web/src' });
    assert.doesNotMatch(JSON.stringify(inside), /api\/src/);
    const located = await call('locate_symbol', { name: 'placeOrder', detail: true });
    assert.match(JSON.stringify(located), /web\/src\/checkout\.ts/);
    const states = (await call('get_status', {})).repositories as unknown as { name: string }[];
    assert.deepEqual(
      states.map(({ name }) => name),
      ['api', 'web'],
    );
    const refused = await call('search_code', { query: 'x', repos: ['gone'] });
    assert.match(JSON.stringify(refused), /"repository_not_found"/);
  } finally {
    await client.close();
  }
});
