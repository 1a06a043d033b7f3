import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { EngineError } from '../../model/records/engine-errors.ts';
import { loadCortexConfig } from './cortex-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-cortex-config-'));
const file = join(folder, '.cortex', 'config.yml');
mkdirSync(join(folder, '.cortex'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('defaults apply if there is neither a file nor a variable', async () => {
  assert.deepEqual(await loadCortexConfig(folder, {}), {
    chunksDir: join(folder, '.cortex/chunks'),
    within: folder,
    namedBy: null,
    endpoint: 'http://localhost:8121/embed',
    dimensions: 384,
  });
});

test('the cortex configuration comes from its file, overridden by the environment', async () => {
  writeFileSync(
    file,
    'embedding:\n  endpoint: "http://127.0.0.1:9000/embed"\n  dimensions: 768\nserver:\n' +
      '  chunks_dir: "made/chunks"\nother: 1\n',
  );
  assert.deepEqual(await loadCortexConfig(folder, {}), {
    chunksDir: join(folder, 'made/chunks'),
    within: folder,
    namedBy: file,
    endpoint: 'http://127.0.0.1:9000/embed',
    dimensions: 768,
  });
  const environment = {
    CORTEX_CHUNKS_DIR: '/elsewhere/chunks',
    CORTEX_EMBEDDING_ENDPOINT: 'http://vectors.example/embed',
  };
  assert.deepEqual(await loadCortexConfig(folder, environment), {
    chunksDir: '/elsewhere/chunks',
    within: null,
    namedBy: 'CORTEX_CHUNKS_DIR',
    endpoint: 'http://vectors.example/embed',
    dimensions: 768,
  });
});

test('an invalid cortex configuration is refused, and a repository cannot send queries to another machine', async () => {
  const wrong: [string, RegExp][] = [
    ['embedding:\n  endpoint: http://evil.example/embed\n', /CORTEX_EMBEDDING_ENDPOINT/],
    ['embedding:\n  endpoint: http://localhost.evil.example/\n', /not on this machine/],
    ['embedding:\n  dimensions: many\n', /embedding\.dimensions/],
    ['server:\n  chunks_dir: [a]\n', /server\.chunks_dir/],
    ['server:\n  chunks_dir: ../other\n', /leads out of the project; set CORTEX_CHUNKS_DIR/],
    ['server:\n  chunks_dir: /etc\n', /leads out of the project/],
    ['server: 5\n', /`server` must hold settings/],
    ['a: [', /./],
    [Array.from({ length: 200_000 }, (_, i) => `k${i}:\n`).join(''), /its length is \d+/],
    ['? '.repeat(30_000), /nested too deeply/],
    ['? a\n: b\n? [c]\n: d\n', /a key is no plain text/],
    ['['.repeat(3_000) + ']'.repeat(3_000), /nested too deeply/],
  ];
  for (const [text, words] of wrong) {
    writeFileSync(file, text);
    await assert.rejects(loadCortexConfig(folder, {}), (error) => {
      assert.ok(error instanceof EngineError && error.code === 'invalid_config', String(error));
      assert.match(error.message, words);
      assert.ok(error.message.includes(file));
      return true;
    });
  }
  writeFileSync(file, 'embedding:\n  endpoint: http://vectors.example/embed\n');
  const { endpoint } = await loadCortexConfig(folder, { CORTEX_EMBEDDING_ENDPOINT: 'http://vectors.example/embed' });
  assert.equal(endpoint, 'http://vectors.example/embed');
});

test('a file that leads out of the project is not read', { skip: process.platform === 'win32' }, async () => {
  const outside = `${folder}-secret`;
  writeFileSync(outside, 'words of the user\n');
  after(() => rmSync(outside));
  for (const target of [outside, '/dev/zero']) {
    rmSync(file, { force: true });
    symlinkSync(target, file);
    await assert.rejects(loadCortexConfig(folder, {}), {
      code: 'invalid_config',
      message: /no regular file of the project/,
    });
  }
});
