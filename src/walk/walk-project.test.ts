import assert from 'node:assert/strict';
import { chownSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { EngineError } from '../model/records/engine-errors.ts';
import { blobId, readGitState, walk } from './index.ts';
import {
  list,
  listBothWays,
  makeRepository,
  makeTree,
  optionsFor,
  pathsOf,
  reasonsOf,
  withoutGit,
} from './temp-tree.fixture.ts';

const isRoot = process.getuid?.() === 0;

describe('listing files', () => {
  test('tracked files and untracked ones that no nested ignore file or info/exclude names are listed', async (t) => {
    const tree = makeRepository(t, {
      '.gitignore': '*.log\n/out/\n!keep.log\n',
      'a.ts': 'a',
      'debug.log': 'x',
      'keep.log': 'x',
      'out/x.ts': 'x',
      'sub/out/x.ts': 'x',
      'sub/.gitignore': 'local.*\n!important.log\n',
      'sub/local.ts': 'x',
      'sub/important.log': 'x',
      'private/notes.md': 'x',
      '.github/workflows/ci.yml': 'x',
    });
    writeFileSync(join(tree.root, '.git/info/exclude'), 'private/\n');
    assert.deepEqual(await listBothWays(tree.root), [
      '.github/workflows/ci.yml',
      '.gitignore',
      'a.ts',
      'keep.log',
      'sub/.gitignore',
      'sub/important.log',
      'sub/out/x.ts',
    ]);
  });

  test('the user’s core.excludesFile applies', async (t) => {
    const home = makeTree(t, { '.gitconfig': '[core]\n\texcludesFile = ~/my-ignores\n', 'my-ignores': '*.scratch\n' });
    const tree = makeRepository(t, { 'a.ts': 'a', 'b.scratch': 'b' });
    const before = process.env.HOME;
    process.env.HOME = home.root;
    t.after(() => {
      process.env.HOME = before;
    });
    assert.deepEqual(await listBothWays(tree.root), ['a.ts']);
  });

  test('the ignore file in the user’s configuration folder applies, wherever that folder is', async (t) => {
    const folder = makeTree(t, { 'git/ignore': '*.scratch\n' });
    const tree = makeRepository(t, { 'a.ts': 'a', 'b.scratch': 'b' });
    const before = process.env.XDG_CONFIG_HOME;
    process.env.XDG_CONFIG_HOME = folder.root;
    t.after(() => {
      if (before === undefined) delete process.env.XDG_CONFIG_HOME;
      else process.env.XDG_CONFIG_HOME = before;
    });
    assert.deepEqual(await listBothWays(tree.root), ['a.ts']);
  });

  test('a tracked file is listed even if a rule ignores it', async (t) => {
    const tree = makeRepository(t, { 'a.log': 'a', 'b.ts': 'b' });
    tree.commit();
    tree.write({ '.gitignore': '*.log\n', 'c.log': 'c' });
    assert.deepEqual(await list(tree.root), ['.gitignore', 'a.log', 'b.ts']);
  });

  test('.sextantignore applies in every folder, with a repository and without one', async (t) => {
    const tree = makeRepository(t, {
      '.sextantignore': 'data/\n*.sql\n',
      'data/big.ts': 'x',
      'a.sql': 'x',
      'sub/.sextantignore': 'secretive.ts\n!b.sql\n',
      'sub/b.sql': 'x',
      'sub/secretive.ts': 'x',
      'sub/c.ts': 'x',
    });
    tree.commit();
    assert.deepEqual(await listBothWays(tree.root), ['.sextantignore', 'sub/.sextantignore', 'sub/b.sql', 'sub/c.ts']);
    assert.deepEqual(reasonsOf(await walk(optionsFor(tree.root))), {
      'a.sql': 'excluded',
      'data/': 'excluded',
      'sub/secretive.ts': 'excluded',
    });
  });

  test('in a folder inside a repository, rules from above apply and paths are relative to the folder', async (t) => {
    const tree = makeRepository(t, {
      '.gitignore': '*.log\n/pkg/a/hidden.ts\n',
      'pkg/.gitignore': 'skip.ts\n',
      'pkg/a/x.ts': 'x',
      'pkg/a/x.log': 'x',
      'pkg/a/skip.ts': 'x',
      'pkg/a/hidden.ts': 'x',
      'other.ts': 'x',
    });
    tree.commit();
    assert.deepEqual(await listBothWays(join(tree.root, 'pkg/a')), ['x.ts']);
  });

  test('a folder that the surrounding repository ignores is a project of its own', async (t) => {
    const tree = makeRepository(t, {
      '.gitignore': '/mine/\n',
      'mine/a.ts': 'a',
      'mine/.gitignore': '*.log',
      'mine/b.log': 'b',
    });
    tree.commit();
    assert.equal(await readGitState(join(tree.root, 'mine')), null);
    assert.deepEqual(await list(join(tree.root, 'mine')), ['.gitignore', 'a.ts']);
  });

  test('an empty repository and an empty folder have an empty listing', async (t) => {
    const empty = await walk(optionsFor(makeRepository(t).root));
    assert.deepEqual([empty.files, empty.skipped, empty.git?.head, empty.git?.branch], [[], [], null, null]);
    const plain = await walk(optionsFor(makeTree(t).root));
    assert.deepEqual([plain.files, plain.git], [[], null]);
  });

  test('names with newlines, quotes, spaces and non-ASCII letters are listed unchanged', async (t) => {
    const names = [
      'a\nb.ts',
      'it\'s "quoted".ts',
      'with space.ts',
      'über.ts',
      '日本.ts',
      '-dash.ts',
      '*.ts',
      'tab\t.ts',
    ];
    const tree = makeRepository(t, Object.fromEntries(names.map((name) => [name, 'x'])));
    assert.deepEqual(await listBothWays(tree.root), [...names].sort());
    tree.commit();
    const { files } = await walk(optionsFor(tree.root));
    assert.ok(files.every((file) => file.blobId === blobId(Buffer.from('x'))));
  });

  test('names that differ only in case are two files on a file system that tells them apart', async (t) => {
    const tree = makeRepository(t, { 'Readme.md': 'a', 'readme.md': 'b' });
    const listed = await listBothWays(tree.root);
    assert.equal(new Set(listed.map((path) => readFileSync(join(tree.root, path), 'utf8'))).size, listed.length);
  });

  test('names that differ only in case and are one file on disk are listed once', async (t) => {
    const tree = makeRepository(t, { 'src/Readme.md': 'a' });
    linkSync(join(tree.root, 'src/Readme.md'), join(tree.root, 'src/readme.md'));
    assert.deepEqual(await listBothWays(tree.root), ['src/Readme.md']);
    assert.deepEqual(reasonsOf(await walk(optionsFor(tree.root))), { 'src/readme.md': 'excluded' });
  });

  test('a link to the root gives the same listing as the root', async (t) => {
    const tree = makeRepository(t, { 'a.ts': 'x' });
    symlinkSync('a.ts', join(tree.root, 'same.ts'));
    const other = makeTree(t);
    symlinkSync(tree.root, join(other.root, 'link'));
    const result = await walk(optionsFor(join(other.root, 'link')));
    assert.deepEqual([pathsOf(result), result.skipped], [['a.ts'], []]);
  });

  test('the order is the same with git and without', async (t) => {
    const tree = makeRepository(t, { 'b.ts': '', 'B.ts': '', 'a/z.ts': '', 'a.ts': '', 'a-b.ts': '' });
    tree.git('add', 'b.ts');
    const listed = await listBothWays(tree.root);
    assert.deepEqual(listed, [...listed].sort());
  });
});

describe('listing without the help of git', () => {
  test('a repository that git refuses for its owner is listed by the same rules', { skip: !isRoot }, async (t) => {
    const tree = makeRepository(t, { '.gitignore': '*.log', 'a.ts': 'x', 'b.log': 'x' });
    tree.commit();
    const home = makeTree(t);
    const before = process.env.HOME;
    process.env.HOME = home.root;
    t.after(() => {
      process.env.HOME = before;
    });
    chownSync(join(tree.root, '.git'), 54321, 54321);
    chownSync(tree.root, 54321, 54321);
    assert.throws(() => tree.git('status'));
    const result = await walk(optionsFor(tree.root));
    assert.deepEqual(pathsOf(result), ['.gitignore', 'a.ts']);
    assert.equal(result.git?.branch, 'main');
  });

  test('a damaged index does not stop the listing', async (t) => {
    const tree = makeRepository(t, { 'a.ts': 'x' });
    tree.commit();
    writeFileSync(join(tree.root, '.git/index'), 'no index');
    assert.deepEqual(await list(tree.root), ['a.ts']);
  });

  test('the error for a bare repository says what to do', async (t) => {
    const tree = makeTree(t);
    tree.git('init', '-q', '--bare');
    await assert.rejects(
      walk(optionsFor(tree.root)),
      (error) =>
        error instanceof EngineError && error.code === 'invalid_input' && /bare git repository/.test(error.message),
    );
  });

  test('the error for an invalid pattern names its setting', async (t) => {
    const tree = makeTree(t, { 'a.ts': '' });
    for (const setting of ['exclude', 'include'] as const)
      await assert.rejects(walk(optionsFor(tree.root, { [setting]: ['['] })), {
        code: 'invalid_pattern',
        message: new RegExp(`setting index\\.${setting}`),
      });
  });

  test('a missing root and a root that is a file each have an error code', async (t) => {
    const tree = makeTree(t, { 'a.ts': 'x' });
    const codeOf = (root: string) =>
      walk(optionsFor(root)).then(
        () => '',
        (error: EngineError) => error.code,
      );
    assert.equal(await codeOf(join(tree.root, 'missing')), 'path_not_found');
    assert.equal(await codeOf(join(tree.root, 'a.ts')), 'not_a_directory');
  });
});

describe('cancelling', () => {
  test('a walk is cancelled before it begins and while it runs, with and without git', async (t) => {
    const tree = makeRepository(t);
    for (let i = 0; i < 400; i++) mkdirSync(join(tree.root, `d${i}`));
    tree.write(Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`d${i}/f.ts`, 'x'])));
    const cancelled = (error: unknown) => error instanceof EngineError && error.code === 'cancelled';
    await assert.rejects(walk(optionsFor(tree.root, { signal: AbortSignal.abort() })), cancelled);
    await withoutGit(() => assert.rejects(walk(optionsFor(tree.root, { signal: AbortSignal.abort() })), cancelled));
    const controller = new AbortController();
    setImmediate(() => controller.abort());
    await assert.rejects(walk(optionsFor(tree.root, { signal: controller.signal })), cancelled);
  });
});
