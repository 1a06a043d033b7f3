import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type BatchPostings, CHUNK_STRIDE, type ContentBatch, type ContentRecord } from '../../store/store.ts';
import { packContent, unpackContent } from './packed-content.ts';
import { splitBatch } from './split-batch.ts';

const DIMS = 4;

/** A batch of made-up contents: each with some chunks and symbols, and postings that ascend within a term. */
const batches = fc
  .array(
    fc.record({
      chunks: fc.nat(3),
      symbols: fc.nat(3),
      text: fc.uint8Array({ maxLength: 20 }),
      withVectors: fc.boolean(),
    }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .chain((shapes) => {
    const total = (key: 'chunks' | 'symbols') => shapes.reduce((sum, shape) => sum + shape[key], 0);
    return fc.tuple(postingsOver(total('chunks')), postingsOver(total('symbols')), postingsOver(shapes.length)).map(
      ([text, symbol, reference]): ContentBatch => ({
        contents: shapes.map(
          (shape, i): ContentRecord => ({
            blobId: String(i).padStart(40, 'a'),
            language: 'go',
            byteSize: shape.text.length,
            lineCount: i,
            text: shape.text,
            detail: shape.text.slice(1),
            chunks: Int32Array.from({ length: shape.chunks * CHUNK_STRIDE }, (_, k) => k - 1),
            symbolCount: shape.symbols,
            vectors: shape.withVectors ? Int8Array.from({ length: shape.chunks * DIMS }, (_, k) => k - 3) : null,
            problems: i === 1 ? [{ line: 1, message: 'odd' }] : [],
          }),
        ),
        postings: { text, symbol, reference },
      }),
    );
  });

function postingsOver(extent: number): fc.Arbitrary<BatchPostings> {
  if (extent === 0)
    return fc.constant({ terms: [], counts: new Uint32Array(), docs: new Uint32Array(), values: new Uint16Array() });
  const docs = fc.uniqueArray(fc.nat(extent - 1), { minLength: 1 }).map((list) => list.sort((a, b) => a - b));
  return fc.uniqueArray(fc.tuple(fc.string(), docs), { maxLength: 5, selector: ([term]) => term }).map((entries) => ({
    terms: entries.map(([term]) => term),
    counts: Uint32Array.from(entries.map(([, list]) => list.length)),
    docs: Uint32Array.from(entries.flatMap(([, list]) => list)),
    values: Uint16Array.from(entries.flatMap(([, list]) => list.map((doc) => doc + 7))),
  }));
}

/** Every posting with the content and the ordinal within it that it belongs to. */
function spelled(batch: ContentBatch): string[] {
  const lines: string[] = [];
  const extents = {
    text: batch.contents.map(({ chunks }) => chunks.length / CHUNK_STRIDE),
    symbol: batch.contents.map(({ symbolCount }) => symbolCount),
    reference: batch.contents.map(() => 1),
  };
  for (const space of ['text', 'symbol', 'reference'] as const) {
    const { terms, counts, docs, values } = batch.postings[space];
    let at = 0;
    terms.forEach((term, t) => {
      for (let k = 0; k < counts[t]!; k++, at++) {
        let content = 0;
        let ordinal = docs[at]!;
        while (ordinal >= extents[space][content]!) ordinal -= extents[space][content++]!;
        lines.push(JSON.stringify([space, term, batch.contents[content]!.blobId, ordinal, values[at]]));
      }
    });
  }
  return lines.sort();
}

test('splitting a batch by content keeps the data of each content', () => {
  fc.assert(
    fc.property(batches, (batch) => {
      const single = splitBatch(batch);
      assert.deepEqual(
        single.flatMap(({ contents }) => contents),
        batch.contents,
      );
      assert.deepEqual(single.flatMap(spelled).sort(), spelled(batch));
    }),
  );
});

test('a packed content is unpacked as it was', () => {
  fc.assert(
    fc.property(batches, (batch) => {
      for (const single of splitBatch(batch)) {
        const [before] = single.contents;
        const unpacked = unpackContent(packContent(single));
        const [after] = unpacked.contents;
        assert.deepEqual(spelled(unpacked), spelled(single));
        assert.deepEqual(
          { ...after, text: [...after!.text], detail: [...after!.detail] },
          { ...before, text: [...before!.text], detail: [...before!.detail] },
        );
      }
    }),
  );
});

test('unpacking refuses other bytes and truncated contents with a message', () => {
  const [batch] = fc.sample(batches, 1);
  const packed = packContent(splitBatch(batch!)[0]!);
  for (const bytes of [Buffer.alloc(0), Buffer.from('nothing of the kind'), packed.subarray(0, packed.length - 1)])
    assert.throws(() => unpackContent(bytes), { code: 'store_corrupt' });
});
