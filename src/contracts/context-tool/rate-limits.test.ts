import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../model/records/engine-errors.ts';
import { RateLimiter, readRateLimits } from './rate-limits.ts';

function refusal(work: () => void): EngineError {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof EngineError && error.code === 'rate_limited');
    return error;
  }
  return assert.fail('not refused');
}

test('a minute slides: a place is free when the oldest call is a minute old (CT-29)', () => {
  let now = 0;
  const limiter = new RateLimiter({ grep_codebase: 3 }, () => now);
  for (const at of [0, 10_000, 20_000]) {
    now = at;
    limiter.admit('grep_codebase', 'a');
  }
  now = 30_500;
  assert.deepEqual(refusal(() => limiter.admit('grep_codebase', 'a')).data, {
    tool: 'grep_codebase',
    limit: 3,
    waitSeconds: 30,
  });
  limiter.admit('grep_codebase', 'b');
  limiter.admit('remember', 'a');
  now = 60_000;
  limiter.admit('grep_codebase', 'a');
  assert.equal(refusal(() => limiter.admit('grep_codebase', 'a')).data.waitSeconds, 10);
});

test('a refused call does not lengthen the wait, and old clients are forgotten (CT-29)', () => {
  let now = 0;
  const limiter = new RateLimiter({ read_file: 1 }, () => now);
  limiter.admit('read_file', 'a');
  for (now = 1000; now < 60_000; now += 1000) refusal(() => limiter.admit('read_file', 'a'));
  for (let i = 0; i < 1500; i++) limiter.admit('read_file', `client ${i}`);
  limiter.admit('read_file', 'a');
});

test('the limits of the contract, those of the configuration over them (CT-29)', () => {
  assert.deepEqual(readRateLimits(undefined), { context_search: 30, read_file: 100, grep_codebase: 60, remember: 30 });
  assert.deepEqual(readRateLimits({ read_file: 5, grep_codebase: -1, context_search: 'many', other: 3, remember: 0 }), {
    context_search: 30,
    read_file: 5,
    grep_codebase: 60,
    remember: 0,
  });
});
