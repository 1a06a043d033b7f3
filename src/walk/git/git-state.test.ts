import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeRepository, makeTree } from '../temp-tree.fixture.ts';
import { readGitState } from './git-state.ts';

test('git state has branch and commit of a loose, packed, detached or unborn HEAD', async (t) => {
  const tree = makeRepository(t, { 'a.ts': 'x' });
  const place = { commonDir: join(tree.root, '.git'), workTree: tree.root };
  assert.deepEqual(await readGitState(tree.root), { ...place, branch: null, head: null });
  tree.commit();
  const head = tree.git('rev-parse', 'HEAD').trim();
  assert.deepEqual(await readGitState(tree.root), { ...place, branch: 'main', head });
  tree.git('checkout', '-q', '-b', 'feature/deep/name');
  tree.git('pack-refs', '--all');
  assert.deepEqual(await readGitState(tree.root), { ...place, branch: 'feature/deep/name', head });
  tree.git('checkout', '-q', '--detach');
  assert.deepEqual(await readGitState(tree.root), { ...place, branch: null, head });
});

test('a subfolder, a linked work tree and a submodule have a git state, a plain folder has none', async (t) => {
  const tree = makeRepository(t, { 'sub/a.ts': 'x' });
  tree.commit();
  assert.equal((await readGitState(join(tree.root, 'sub')))?.workTree, tree.root);
  const linked = makeTree(t);
  rmSync(linked.root, { recursive: true });
  tree.git('worktree', 'add', '-q', '-b', 'side', linked.root);
  const state = await readGitState(linked.root);
  assert.deepEqual([state?.commonDir, state?.workTree, state?.branch], [join(tree.root, '.git'), linked.root, 'side']);
  const outer = makeRepository(t);
  outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', tree.root, 'inner');
  const inner = await readGitState(join(outer.root, 'inner'));
  assert.deepEqual([inner?.commonDir, inner?.branch], [join(outer.root, '.git/modules/inner'), 'main']);
  assert.equal(await readGitState(makeTree(t).root), null);
  assert.equal(await readGitState('/nonexistent/folder'), null);
});

test('a folder that only looks like a repository has no git state', async (t) => {
  const tree = makeTree(t, {
    'a/.git': 'gitdir: /nonexistent\n',
    'b/.git/HEAD': 'ref: refs/heads/main\n',
    'c/.git/x': '',
  });
  for (const name of ['a', 'b', 'c']) assert.equal(await readGitState(join(tree.root, name)), null, name);
  mkdirSync(join(tree.root, 'd'));
  execFileSync('mkfifo', [join(tree.root, 'd/.git')]);
  assert.equal(await readGitState(join(tree.root, 'd')), null);
});
