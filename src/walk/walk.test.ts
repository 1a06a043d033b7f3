import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { EngineError } from '../model/errors.ts';
import { FileFlag } from '../model/source-file.ts';
import { blobId, readGitState, type WalkOptions, walk } from './index.ts';
import { makeRepository, makeTree, optionsFor, pathsOf, reasonsOf } from './temp-tree.fixture.ts';

const isRoot = process.getuid?.() === 0;
const list = async (root: string, more = {}) => pathsOf(await walk(optionsFor(root, more)));

/** Without a PATH there is no git to start. */
async function withoutGit<T>(run: () => Promise<T>): Promise<T> {
  const path = process.env.PATH;
  process.env.PATH = '/nonexistent';
  try {
    return await run();
  } finally {
    process.env.PATH = path;
  }
}

/** Both listings have to agree; what one test says about the rules it says about both. */
async function listBothWays(root: string, more = {}): Promise<string[]> {
  const withGit = await list(root, more);
  assert.deepEqual(await withoutGit(() => list(root, more)), withGit);
  return withGit;
}

describe('what is listed', () => {
  test('tracked and untracked files, nested ignore files, info/exclude', async (t) => {
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

  test('the global excludes file of the user', async (t) => {
    const home = makeTree(t, { '.gitconfig': '[core]\n\texcludesFile = ~/my-ignores\n', 'my-ignores': '*.scratch\n' });
    const tree = makeRepository(t, { 'a.ts': 'a', 'b.scratch': 'b' });
    const before = process.env.HOME;
    process.env.HOME = home.root;
    t.after(() => {
      process.env.HOME = before;
    });
    assert.deepEqual(await listBothWays(tree.root), ['a.ts']);
  });

  test('a tracked file counts even when a rule ignores it', async (t) => {
    const tree = makeRepository(t, { 'a.log': 'a', 'b.ts': 'b' });
    tree.commit();
    tree.write({ '.gitignore': '*.log\n', 'c.log': 'c' });
    assert.deepEqual(await list(tree.root), ['.gitignore', 'a.log', 'b.ts']);
  });

  test('.sextantignore at any level, in a repository and without one', async (t) => {
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

  test('a folder inside a repository as root: rules from above hold, paths are relative to it', async (t) => {
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

  test('empty repository, empty folder', async (t) => {
    const empty = await walk(optionsFor(makeRepository(t).root));
    assert.deepEqual([empty.files, empty.skipped, empty.git?.head, empty.git?.branch], [[], [], null, null]);
    const plain = await walk(optionsFor(makeTree(t).root));
    assert.deepEqual([plain.files, plain.git], [[], null]);
  });

  test('names with newlines, quotes, spaces and non-ASCII letters', async (t) => {
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

  test('case twins are two files where the file system keeps them apart', async (t) => {
    const tree = makeRepository(t, { 'Readme.md': 'a', 'readme.md': 'b' });
    const listed = await listBothWays(tree.root);
    assert.equal(new Set(listed.map((path) => readFileSync(join(tree.root, path), 'utf8'))).size, listed.length);
  });

  test('names that differ in case and are one file on disk are listed once', async (t) => {
    const tree = makeRepository(t, { 'src/Readme.md': 'a' });
    linkSync(join(tree.root, 'src/Readme.md'), join(tree.root, 'src/readme.md'));
    assert.deepEqual(await listBothWays(tree.root), ['src/Readme.md']);
    assert.deepEqual(reasonsOf(await walk(optionsFor(tree.root))), { 'src/readme.md': 'excluded' });
  });

  test('a root that is reached through a link', async (t) => {
    const tree = makeRepository(t, { 'a.ts': 'x' });
    symlinkSync('a.ts', join(tree.root, 'same.ts'));
    const other = makeTree(t);
    symlinkSync(tree.root, join(other.root, 'link'));
    const result = await walk(optionsFor(join(other.root, 'link')));
    assert.deepEqual([pathsOf(result), result.skipped], [['a.ts'], []]);
  });

  test('the order does not depend on how things are found', async (t) => {
    const tree = makeRepository(t, { 'b.ts': '', 'B.ts': '', 'a/z.ts': '', 'a.ts': '', 'a-b.ts': '' });
    tree.git('add', 'b.ts');
    const listed = await listBothWays(tree.root);
    assert.deepEqual(listed, [...listed].sort());
  });
});

describe('blob ids', () => {
  test('are those of the bytes on disk for clean files, and null for everything else', async (t) => {
    const tree = makeRepository(t, { 'clean.ts': 'one', 'changed.ts': 'two', 'assumed.ts': 'three', 'gone.ts': 'x' });
    tree.commit();
    tree.git('update-index', '--assume-unchanged', 'assumed.ts');
    tree.write({ 'changed.ts': 'other', 'assumed.ts': 'other', 'new.ts': 'new' });
    rmSync(join(tree.root, 'gone.ts'));
    const { files } = await walk(optionsFor(tree.root));
    assert.deepEqual(
      files.map(({ path, blobId: id }) => [path, id]),
      [
        ['assumed.ts', null],
        ['changed.ts', null],
        ['clean.ts', blobId(Buffer.from('one'))],
        ['new.ts', null],
      ],
    );
  });

  test('a change of the same size within the clock tick of the index is seen', async (t) => {
    const tree = makeRepository(t);
    for (let i = 0; i < 20; i++) {
      tree.write({ 'racy.ts': `a${i}` });
      tree.git('add', 'racy.ts');
      tree.write({ 'racy.ts': `b${i}` });
      const { files } = await walk(optionsFor(tree.root));
      assert.equal(files[0]!.blobId, null);
    }
  });

  test('are not used where git converts line endings, $Id$ or runs a filter', async (t) => {
    const tree = makeRepository(t, {
      '.gitattributes':
        '*.txt text eol=crlf\n*.id ident\n*.enc filter=turn\n*.wide working-tree-encoding=UTF-16\n*.raw -text\n',
      'a.txt': 'one\ntwo\n',
      'b.id': '$Id$\n',
      'c.enc': 'abc',
      'd.ts': 'plain',
      'e.raw': 'x\r\n',
    });
    tree.git('config', 'filter.turn.clean', 'tr abc xyz');
    tree.git('config', 'filter.turn.smudge', 'tr xyz abc');
    tree.commit();
    tree.git('rm', '-rq', '--cached', '.');
    tree.git('reset', '-q', '--hard');
    const { files } = await walk(optionsFor(tree.root));
    assert.equal(readFileSync(join(tree.root, 'a.txt'), 'utf8'), 'one\r\ntwo\r\n');
    const wrong = files.filter(
      ({ path, blobId: id }) => id !== null && id !== blobId(readFileSync(join(tree.root, path))),
    );
    assert.deepEqual(wrong, []);
    assert.deepEqual(
      files.filter(({ blobId: id }) => id === null).map(({ path }) => path),
      ['a.txt', 'b.id', 'c.enc'],
    );
  });

  test('are not used where core.autocrlf hides a difference', async (t) => {
    const tree = makeRepository(t, { 'dos.ts': 'a\r\nb\r\n', 'unix.ts': 'a\nb\n' });
    tree.git('config', 'core.autocrlf', 'input');
    tree.commit();
    const { files } = await walk(optionsFor(tree.root));
    assert.deepEqual(
      files.map(({ path, blobId: id }) => [path, id]),
      [
        ['dos.ts', null],
        ['unix.ts', blobId(Buffer.from('a\nb\n'))],
      ],
    );
  });

  test('of files that are as they were known are used, and of no others', async (t) => {
    const tree = makeRepository(t, { 'dos.ts': 'a\r\nb\r\n', 'unix.ts': 'a\nb\n' });
    tree.git('config', 'core.autocrlf', 'input');
    tree.commit();
    const idsIn = async (known: WalkOptions['known']) => {
      const { files } = await walk({ ...optionsFor(tree.root), ...(known ? { known } : {}) });
      return files.map(({ blobId: id }) => id);
    };
    const before = new Map(
      ['dos.ts', 'unix.ts'].map((path) => {
        const { size, mtimeMs } = statSync(join(tree.root, path));
        return [path, { size, mtimeMs, blobId: blobId(readFileSync(join(tree.root, path))) }];
      }),
    );
    const known = (path: string) => before.get(path) ?? null;
    const unix = blobId(Buffer.from('a\nb\n'));
    assert.deepEqual(await idsIn(known), [null, unix]);
    // To git it is the same file still.
    tree.write({ 'unix.ts': 'a\r\nb\r\n' });
    assert.deepEqual(await idsIn(known), [null, null]);
  });

  test('a repository in the middle of a merge lists the conflicted file once, without an id', async (t) => {
    const tree = makeRepository(t, { 'a.ts': 'base\n', 'b.ts': 'b' });
    tree.commit();
    tree.git('checkout', '-q', '-b', 'side');
    tree.write({ 'a.ts': 'side\n' });
    tree.commit();
    tree.git('checkout', '-q', 'main');
    tree.write({ 'a.ts': 'main\n' });
    tree.commit();
    assert.throws(() => tree.git('merge', 'side'));
    const { files, git } = await walk(optionsFor(tree.root));
    assert.deepEqual(
      files.map(({ path, blobId: id }) => [path, id === null]),
      [
        ['a.ts', true],
        ['b.ts', false],
      ],
    );
    assert.equal(git?.branch, 'main');
  });

  test('of a SHA-256 repository are not those that contents go by', async (t) => {
    const tree = makeTree(t, { 'a.ts': 'a' });
    tree.git('init', '-q', '--object-format=sha256');
    tree.commit();
    const { files } = await walk(optionsFor(tree.root));
    assert.deepEqual(
      files.map(({ path, blobId: id }) => [path, id]),
      [['a.ts', null]],
    );
  });
});

describe('what is left out, and why', () => {
  test('each kind has its reason', async (t) => {
    const tree = makeRepository(t, {
      '.env.local': 'KEY=1',
      'deploy/id_rsa': 'x',
      'logo.png': 'x',
      'large.ts': 'x'.repeat(2000),
      'app.min.js': 'x',
      'api.pb.go': 'x',
      'yarn.lock': 'x',
      'vendor/lib/a.go': 'x',
      'vendor/lib/b.go': 'x',
      'web/node_modules/m/index.js': 'x',
      'docs/old.ts': 'x',
      'main.go': 'x',
    });
    tree.commit();
    const options = { maxFileBytes: 1000, exclude: ['docs/**'] };
    const expected = {
      '.env.local': 'secret',
      'api.pb.go': 'generated',
      'app.min.js': 'generated',
      'deploy/id_rsa': 'secret',
      'docs/': 'excluded',
      'large.ts': 'too_large',
      'logo.png': 'binary',
      'vendor/': 'vendored',
      'web/node_modules/': 'vendored',
      'yarn.lock': 'generated',
    };
    const result = await walk(optionsFor(tree.root, options));
    assert.deepEqual(reasonsOf(result), expected);
    assert.deepEqual(pathsOf(result), ['main.go']);
    const plain = await withoutGit(() => walk(optionsFor(tree.root, options)));
    assert.deepEqual([reasonsOf(plain), pathsOf(plain)], [expected, ['main.go']]);
  });

  test('the switches bring them back, and `include` what it names', async (t) => {
    const tree = makeRepository(t, {
      'vendor/a.go': 'x',
      'vendor/.env': 'x',
      'x.pb.go': 'x',
      'y.pb.go': 'x',
      'a_test.go': 'x',
    });
    tree.commit();
    assert.deepEqual(await listBothWays(tree.root), ['a_test.go']);
    assert.deepEqual(await listBothWays(tree.root, { includeVendor: true, includeGenerated: true }), [
      'a_test.go',
      'vendor/a.go',
      'x.pb.go',
      'y.pb.go',
    ]);
    assert.deepEqual(await listBothWays(tree.root, { include: ['vendor/*.go', 'x.pb.go'], includeTests: false }), [
      'vendor/a.go',
      'x.pb.go',
    ]);
    const { files } = await walk(optionsFor(tree.root, { includeVendor: true }));
    assert.equal(files.find(({ path }) => path === 'vendor/a.go')!.flags & FileFlag.Vendored, FileFlag.Vendored);
  });

  test('submodules and repositories that lie inside are boundaries', async (t) => {
    const inner = makeRepository(t, { 'inner.ts': 'x' });
    inner.commit();
    const tree = makeRepository(t, { 'a.ts': 'x' });
    tree.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'libs/inner');
    execFileSync('git', ['clone', '-q', inner.root, join(tree.root, 'clone')]);
    tree.git('add', 'a.ts');
    tree.git('commit', '-qm', 'one');
    const result = await walk(optionsFor(tree.root));
    assert.deepEqual(pathsOf(result), ['.gitmodules', 'a.ts']);
    assert.deepEqual(reasonsOf(result), { 'clone/': 'submodule', 'libs/inner/': 'submodule' });
    const plain = await withoutGit(() => walk(optionsFor(tree.root)));
    assert.deepEqual([pathsOf(plain), reasonsOf(plain)], [pathsOf(result), reasonsOf(result)]);
    assert.deepEqual(await list(join(tree.root, 'libs/inner')), ['inner.ts']);
  });

  test('several clones in a folder that is no repository are one project', async (t) => {
    const tree = makeTree(t, { 'one/a.ts': 'x', 'two/b.ts': 'x' });
    execFileSync('git', ['init', '-q', join(tree.root, 'one')]);
    assert.deepEqual(await list(tree.root), ['one/a.ts', 'two/b.ts']);
  });

  test('build output that nobody ignores, told by the files around it', async (t) => {
    const files = {
      'Cargo.toml': '[package]',
      'src/main.rs': 'x',
      'target/debug/build.rs': 'x',
      'env/pyvenv.cfg': 'x',
      'env/lib/a.py': 'x',
      'web/target/page.ts': 'x',
    };
    const tree = makeRepository(t, files);
    assert.deepEqual(await listBothWays(tree.root), ['Cargo.toml', 'src/main.rs', 'web/target/page.ts']);
    tree.commit();
    assert.ok((await list(tree.root)).includes('target/debug/build.rs'), 'tracked on purpose');
  });

  test('links: out of the root, broken, cyclic, into ignored places; those inside are listed under the real path', async (t) => {
    const outside = makeTree(t, { 'secret.ts': 'x', 'folder/x.ts': 'x' });
    const tree = makeRepository(t, { '.gitignore': 'ignored/\n', 'real/a.ts': 'x', 'ignored/b.ts': 'x' });
    const link = (target: string, path: string) => symlinkSync(target, join(tree.root, path));
    link(join(outside.root, 'secret.ts'), 'out.ts');
    link(join(outside.root, 'folder'), 'out-folder');
    link('../nothing/there', 'broken-out');
    link('nowhere', 'broken');
    link('loop-b', 'loop-a');
    link('loop-a', 'loop-b');
    link('..', 'real/up');
    link('real/a.ts', 'same.ts');
    link('real', 'same-folder');
    link('ignored/b.ts', 'hidden.ts');
    const expected = {
      broken: 'unreadable',
      'broken-out': 'link_outside_root',
      'hidden.ts': 'excluded',
      'loop-a': 'link_cycle',
      'loop-b': 'link_cycle',
      'out-folder': 'link_outside_root',
      'out.ts': 'link_outside_root',
      'real/up': 'link_cycle',
    };
    for (const step of ['untracked', 'tracked']) {
      if (step === 'tracked') tree.commit();
      const result = await walk(optionsFor(tree.root));
      assert.deepEqual([step, pathsOf(result)], [step, ['.gitignore', 'real/a.ts']]);
      assert.deepEqual(reasonsOf(result), expected);
      const plain = await withoutGit(() => walk(optionsFor(tree.root)));
      assert.deepEqual([pathsOf(plain), reasonsOf(plain)], [pathsOf(result), expected]);
    }
  });

  test('a tracked folder that has become a link out of the root is not followed', async (t) => {
    const tree = makeRepository(t, { 'sub/a.ts': 'x', 'b.ts': 'x' });
    tree.commit();
    const outside = makeTree(t);
    renameSync(join(tree.root, 'sub'), join(outside.root, 'sub'));
    symlinkSync(join(outside.root, 'sub'), join(tree.root, 'sub'));
    const result = await walk(optionsFor(tree.root));
    assert.deepEqual(pathsOf(result), ['b.ts']);
  });

  test('pipes are never opened', { skip: process.platform === 'win32' }, async (t) => {
    const tree = makeTree(t, { 'a.ts': 'x' });
    execFileSync('mkfifo', [
      join(tree.root, 'pipe.ts'),
      join(tree.root, '.gitignore'),
      join(tree.root, '.sextantignore'),
    ]);
    const result = await walk(optionsFor(tree.root));
    assert.deepEqual(pathsOf(result), ['a.ts']);
    assert.equal(reasonsOf(result)['pipe.ts'], 'not_a_file');
  });

  test('names that are not UTF-8 or hold a backslash', { skip: process.platform !== 'linux' }, async (t) => {
    const tree = makeRepository(t, { 'a.ts': 'x', 'back\\slash.ts': 'x', 'real\ufffd.ts': 'x' });
    writeFileSync(Buffer.concat([Buffer.from(join(tree.root, 'bad')), Buffer.from([0xff]), Buffer.from('.ts')]), 'x');
    for (const run of [() => walk(optionsFor(tree.root)), () => withoutGit(() => walk(optionsFor(tree.root)))]) {
      const result = await run();
      assert.deepEqual(pathsOf(result), ['a.ts', 'real\ufffd.ts']);
      assert.deepEqual(reasonsOf(result), { 'back\\slash.ts': 'invalid_name', 'bad\ufffd.ts': 'invalid_name' });
    }
    tree.commit();
    const tracked = await walk(optionsFor(tree.root));
    assert.deepEqual(pathsOf(tracked), ['a.ts', 'real\ufffd.ts']);
    assert.equal(reasonsOf(tracked)['bad\ufffd.ts'], 'invalid_name');
  });

  test('unreadable folders', { skip: isRoot }, async (t) => {
    const tree = makeRepository(t, { 'a.ts': 'x', 'locked/b.ts': 'x' });
    chmodSync(join(tree.root, 'locked'), 0);
    try {
      for (const run of [() => walk(optionsFor(tree.root)), () => withoutGit(() => walk(optionsFor(tree.root)))]) {
        const result = await run();
        assert.deepEqual([pathsOf(result), reasonsOf(result)], [['a.ts'], { 'locked/': 'unreadable' }]);
      }
    } finally {
      chmodSync(join(tree.root, 'locked'), 0o755);
    }
  });

  test('a file of 2 GB costs its entry only', async (t) => {
    const tree = makeRepository(t, { 'a.ts': 'x', 'huge.sql': '' });
    truncateSync(join(tree.root, 'huge.sql'), 2 ** 31);
    assert.deepEqual(reasonsOf(await walk(optionsFor(tree.root))), { 'huge.sql': 'too_large' });
  });

  test('folders nested deeper than any path may be long', { skip: process.platform === 'win32' }, async (t) => {
    const tree = makeRepository(t, { 'a.ts': 'x' });
    // Made by steps, since no path reaches that far.
    const step = 'd'.repeat(200);
    execFileSync('sh', ['-c', `for i in $(seq 40); do mkdir ${step} && cd -P ${step} || exit 1; done; : > deep.ts`], {
      cwd: tree.root,
      stdio: 'ignore',
    });
    for (const run of [() => walk(optionsFor(tree.root)), () => withoutGit(() => walk(optionsFor(tree.root)))]) {
      const result = await run();
      assert.deepEqual(pathsOf(result), ['a.ts']);
      assert.deepEqual(
        result.skipped.map(({ reason, detail }) => [reason, detail]),
        [['unreadable', 'path too long']],
      );
    }
  });
});

describe('where git is no help', () => {
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

  test('a bare repository is refused with a sentence', async (t) => {
    const tree = makeTree(t);
    tree.git('init', '-q', '--bare');
    await assert.rejects(
      walk(optionsFor(tree.root)),
      (error) =>
        error instanceof EngineError && error.code === 'invalid_input' && /bare git repository/.test(error.message),
    );
  });

  test('wrong roots', async (t) => {
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
  test('before and during the walk, with and without git', async (t) => {
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
