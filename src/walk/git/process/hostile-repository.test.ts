/** Repositories that refer to folders and objects outside of themselves. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gitRestriction, readGitState, resolveRef, walk, walkRef } from '../../index.ts';
import { list, makeRepository, makeTree, optionsFor, pathsOf } from '../../temp-tree.fixture.ts';
import { askEverything, embed, historyOf, secretRepository, setTrap } from './hostile-git.fixture.ts';

test('a bare repository that a clone tracks is content of the clone', async (t) => {
  const trap = setTrap(t);
  const bare = embed(t, trap);
  trap.tree.commit('with another inside');
  execFileSync('git', ['ls-files', '-m'], { cwd: bare, stdio: 'ignore' });
  assert.ok(trap.sprung(), 'git itself executes it');
  for (const folder of [bare, join(bare, 'refs'), trap.tree.root]) await askEverything(folder);
  assert.ok(!trap.sprung());
  assert.equal((await readGitState(bare))?.workTree, trap.tree.root);
  assert.ok((await list(bare)).includes('a.ts'));
  assert.equal((await resolveRef(bare, 'HEAD')).length, 40);
});

test('an untracked bare repository inside a work tree is a repository when it is the requested folder', async (t) => {
  const trap = setTrap(t);
  const bare = embed(t, trap);
  const state = await readGitState(bare);
  assert.deepEqual([state?.workTree, state?.commonDir], [null, bare]);
  const { files } = await walkRef(bare, 'main', optionsFor(bare));
  assert.deepEqual(
    files.map(({ path }) => path),
    ['inner.ts'],
  );
  const alone = join(makeTree(t).root, 'alone.git');
  renameSync(bare, alone);
  assert.deepEqual((await walkRef(alone, 'main', optionsFor(alone))).files.length, 1);
  await askEverything(alone);
  // A folder inside the bare repository does not stand for it.
  await assert.rejects(walkRef(join(alone, 'refs'), 'main', optionsFor(alone)), { code: 'unsupported' });
  assert.ok(!trap.sprung());
});

test('nothing is listed inside a .git folder', async (t) => {
  const tree = makeRepository(t, { 'a.ts': 'x' });
  tree.commit();
  for (const folder of ['.git', '.git/hooks'])
    await assert.rejects(walk(optionsFor(join(tree.root, folder))), { code: 'invalid_input' });
});

test('a linked work tree, a submodule and a folder that core.worktree names are work trees', async (t) => {
  const tree = makeRepository(t, { 'a.ts': 'x' });
  tree.commit();
  const { root } = makeTree(t);
  const gitDir = join(root, 'kept.git');
  renameSync(join(tree.root, '.git'), gitDir);
  writeFileSync(join(tree.root, '.git'), `gitdir: ${gitDir}\n`);
  assert.equal(await readGitState(tree.root), null);
  tree.git('config', 'core.worktree', tree.root);
  assert.equal((await readGitState(tree.root))?.commonDir, gitDir);
  assert.deepEqual(await historyOf(tree.root), ['one']);
  const linked = join(root, 'linked');
  tree.git('worktree', 'add', '-q', '-b', 'side', linked);
  assert.equal((await readGitState(linked))?.commonDir, gitDir);
  assert.deepEqual(await historyOf(linked), ['one']);
  // After a move by hand, the repository names the old path until `git worktree repair`.
  renameSync(linked, `${linked}-moved`);
  assert.equal(await readGitState(`${linked}-moved`), null);
  tree.git('worktree', 'repair', `${linked}-moved`);
  assert.equal((await readGitState(`${linked}-moved`))?.commonDir, gitDir);
});

test('a folder to which core.worktree points is not listed for the repository’s own folder', async (t) => {
  const secret = makeTree(t, { 'secret.ts': 'x', 'a.ts': 'other' });
  const tree = makeRepository(t, { 'a.ts': 'x' });
  tree.commit();
  tree.git('config', 'core.worktree', secret.root);
  const result = await walk(optionsFor(tree.root));
  assert.deepEqual(pathsOf(result), ['a.ts']);
  assert.deepEqual(result.skipped, []);
});

test('objects outside of the repository are not read', async (t) => {
  const secret = secretRepository(t);
  const commit = secret.git('rev-parse', 'HEAD').trim();
  const objects = join(secret.root, '.git/objects');
  for (const borrow of [
    (git: string) => writeFileSync(join(git, 'objects/info/alternates'), `${objects}\n`),
    (git: string) => writeFileSync(join(git, 'objects/info/alternates'), '../../../'.repeat(9) + objects.slice(1)),
    (git: string) => {
      rmSync(join(git, 'objects'), { recursive: true });
      symlinkSync(objects, join(git, 'objects'));
    },
  ]) {
    const tree = makeRepository(t, { 'a.ts': 'x' });
    borrow(join(tree.root, '.git'));
    writeFileSync(join(tree.root, '.git/refs/heads/main'), `${commit}\n`);
    const options = optionsFor(tree.root);
    for (const ref of ['main', 'HEAD', commit.slice(0, 8)])
      await assert.rejects(walkRef(tree.root, ref, options), { code: 'unsupported', fix: /repack -a -d/ });
    assert.deepEqual(await historyOf(tree.root), []);
    assert.match(gitRestriction(tree.root)?.fix ?? '', /repack/);
    assert.deepEqual(await list(tree.root), ['a.ts']);
  }
});

test('a shared clone is read after `git repack` has copied its objects', async (t) => {
  const source = secretRepository(t);
  const root = join(makeTree(t).root, 'shared');
  source.git('clone', '-q', '--shared', source.root, root);
  assert.deepEqual(await list(root), ['secret.ts']);
  await assert.rejects(walkRef(root, 'main', optionsFor(root)), { code: 'unsupported' });
  execFileSync('git', ['-C', root, 'repack', '-q', '-a', '-d']);
  rmSync(join(root, '.git/objects/info/alternates'));
  assert.equal((await walkRef(root, 'main', optionsFor(root))).files.length, 1);
  assert.deepEqual(await historyOf(root), ['a secret subject']);
});

test('symbolic refs that form a cycle resolve to no commit', async (t) => {
  const tree = makeRepository(t, { 'a.ts': 'x' });
  tree.write({ '.git/refs/heads/main': 'ref: refs/heads/other\n', '.git/refs/heads/other': 'ref: refs/heads/main\n' });
  assert.deepEqual([(await readGitState(tree.root))?.head, (await list(tree.root)).length], [null, 1]);
});

test('nested trees that name one tree many times are refused instead of listed without end', async (t) => {
  const tree = makeRepository(t, { 'a.ts': 'export const a = 1;\n' });
  tree.commit();
  const asGit = (input: string, ...args: string[]) =>
    execFileSync('git', args, { cwd: tree.root, input, encoding: 'utf8' }).trim();
  const blob = asGit('x', 'hash-object', '-w', '--stdin');
  // 16^4 paths of 160 KB: ten gigabytes, from ten objects.
  const name = 'n'.repeat(40_000);
  const ten = (mode: string, id: string) =>
    asGit([...'abcdefghijklmnop'].map((c) => `${mode} ${id}\t${c}${name}\n`).join(''), 'mktree');
  let id = ten('100644 blob', blob);
  for (let level = 0; level < 3; level++) id = ten('040000 tree', id);
  tree.git(
    'tag',
    'bomb',
    asGit('', '-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit-tree', '-m', 'bomb', id),
  );
  await assert.rejects(walkRef(tree.root, 'bomb', optionsFor(tree.root)), (error: Error) =>
    /more files than can be listed/.test(error.message),
  );
});

test('refs are not read from a folder outside of the repository that extensions.refStorage names', async (t) => {
  const tree = makeRepository(t, { 'a.ts': 'x' });
  tree.commit();
  const other = secretRepository(t);
  tree.git('config', 'extensions.refStorage', `files://${other.root}/.git`);
  assert.match(gitRestriction(tree.root)?.detail ?? '', /outside of the repository/);
  tree.git('config', 'extensions.refStorage', 'files');
  assert.equal(gitRestriction(tree.root), null);
});
