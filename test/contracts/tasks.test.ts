/** Work that outlives its request, in both protocol forms. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { envelope, type Message, type RawClient, rawClient, TASKS } from './raw-client.ts';
import { noEngine, toyProfile } from './toy-profile.ts';

const open = (seen = {}) => rawClient({ profile: toyProfile(seen), engine: noEngine });
const call = (client: RawClient, name: string, args: object, extra: object = {}) =>
  client.request('tools/call', { name, arguments: args, ...extra });

async function opened(seen = {}): Promise<RawClient> {
  const client = open(seen);
  await client.initialize();
  return client;
}

/** The slow tool ends not before `finish()` is called, however long a loaded machine takes until then. */
function heldWork() {
  let finish = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { held, finish };
}

test('2025-11-25: a task is created at once, followed, listed, and its result fetched', async () => {
  const { held, finish } = heldWork();
  const client = await opened({ held });
  const { result } = await call(client, 'slow', { ms: 200 }, { task: { ttl: 60_000 } });
  const { task } = result;
  assert.deepEqual(Object.keys(result), ['task']);
  assert.equal(task.status, 'working');
  assert.equal(task.ttl, 60_000);
  assert.ok(task.pollInterval > 0 && Date.parse(task.createdAt) > 0 && Date.parse(task.lastUpdatedAt) > 0);
  const { taskId } = task;
  assert.equal((await client.request('tasks/get', { taskId })).result.status, 'working');
  assert.deepEqual(
    (await client.request('tasks/list')).result.tasks.map((t: Message) => t.taskId),
    [taskId],
  );
  finish();
  const final = await client.request('tasks/result', { taskId });
  assert.deepEqual(final.result.structuredContent, { done: true });
  assert.deepEqual(final.result._meta['io.modelcontextprotocol/related-task'], { taskId });
  assert.equal((await client.request('tasks/get', { taskId })).result.status, 'completed');
  const told = client.received.filter((m) => m.method === 'notifications/tasks/status');
  assert.deepEqual(
    told.map(({ params }) => [params.taskId, params.status]),
    [[taskId, 'completed']],
  );
  await client.close();
});

test('2025-11-25: cancelling aborts the work; a finished task cannot be cancelled', async () => {
  const seen: { aborted?: boolean } = {};
  const client = await opened(seen);
  const { taskId } = (await call(client, 'slow', { ms: 60_000 }, { task: {} })).result.task;
  const waiting = client.request('tasks/result', { taskId });
  const cancelled = await client.request('tasks/cancel', { taskId });
  assert.equal(cancelled.result.status, 'cancelled');
  assert.equal(seen.aborted, true);
  assert.match((await waiting).error.message, /cancelled/);
  assert.equal((await client.request('tasks/cancel', { taskId })).error.code, -32602);
  await client.close();
});

test('2025-11-25: a tool error is a failed task whose result says so; a JSON-RPC error is passed on', async () => {
  const client = await opened();
  const { taskId } = (await call(client, 'slow', { ms: 4, fail: true }, { task: {} })).result.task;
  assert.equal((await client.request('tasks/result', { taskId })).result.isError, true);
  assert.equal((await client.request('tasks/get', { taskId })).result.status, 'failed');
  await client.close();
});

test('2025-11-25: unknown ids, tools without tasks, expired tasks', async () => {
  const client = await opened();
  for (const method of ['tasks/get', 'tasks/cancel', 'tasks/result'])
    assert.equal((await client.request(method, { taskId: 'nope' })).error.code, -32602, method);
  assert.equal((await client.request('tasks/list', { cursor: 'nope' })).error.code, -32602);
  assert.equal((await call(client, 'echo', { text: 'x' }, { task: {} })).error.code, -32601);
  const { taskId } = (await call(client, 'slow', { ms: 4 }, { task: { ttl: 40 } })).result.task;
  await client.request('tasks/result', { taskId });
  await new Promise((resolve) => setTimeout(resolve, 80));
  assert.equal((await client.request('tasks/get', { taskId })).error.code, -32602);
  await client.close();
});

test('before 2025-11-25 `task` means nothing', async () => {
  const client = open();
  await client.initialize('2025-06-18');
  assert.deepEqual((await call(client, 'slow', { ms: 4 }, { task: {} })).result.structuredContent, { done: true });
  await client.close();
});

test('2026-07-28: slow work becomes a task by itself, quick work and undeclared clients get the result', async () => {
  const { held, finish } = heldWork();
  const client = open({ held });
  const _meta = envelope(TASKS);
  const { result } = await call(client, 'slow', { ms: 400 }, { _meta });
  assert.equal(result.resultType, 'task');
  assert.ok(!('task' in result) && result.ttlMs > 0 && result.pollIntervalMs > 0);
  const { taskId } = result;
  const working = (await client.request('tasks/get', { taskId, _meta })).result;
  assert.equal(working.status, 'working');
  assert.ok(!('result' in working));
  finish();
  let got: Message = working;
  while (got.status === 'working') {
    await new Promise((resolve) => setTimeout(resolve, 50));
    got = (await client.request('tasks/get', { taskId, _meta })).result;
  }
  assert.equal(got.status, 'completed');
  assert.deepEqual(got.result.structuredContent, { done: true });
  assert.equal((await call(client, 'slow', { ms: 4 }, { _meta })).result.resultType, 'complete');
  assert.equal((await call(client, 'slow', { ms: 200 }, { _meta: envelope() })).result.resultType, 'complete');
  assert.equal((await client.request('tasks/get', { taskId, _meta: envelope() })).error.code, -32021);
  assert.equal((await client.request('tasks/list', { _meta })).error.code, -32601);
  await client.close();
});

