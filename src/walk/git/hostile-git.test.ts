/**
 * Repositories that try to execute something when git looks at them. Every way in which this room starts git is tried
 * on each of them.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  blameLines,
  findIgnored,
  gitRestriction,
  lookAt,
  readBlobs,
  readChanges,
  readGitState,
  readHistory,
  resolveRef,
  userIgnoreFile,
  walk,
  walkRef,
} from '../index.ts';
import { list, makeRepository, makeTree, optionsFor, pathsOf, reasonsOf, type TempTree } from '../temp-tree.fixture.ts';
import { findPlace } from './git-place.ts';
import { safeArguments, safeEnvironment } from './git-settings.ts';

const MISSING = '1'.repeat(40);

/** All that the room asks git; refusals are answers, too. */
async function askEverything(folder: string): Promise<void> {
  const options = optionsFor(folder);
  const history = { folder, isWhole: true, from: 'HEAD' };
  const calls: (() => Promise<unknown>)[] = [
    () => walk(options),
    () => walk({ ...options, trustIds: true }),
    () => lookAt(options),
    () => findIgnored(folder, true),
    () => userIgnoreFile(folder),
    () => blameLines(folder, 'a.ts', [1, 1]),
    () => readChanges(folder, 5_000),
    () => walkRef(folder, 'main', options),
    () => resolveRef(folder, 'HEAD~0'),
    () => readHistory(history, () => true),
    () => readHistory({ ...history, isWhole: false }, () => true),
    async () => {
      for await (const _ of readBlobs(folder, [MISSING]));
    },
  ];
  for (const call of calls) await call().catch(() => undefined);
}

interface Trap {
  readonly tree: TempTree;
  /** A program that leaves a file behind. */
  readonly program: string;
  readonly sprung: () => boolean;
  readonly config: (...settings: [name: string, value: string][]) => void;
}

/** A repository whose files look changed, so that git compares their contents. */
function setTrap(t: TestContext): Trap {
  const tree = makeRepository(t, { 'a.ts': 'export const a = 1;\n', 'b.ts': 'b\n' });
  tree.commit();
  utimesSync(join(tree.root, 'a.ts'), 1, 1);
  const outside = makeTree(t, { program: '' }).root;
  const mark = join(outside, 'executed');
  const program = join(outside, 'program');
  writeFileSync(program, `#!/bin/sh\necho executed >> ${mark}\nexit 1\n`);
  chmodSync(program, 0o755);
  return {
    tree,
    program,
    sprung: () => {
      const executed = existsSync(mark);
      rmSync(mark, { force: true });
      return executed;
    },
    config: (...settings) => {
      for (const [name, value] of settings) tree.git('config', name, value);
    },
  };
}

/** A remote that has what the repository lacks, by the means that is to be tried. */
function promise({ tree, config }: Trap, ...settings: [string, string][]): void {
  tree.git('update-index', '--add', '--info-only', 'b.ts');
  tree.git('update-index', '--add', '--cacheinfo', `100644,${MISSING},missing.ts`);
  const lacking = tree.git('write-tree', '--missing-ok').trim();
  tree.git('update-ref', 'refs/heads/main', tree.git('commit-tree', '-m', 'lacks a file', lacking).trim());
  // Files that may be converted are compared with the size of what git has.
  tree.write({ '.gitattributes': '* text=auto\n', 'missing.ts': 'x\n' });
  config(
    ['core.repositoryFormatVersion', '1'],
    ['extensions.partialClone', 'origin'],
    ['remote.origin.promisor', 'true'],
    ...settings,
  );
}

