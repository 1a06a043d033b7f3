import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventBudget, EventLog } from './event-log.ts';

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

test('a reconnecting client gets only the later events of its own stream', async () => {
  const log = new EventLog();
  const first = await log.storeEvent('a', answer(1, 'x'));
  await log.storeEvent('b', answer(2, 'x'));
  await log.storeEvent('a', answer(3, 'x'));
  assert.deepEqual(await replay(log, first), [3]);
  assert.equal(await log.getStreamIdForEventId(first), 'a');
});

test('the event log drops old events by number and size, but never the newest', async () => {
  const log = new EventLog();
  const first = await log.storeEvent('a', answer(0, 'x'));
  for (let i = 1; i < 100; i++) await log.storeEvent('a', answer(i, 'x'));
  assert.equal(await log.getStreamIdForEventId(first), undefined);
  const before = await log.storeEvent('a', answer(100, 'x'));
  const large = await log.storeEvent('a', answer(101, 'x'.repeat(2_000_000)));
  assert.equal(await log.getStreamIdForEventId(before), undefined);
  assert.equal(await log.getStreamIdForEventId(large), 'a');
});

test('sessions share one event budget: it drops the oldest event first, and a closed session frees its share', async () => {
  const budget = new EventBudget();
  const text = 'x'.repeat(100_000);
  const message = { jsonrpc: '2.0' as const, id: 1, result: { content: [{ type: 'text', text }] } };
  const logs = Array.from({ length: 60 }, () => new EventLog(budget));
  for (const log of logs) await log.storeEvent('stream', message);
  const kept = async () => {
    const found = await Promise.all(logs.map((log) => log.getStreamIdForEventId('1')));
    return found.filter((stream) => stream !== undefined).length;
  };
  const before = await kept();
  assert.ok(before > 5 && before < 40, `${before} of 60 are kept`);
  assert.equal(await logs[0]!.getStreamIdForEventId('1'), undefined);
  assert.equal(await logs[59]!.getStreamIdForEventId('1'), 'stream');
  budget.release(logs[59]!);
  assert.equal(await kept(), before - 1);
  const another = new EventLog(budget);
  await another.storeEvent('stream', message);
  assert.equal(await kept(), before - 1, 'the room that became free is used');
});

test('events that no client fetches within a minute are dropped', async () => {
  let now = 0;
  const budget = new EventBudget(() => now);
  const [early, late] = [new EventLog(budget), new EventLog(budget)];
  const first = await early.storeEvent('a', answer(1, 'x'));
  now = 59_000;
  await late.storeEvent('b', answer(2, 'x'));
  assert.equal(await early.getStreamIdForEventId(first), 'a');
  now = 61_000;
  const last = await late.storeEvent('b', answer(3, 'x'));
  assert.equal(await early.getStreamIdForEventId(first), undefined);
  assert.equal(await late.getStreamIdForEventId(last), 'b');
});
