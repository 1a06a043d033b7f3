import assert from 'node:assert/strict';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { blobId, type WalkOptions, walk } from '../index.ts';
import { makeRepository, makeTree, optionsFor } from '../temp-tree.fixture.ts';

describe('blob ids', () => {
  test('are those of the bytes on disk for unchanged files, and null for all others', async (t) => {
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

  test('are null after a change of the same size within the clock tick of git’s index', async (t) => {
    const tree = makeRepository(t);
    for (let i = 0; i < 20; i++) {
      tree.write({ 'racy.ts': `a${i}` });
      tree.git('add', 'racy.ts');
      tree.write({ 'racy.ts': `b${i}` });
      const { files } = await walk(optionsFor(tree.root));
      assert.equal(files[0]!.blobId, null);
    }
  });

  test('are not used if git converts line endings or $Id$, or runs a filter', async (t) => {
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

  test('are not used if core.autocrlf hides a difference', async (t) => {
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

  test('are used without a check only for files with the size and time of the earlier walk', async (t) => {
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
    // git still reports the file as unchanged.
    tree.write({ 'unix.ts': 'a\r\nb\r\n' });
    assert.deepEqual(await idsIn(known), [null, null]);
  });

  test('are null for a conflicted file during a merge, which is listed once', async (t) => {
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

  test('of a SHA-256 repository are not used', async (t) => {
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
