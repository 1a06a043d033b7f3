import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventLog } from './event-log.ts';

const answer = (id: number, text: string) => ({
  jsonrpc: '2.0' as const,
  id,
  result: { content: [{ type: 'text', text }] },
});

async function replay(log: EventLog, after: string): Promise<unknown[]> {
  const ids: unknown[] = [];
  await log.replayEventsAfter(after, {
    send: async (_id, message) => {
      ids.push('id' in message ? message.id : null);
    },
  });
  return ids;
}

test('what came after an event is replayed, of its own stream only', async () => {
  const log = new EventLog();
  const first = await log.storeEvent('a', answer(1, 'x'));
  await log.storeEvent('b', answer(2, 'x'));
  await log.storeEvent('a', answer(3, 'x'));
  assert.deepEqual(await replay(log, first), [3]);
  assert.equal(await log.getStreamIdForEventId(first), 'a');
});

test('old events are forgotten by number and by size, the newest never', async () => {
  const log = new EventLog();
  const first = await log.storeEvent('a', answer(0, 'x'));
  for (let i = 1; i < 100; i++) await log.storeEvent('a', answer(i, 'x'));
  assert.equal(await log.getStreamIdForEventId(first), undefined);
  const before = await log.storeEvent('a', answer(100, 'x'));
  const large = await log.storeEvent('a', answer(101, 'x'.repeat(2_000_000)));
  assert.equal(await log.getStreamIdForEventId(before), undefined);
  assert.equal(await log.getStreamIdForEventId(large), 'a');
});
