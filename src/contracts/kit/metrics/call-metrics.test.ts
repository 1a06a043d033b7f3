import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Metrics } from './call-metrics.ts';

const call = (outcome: string, durationMs: number) => ({
  profile: 'p',
  tool: 't',
  outcome,
  durationMs,
  resultBytes: 10,
});

test('metrics have counts, outcomes and percentiles by tool', () => {
  const metrics = new Metrics();
  for (let ms = 1; ms <= 100; ms++) metrics.record(call('ok', ms));
  metrics.record(call('rate_limited', 1));
  metrics.record(call('not_indexed', 1));
  const [tool] = metrics.list();
  assert.deepEqual(
    [tool!.calls, tool!.succeeded, tool!.rateLimited, tool!.errors, tool!.resultBytes],
    [102, 100, 1, { rate_limited: 1, not_indexed: 1 }, 1020],
  );
  assert.deepEqual([tool!.p50Ms, tool!.p95Ms, tool!.p99Ms], [49, 95, 99]);
});

test('the histogram is cumulative and its last bucket counts every call', () => {
  const metrics = new Metrics();
  metrics.record(call('ok', 2));
  metrics.record(call('ok', 400));
  metrics.record(call('ok', 60_000));
  const text = metrics.prometheus();
  const bucket = (le: string) => Number(new RegExp(`le="${le.replace('+', '\\+')}"} (\\d+)`).exec(text)![1]);
  assert.deepEqual([bucket('0.001'), bucket('0.0025'), bucket('0.5'), bucket('30'), bucket('+Inf')], [0, 1, 2, 2, 3]);
  assert.match(text, /sextant_tool_duration_seconds_count\{profile="p",tool="t"\} 3\n/);
});
