/** cortex: changed chunk files are taken over. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { processEnv, root } from '../real-engine.ts';
import {
  box,
  CHUNKS,
  chunk,
  endpoint,
  fileText,
  ids,
  log,
  open,
  profileOf,
  search,
  setService,
  until,
  writeFolder,
} from './setup.ts';

test('changed files are taken over when they have been quiet, whole; broken ones leave the old state (CX-17, CX-18, CX-25, CX-26, CX-35, CX-40)', async () => {
  const folder = join(box.folder, 'reloaded');
  writeFolder(folder);
  const raw = await open(profileOf({ chunksDir: folder }));
  assert.equal((await search(raw, 'authentication', { limit: 100 })).total, 6);
  log.length = 0;
  const more = [...CHUNKS['code-data.json']!, chunk('data-new', 'data', 'brand new constant', ['code'])];
  // Several files in quick succession, as an indexer writes them: one reload.
  writeFileSync(join(folder, 'code-data.json'), fileText(CHUNKS['code-data.json']!.slice(0, 0)));
  writeFileSync(join(folder, 'doc-chunks.json'), fileText(CHUNKS['doc-chunks.json']!.slice(0, 1)));
  writeFileSync(join(folder, 'code-data.json'), fileText(more));
  const all = async () => ids(await search(raw, 'brand new constant', { limit: 100 })).sort();
  const old = ['code-symbols-auth', 'data-db', 'def-cart', 'def-login', 'doc-auth', 'doc-setup'];
  const fresh = ['code-symbols-auth', 'data-db', 'data-new', 'def-cart', 'def-login', 'doc-auth'];
  await until('reloaded', async () => {
    const seen = await all();
    assert.ok([old.join(), fresh.join()].includes(seen.join()), seen.join());
    return seen.includes('data-new');
  });
  assert.equal(log.filter(({ message }) => message === 'chunks reloaded').length, 1);

  writeFileSync(join(folder, 'code-symbols.json'), '{"chunks": [{"id"');
  await until('refused', () =>
    log.some(({ level, fields }) => level === 'error' && /code-symbols\.json is malformed/.test(fields.reason)),
  );
  assert.equal((await search(raw, 'x', { limit: 100 })).total, 6, 'the old state answers');
  writeFileSync(join(folder, 'code-symbols.json'), fileText(CHUNKS['code-symbols.json']!));
  renameSync(join(folder, 'code-definitions.json'), join(folder, 'gone'));
  await until('missing', () => log.some(({ fields }) => /code-definitions\.json is missing/.test(fields.reason ?? '')));
  assert.equal((await search(raw, 'x', { limit: 100 })).total, 6);
  writeFileSync(join(folder, 'code-definitions.json'), fileText(CHUNKS['code-definitions.json']!.slice(0, 1)));
  await until('repaired', async () => (await search(raw, 'x', { limit: 100 })).total === 5);
  writeFileSync(join(folder, 'new.json'), '{"chunks": [');
  await until('named', () =>
    log.some(({ message, fields }) => message === 'chunk file skipped' && fields.file === 'new.json'),
  );
  writeFileSync(join(folder, 'new.json'), fileText([chunk('added', 'data', 'in a fifth file', [])]));
  await until('added', async () => ids(await search(raw, 'fifth', { limit: 1 }))[0] === 'added');

  await raw.close();
  log.length = 0;
  writeFolder(folder);
  await new Promise((resolve) => setTimeout(resolve, 800));
  assert.deepEqual(log, [], 'nobody looks at it any more');
});

test('a reload of the same chunks changes no answer, and one with other dimensions is refused (CX-18, CX-22)', async () => {
  const folder = join(box.folder, 'again');
  writeFolder(folder);
  const raw = await open(profileOf({ chunksDir: folder }));
  const answers = async () =>
    Promise.all(['authentication', 'cart', 'database timeout'].map((query) => search(raw, query, { limit: 100 })));
  const before = await answers();
  log.length = 0;
  // Other bytes, the same chunks: another order in one file, another spacing in the other.
  const [first, second] = CHUNKS['doc-chunks.json']!;
  writeFileSync(join(folder, 'doc-chunks.json'), fileText([second!, first!]));
  const spaced = JSON.stringify(JSON.parse(fileText(CHUNKS['code-definitions.json']!)), null, 2);
  writeFileSync(join(folder, 'code-definitions.json'), spaced);
  await until('reloaded', () => log.some(({ message }) => message === 'chunks reloaded'));
  assert.deepEqual(await answers(), before);
  writeFileSync(join(folder, 'code-data.json'), fileText(CHUNKS['code-data.json']!, 256));
  await until('refused', () =>
    log.some(({ level, fields }) => level === 'error' && /has 256 dimensions, 384 are expected/.test(fields.reason)),
  );
  assert.deepEqual(await answers(), before, 'the old state answers');
});

test('a folder that is put in the place of another is followed like the first (CX-17)', async (t) => {
  // No timer looks: events announce what is taken over.
  t.mock.timers.enable({ apis: ['setInterval'] });
  const folder = join(box.folder, 'swapped');
  writeFolder(folder);
  const raw = await open(profileOf({ chunksDir: folder }));
  const data = (id: string) => ({ ...CHUNKS, 'code-data.json': [chunk(id, 'data', 'brand new constant', ['code'])] });
  const isFirst = async (id: string) => ids(await search(raw, 'brand new constant', { limit: 1 }))[0] === id;
  writeFolder(`${folder}-next`, data('data-second'));
  renameSync(folder, `${folder}-before`);
  renameSync(`${folder}-next`, folder);
  await until('swapped', () => isFirst('data-second'));
  writeFolder(folder, data('data-third'));
  await until('changed after that', () => isFirst('data-third'));
});

test('a reload and a failed search are reported on standard error, --verbose or not (CX-11, CX-17)', async () => {
  const folder = join(box.folder, 'told');
  writeFolder(folder);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(root, 'dist/main.js'), 'serve-mcp', '--profile', 'cortex', '--workspace', box.project],
    cwd: root,
    env: { ...processEnv(box), CORTEX_CHUNKS_DIR: folder, CORTEX_EMBEDDING_ENDPOINT: endpoint },
    stderr: 'pipe',
  });
  let told = '';
  transport.stderr!.on('data', (text) => {
    told += text;
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  try {
    writeFileSync(join(folder, 'code-data.json'), fileText([]));
    await until('told', () => /"chunks":5,"msg":"chunks reloaded"/.test(told));
    setService('broken');
    await assert.rejects(client.callTool({ name: 'cortex_search', arguments: { query: 'x' } }), { code: -32603 });
    await until('told', () => /HTTP 500.*"msg":"search failed"/.test(told));
  } finally {
    setService('well');
    await client.close();
  }
});

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(`${signal} ends a server that follows chunk files, which has written nothing (CX-25, CX-39)`, async () => {
    const project = join(box.folder, `ended-by-${signal}`);
    writeFolder(join(project, '.cortex/chunks'));
    const files = () => readdirSync(project, { recursive: true }).sort();
    const before = files();
    const server = spawn(
      process.execPath,
      [join(root, 'dist/main.js'), 'serve-mcp', '--profile', 'cortex', '--workspace', project],
      { cwd: root, env: { ...processEnv(box), CORTEX_EMBEDDING_ENDPOINT: endpoint } },
    );
    const ended = once(server, 'exit');
    const answered = once(server.stdout, 'data');
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    await answered;
    const found = once(server.stdout, 'data');
    const call = { name: 'cortex_search', arguments: { query: 'database' } };
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call })}\n`);
    assert.match(String((await found)[0]), /data-db/);
    server.kill(signal);
    assert.deepEqual(await ended, [0, null]);
    assert.deepEqual(files(), before);
  });

test('fifty parallel questions over 4,000 chunks are answered while they are loaded anew (CX-30)', {
  timeout: 120_000,
}, async () => {
  const folder = join(box.folder, 'many');
  const many = (generation: string) =>
    Array.from({ length: 4_000 }, (_, i) =>
      chunk(`${generation}-${i}`, 'data', `retry limit of part ${i % 97}`, ['go']),
    );
  const write = (generation: string) => writeFolder(folder, { 'code-data.json': many(generation) });
  write('old');
  const raw = await open(profileOf({ chunksDir: folder }));
  write('new');
  const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => search(raw, `retry limit ${i}`)));
  for (const answer of answers) {
    assert.equal(answer.total, 15);
    assert.equal(new Set(ids(answer).map((id) => id.slice(0, 3))).size, 1, 'of one generation');
  }
  await until('the new chunks answer', async () => ids(await search(raw, 'retry limit'))[0]!.startsWith('new'));
});
