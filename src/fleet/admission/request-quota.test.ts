import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestQuota } from './request-quota.ts';

test('a subject may ask a minute’s worth at once, then as requests come back; others are not counted with it', () => {
  const quota = new RequestQuota(60);
  for (let i = 0; i < 60; i++) assert.equal(quota.take('ann', 0), 0);
  assert.equal(quota.take('ann', 0), 1);
  assert.equal(quota.take('bob', 0), 0);
  assert.equal(quota.take('ann', 1_000), 0);
  assert.equal(quota.take('ann', 1_000), 1);
  for (let i = 0; i < 60; i++) assert.equal(quota.take('ann', 600_000), 0);
  assert.equal(quota.take('ann', 600_000), 1);
});
