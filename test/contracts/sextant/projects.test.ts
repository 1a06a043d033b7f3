/** The default profile: which project and which folder a call means. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Message, rawClient } from '../raw-client.ts';
import { connectHttp, MODERN, serveProfiles } from '../real-engine.ts';
import { type Arguments, box, call, client, indexProject, refused } from './setup.ts';

before(indexProject);

test('which project: workspace, path, roots, or a refusal (SX-04)', async () => {
  const homeless = await serveProfiles(box, ['sextant'], null);
  try {
    const lost = await connectHttp(`${homeless.url}/mcp`);
    assert.match((await refused('search_code', { query: 'cart' }, 'invalid_input', lost)).message, /--workspace/);
    assert.ok((await call('search_code', { query: 'cart', path: box.project }, lost)).results.length > 0);
    await lost.close();
    for (const era of [{}, MODERN]) {
      const rooted = await connectHttp(`${homeless.url}/mcp`, { ...era, capabilities: { roots: {} } });
      rooted.setRequestHandler('roots/list', async () => ({ roots: [{ uri: pathToFileURL(box.project).href }] }));
      assert.ok((await call('search_code', { query: 'cart' }, rooted)).results.length > 0);
      assert.ok((await call('search_code', { query: 'cart', path: '.' }, rooted)).results.length > 0);
      await rooted.close();
    }
  } finally {
    await homeless.close();
  }
});

test('a server that stands in a folder of an indexed project means that project, whatever is asked (SX-04, SX-11, SX-12)', async () => {
  const raw = rawClient({ profile: 'sextant', engine: box.engine, workspace: join(box.project, 'web') });
  await raw.initialize();
  const ask = async (name: string, args: Arguments) =>
    (await raw.request('tools/call', { name, arguments: args })).result.structuredContent;
  const { matches } = await ask('grep_codebase', { pattern: 'cartTotal' });
  assert.equal(matches[0].path, 'web/cart.ts');
  assert.equal((await ask('read_file', { path: matches[0].path })).path, 'web/cart.ts');
  assert.equal((await ask('locate_symbol', { name: 'cartTotal' })).results[0].path, 'web/cart.ts');
  assert.equal((await ask('grep_codebase', { pattern: 'ValidateToken' })).matches[0].path, 'internal/auth/service.go');
  await raw.close();
});

test('a folder inside the project is asked alone, by its paths in the project, and needs no index of its own (SX-04, SX-12)', async () => {
  const path = 'internal/auth';
  const inside = (places: Message[]) =>
    assert.ok(places.length > 0 && places.every((place) => place.path.startsWith(`${path}/`)), JSON.stringify(places));
  for (const at of [path, join(box.project, path)]) {
    inside((await call('search_code', { query: 'token user', path: at })).results);
    inside((await call('search_code', { query: 'token user', path: at, path_filter: '*_test.go' })).results);
    const untested = (await call('search_code', { query: 'token user', path: at, path_filter: '!*_test.go' })).results;
    inside(untested);
    assert.ok(untested.every((place: Message) => !place.path.endsWith('_test.go')));
    inside((await call('locate_symbol', { name: 'User', path: at })).results);
    inside((await call('grep_codebase', { pattern: 'token|func', path: at })).matches);
    for (const file_pattern of ['service.go', 'internal/auth/*.go'])
      inside((await call('grep_codebase', { pattern: 'token|func', path: at, file_pattern })).matches);
  }
  assert.deepEqual(
    (await call('search_docs', { query: 'installation', path: 'docs' })).results[0].path,
    'docs/guide.md',
  );
  const { content } = await client.callTool({ name: 'grep_codebase', arguments: { pattern: 'func', path } });
  assert.ok((content as Message[]).some(({ uri }) => uri?.endsWith('/shop/internal/auth/service.go')));
  assert.equal((await call('index_codebase', { path })).root, box.project);
});
