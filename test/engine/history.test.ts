/** Which commits changed something, and why. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../workspace.ts';

let space: Workspace;
before(async () => {
  space = workspace({ 'a.py': 'def first():\n    return 1\n\n\ndef second():\n    return 1\n' });
  space.git('init', '-q');
  space.git('add', '-A');
  space.git('commit', '-qm', 'begin');
  space.write('a.py', 'def first():\n    return 1\n\n\ndef second():\n    return retryBudget(2)\n');
  space.git('commit', '-qam', 'second: give up sooner\n\nBecause callers waited.');
  await space.engine.index(space.root);
});
after(() => space.close());

const found = async (query: string) =>
  (await space.engine.commits(space.root, { query })).commits.map(({ subject, found: how }) => `${subject}, ${how}`);

test('the commits of a function are those that changed its lines', async () => {
  assert.deepEqual(await found('second'), ['second: give up sooner, lines', 'begin, lines']);
  assert.deepEqual(await found('a.py:1-2'), ['begin, lines']);
});

test('words are found in messages, and a single one in diffs; a second call answers from what was kept', async () => {
  assert.deepEqual(await found('why do callers wait'), ['second: give up sooner, message']);
  assert.deepEqual(await found('retryBudget'), ['second: give up sooner, diff']);
  assert.deepEqual(await found('retryBudget'), ['second: give up sooner, diff']);
  assert.deepEqual(await found('nothing like it'), []);
});

test('a folder without git has no history, and the error says so', async () => {
  const plain = workspace({ 'a.py': 'x = 1\n' });
  try {
    await assert.rejects(plain.engine.commits(plain.root, { query: 'x' }), { code: 'not_a_repository' });
  } finally {
    await plain.close();
  }
});
