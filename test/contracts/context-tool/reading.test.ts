/** context-tool: read_file and the paths it refuses. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { revealHidden } from '../../../src/model/untrusted/visible-text.ts';
import { box, call, client, refused } from './setup.ts';

test('a file with what it is (CT-11)', async () => {
  const answer = await call('read_file', { path: 'web/cart.ts' });
  assert.deepEqual(Object.keys(answer), ['file', 'dependencies', 'metadata']);
  const content = box.read('shop/web/cart.ts');
  assert.deepEqual(answer.file, {
    path: 'web/cart.ts',
    content,
    size: Buffer.byteLength(content),
    lines: 6,
    language: 'typescript',
  });
  assert.deepEqual(answer.dependencies, []);
  assert.deepEqual([answer.metadata.module, answer.metadata.role], ['web', 'core']);
  assert.equal(new Date(answer.metadata.lastModified).toISOString(), answer.metadata.lastModified);
  for (const path of ['./web/price.ts', 'web//price.ts', 'web/./price.ts', './/web/.//./price.ts'])
    assert.equal((await call('read_file', { path })).file.path, 'web/price.ts', path);
});

test('a read is counted (CT-16)', async () => {
  const find = async () => (await box.engine.accesses(box.project)).find(({ path }) => path === 'web/notes.txt');
  const before = (await find())?.count ?? 0;
  await client.callTool({ name: 'read_file', arguments: { path: 'web/notes.txt' } });
  // Counting happens after the answer.
  let after = await find();
  for (let i = 0; i < 100 && (after?.count ?? 0) === before; i++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    after = await find();
  }
  assert.equal(after?.count, before + 1);
  // It fades from the moment it is made.
  assert.ok(after.lastAccessedMs > 0 && after.score > 0.99, `score ${after.score}`);
});

test('files that are not there, or are none (CT-13)', async () => {
  for (const path of ['invalid/path.ts', 'web', 'web/', 'web/cart.ts/x'])
    assert.deepEqual(await refused('read_file', { path }), { error: 'File not found', path });
});

test('paths out of the project, in every spelling (CT-18)', async () => {
  for (const path of ['/etc/passwd', join(box.project, 'web/cart.ts'), 'C:\\x', '\\\\host\\x', '~/x'])
    assert.deepEqual(await refused('read_file', { path }), { error: 'Absolute paths not allowed', path });
  for (const path of ['../secret.txt', '../../../etc/passwd', 'web/../../secret.txt', 'web/..', 'web\\..\\x'])
    assert.deepEqual(await refused('read_file', { path }), { error: 'Path traversal not allowed', path });
  for (const path of ['web/out.txt', 'web\\cart.ts', 'web/cart.ts\0.png'])
    assert.deepEqual(
      Object.entries(await refused('read_file', { path })).slice(0, 2),
      Object.entries({ error: 'Permission denied', path: revealHidden(path) }),
    );
});

test('environment files, .git and node_modules are never read (CT-15, CT-17)', async () => {
  const paths = [
    '.env',
    '.Env',
    '.env.example',
    '.ENV.Local',
    'config/.env.production',
    './.env',
    '.env.',
    '.git/config',
    '.GIT/config',
    'node_modules/left-pad/index.js',
    'Node_Modules/left-pad/index.js',
    'node_modules/no/such/file.js',
    'web/pad.js',
    'web/settings.txt',
  ];
  for (const path of paths) {
    const { error, path: named, details } = await refused('read_file', { path });
    assert.deepEqual([error, named], ['Permission denied', path]);
    assert.ok(details.length > 0);
  }
});

test('a file over 1 MB is refused with its size (CT-19)', async () => {
  const { error, size, limit, suggestion } = await refused('read_file', { path: 'web/big.txt' });
  assert.deepEqual([error, size, limit], ['File too large', 1024 * 1024 + 1, 1024 * 1024]);
  assert.match(suggestion, /grep_codebase/);
});
