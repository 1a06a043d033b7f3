import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SubjectQuota } from './subject-quota.ts';

test("a subject may use a minute's quota at once, then as it refills; subjects are counted separately", () => {
  const quota = new SubjectQuota(60, 60_000);
  for (let i = 0; i < 60; i++) assert.equal(quota.take('ann', 1, 0), 0);
  assert.equal(quota.take('ann', 1, 0), 1);
  assert.equal(quota.take('bob', 1, 0), 0);
  assert.equal(quota.take('ann', 1, 1_000), 0);
  assert.equal(quota.take('ann', 1, 1_000), 1);
  for (let i = 0; i < 60; i++) assert.equal(quota.take('ann', 1, 600_000), 0);
  assert.equal(quota.take('ann', 1, 600_000), 1);
});

test('a refused request costs no quota, and a smaller one may still pass', () => {
  const quota = new SubjectQuota(1_000, 100_000);
  assert.equal(quota.take('ann', 900, 0), 0);
  assert.equal(quota.take('ann', 300, 0), 20);
  assert.equal(quota.take('ann', 100, 0), 0);
  assert.equal(quota.take('ann', 300, 30_000), 0);
});
