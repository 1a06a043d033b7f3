/** Repositories whose settings make git execute a program. Every git command of this room runs on each of them. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { gitRestriction, readFolderFingerprint, readGitState, walk, walkRef } from '../../index.ts';
import { list, makeRepository, makeTree, optionsFor, pathsOf, reasonsOf } from '../../temp-tree.fixture.ts';
import { findPlace } from '../git-place.ts';
import { safeArguments, safeEnvironment } from './git-settings.ts';
import { ATTACKS, askEverything, historyOf, MISSING, secretRepository, setTrap } from './hostile-git.fixture.ts';

for (const [what, { set, plain }] of Object.entries(ATTACKS))
  test(`${what}: nothing is executed`, async (t) => {
    const trap = setTrap(t);
    set(trap);
    if (plain) {
      try {
        execFileSync('git', plain, { cwd: trap.tree.root, stdio: 'ignore' });
      } catch {
        // The outcome does not matter, only whether the program ran.
      }
      assert.ok(trap.sprung(), 'git itself executes it');
    }
    await askEverything(trap.tree.root);
    assert.ok(!trap.sprung());
    const paths = await list(trap.tree.root);
    assert.ok(paths.includes('a.ts') && paths.includes('b.ts'), paths.join());
  });

test('a version of git that ignores GIT_NO_LAZY_FETCH fetches nothing either', async (t) => {
  for (const what of Object.keys(ATTACKS).filter((name) => name.startsWith('a remote'))) {
    const trap = setTrap(t);
    ATTACKS[what]!.set(trap);
    const { root } = trap.tree;
    const place = findPlace(root)!;
    const { GIT_NO_LAZY_FETCH: _, ...env } = safeEnvironment(root, place);
    const args = [
      ...safeArguments(place, { filters: [], attributesFile: null, excludesFile: null }),
      'cat-file',
      '-p',
      MISSING,
    ];
    assert.notEqual(spawnSync('git', args, { cwd: root, env }).status, 0);
    assert.ok(!trap.sprung(), what);
  }
});

test('a pipe in place of one of git’s files does not block', { skip: process.platform === 'win32' }, async (t) => {
  for (const name of ['index', 'config', 'HEAD', 'packed-refs', 'info/exclude', 'shallow', 'commondir']) {
    const tree = makeRepository(t, { 'a.ts': 'x' });
    tree.commit();
    rmSync(join(tree.root, '.git', name), { force: true });
    execFileSync('mkfifo', [join(tree.root, '.git', name)]);
    assert.deepEqual(await list(tree.root), ['a.ts'], name);
  }
});

for (const [what, lead] of Object.entries<(folder: string, gitDir: string) => void>({
  'a .git file': (folder, gitDir) => writeFileSync(join(folder, '.git'), `gitdir: ${gitDir}\n`),
  'a .git link': (folder, gitDir) => symlinkSync(gitDir, join(folder, '.git')),
  'a .git folder with a common folder': (folder, gitDir) => {
    mkdirSync(join(folder, '.git'));
    writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(folder, '.git/commondir'), `${gitDir}\n`);
  },
  'a .git file to a folder with a common folder': (folder, gitDir) => {
    mkdirSync(join(folder, 'fake'));
    writeFileSync(join(folder, '.git'), 'gitdir: fake\n');
    writeFileSync(join(folder, 'fake/HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(folder, 'fake/commondir'), `${gitDir}\n`);
    writeFileSync(join(folder, 'fake/gitdir'), `${folder}/.git\n`);
  },
}))
  test(`${what} that leads to a repository which does not name the folder does not make it a work tree`, async (t) => {
    const secret = secretRepository(t);
    const { root } = makeTree(t, { 'a.ts': 'x' });
    lead(root, join(secret.root, '.git'));
    assert.equal(await readGitState(root), null);
    await assert.rejects(walkRef(root, 'main', optionsFor(root)), { code: 'not_a_repository' });
    assert.deepEqual(await historyOf(root), []);
    const result = await walk(optionsFor(root));
    assert.ok(pathsOf(result).includes('a.ts'));
    assert.equal(reasonsOf(result)['.git'], 'link_outside_root');
    assert.match(gitRestriction(root)?.fix ?? '', /git worktree repair/);
  });

test('environment variables neither point git to another repository nor make it execute a program', async (t) => {
  const trap = setTrap(t);
  const secret = secretRepository(t);
  const { tree, program } = trap;
  const hostile: Record<string, string> = {
    GIT_DIR: join(secret.root, '.git'),
    GIT_WORK_TREE: secret.root,
    GIT_INDEX_FILE: '/nowhere',
    GIT_COMMON_DIR: join(secret.root, '.git'),
    GIT_OBJECT_DIRECTORY: join(secret.root, '.git/objects'),
    GIT_EXEC_PATH: dirname(program),
    GIT_EXTERNAL_DIFF: program,
    GIT_PAGER: program,
    GIT_SSH_COMMAND: program,
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'core.fsmonitor',
    GIT_CONFIG_VALUE_0: program,
    GIT_CONFIG_KEY_1: 'filter.env.clean',
    GIT_CONFIG_VALUE_1: program,
    GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${program}'`,
    GIT_TRACE: join(dirname(program), 'executed'),
    GIT_TRACE2_EVENT: join(dirname(program), 'executed'),
    GIT_ICASE_PATHSPECS: '1',
  };
  tree.write({ '.git/info/attributes': '*.ts filter=env\n' });
  Object.assign(process.env, hostile);
  t.after(() => {
    for (const name of Object.keys(hostile)) delete process.env[name];
  });
  await askEverything(tree.root);
  const { files } = await walkRef(tree.root, 'main', optionsFor(tree.root));
  assert.deepEqual(
    files.map(({ path }) => path),
    ['a.ts', 'b.ts'],
  );
  assert.ok(!trap.sprung());
});

test('a git program inside the project is not started', async (t) => {
  const { tree, program, sprung } = setTrap(t);
  const before = process.env.PATH;
  for (const folder of ['bin', 'node_modules/.bin']) {
    mkdirSync(join(tree.root, folder), { recursive: true });
    cpSync(program, join(tree.root, folder, 'git'));
  }
  t.after(() => {
    process.env.PATH = before;
  });
  const cwd = process.cwd();
  t.after(() => process.chdir(cwd));
  process.chdir(join(tree.root, 'bin'));
  process.env.PATH = `.::${join(tree.root, 'bin')}:${join(tree.root, 'node_modules/.bin')}:${before}`;
  await askEverything(tree.root);
  assert.ok(!sprung());
  assert.equal((await walkRef(tree.root, 'main', optionsFor(tree.root))).files.length, 2);
});

test('a configuration without filters is read without a git process', async (t) => {
  const { tree, program } = setTrap(t);
  const log = join(dirname(program), 'log');
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  writeFileSync(join(dirname(program), 'git'), `#!/bin/sh\necho git >> ${log}\nexec ${real} "$@"\n`);
  chmodSync(join(dirname(program), 'git'), 0o755);
  const before = process.env.PATH;
  process.env.PATH = `${dirname(program)}:${before}`;
  t.after(() => {
    process.env.PATH = before;
  });
  const count = async (call: () => Promise<unknown>) => {
    rmSync(log, { force: true });
    await call();
    return readFileSync(log, 'utf8').split('\n').length - 1;
  };
  const options = optionsFor(tree.root);
  assert.equal(await count(() => readFolderFingerprint(options)), 1);
  tree.git('config', 'filter.own.clean', program);
  assert.equal(await count(() => readFolderFingerprint(options)), 2);
  assert.equal(await count(() => readFolderFingerprint(options)), 1);
});
