import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import type { CortexQuery } from '../cortex-chunk.ts';
import { ChunkSet } from './chunk-set.ts';
import { PackedTexts } from './packed-texts.ts';

const QUERY: CortexQuery = { query: '', limit: 3, tags: [], chunkTypes: [] };

function setOf(chunks: readonly { readonly id: string; readonly text: string }[]): ChunkSet {
  const set = new ChunkSet(2);
  for (const chunk of chunks) {
    const json = Buffer.from(JSON.stringify(chunk));
    // In parts, as the scanner hands it on.
    set.add({ id: chunk.id, chunk_type: 'data', tags: [] }, [json.subarray(0, 5), json.subarray(5)], [1, 0]);
  }
  return set.close();
}

test('packed texts of any length are read back in any order', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.nat(80_000).map((length) => 'ä1\n'.repeat(length)),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), (texts) => {
      const packed = new PackedTexts();
      for (const bytes of texts.map((one) => Buffer.from(one))) packed.add([bytes.subarray(0, 7), bytes.subarray(7)]);
      packed.close();
      for (const [i, one] of [...texts.entries()].reverse()) assert.equal(packed.read(i), one);
    }),
    { numRuns: 20 },
  );
});

test('a thousand chunks with 384 dimensions take no more than a megabyte (CX-36)', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const lines = readFileSync(fileURLToPath(new URL('chunk-set.ts', import.meta.url)), 'utf8').split('\n');
  const before = used();
  const set = new ChunkSet(384);
  for (let i = 0; i < 10_000; i++) {
    const id = `code-definitions-${i}`;
    const text = Array.from({ length: 20 }, (_, line) => lines[(i * 7 + line * 3) % lines.length]).join('\n');
    const json = Buffer.from(JSON.stringify({ id, chunk_type: 'definitions', title: id, text, tags: ['go', 'code'] }));
    set.add({ id, chunk_type: 'definitions', tags: ['go', 'code'] }, [json], new Float32Array(384).fill(i));
  }
  set.close();
  const bytes = used() - before;
  assert.equal(set.size, 10_000);
  assert.ok(bytes < 10_000_000, `${bytes} bytes`);
});

test('chunks with equal scores are ordered by id, independent of their place in the files (CX-22)', () => {
  const ids = Array.from({ length: 2_000 }, (_, i) => `chunk-${String((i * 7919) % 2_000).padStart(4, '0')}`);
  const set = setOf(ids.map((id) => ({ id, text: `text of ${id}` })));
  assert.deepEqual(
    set.search([1, 0], QUERY).map(({ chunk: { id, text } }) => [id, text]),
    ['chunk-0000', 'chunk-0001', 'chunk-0002'].map((id) => [id, `text of ${id}`]),
  );
});

test('a later chunk replaces an earlier one with the same id', () => {
  const set = setOf([
    { id: 'a', text: 'first' },
    { id: 'b', text: 'other' },
    { id: 'a', text: 'second' },
  ]);
  assert.equal(set.size, 2);
  assert.deepEqual(
    set.search([1, 0], QUERY).map(({ chunk }) => chunk.text),
    ['second', 'other'],
  );
});
