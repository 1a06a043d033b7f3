import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ndcg } from './ndcg.ts';

test('NDCG@10 is 1 for top ranks in any order, less for lower ranks, and 0 beyond ten or for missing files', () => {
  assert.equal(ndcg([1]), 1);
  assert.equal(ndcg([2, 1]), 1);
  assert.equal(ndcg([3]), 0.5);
  assert.equal(ndcg([0]), 0);
  assert.equal(ndcg([11]), 0);
  assert.equal(ndcg([]), 0);
  assert.ok(ndcg([1, 0]) < ndcg([1, 5]) && ndcg([1, 5]) < 1, 'each file that answers counts');
});
