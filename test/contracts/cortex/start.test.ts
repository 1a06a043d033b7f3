/** cortex: chunk files and services that do not work; settings of the shipped command. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Profile } from '../../../src/contracts/index.ts';
import { EngineError } from '../../../src/model/records/engine-errors.ts';
import type { Message } from '../raw-client.ts';
import { root } from '../real-engine.ts';
import {
  box,
  CHUNKS,
  chunks,
  DIMS,
  embedding,
  endpoint,
  fileText,
  ids,
  log,
  open,
  profileOf,
  refused,
  search,
  setService,
  writeFolder,
} from './setup.ts';

test('malformed files are left out and named; what is missing in a chunk is not made up (CX-13)', async () => {
  const folder = join(box.folder, 'malformed');
  writeFolder(folder, { 'doc-chunks.json': CHUNKS['doc-chunks.json']! });
  writeFileSync(join(folder, 'code-symbols.json'), '{"chunks": [');
  writeFileSync(join(folder, 'code-data.json'), '"no chunks"');
  const [dated] = CHUNKS['code-definitions.json']!;
  const { created_at: _created, ...good } = { ...dated!, updated_at: 'yesterday' } as Message;
  writeFileSync(
    join(folder, 'code-definitions.json'),
    JSON.stringify([
      { ...good, embedding: embedding(good.text) },
      { id: 'without' },
      7,
      { ...good, id: 'bad', embedding: ['x'] },
    ]),
  );
  log.length = 0;
  const raw = await open(profileOf({ chunksDir: folder }));
  assert.deepEqual(ids(await search(raw, 'authentication')).sort(), ['def-login', 'doc-auth', 'doc-setup']);
  const [undated] = (await search(raw, 'login', { chunk_types: ['definitions'] })).results;
  const never = '0001-01-01T00:00:00Z';
  assert.deepEqual([undated.chunk.created_at, undated.chunk.updated_at], [never, never]);
  const skipped = log.filter(({ message }) => message === 'chunk file skipped').map(({ fields }) => fields.file);
  assert.deepEqual(skipped, ['code-data.json', 'code-symbols.json']);
  assert.ok(log.some(({ message, fields }) => message === 'malformed chunks skipped' && fields.chunks === 3));
});

const startFails = async (profile: Profile, words: RegExp) =>
  assert.rejects(profile.start!(), (error) => {
    assert.ok(error instanceof EngineError);
    assert.match(error.message, words);
    // The doctor looks at our own configuration, not at this one; and our own provider is not the one that is asked.
    if (error.code === 'invalid_config') assert.doesNotMatch(error.fix, /doctor/);
    else assert.match(error.fix, /\.cortex\/config\.yml/);
    return true;
  });

test('what cannot work fails at the start, in words (CX-14, CX-15, CX-16)', async () => {
  await startFails(profileOf({ chunksDir: join(box.folder, 'nowhere') }), /CORTEX_CHUNKS_DIR.*nowhere does not exist/);
  await startFails(profileOf({ address: 'http://127.0.0.1:9/embed' }), /127\.0\.0\.1:9.*did not answer/);
  setService('short');
  try {
    await startFails(profileOf(), /256 dimensions, not 384/);
  } finally {
    setService('well');
  }
  const folder = join(box.folder, 'short');
  mkdirSync(folder);
  writeFileSync(join(folder, 'code-data.json'), fileText(CHUNKS['code-data.json']!, 256));
  await startFails(profileOf({ chunksDir: folder }), /data-db in code-data\.json has 256 dimensions, 384 are expected/);
});

test('beside other profiles a failing start refuses calls until it can be made good (CX-15, CX-28)', async () => {
  setService('broken');
  const raw = await open(profileOf({ failFast: false }));
  assert.match((await refused(raw, { query: 'x' }, -32603)).message, /HTTP 500/);
  setService('well');
  assert.ok((await search(raw, 'authentication')).total > 0);
});

test('the shipped command reads config.yml and the environment (CX-19, CX-20, CX-14)', async () => {
  const config = join(box.project, '.cortex/config.yml');
  writeFolder(join(box.project, 'made/here'), { 'code-data.json': CHUNKS['code-data.json']! });
  writeFileSync(
    config,
    `embedding:\n  endpoint: "${endpoint}"\n  dimensions: ${DIMS}\nserver:\n  chunks_dir: "made/here"\n`,
  );
  const args = [join(root, 'dist/main.js'), 'serve-mcp', '--profile', 'cortex', '--workspace', box.project];
  const env = { PATH: process.env.PATH ?? '', HOME: box.folder, SEXTANT_HOME: box.home };
  const found = async (more: Record<string, string>) => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, cwd: root, env: { ...env, ...more } }),
    );
    const result = (await client.callTool({
      name: 'cortex_search',
      arguments: { query: 'database', limit: 100 },
    })) as Message;
    await client.close();
    return ids(result.structuredContent).sort();
  };
  try {
    assert.deepEqual(await found({}), ['data-db']);
    writeFileSync(config, 'embedding:\n  endpoint: "http://127.0.0.1:9/embed"\nserver:\n  chunks_dir: "made/here"\n');
    const both = { CORTEX_CHUNKS_DIR: chunks, CORTEX_EMBEDDING_ENDPOINT: endpoint };
    assert.equal((await found(both)).length, 6);
    const failed = spawnSync(process.execPath, args, {
      cwd: root,
      env: { ...env, CORTEX_CHUNKS_DIR: '/no/such/chunks' },
      encoding: 'utf8',
      input: '',
    });
    assert.notEqual(failed.status, 0);
    assert.match(failed.stderr, /\/no\/such\/chunks does not exist/);
    assert.equal(failed.stdout, '');
  } finally {
    rmSync(config);
  }
});
