/** `sextant export`: the index as files for others. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SAMPLE, sandbox } from './sextant.ts';

const box = sandbox();
box.write(SAMPLE);
const chunks = join(box.folder, 'chunks');

test('it says what is missing: the form, the index', () => {
  const formless = box.run(['export']);
  assert.deepEqual([formless.code, formless.stdout], [2, '']);
  assert.match(formless.stderr, /--cortex DIR/);
  const early = box.run(['export', '--cortex', chunks]);
  assert.equal(early.code, 3);
  assert.match(early.stderr, /sextant index/);
  assert.deepEqual(readdirSync(box.folder).includes('chunks'), false);
});

test('four files, each chunk with its embedding', () => {
  const { code, stdout, stderr } = box.run(['export', '--cortex', chunks, '--yes', '--format', 'json']);
  assert.equal(code, 0, stderr);
  const { files, dimensions } = JSON.parse(stdout);
  assert.deepEqual(readdirSync(chunks).sort(), [
    'code-data.json',
    'code-definitions.json',
    'code-symbols.json',
    'doc-chunks.json',
  ]);
  for (const { name, chunks: count } of files) {
    const { chunks: list } = JSON.parse(readFileSync(join(chunks, name), 'utf8'));
    assert.equal(list.length, count);
    for (const { embedding } of list) assert.equal(embedding.length, dimensions);
  }
  assert.ok(files.find(({ name }: { name: string }) => name === 'code-definitions.json').chunks > 0);
});

test('many chunks are written without a word on standard error', () => {
  const lines = Array.from({ length: 12 }, (_, i) => `  const line${i} = amount + ${i};\n`).join('');
  const made = Array.from({ length: 200 }, (_, i) => `export function made${i}(amount: number) {\n${lines}}\n`);
  box.write({ 'many.ts': made.join('\n') });
  assert.equal(box.run(['index']).code, 0);
  const { code, stdout, stderr } = box.run(['export', '--cortex', chunks, '--format', 'json']);
  assert.deepEqual([code, stderr], [0, '']);
  const { files } = JSON.parse(stdout);
  assert.ok(files.find(({ name }: { name: string }) => name === 'code-definitions.json').chunks >= 200);
});

test('a folder that cannot be written is reported, and nothing is left behind', () => {
  const taken = join(box.folder, 'taken');
  mkdirSync(join(taken, 'doc-chunks.json'), { recursive: true });
  const { code, stderr } = box.run(['export', '--cortex', taken]);
  assert.equal(code, 5);
  assert.match(stderr, /Cannot write to.*\nfix: +Pass a folder/);
  assert.ok(readdirSync(taken).every((name) => !name.startsWith('.')));
});

test('export says so if the system refuses to make the folder', { skip: process.platform !== 'linux' }, () => {
  const { code, stderr } = box.run(['export', '--cortex', '/proc/nowhere']);
  assert.equal(code, 5);
  assert.match(stderr, /Cannot write to .*\/proc\/nowhere/);
});

test('an index without vectors of the model that is configured is not exported as if it were empty', () => {
  const chunks = join(box.folder, 'kept');
  assert.equal(box.run(['export', '--cortex', chunks]).code, 0);
  const before = readFileSync(join(chunks, 'code-definitions.json'), 'utf8');
  const env = { SEXTANT_EMBEDDING_PROVIDER: 'cortex', SEXTANT_EMBEDDING_BASE_URL: 'http://127.0.0.1:1' };
  const { code, stderr } = box.run(['export', '--cortex', chunks], { env });
  assert.equal(code, 1);
  assert.match(stderr, /holds no vectors of cortex\/cortex-embed\/384; index again/);
  assert.equal(readFileSync(join(chunks, 'code-definitions.json'), 'utf8'), before);
});
