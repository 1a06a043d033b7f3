import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Embedder } from '../../embed/embedder.ts';
import { loadStaticModel } from '../../embed/index.ts';
import { textTerms } from '../../model/text/terms.ts';
import { Recall } from './recall.ts';
import { hashText, TextVectorsCache } from './text-vectors-cache.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-recall-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const model = loadStaticModel(fileURLToPath(new URL('../../../models', import.meta.url)));
const terms = (text: string) => [...new Set(textTerms(text))].map((term) => ({ term, weight: 1 }));

/** The built-in model, counting what it is asked for. */
function counting(id = model.id): Embedder & { count: number } {
  return {
    id,
    dims: model.dims,
    count: 0,
    embed(texts, mode) {
      this.count += texts.length;
      return model.embed(texts, mode);
    },
    close: async () => {},
  };
}

const TEXTS = [
  'Orders are stored in Postgres because of transactions.',
  'Never log the address of a customer.',
  'The worker pool leaked memory when a task failed.',
  ...Array.from({ length: 300 }, (_, i) => `Filler number ${i} about nothing in particular.`),
];

test('words and vectors find a text, a rejected text is not found, and unknown words find nothing', async () => {
  const recall = await Recall.build(TEXTS, new TextVectorsCache(null, model), 60_000);
  const [vector] = await model.embed(['memory leak of workers'], 'query');
  const found = recall.find(terms('memory leak of workers'), vector!, () => true);
  const best = found.reduce((a, b) => (b.coverage + b.similarity > a.coverage + a.similarity ? b : a));
  assert.equal(best.index, 2);
  assert.equal(best.words, 1);
  assert.ok(best.coverage > 0.5 && best.coverage <= 1 && best.similarity > 0.3, JSON.stringify(best));
  assert.ok(
    recall.find(terms('memory leak'), vector!, (index) => index !== 2).every(({ index }) => index !== 2),
    'filtered',
  );
  assert.deepEqual(
    recall.find(terms('zyzzyva'), null, () => true),
    [],
  );
  assert.equal(recall.isComplete, true);
});

test('texts are embedded once: another process reads the cache, and a broken cache is rebuilt', async () => {
  const file = join(folder, 'texts.bin');
  const first = counting();
  await new TextVectorsCache(file, first).entries(TEXTS, 60_000);
  assert.equal(first.count, TEXTS.length);
  const second = counting();
  const memo = new TextVectorsCache(file, second);
  const again = await memo.entries([...TEXTS, 'One more.'], 60_000);
  assert.equal(second.count, 1);
  const fresh = await new TextVectorsCache(null, model).entries(TEXTS, 60_000);
  assert.deepEqual(again[2]!.vector, fresh[2]!.vector);
  assert.equal(again[2]!.terms.length, fresh[2]!.terms.length);
  const whole = readFileSync(file);
  for (const [data, id] of [
    [whole.subarray(0, whole.length - 100), model.id],
    [Buffer.from('{}\nrubbish'), model.id],
    [whole, 'another-model'],
  ] as const) {
    writeFileSync(file, data);
    const third = counting(id);
    await new TextVectorsCache(file, third).entries(TEXTS, 60_000);
    assert.equal(third.count, TEXTS.length);
  }
});

test('recall answers by words if its time is over or the provider fails', async () => {
  const hurried = await Recall.build(TEXTS, new TextVectorsCache(null, model), 0);
  assert.equal(hurried.isComplete, false);
  const [vector] = await model.embed(['postgres transactions'], 'query');
  const [found] = hurried.find(terms('postgres transactions'), vector!, () => true);
  assert.deepEqual([found?.index, found?.similarity], [0, 0]);
  const down: Embedder = { ...counting(), embed: () => Promise.reject(new Error('down')) };
  const words = await Recall.build(TEXTS, new TextVectorsCache(null, down), 60_000);
  assert.equal(words.find(terms('postgres'), null, () => true)[0]?.index, 0);
  const hanging: Embedder = {
    ...counting(),
    embed: (_texts, _mode, signal) =>
      new Promise((_, reject) => signal!.addEventListener('abort', () => reject(new Error('given up')))),
  };
  const waited = await Recall.build(TEXTS, new TextVectorsCache(null, hanging, 1), 60_000);
  assert.equal(waited.find(terms('postgres'), null, () => true)[0]?.index, 0);
});

test('texts that share words with the question are embedded first if there is no time for all', async () => {
  const texts = [...TEXTS, 'The last of all is about zebras.'];
  let slices = 0;
  const once: Embedder = {
    ...counting(),
    embed: (wanted, mode) => (slices++ === 0 ? model.embed(wanted, mode) : Promise.reject(new Error('no more time'))),
  };
  const entries = await new TextVectorsCache(null, once).entries(
    texts,
    60_000,
    undefined,
    textTerms('where are the zebras'),
  );
  assert.notEqual(entries.at(-1)!.vector, null);
  assert.ok(entries.some(({ vector }) => vector === null));
});

test('texts that differ have different hashes', () => {
  const hashes = new Set(Array.from({ length: 50_000 }, (_, i) => hashText(`Statement number ${i}.`)));
  assert.equal(hashes.size, 50_000);
});
