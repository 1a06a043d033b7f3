import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TaskRecord, TaskStore } from './task-list.ts';

const finish = async (tasks: TaskStore, text: string, session = 's') => {
  const task = tasks.create(session, undefined);
  await tasks.run(task, async () => ({ content: [{ type: 'text', text }] }));
  return task;
};

test('the task store keeps the newest finished tasks', async () => {
  const tasks = new TaskStore(new AbortController().signal);
  const all: TaskRecord[] = [];
  for (let i = 0; i < 6_000; i++) all.push(await finish(tasks, `result ${i}`));
  const kept = all.filter(({ taskId }) => tasks.has(taskId));
  assert.deepEqual([kept.length, kept[0]?.taskId], [256, all.at(-256)?.taskId]);
  assert.throws(() => tasks.get(all[0]!.taskId, null), /Task not found/);
  assert.deepEqual(kept.at(-1)!.outcome, {
    kind: 'result',
    result: { content: [{ type: 'text', text: 'result 5999' }] },
  });
});

test('the task store keeps as many large results as fit, and always the newest', async () => {
  const tasks = new TaskStore(new AbortController().signal);
  const large = 'x'.repeat(1024 * 1024);
  const all: TaskRecord[] = [];
  for (let i = 0; i < 40; i++) all.push(await finish(tasks, large));
  const kept = all.filter(({ taskId }) => tasks.has(taskId)).length;
  assert.ok(kept >= 6 && kept <= 8, `${kept} are kept`);
  const huge = await finish(tasks, large.repeat(20));
  assert.equal(tasks.has(huge.taskId), true);
  assert.equal(
    all.some(({ taskId }) => tasks.has(taskId)),
    false,
  );
});

test('a finished task releases its call and its status listeners', async () => {
  const tasks = new TaskStore(new AbortController().signal);
  const task = tasks.create('s', undefined);
  const { signal } = task;
  const told: string[] = [];
  task.onStatus(() => told.push(task.status));
  tasks.cancel(task);
  assert.equal(signal.aborted, true, 'its call is aborted');
  assert.notEqual(task.signal, signal, 'and no longer held by its signal');
  task.set('cancelled');
  assert.deepEqual(told, ['cancelled']);
  await assert.rejects(
    task.ask('q', { kind: 'roots' }, () => null),
    /has ended/,
  );
});

test('running tasks count towards the limit, finished ones do not', async () => {
  const tasks = new TaskStore(new AbortController().signal);
  for (let i = 0; i < 100; i++) await finish(tasks, 'x');
  for (let i = 0; i < 64; i++) tasks.create('s', undefined);
  assert.throws(() => tasks.create('s', undefined), /64 are running/);
});
