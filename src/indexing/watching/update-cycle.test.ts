import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UpdateCycle } from './update-cycle.ts';

const silent = { onDirty: () => undefined, onSettled: () => undefined, onError: () => undefined };

test('a storm of events costs one update', async () => {
  let updates = 0;
  const cycle = new UpdateCycle({ ...silent, update: async () => ({ retry: ++updates > 1e6 }) });
  for (let i = 0; i < 10_000; i++) cycle.mark([`f${i}`]);
  await cycle.settled(5_000);
  assert.equal(updates, 1);
});

test('what happens during an update is taken up by a second one', async () => {
  let updates = 0;
  const cycle: UpdateCycle = new UpdateCycle({
    ...silent,
    update: async () => {
      if (++updates === 1) cycle.mark(['late']);
      return { retry: false };
    },
  });
  cycle.mark(['early']);
  await cycle.settled(10_000);
  assert.equal(updates, 2);
});

test('an update that another process is at is tried again', async () => {
  let updates = 0;
  const cycle = new UpdateCycle({ ...silent, update: async () => ({ retry: ++updates < 2 }) });
  cycle.mark([]);
  await cycle.settled(10_000);
  assert.equal(updates, 2);
});

test('stopping does not wait for the next try', async () => {
  let tried!: () => void;
  const first = new Promise<void>((resolve) => {
    tried = resolve;
  });
  const cycle = new UpdateCycle({
    ...silent,
    update: async () => {
      tried();
      return { retry: true };
    },
  });
  cycle.mark([]);
  const waiting = setInterval(() => undefined, 1000);
  await first;
  clearInterval(waiting);
  await new Promise((resolve) => setImmediate(resolve));
  cycle.stop();
  // Nothing else keeps the process alive: a wait for the timer would end it here.
  await cycle.idle();
});
