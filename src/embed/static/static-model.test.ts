import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EngineError } from '../../model/records/engine-errors.ts';
import { TERMS_VERSION } from '../../model/text/terms.ts';
import { loadStaticModel, STATIC_FORMAT } from './load-static-model.ts';
import { subwordBuckets } from './subwords.ts';

const folder = mkdtempSync(join(tmpdir(), 'static-model-'));
after(() => rmSync(folder, { recursive: true }));

/** Three words on three axes, two buckets on two further ones. */
function writeTinyModel(change: Record<string, unknown> = {}): void {
  const dims = 16;
  const words = ['alpha', 'beta', 'gamma'];
  const buckets = 2;
  const vectors = new Int8Array((words.length + buckets) * dims);
  for (let row = 0; row < words.length + buckets; row++) vectors[row * dims + row] = 100;
  const scales = new Float32Array(words.length + buckets).fill(0.01);
  const queryWeights = Float32Array.of(1, 2, 0);
  const passageWeights = Float32Array.of(2, 1, 1);
  const parts = [vectors, scales, queryWeights, passageWeights].map((a) => Buffer.from(a.buffer));
  const text = Buffer.from(words.join('\n'));
  const offsets = [0];
  for (const part of [...parts, text]) offsets.push(offsets.at(-1)! + part.length);
  writeFileSync(join(folder, 'static.bin'), Buffer.concat([...parts, text]));
  const header = {
    format: STATIC_FORMAT,
    id: 'tiny',
    termsVersion: TERMS_VERSION,
    dims,
    words: words.length,
    buckets,
    unknownQueryWeight: 1,
    unknownPassageWeight: 0.5,
    sections: {
      vectors: offsets[0],
      scales: offsets[1],
      queryWeights: offsets[2],
      passageWeights: offsets[3],
      vocabulary: offsets[4],
      end: offsets[5],
    },
    ...change,
  };
  writeFileSync(join(folder, 'static.json'), JSON.stringify(header));
}

function embed(terms: string[], mode: 'query' | 'passage', weights: Float32Array | null = null): Float32Array {
  const model = loadStaticModel(folder);
  const out = new Float32Array(model.dims);
  model.embedTerms(terms, weights, mode, out);
  return out;
}

function assertClose(actual: Float32Array, expected: number[]): void {
  const length = Math.hypot(...expected);
  expected.forEach((value, d) => {
    assert.ok(Math.abs(actual[d]! - value / length) < 1e-6, `dimension ${d}: ${actual[d]} is not ${value / length}`);
  });
}

test('weights differ between queries and passages', () => {
  writeTinyModel();
  assertClose(embed(['alpha', 'beta'], 'query'), [1, 2, 0]);
  assertClose(embed(['alpha', 'beta'], 'passage'), [2, 1, 0]);
});

test('repeats are damped, and given weights are used as they are', () => {
  writeTinyModel();
  assertClose(embed(['alpha', 'beta', 'beta', 'beta', 'beta'], 'passage'), [2, 1 + Math.log(4), 0]);
  assertClose(embed(['alpha', 'beta'], 'passage', Float32Array.of(1, 4)), [2, 4, 0]);
  assertClose(embed(['alpha', 'beta'], 'passage', Float32Array.of(1, 0)), [1, 0, 0]);
});

test('an unknown word is the mean of its buckets, and calls do not influence each other', () => {
  writeTinyModel();
  const buckets = subwordBuckets('unheard', 2);
  const share = [0, 1].map((b) => buckets.filter((x) => x === b).length / buckets.length);
  assertClose(embed(['unheard', 'beta'], 'passage'), [0, 1, 0, share[0]! * 0.5, share[1]! * 0.5]);
  const model = loadStaticModel(folder);
  const first = new Float32Array(16);
  const second = new Float32Array(16);
  model.embedTerms(['unheard', 'alpha', 'alpha'], null, 'query', first);
  model.embedTerms(['gamma', 'beta'], null, 'query', second);
  assertClose(second, [0, 1, 0]);
});

test('with more unknown words than slots, every text still gets its own vector', () => {
  writeTinyModel();
  const model = loadStaticModel(folder);
  const before = new Float32Array(16);
  const now = new Float32Array(16);
  model.embedTerms(['quux'], null, 'query', before);
  for (let i = 0; i < 3; i++) {
    const many = Array.from({ length: 4000 }, (_, n) => `word${i}x${n}`);
    model.embedTerms(many, null, 'query', now);
  }
  model.embedTerms(['quux'], null, 'query', now);
  assert.deepEqual(now, before);
});

test('embedRows gives the same vector as embedTerms', () => {
  writeTinyModel();
  const model = loadStaticModel(folder);
  const terms = ['alpha', 'unheard', 'gamma', 'of', 'beta', 'quux', 'more', 'words', 'delta'];
  const weights = Float32Array.from(terms, (_, i) => i + 0.5);
  const out = new Float32Array(16);
  model.embedRows(
    Int32Array.from(terms, (term) => model.rowOf(term)),
    terms,
    weights,
    terms.length,
    out,
  );
  assert.deepEqual(out, embed(terms, 'passage', weights));
  assert.equal(model.rowOf('unheard'), -1);
});

test('a text without a known word gets the zero vector', () => {
  writeTinyModel({ buckets: 0 });
  assert.deepEqual(embed([], 'query'), new Float32Array(16));
});

test('a damaged or incompatible model is refused with the reason', () => {
  const refusal = (reason: RegExp) => (error: unknown) =>
    error instanceof EngineError && error.code === 'model_damaged' && reason.test(error.message);
  writeTinyModel({ termsVersion: TERMS_VERSION + 1 });
  assert.throws(() => loadStaticModel(folder), refusal(/splitting words/));
  writeTinyModel({ format: 99 });
  assert.throws(() => loadStaticModel(folder), refusal(/format 99/));
  writeTinyModel();
  writeFileSync(join(folder, 'static.bin'), Buffer.alloc(10));
  assert.throws(() => loadStaticModel(folder), refusal(/incomplete/));
  assert.throws(() => loadStaticModel(join(folder, 'nowhere')), refusal(/no readable model/));
});

test('the shipped model gives unit vectors for any script', async () => {
  const model = loadStaticModel(join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'models'));
  const texts = ['open the database connection', 'öffnet die Verbindung', '接続を開く', 'соединение', 'xqzzyv'];
  for (const vector of await model.embed(texts, 'query')) {
    const length = Math.hypot(...vector);
    assert.ok(Math.abs(length - 1) < 1e-5, `length ${length}`);
  }
});

test('nearestWords returns the nearest words of a vector, nearest first', () => {
  writeTinyModel();
  const model = loadStaticModel(folder);
  const vector = new Float32Array(16);
  vector.set([1, 3, 2]);
  const found = model.nearestWords(vector, 2);
  assert.deepEqual(
    found.map(({ word }) => word),
    ['beta', 'gamma'],
  );
  assert.ok(Math.abs(found[0]!.similarity - 3 / Math.hypot(1, 3, 2)) < 1e-6, String(found[0]!.similarity));
});
