/** Which commits changed something, and why. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { TOKENS } from '../../src/model/secrets/token.fixture.ts';
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
  await assert.rejects(found('src/a.py:1'), { code: 'file_not_found', fix: 'Files of that name: a.py.' });
});

test("of several definitions of a name the program's own has its history shown", async () => {
  const own = workspace({ 'deps/kit/a.py': 'def load():\n    return 1\n' });
  try {
    own.git('init', '-q');
    own.git('add', '-A');
    own.git('commit', '-qm', 'take the kit in');
    own.write('src/z.py', 'def load():\n    return 2\n');
    own.git('add', '-A');
    own.git('commit', '-qm', 'load on our own\n\nThe kit is slow.\r\nMuch.');
    await own.engine.index(own.root);
    const { commits, notices } = await own.engine.commits(own.root, { query: 'load' });
    assert.deepEqual(
      commits.map(({ subject }) => subject),
      ['load on our own'],
    );
    assert.ok(!commits[0]!.body.includes('\r'), JSON.stringify(commits[0]!.body));
    assert.match(notices.join(), /^Others have that name: \S*load \(deps\/kit\/a\.py:1\)\./);
  } finally {
    await own.close();
  }
});

test('words are found in messages, and a single one in diffs; a second call answers from what was kept', async () => {
  assert.deepEqual(await found('why do callers wait'), ['second: give up sooner, message']);
  assert.deepEqual(await found('retryBudget'), ['second: give up sooner, diff']);
  assert.deepEqual(await found('retryBudget'), ['second: give up sooner, diff']);
  assert.deepEqual(await found('nothing like it'), []);
});

test('no part of a token, a key or a file of credentials is confirmed', async () => {
  const token = TOKENS['npm-access-token'];
  const secret = workspace({
    'client.py': `KEY = "${token}"  # rotateSoon\n`,
    '.env': 'PASSWORD=correcthorse\n',
    'deploy.txt': `-----BEGIN PRIVATE KEY-----\nQUJDREVGR0hJSktMTU5PUFFSQUJDREVGR0hJSktMTU5PUFFS\n-----END PRIVATE KEY-----\n`,
  });
  try {
    secret.git('init', '-q');
    secret.git('add', '-A', '-f');
    secret.git('commit', '-qm', `begin\n\nwith ${token}`);
    await secret.engine.index(secret.root);
    const commits = async (query: string) => (await secret.engine.commits(secret.root, { query })).commits.length;
    for (const guess of [token, token.slice(0, 12), 'correcthorse', 'QUJDREVGR0hJSktM'])
      assert.equal(await commits(guess), 0, guess);
    assert.equal(await commits('rotateSoon'), 1);
  } finally {
    await secret.close();
  }
});

test('a folder without git has no history, and the error says so', async () => {
  const plain = workspace({ 'a.py': 'x = 1\n' });
  try {
    await assert.rejects(plain.engine.commits(plain.root, { query: 'x' }), { code: 'not_a_repository' });
  } finally {
    await plain.close();
  }
});

test('answers of 200 questions are kept, and older ones are given up', async () => {
  for (let i = 0; i < 205; i++) await space.engine.commits(space.root, { query: `word${i} of nothing` });
  const { storeFolder } = await space.engine.project(space.root);
  const kept = readdirSync(join(storeFolder, 'mined')).filter((name) => name.startsWith('history-'));
  assert.equal(kept.length, 200);
});
