/**
 * Repositories from an unpacked archive, in which pipes, devices, huge files or links stand in place of git's files.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readHistory, resolveRef, walkRef } from '../../index.ts';
import { list, makeRepository, optionsFor, type TempTree } from '../../temp-tree.fixture.ts';
import { runGit } from './git-process.ts';

const OPTIONS = { skip: process.platform === 'win32' };

function repository(t: TestContext): TempTree {
  const tree = makeRepository(t, { 'a.ts': 'export const a = 1;\n' });
  tree.commit();
  return tree;
}

/** Replaces one of git's files. */
function replace({ root }: TempTree, name: string, put: (path: string) => void): void {
  const path = join(root, '.git', name);
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  put(path);
}

/** Asserts that reads of refs and objects are refused, and that the files are still listed. */
async function isRefused({ root }: TempTree, what: string): Promise<void> {
  assert.deepEqual(await list(root), ['a.ts'], what);
  await assert.rejects(resolveRef(root, 'HEAD'), what);
  await assert.rejects(walkRef(root, 'main', optionsFor(root)), what);
  assert.equal(await readHistory({ folder: root, isWhole: true, from: 'HEAD' }, () => true), 'failed', what);
}

const READ_TO_THE_END = ['refs/heads/main', 'info/grafts', 'objects/info/alternates'];

test('an endless device in place of one of git’s files is not read', OPTIONS, async (t) => {
  for (const name of READ_TO_THE_END) {
    const tree = repository(t);
    replace(tree, name, (path) => symlinkSync('/dev/zero', path));
    await isRefused(tree, name);
  }
  const tree = repository(t);
  // git takes a link that begins so for the name of a branch, and reads what it leads to.
  const up = '../'.repeat(tree.root.split('/').length + 2);
  replace(tree, 'HEAD', (path) => symlinkSync(`refs/${up}dev/zero`, path));
  await isRefused(tree, 'HEAD');
});

test('a pipe in place of a ref, a graft or a pack does not block', OPTIONS, async (t) => {
  const more = [
    'objects/info/commit-graph',
    'objects/pack/multi-pack-index',
    `objects/pack/pack-${'1'.repeat(40)}.idx`,
  ];
  for (const name of [...READ_TO_THE_END, ...more]) {
    const tree = repository(t);
    replace(tree, name, (path) => execFileSync('mkfifo', [path]));
    await isRefused(tree, name);
  }
});

test('refs and objects behind a link out of the repository are not read', OPTIONS, async (t) => {
  const secret = repository(t);
  const commit = secret.git('rev-parse', 'HEAD').trim();
  const own = join(secret.root, '.git');
  const fans = readdirSync(join(own, 'objects')).filter((name) => name.length === 2);
  for (const linked of [fans.map((name) => `objects/${name}`), ['refs'], ['refs/heads'], ['refs/heads/main']]) {
    const tree = repository(t);
    for (const name of linked) {
      rmSync(join(tree.root, '.git', name), { recursive: true, force: true });
      symlinkSync(join(own, name), join(tree.root, '.git', name));
    }
    writeFileSync(join(tree.root, '.git/HEAD'), `${commit}\n`);
    await isRefused(tree, linked.join());
  }
});

test('git is killed when it reads a ref larger than its memory limit', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const tree = repository(t);
  replace(tree, 'refs/heads/main', (path) => {
    writeFileSync(path, '');
    truncateSync(path, 2 ** 40);
  });
  await assert.rejects(resolveRef(tree.root, 'HEAD'));
});

test('git reads the ignore file of the user, not one that the repository names', OPTIONS, async (t) => {
  const tree = repository(t);
  const pipe = join(tree.root, '.git/pipe');
  execFileSync('mkfifo', [pipe]);
  tree.git('config', 'core.excludesFile', pipe);
  const { timedOut } = await runGit(tree.root, ['ls-files', '-o', '--exclude-standard'], { timeoutMs: 5_000 });
  assert.ok(!timedOut);
});

test('git does not read a diff.orderFile that the repository names', OPTIONS, async (t) => {
  const tree = repository(t);
  tree.git('config', 'diff.orderFile', '/dev/zero');
  const only = { file: 'a.ts', lines: [1, 1] } as const;
  let commits = 0;
  await readHistory({ folder: tree.root, isWhole: true, from: 'HEAD', only }, () => ++commits > 0);
  assert.equal(commits, 1);
});
