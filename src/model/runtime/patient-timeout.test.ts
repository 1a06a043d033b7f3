import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { startPatientTimeout } from './patient-timeout.ts';

test('a patient timeout does not count time in which the process is busy', async () => {
  const { signal, stop } = startPatientTimeout(400);
  for (const until = performance.now() + 600; performance.now() < until; );
  await turn();
  assert.equal(signal.aborted, false);
  const alive = setTimeout(() => {}, 60_000);
  await once(signal, 'abort');
  clearTimeout(alive);
  assert.equal(signal.reason.name, 'TimeoutError');
  stop();
});

test('a stopped patient timeout does not abort its signal', async () => {
  const { signal, stop } = startPatientTimeout(10);
  stop();
  await new Promise((done) => setTimeout(done, 60));
  assert.equal(signal.aborted, false);
});
