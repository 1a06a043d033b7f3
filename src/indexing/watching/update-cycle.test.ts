import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UpdateCycle } from './update-cycle.ts';

const silent = { onDirty: () => undefined, onSettled: () => undefined, onError: () => undefined };

test('many events at once cause one update', async () => {
  let updates = 0;
  const cycle = new UpdateCycle({ ...silent, update: async () => ({ retry: ++updates > 1e6 }) });
  for (let i = 0; i < 10_000; i++) cycle.mark([`f${i}`]);
  await cycle.settled(5_000);
  assert.equal(updates, 1);
});

test('an event during an update causes a second update', async () => {
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

test('an update is tried again if another process is indexing', async () => {
  let updates = 0;
  const cycle = new UpdateCycle({ ...silent, update: async () => ({ retry: ++updates < 2 }) });
  cycle.mark([]);
  await cycle.settled(10_000);
  assert.equal(updates, 2);
});

test('stop() does not wait for the next attempt', async () => {
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
  // Nothing else keeps the process alive, so waiting for the unreferenced timer would end the test here.
  await cycle.idle();
});
