/** Compares buffer, blocks, lists and merge of postings with a map of maps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ByteSink } from '../text/byte-sink.ts';
import {
  type BlockIndex,
  BlockWriter,
  blockOf,
  findInBlock,
  packBlockIndexes,
  readBlock,
  unpackBlockIndexes,
} from './posting-block.ts';
import { PostingBuffer } from './posting-buffer.ts';
import { decodeLists, encodeList } from './posting-list.ts';
import { ProcessIds } from './process-ids.ts';
import { mergeTerms } from './segment-merge.ts';

type Model = Map<string, Map<number, number>>;

const term = fc.oneof(
  fc.stringMatching(/^[a-c]{1,4}$/),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 5 }),
  fc.constantFrom('e', 'é', '日本', '😀', '\uffff', 'a'.repeat(5000)),
);
/** Deltas up to 2^24, lists long enough to need several slices. */
const list = fc.array(
  fc.tuple(fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 1 << 24 })), fc.nat(0xffff)),
  {
    minLength: 1,
    maxLength: 40,
  },
);
const model: fc.Arbitrary<Model> = fc.array(fc.tuple(term, list), { maxLength: 60 }).map(
  (entries) =>
    new Map(
      entries.map(([word, postings]) => {
        let doc = -1;
        const docs = new Map<number, number>();
        for (const [delta, value] of postings) {
          doc += delta;
          docs.set(doc, value);
        }
        return [word, docs];
      }),
    ),
);

/** Appends the postings in `pieces` parts, as batches do. */
function fill(terms: Model, pieces: number): PostingBuffer {
  const buffer = new PostingBuffer();
  for (let piece = 0; piece < pieces; piece++) {
    for (const [word, postings] of terms) {
      const all = [...postings];
      const part = all.slice(
        Math.floor((all.length * piece) / pieces),
        Math.floor((all.length * (piece + 1)) / pieces),
      );
      if (part.length === 0) continue;
      const base = part[0]![0];
      const docs = Uint32Array.from(part, ([doc]) => doc - base);
      buffer.append(
        word,
        docs,
        Uint16Array.from(part, ([, value]) => value),
        0,
        part.length,
        base,
      );
    }
  }
  return buffer;
}

function toBlocks(buffer: PostingBuffer): { blocks: Uint8Array[]; index: BlockIndex } {
  const blocks: Uint8Array[] = [];
  const writer = new BlockWriter((block) => blocks.push(block));
  const sink = new ByteSink();
  for (const word of buffer.sortedTerms()) {
    sink.length = 0;
    buffer.writeList(word, sink);
    writer.add(word, sink);
  }
  writer.end();
  return { blocks, index: { firstBlock: 7, firstTerms: writer.firstTerms } };
}

function look(blocks: readonly Uint8Array[], index: BlockIndex, word: string): [number, number][] {
  const at = blockOf(index, word);
  const found = at < 0 ? null : findInBlock(blocks[at]!, word);
  if (!found) return [];
  const { docs, values } = decodeLists([found], 2 ** 32);
  return [...docs].map((doc, i) => [doc, values[i]!]);
}

test('postings that are appended in parts are found, and no others', () => {
  fc.assert(
    fc.property(model, fc.integer({ min: 1, max: 4 }), fc.array(term), (terms, pieces, others) => {
      const { blocks, index } = toBlocks(fill(terms, pieces));
      const [unpacked] = unpackBlockIndexes(packBlockIndexes([index]), 1);
      assert.deepEqual(unpacked, index);
      for (const [word, postings] of terms) assert.deepEqual(look(blocks, index, word), [...postings]);
      for (const word of others) if (!terms.has(word)) assert.deepEqual(look(blocks, index, word), []);
      assert.deepEqual(
        blocks.flatMap((block) => [...readBlock(block)].map((entry) => entry.term)),
        [...terms.keys()].sort(),
      );
    }),
  );
});

test('a buffer can be used again after clear()', () => {
  const buffer = fill(new Map([['old', new Map([[1, 1]])]]), 1);
  buffer.clear();
  buffer.append('new', Uint32Array.of(0, 4), Uint16Array.of(1, 300), 0, 2, 10);
  const { blocks, index } = toBlocks(buffer);
  assert.deepEqual(look(blocks, index, 'new'), [
    [10, 1],
    [14, 300],
  ]);
  assert.deepEqual(look(blocks, index, 'old'), []);
});

test('decodeStored stops at the limit', () => {
  const sink = new ByteSink();
  encodeList(sink, { docs: Uint32Array.of(1, 5, 9), values: Uint16Array.of(1, 2, 3) });
  assert.deepEqual([...decodeLists([sink.take()], 9).docs], [1, 5]);
});

test('a merge has the postings of its sources, without those of deleted contents', () => {
  const small: fc.Arbitrary<Model> = fc
    .array(fc.tuple(fc.stringMatching(/^[a-b]{1,3}$/), fc.uniqueArray(fc.nat(99), { minLength: 1 }), fc.nat(300)))
    .map(
      (entries) =>
        new Map(
          entries.map(([word, docs, value]) => [word, new Map(docs.sort((a, b) => a - b).map((doc) => [doc, value]))]),
        ),
    );
  fc.assert(
    fc.property(fc.array(small, { minLength: 1, maxLength: 5 }), fc.uniqueArray(fc.nat(499)), (parts, dead) => {
      const alive = new Uint8Array(500).fill(1);
      for (const doc of dead) alive[doc] = 0;
      const living = new ProcessIds();
      for (const [doc, lives] of alive.entries()) living.add(doc, lives);
      const expected = new Map<string, [number, number][]>();
      const sources = parts.map((part, p) => {
        const shifted: Model = new Map(
          [...part].map(([word, docs]) => [word, new Map([...docs].map(([d, v]) => [d + p * 100, v]))]),
        );
        for (const [word, docs] of shifted) expected.set(word, [...(expected.get(word) ?? []), ...docs]);
        return toBlocks(fill(shifted, 1))
          .blocks.flatMap((block) => [...readBlock(block)])
          .values();
      });
      const merged = new Map<string, [number, number][]>();
      const sink = new ByteSink();
      for (const { term: word, lists } of mergeTerms(sources)) {
        sink.length = 0;
        const left = living.retain(decodeLists(lists, 500));
        if (left.docs.length === 0) continue;
        encodeList(sink, left);
        const { docs, values } = decodeLists([sink.bytes.slice(0, sink.length)], 500);
        merged.set(
          word,
          [...docs].map((doc, i) => [doc, values[i]!]),
        );
      }
      for (const [word, docs] of expected) {
        const kept = docs.filter(([doc]) => alive[doc]);
        if (kept.length > 0) expected.set(word, kept);
        else expected.delete(word);
      }
      assert.deepEqual(
        [...merged],
        [...expected].sort(([a], [b]) => (a < b ? -1 : 1)),
      );
    }),
  );
});
