/** The gocontext contract where something is broken: the index file, the embedding provider. */
import assert from 'node:assert/strict';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createEmbedder } from '../../../src/embed/index.ts';
import { startServer } from '../../../src/embed/providers/test-server.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { workspace } from '../../workspace.ts';
import { type Message, rawClient } from '../raw-client.ts';

const server = await startServer(() => ({ status: 503 }));
const space = workspace({ 'go.mod': 'module shop\n', 'cart.go': 'package shop\n\nfunc AddToCart() {}\n' });
after(async () => {
  await space.close();
  await server.close();
});

async function calls(engine: Engine, ...wanted: [name: string, more: Message][]): Promise<Message[]> {
  const raw = rawClient({ profile: 'gocontext', engine });
  await raw.initialize();
  const answers: Message[] = [];
  for (const [name, more] of wanted) {
    const { result, error } = await raw.request('tools/call', { name, arguments: { path: space.root, ...more } });
    answers.push(error ?? result.structuredContent);
  }
  await raw.close();
  return answers;
}

test('a provider that is down: the index says so, words answer, a question of meaning alone is refused (GC-29, GC-41)', async () => {
  const provider = createEmbedder({ provider: 'cortex', baseUrl: server.url, dims: 8, backoffMs: 1, maxAttempts: 1 });
  const engine = space.anotherEngine({ provider });
  const [made, hybrid, keyword, vector] = await calls(
    engine,
    ['index_codebase', {}],
    ['search_code', { query: 'AddToCart' }],
    ['search_code', { query: 'AddToCart', search_mode: 'keyword' }],
    ['search_code', { query: 'AddToCart', search_mode: 'vector' }],
  );
  assert.equal(made!.success, true);
  assert.match(made!.errors[0].error, /HTTP 503/);
  assert.equal(hybrid!.results[0].file.path, 'cart.go');
  assert.equal(hybrid!.notices.length, 1);
  assert.equal(keyword!.notices, undefined);
  assert.deepEqual([vector!.code, vector!.message], [-32603, 'Internal error']);
  assert.match(vector!.data.reason, /No vectors/);
  assert.match(vector!.data.fix, /"keyword"/);
});

test('a damaged index is an error that names the way out, and the way out works (GC-35, GC-41)', async () => {
  await space.engine.index(space.root);
  const { storeFolder } = await space.engine.project(space.root);
  await space.engine.close();
  truncateSync(join(storeFolder, 'index.sqlite'), 1000);
  const engine = space.anotherEngine();
  const [status, search, rebuilt, again] = await calls(
    engine,
    ['get_status', {}],
    ['search_code', { query: 'AddToCart' }],
    ['index_codebase', { force_reindex: true }],
    ['get_status', {}],
  );
  for (const refusal of [status!, search!]) {
    assert.deepEqual([refusal.code, refusal.data.error_code], [-32603, 'store_corrupt']);
    assert.match(refusal.data.fix, /force_reindex: true/);
  }
  assert.equal(rebuilt!.success, true);
  assert.deepEqual([again!.indexed, again!.health.database_accessible], [true, true]);
});