test('2026-07-28: a client that listens for a task gets its state at once and every change, with the result', async () => {
  const { held, finish } = heldWork();
  const client = open({ held });
  const _meta = envelope(TASKS);
  const { taskId } = (await call(client, 'slow', { ms: 400 }, { _meta })).result;
  const notifications = { taskIds: [taskId, 'no-such-task'], toolsListChanged: true };
  client.line(
    JSON.stringify({ jsonrpc: '2.0', id: 'sub', method: 'subscriptions/listen', params: { notifications, _meta } }),
  );
  const { params } = await client.until((m) => m.method === 'notifications/subscriptions/acknowledged');
  assert.deepEqual(params.notifications, { taskIds: [taskId], toolsListChanged: true });
  const told = (status: string) =>
    client.until((m) => m.method === 'notifications/tasks' && m.params.status === status);
  const first = await told('working');
  assert.deepEqual(
    [first.params.taskId, first.params._meta['io.modelcontextprotocol/subscriptionId'], 'result' in first.params],
    [taskId, 'sub', false],
  );
  finish();
  const last = await told('completed');
  assert.deepEqual(last.params.result.structuredContent, { done: true });
  // A client that has left gets nothing more.
  client.notify('notifications/cancelled', { requestId: 'sub' });
  const second = (await call(client, 'slow', { ms: 300 }, { _meta })).result.taskId;
  await client.request('tasks/cancel', { taskId: second, _meta });
  assert.equal(
    client.received.filter((m) => m.method === 'notifications/tasks' && m.params.taskId === second).length,
    0,
  );
  await client.close();
});

test('2026-07-28: cancelling is acknowledged, twice as well', async () => {
  const seen: { aborted?: boolean } = {};
  const client = open(seen);
  const _meta = envelope(TASKS);
  const { taskId } = (await call(client, 'slow', { ms: 60_000 }, { _meta })).result;
  for (let i = 0; i < 2; i++) {
    const { _meta: _identity, ...acknowledged } = (await client.request('tasks/cancel', { taskId, _meta })).result;
    assert.deepEqual(acknowledged, { resultType: 'complete' });
  }
  assert.equal(seen.aborted, true);
  assert.equal((await client.request('tasks/get', { taskId, _meta })).result.status, 'cancelled');
  await client.close();
});

test('questions: asked as requests in the 2025 era, as input_required in 2026, answers kept over rounds', async () => {
  const old = open();
  await old.initialize('2025-06-18', { sampling: {} });
  const pending = call(old, 'ask', {});
  for (const n of [1, 2]) {
    await old.until(() => old.received.filter((m) => m.method === 'sampling/createMessage').length === n);
    const asked = old.received.filter((m) => m.method === 'sampling/createMessage').at(-1)!;
    const content = { type: 'text', text: `${n}` };
    old.line(JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: { role: 'assistant', model: 'm', content } }));
  }
  assert.deepEqual((await pending).result.structuredContent.answers, ['1', '2']);
  await old.close();

  const client = open();
  const _meta = envelope({ sampling: {} });
  const sampled = (text: string) => ({ role: 'assistant', model: 'm', content: { type: 'text', text } });
  const first = (await call(client, 'ask', {}, { _meta })).result;
  assert.deepEqual([first.resultType, Object.keys(first.inputRequests)], ['input_required', ['one']]);
  const second = (
    await call(client, 'ask', {}, { _meta, inputResponses: { one: sampled('1') }, requestState: first.requestState })
  ).result;
  assert.deepEqual(Object.keys(second.inputRequests), ['two']);
  const answers = { _meta, inputResponses: { two: sampled('2') } };
  const third = await call(client, 'ask', {}, { ...answers, requestState: second.requestState });
  assert.deepEqual(third.result.structuredContent.answers, ['1', '2']);
  const tampered = await call(client, 'ask', {}, { ...answers, requestState: `x${second.requestState}` });
  assert.equal(tampered.error.code, -32602);
  const silent = await call(client, 'ask', {}, { _meta: envelope() });
  assert.deepEqual(silent.result.structuredContent.answers, [null, null]);
  await client.close();
});

test('a client that declines a question, or answers with something else, gets its answer without it', async () => {
  const old = open();
  await old.initialize('2025-06-18', { sampling: {} });
  const pending = call(old, 'ask', {});
  const refusals = [{ error: { code: -1, message: 'User rejected sampling request' } }, { result: { nonsense: true } }];
  for (const [i, refusal] of refusals.entries()) {
    await old.until(() => old.received.filter((m) => m.method === 'sampling/createMessage').length === i + 1);
    const asked = old.received.filter((m) => m.method === 'sampling/createMessage').at(-1)!;
    old.line(JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...refusal }));
  }
  assert.deepEqual((await pending).result.structuredContent.answers, [null, null]);
  await old.close();

  const client = open();
  const _meta = envelope({ sampling: {} });
  const { requestState } = (await call(client, 'ask', {}, { _meta })).result;
  const inputResponses = {
    one: { role: 'assistant', model: 'm', content: { type: 'image', data: '', mimeType: 'x' } },
  };
  const next = (await call(client, 'ask', {}, { _meta, inputResponses, requestState })).result;
  assert.deepEqual(Object.keys(next.inputRequests), ['two'], 'it is not asked the same again');
  await client.close();
});
