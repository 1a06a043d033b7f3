import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergePostings } from './merge-postings.ts';

const postings = (...entries: readonly (readonly [doc: number, names: number, docs: number, body: number])[]) => ({
  docs: Uint32Array.from(entries, ([doc]) => doc),
  values: Uint16Array.from(entries, ([, names, docs, body]) => (names << 8) | (docs << 4) | body),
});

test('the chunks of both forms are there once, in order, with the most of each field', () => {
  const merged = mergePostings([
    postings([1, 0, 0, 3], [4, 2, 0, 1], [9, 0, 1, 1]),
    postings([2, 1, 0, 1], [4, 0, 5, 2]),
  ]);
  const expected = postings([1, 0, 0, 3], [2, 1, 0, 1], [4, 2, 5, 2], [9, 0, 1, 1]);
  assert.deepEqual([[...merged.docs], [...merged.values]], [[...expected.docs], [...expected.values]]);
});

test('a form without postings adds nothing, and one list alone stays as it is', () => {
  const only = postings([3, 1, 1, 1]);
  assert.equal(mergePostings([postings(), only]), only);
  assert.equal(mergePostings([only]), only);
  assert.equal(mergePostings([postings(), postings()]).docs.length, 0);
});