/** `plain`: what git itself does with it, unless it is not known to run with these commands. */
const ATTACKS: Record<string, { readonly set: (trap: Trap) => void; readonly plain?: readonly string[] }> = {
  'a filter': {
    set: ({ tree, config, program }) => {
      config(['filter.own name.clean', program], ['filter.own name.required', 'true']);
      tree.write({
        '.git/info/attributes': '*.ts filter=own\\040name\n',
        '.gitattributes': '"*.ts" filter="own name"\n',
      });
      config(['filter.other.clean', program]);
      tree.write({ '.git/info/attributes': '*.ts filter=other\n' });
    },
    plain: ['ls-files', '-m'],
  },
  'a filter by a process': {
    set: ({ tree, config, program }) => {
      config(['filter.other.process', program]);
      tree.write({ '.git/info/attributes': '*.ts filter=other\n' });
    },
    plain: ['ls-files', '-m'],
  },
  'a filter in a file that the configuration includes': {
    set: ({ tree, config, program }) => {
      tree.write({ 'more.cfg': `[filter "inc"]\n\tclean = ${program}\n`, '.git/info/attributes': '*.ts filter=inc\n' });
      config(['include.path', '../more.cfg']);
    },
    plain: ['ls-files', '-m'],
  },
  'a filter in a file that is included for this folder': {
    set: ({ tree, config, program }) => {
      tree.write({ 'more.cfg': `[filter "inc"]\n\tclean = ${program}\n`, '.git/info/attributes': '*.ts filter=inc\n' });
      config([`includeIf.gitdir:${tree.root}/.path`, '../more.cfg']);
    },
    plain: ['ls-files', '-m'],
  },
  'a filter in the configuration of the work tree': {
    set: ({ tree, config, program }) => {
      config(['core.repositoryFormatVersion', '1'], ['extensions.worktreeConfig', 'true']);
      tree.write({
        '.git/config.worktree': `[filter "tree"] clean = ${program}\n`,
        '.git/info/attributes': '*.ts filter=tree\n',
      });
    },
    plain: ['ls-files', '-m'],
  },
  'a filter that is written in other ways': {
    set: ({ tree, program }) => {
      appendFileSync(
        join(tree.root, '.git/config'),
        `[core] [FILTER "q\\"uo\\\\te"] clean = ${program}\n[filter.Dotted]\nclean=${program}\n`,
      );
      tree.write({ '.git/info/attributes': 'a.ts filter=dotted\nb.ts filter=q"uo\\te\n' });
    },
    plain: ['ls-files', '-m'],
  },
  'a filter whose name cannot be switched off': {
    set: ({ tree, config, program }) => {
      config(['filter.a=b.clean', program]);
      tree.write({ '.git/info/attributes': '*.ts filter=a=b\n' });
    },
    plain: ['ls-files', '-m'],
  },
  'a monitor': { set: ({ config, program }) => config(['core.fsmonitor', program]), plain: ['ls-files', '-m'] },
  hooks: {
    set: ({ tree, config, program }) => {
      for (const name of ['post-index-change', 'reference-transaction', 'pre-auto-gc', 'read-object'])
        cpSync(program, join(tree.root, 'hooks', name));
      config(['core.hooksPath', join(tree.root, 'hooks')], ['gc.auto', '1'], ['core.virtualizeObjects', 'true']);
    },
  },
  'pagers, differences, signatures, editors': {
    set: ({ tree, config, program }) => {
      config(
        ['core.pager', program],
        ['pager.log', program],
        ['pager.ls-files', program],
        ['diff.external', program],
        ['diff.own.command', program],
        ['diff.own.textconv', program],
        ['log.showSignature', 'true'],
        ['log.diffMerges', 'on'],
        ['log.follow', 'true'],
        ['gpg.program', program],
        ['core.editor', program],
        ['core.askPass', program],
        ['credential.helper', `!${program}`],
        ['core.virtualFilesystem', program],
        ['alias.ls-files', `!${program}`],
        ['alias.log', `!${program}`],
        ['core.alternateRefsCommand', program],
        ['uploadpack.packObjectsHook', program],
        ['trailer.x.cmd', program],
        ['mailmap.file', '/dev/zero'],
        ['blame.ignoreRevsFile', '/dev/zero'],
      );
      tree.write({ '.git/info/attributes': '*.ts diff=own\n' });
    },
  },
  'a remote over ssh': {
    set: (trap) => promise(trap, ['remote.origin.url', 'ssh://nowhere/x'], ['core.sshCommand', trap.program]),
    plain: ['cat-file', '-p', MISSING],
  },
  'a remote by a helper': {
    set: (trap) => promise(trap, ['remote.origin.url', `ext::${trap.program}`], ['protocol.ext.allow', 'always']),
    plain: ['cat-file', '-p', MISSING],
  },
  'a remote of no kind, for which an alias stands': {
    set: (trap) =>
      promise(trap, ['remote.origin.url', 'x'], ['remote.origin.vcs', ''], ['alias.remote-', `!${trap.program}`]),
  },
  'a remote on this machine with a program of its own': {
    set: (trap) =>
      promise(trap, ['remote.origin.url', trap.tree.root], ['remote.origin.uploadpack', `${trap.program};`]),
    plain: ['cat-file', '-p', MISSING],
  },
};

for (const [what, { set, plain }] of Object.entries(ATTACKS))
  test(`${what}: nothing is executed`, async (t) => {
    const trap = setTrap(t);
    set(trap);
    if (plain) {
      try {
        execFileSync('git', plain, { cwd: trap.tree.root, stdio: 'ignore' });
      } catch {
        // Only what it executes matters.
      }
      assert.ok(trap.sprung(), 'git itself executes it');
    }
    await askEverything(trap.tree.root);
    assert.ok(!trap.sprung());
    const paths = await list(trap.tree.root);
    assert.ok(paths.includes('a.ts') && paths.includes('b.ts'), paths.join());
  });

test('a git that knows nothing of lazy fetches being off fetches nothing either', async (t) => {
  for (const what of Object.keys(ATTACKS).filter((name) => name.startsWith('a remote'))) {
    const trap = setTrap(t);
    ATTACKS[what]!.set(trap);
    const { root } = trap.tree;
    const place = findPlace(root)!;
    const { GIT_NO_LAZY_FETCH: _, ...env } = safeEnvironment(root, place);
    const args = [...safeArguments(place, { filters: [], attributesFile: null }), 'cat-file', '-p', MISSING];
    assert.notEqual(spawnSync('git', args, { cwd: root, env }).status, 0);
    assert.ok(!trap.sprung(), what);
  }
});

