import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { FileFlag } from '../../model/records/source-file.ts';
import { walk } from '../index.ts';
import {
  list,
  listBothWays,
  makeRepository,
  makeTree,
  optionsFor,
  pathsOf,
  reasonsOf,
  withoutGit,
} from '../temp-tree.fixture.ts';

const isRoot = process.getuid?.() === 0;

describe('a walk skips', () => {
  test('secrets, binaries, vendored and generated files, each with a reason', async (t) => {
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

  test('vendored and generated files, unless the settings include them', async (t) => {
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

  test('submodules and other repositories inside a repository', async (t) => {
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

  test('no clone inside a folder that is no repository', async (t) => {
    const tree = makeTree(t, { 'one/a.ts': 'x', 'two/b.ts': 'x' });
    execFileSync('git', ['init', '-q', join(tree.root, 'one')]);
    assert.deepEqual(await list(tree.root), ['one/a.ts', 'two/b.ts']);
  });

  test('build output, recognised by the files around it, if no ignore file names it', async (t) => {
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

  test('broken, cyclic and outward links, and lists the targets of other links by their real path', async (t) => {
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

  test('a tracked folder that has become a link out of the root', async (t) => {
    const tree = makeRepository(t, { 'sub/a.ts': 'x', 'b.ts': 'x' });
    tree.commit();
    const outside = makeTree(t);
    renameSync(join(tree.root, 'sub'), join(outside.root, 'sub'));
    symlinkSync(join(outside.root, 'sub'), join(tree.root, 'sub'));
    const result = await walk(optionsFor(tree.root));
    assert.deepEqual(pathsOf(result), ['b.ts']);
  });

  test('pipes, without opening them', { skip: process.platform === 'win32' }, async (t) => {
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

  test('files whose names are not UTF-8 or contain a backslash', { skip: process.platform !== 'linux' }, async (t) => {
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

  test('an unreadable folder, with its reason', { skip: isRoot }, async (t) => {
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

  test('a file of 2 GB, without reading it', async (t) => {
    const tree = makeRepository(t, { 'a.ts': 'x', 'huge.sql': '' });
    truncateSync(join(tree.root, 'huge.sql'), 2 ** 31);
    assert.deepEqual(reasonsOf(await walk(optionsFor(tree.root))), { 'huge.sql': 'too_large' });
  });

  test('folders nested deeper than the longest path', { skip: process.platform === 'win32' }, async (t) => {
    const tree = makeRepository(t, { 'a.ts': 'x' });
    // Each folder is made from inside the one above, since no path is long enough.
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
