import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { extractorSources, extractorVersion, hashSources } from './extractor-version.ts';

const src = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

test('the extractor version covers every query, descriptor and step of extraction and chunking, and no test', () => {
  const sources = extractorSources(src);
  for (const path of [
    'languages/go/go.ts',
    'languages/go/go.scm',
    'languages/c-family/mask.ts',
    'languages/script/read-imports.ts',
    'languages/runtime/extract/extract.ts',
    'chunk/chunk-file.ts',
    'indexing/deriving/batch-builder.ts',
    'model/text/terms.ts',
  ])
    assert.ok(sources.includes(path), path);
  assert.deepEqual(
    sources.filter((path) => /\.test\.ts$|\/fixture\/|\/names\.ts$/.test(path)),
    [],
  );
});

test('a changed source changes the extractor version', () => {
  const before = [['a.ts', 'one']] as const;
  assert.notEqual(hashSources(before), hashSources([['a.ts', 'two']]));
  assert.notEqual(hashSources(before), hashSources([['b.ts', 'one']]));
  assert.equal(hashSources(before), hashSources(before));
  assert.match(extractorVersion(), /^[0-9a-f]{16}$/);
});

test('the build puts one extractor version into the program for servers and the program for commands', () => {
  const dist = join(src, '..', 'dist');
  const command = readFileSync(join(dist, 'command.cjs'), 'utf8');
  const served = readdirSync(join(dist, 'chunks')).map((name) => readFileSync(join(dist, 'chunks', name), 'utf8'));
  const version = /"[0-9a-f]{16}"/.exec(command)?.[0];
  assert.ok(version);
  assert.equal(served.filter((text) => text.includes(version)).length, 1);
});
