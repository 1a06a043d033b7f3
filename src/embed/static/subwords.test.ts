import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subwordBuckets } from './subwords.ts';

/** Computed by training/evaluate.py: training and the engine must agree, or every unknown word means something else. */
const FROM_TRAINING: Readonly<Record<string, readonly number[]>> = {
  a: [3758],
  ab: [7084],
  auth: [4721, 6309, 1698],
  parsefile: [7034, 3413, 376, 2655, 7916, 7315, 2931, 1387],
  naïve: [2497, 6251, 4984, 2791],
  接続: [7206],
  internationalisationofeverything: [5618, 11, 1256, 5168, 149, 4860, 343, 1822, 5633, 5884, 7001, 4763],
  '😀x': [1726, 2684],
};

test('subwords fall into the same buckets as in training', () => {
  for (const [word, buckets] of Object.entries(FROM_TRAINING))
    assert.deepEqual(subwordBuckets(word, 8192), buckets, word);
});

test('a long word keeps its beginning and its end, and never more than twelve pieces', () => {
  const long = subwordBuckets(`${'x'.repeat(5)}${'abcdefgh'.repeat(8)}end`, 8192);
  assert.equal(long.length, 12);
  assert.equal(long.at(-1), subwordBuckets('qend', 8192).at(-1));
});
