/** When a worker process is given up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMs, cpuMsOf } from '../../model/runtime/cpu-time.ts';
import { timeLeft } from './worker-process.ts';

test('a worker that waits for the CPU is given the time that it has not worked', () => {
  assert.equal(timeLeft(20_000, 20_000, 3_000), 17_000);
  assert.equal(timeLeft(20_000, 60_000, 19_900), 1_000);
});

test('a worker that has worked too long, or not at all, is given up', () => {
  assert.equal(timeLeft(20_000, 25_000, 20_000), 0);
  assert.equal(timeLeft(20_000, 20_000, 10), 0);
});

test('the clock decides where the system does not tell how long a process has worked', () => {
  assert.equal(timeLeft(20_000, 20_000, null), 0);
  assert.equal(timeLeft(20_000, 5_000, null), 15_000);
});

test('CPU time of a process is what it says itself', { skip: process.platform !== 'linux' }, () => {
  const own = cpuMs();
  const told = cpuMsOf(process.pid)!;
  assert.ok(Math.abs(told - own) <= own / 2 + 100, `${told} ms by the system, ${own} ms by the process`);
  assert.equal(cpuMsOf(2 ** 30), null);
});
