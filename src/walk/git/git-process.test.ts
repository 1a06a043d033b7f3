import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeRepository, makeTree } from '../temp-tree.fixture.ts';
import { runGit, runGitAside } from './git-process.ts';

function withTemporaryFolder(t: TestContext, folder: string): void {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  t.after(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
}

const MANY = 'a line of many\n'.repeat(70_000);

test('what git says aside is what it says, however much, and nothing of it is left behind', async (t) => {
  const tree = makeRepository(t, { 'long.txt': MANY });
  tree.commit();
  const folder = makeTree(t).root;
  withTemporaryFolder(t, folder);
  const said = await runGitAside(tree.root, ['cat-file', 'blob', 'HEAD:long.txt']);
  assert.equal(said.code, 0);
  assert.equal(said.stdout.toString(), MANY);
  assert.deepEqual(readdirSync(folder), []);
});

test('without a folder for temporary files it is said all the same', async (t) => {
  const tree = makeRepository(t, { 'long.txt': MANY });
  tree.commit();
  withTemporaryFolder(t, join(tree.root, 'nowhere'));
  const said = await runGitAside(tree.root, ['cat-file', 'blob', 'HEAD:long.txt']);
  assert.equal(said.stdout.toString(), MANY);
});

test('a refusal is reported as it is, and an aborted call stays aborted', async (t) => {
  const tree = makeRepository(t);
  const [aside, plain] = await Promise.all([
    runGitAside(tree.root, ['cat-file', 'blob', 'HEAD:gone']),
    runGit(tree.root, ['cat-file', 'blob', 'HEAD:gone']),
  ]);
  assert.deepEqual(aside, plain);
  assert.notEqual(aside.code, 0);
  const signal = AbortSignal.abort();
  await assert.rejects(runGitAside(tree.root, ['status'], { signal }), { code: 'cancelled' });
});
