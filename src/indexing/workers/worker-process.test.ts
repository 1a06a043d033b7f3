/** The time limit of a worker process. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMs, cpuMsOf } from '../../model/runtime/cpu-time.ts';
import { timeLeft } from './worker-process.ts';

test('time in which a worker waits for the CPU does not count toward its limit', () => {
  assert.equal(timeLeft(20_000, 20_000, 3_000), 17_000);
  assert.equal(timeLeft(20_000, 60_000, 19_900), 1_000);
});

test('a worker that has used its CPU time, or uses none, is stopped', () => {
  assert.equal(timeLeft(20_000, 25_000, 20_000), 0);
  assert.equal(timeLeft(20_000, 20_000, 10), 0);
});

test('the clock decides if the system does not report the CPU time of a process', () => {
  assert.equal(timeLeft(20_000, 20_000, null), 0);
  assert.equal(timeLeft(20_000, 5_000, null), 15_000);
});

test('cpuMsOf agrees with process.cpuUsage()', { skip: process.platform !== 'linux' }, () => {
  const own = cpuMs();
  const told = cpuMsOf(process.pid)!;
  assert.ok(Math.abs(told - own) <= own / 2 + 100, `${told} ms by the system, ${own} ms by the process`);
  assert.equal(cpuMsOf(2 ** 30), null);
});
