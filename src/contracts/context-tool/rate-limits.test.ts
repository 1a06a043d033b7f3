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

test('counts are reset every minute from the start on, whenever the calls came (CT-29, CT-39)', () => {
  let now = 5_000;
  const limiter = new RateLimiter({ grep_codebase: 3 }, () => now);
  for (const at of [10_000, 40_000, 63_000]) {
    now = at;
    limiter.admit('grep_codebase', 'a');
  }
  assert.deepEqual(refusal(() => limiter.admit('grep_codebase', 'a')).data, {
    tool: 'grep_codebase',
    limit: 3,
    waitSeconds: 2,
  });
  limiter.admit('grep_codebase', 'b');
  limiter.admit('remember', 'a');
  now = 65_000;
  for (let i = 0; i < 3; i++) limiter.admit('grep_codebase', 'a');
  assert.equal(refusal(() => limiter.admit('grep_codebase', 'a')).data.waitSeconds, 60);
});

test('a call after the wait that a refusal names is admitted, and refused calls do not lengthen it (CT-39)', () => {
  for (const start of [0, 1, 999, 59_999.5, 60_000, 3_600_123.4]) {
    let now = 0;
    const limiter = new RateLimiter({ read_file: 1 }, () => now);
    now = start;
    limiter.admit('read_file', 'a');
    const waitSeconds = Number(refusal(() => limiter.admit('read_file', 'a')).data.waitSeconds);
    refusal(() => limiter.admit('read_file', 'a'));
    assert.ok(waitSeconds >= 1 && waitSeconds <= 60);
    now += waitSeconds * 1000;
    limiter.admit('read_file', 'a');
  }
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
