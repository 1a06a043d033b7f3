import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeRepository, makeTree } from '../../temp-tree.fixture.ts';
import { runGit, runGitIntoFiles } from './git-process.ts';

function withTemporaryFolder(t: TestContext, folder: string): void {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  t.after(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
}

const LONG_TEXT = 'a line of many\n'.repeat(70_000);

test('runGitIntoFiles returns output of any length and leaves no temporary file', async (t) => {
  const tree = makeRepository(t, { 'long.txt': LONG_TEXT });
  tree.commit();
  const folder = makeTree(t).root;
  withTemporaryFolder(t, folder);
  const outcome = await runGitIntoFiles(tree.root, ['cat-file', 'blob', 'HEAD:long.txt']);
  assert.equal(outcome.code, 0);
  assert.equal(outcome.stdout.toString(), LONG_TEXT);
  assert.deepEqual(readdirSync(folder), []);
});

test('runGitIntoFiles uses pipes if there is no folder for temporary files', async (t) => {
  const tree = makeRepository(t, { 'long.txt': LONG_TEXT });
  tree.commit();
  withTemporaryFolder(t, join(tree.root, 'nowhere'));
  const outcome = await runGitIntoFiles(tree.root, ['cat-file', 'blob', 'HEAD:long.txt']);
  assert.equal(outcome.stdout.toString(), LONG_TEXT);
});

test('runGitIntoFiles reports a refusal of git as runGit does, and throws for an aborted signal', async (t) => {
  const tree = makeRepository(t);
  const [intoFiles, plain] = await Promise.all([
    runGitIntoFiles(tree.root, ['cat-file', 'blob', 'HEAD:gone']),
    runGit(tree.root, ['cat-file', 'blob', 'HEAD:gone']),
  ]);
  assert.deepEqual(intoFiles, plain);
  assert.notEqual(intoFiles.code, 0);
  const signal = AbortSignal.abort();
  await assert.rejects(runGitIntoFiles(tree.root, ['status'], { signal }), { code: 'cancelled' });
});