test('a pipe in the place of a file of git does not block', { skip: process.platform === 'win32' }, async (t) => {
  for (const name of ['index', 'config', 'HEAD', 'packed-refs', 'info/exclude', 'shallow', 'commondir']) {
    const tree = makeRepository(t, { 'a.ts': 'x' });
    tree.commit();
    rmSync(join(tree.root, '.git', name), { force: true });
    execFileSync('mkfifo', [join(tree.root, '.git', name)]);
    assert.deepEqual(await list(tree.root), ['a.ts'], name);
  }
});

/** A bare repository inside of another one, as a clone brings it: its files are tracked by the repository around it. */
function embed(t: TestContext, { tree, program }: Trap): string {
  const inner = makeRepository(t, { 'inner.ts': 'export const inner = 1;\n' });
  inner.commit();
  const bare = join(tree.root, 'sub');
  cpSync(join(inner.root, '.git'), bare, { recursive: true });
  rmSync(join(bare, 'hooks'), { recursive: true });
  for (const folder of ['refs', 'objects/info', 'objects/pack']) tree.write({ [`sub/${folder}/keep`]: '' });
  const settings =
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = wt\n\tfsmonitor = ${program}\n` +
    `[filter "x"]\n\tclean = ${program}\n`;
  tree.write({
    'sub/config': settings,
    'sub/a.ts': 'a\n',
    'sub/wt/inner.ts': 'b\n',
    'sub/wt/.gitattributes': '* filter=x\n',
  });
  return bare;
}

test('a bare repository that came with a clone is content of the repository around it', async (t) => {
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

test('a bare repository that the user named is one, also inside of a work tree that does not track it', async (t) => {
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
  // From a folder inside of it nobody named it.
  await assert.rejects(walkRef(join(alone, 'refs'), 'main', optionsFor(alone)), { code: 'unsupported' });
  assert.ok(!trap.sprung());
});

test('inside of a .git folder nothing is listed', async (t) => {
  const tree = makeRepository(t, { 'a.ts': 'x' });
  tree.commit();
  for (const folder of ['.git', '.git/hooks'])
    await assert.rejects(walk(optionsFor(join(tree.root, folder))), { code: 'invalid_input' });
});

/** A repository of the user's that a hostile folder leads to. */
function secretRepository(t: TestContext): TempTree {
  const secret = makeRepository(t, { 'secret.ts': 'export const secret = 1;\n' });
  secret.commit('a secret subject');
  return secret;
}

async function historyOf(folder: string): Promise<string[]> {
  const subjects: string[] = [];
  await readHistory({ folder, isWhole: true, from: 'HEAD' }, ({ subject }) => subjects.push(subject) > 0);
  return subjects;
}

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
  test(`${what} that leads to a repository which does not name the folder makes it no work tree of it`, async (t) => {
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

test('linked work trees, submodules and a .git that the repository names back are work trees', async (t) => {
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
  // Moved by hand, git's own record no longer names it until it is repaired.
  renameSync(linked, `${linked}-moved`);
  assert.equal(await readGitState(`${linked}-moved`), null);
  tree.git('worktree', 'repair', `${linked}-moved`);
  assert.equal((await readGitState(`${linked}-moved`))?.commonDir, gitDir);
});

test('a work tree that the configuration puts elsewhere is not looked at', async (t) => {
  const secret = makeTree(t, { 'secret.ts': 'x', 'a.ts': 'other' });
  const tree = makeRepository(t, { 'a.ts': 'x' });
  tree.commit();
  tree.git('config', 'core.worktree', secret.root);
  const result = await walk(optionsFor(tree.root));
  assert.deepEqual(pathsOf(result), ['a.ts']);
  assert.deepEqual(result.skipped, []);
});

test('objects are not read from outside of the repository', async (t) => {
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

test('a shared clone is read once it has its own objects', async (t) => {
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

test('variables of the environment lead git nowhere else and make it execute nothing', async (t) => {
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

test('a git that the project brings along is not started', async (t) => {
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

test('refs that name one another have no end and no commit', async (t) => {
  const tree = makeRepository(t, { 'a.ts': 'x' });
  tree.write({ '.git/refs/heads/main': 'ref: refs/heads/other\n', '.git/refs/heads/other': 'ref: refs/heads/main\n' });
  assert.deepEqual([(await readGitState(tree.root))?.head, (await list(tree.root)).length], [null, 1]);
});

test('the configuration costs no process where it names no filter', async (t) => {
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
  assert.equal(await count(() => lookAt(options)), 1);
  tree.git('config', 'filter.own.clean', program);
  assert.equal(await count(() => lookAt(options)), 2);
  assert.equal(await count(() => lookAt(options)), 1);
});
