import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EngineError } from '../../model/records/engine-errors.ts';
import { blobId, listRef, readBlobs, readGitState, resolveRef, walkRef } from '../index.ts';
import { makeRepository, makeTree, optionsFor, type TempTree } from '../temp-tree.fixture.ts';

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error) => (error instanceof EngineError ? error.code : String(error)),
  );

function twoBranches(tree: TempTree): void {
  tree.write({ 'a.ts': 'one', 'sub/b.ts': 'two', 'logo.png': 'x', 'sub/.env': 'x', 'vendor/v.go': 'x' });
  symlinkSync('a.ts', join(tree.root, 'same.ts'));
  symlinkSync('../out', join(tree.root, 'out.ts'));
  tree.commit();
  tree.git('tag', '-a', 'v1', '-m', 'first');
  tree.git('checkout', '-q', '-b', 'feature/x');
  tree.write({ 'a.ts': 'changed', 'new\n.ts': 'new' });
  tree.commit('two');
  tree.git('checkout', '-q', 'main');
}

test('a branch, a tag, a commit and a remote branch are listed without a checkout', async (t) => {
  const tree = makeRepository(t);
  twoBranches(tree);
  const feature = await listRef(tree.root, 'feature/x');
  assert.deepEqual(
    feature.files
      .filter(({ path }) => path.endsWith('.ts'))
      .map(({ path, blobId: id, size, mode }) => [path, id, size, mode]),
    [
      ['a.ts', blobId(Buffer.from('changed')), 7, '100644'],
      ['new\n.ts', blobId(Buffer.from('new')), 3, '100644'],
      ['out.ts', blobId(Buffer.from('../out')), 6, '120000'],
      ['same.ts', blobId(Buffer.from('a.ts')), 4, '120000'],
      ['sub/b.ts', blobId(Buffer.from('two')), 3, '100644'],
    ],
  );
  const main = await listRef(tree.root, 'main');
  assert.equal((await listRef(tree.root, 'v1')).commit, main.commit);
  assert.equal((await listRef(tree.root, main.commit.slice(0, 10))).commit, main.commit);
  const inner = await listRef(join(tree.root, 'sub'), 'main');
  assert.deepEqual(
    inner.files.map(({ path }) => path),
    ['.env', 'b.ts'],
  );
});

test('a name of several refs resolves to the one that git chooses', async (t) => {
  const tree = makeRepository(t);
  twoBranches(tree);
  const asked = (ref: string) => tree.git('rev-parse', `${ref}^{commit}`).trim();
  tree.git('branch', 'v1', 'feature/x');
  tree.git('branch', 'heads/main', 'feature/x');
  tree.git('branch', 'packed', 'feature/x');
  tree.git('pack-refs', '--all');
  for (const ref of ['v1', 'heads/main', 'packed', 'main', 'HEAD', 'refs/heads/v1', 'feature/x~1'])
    assert.equal((await listRef(tree.root, ref)).commit, asked(ref), ref);
});

test('the rules of the walk apply to a ref, also in a bare repository', async (t) => {
  const tree = makeRepository(t, { '.sextantignore': 'hidden/\n', 'hidden/x.ts': 'x' });
  twoBranches(tree);
  const bare = makeTree(t);
  rmSync(bare.root, { recursive: true });
  execFileSync('git', ['clone', '-q', '--bare', tree.root, bare.root]);
  for (const root of [tree.root, bare.root]) {
    const result = await walkRef(root, 'v1', optionsFor(root));
    assert.deepEqual(
      result.files.map(({ path }) => path),
      ['.sextantignore', 'a.ts', 'sub/b.ts'],
    );
    assert.deepEqual(Object.fromEntries(result.skipped.map(({ path, reason }) => [path, reason])), {
      'hidden/': 'excluded',
      'logo.png': 'binary',
      'out.ts': 'link_outside_root',
      'sub/.env': 'secret',
      'vendor/': 'vendored',
    });
  }
  assert.equal((await readGitState(bare.root))?.workTree, null);
});

test('a name that is no ref throws ref_not_found', async (t) => {
  const tree = makeRepository(t, { 'a.ts': 'x' });
  assert.equal(await codeOf(listRef(tree.root, 'HEAD')), 'ref_not_found');
  tree.commit();
  for (const ref of [
    'nope',
    '',
    '-x',
    '--all',
    'main..main',
    'HEAD~9',
    'a b',
    'main\n',
    '--output=/tmp/x',
    'HEAD:a.ts',
    '0'.repeat(40),
  ])
    assert.equal(await codeOf(listRef(tree.root, ref)), 'ref_not_found', JSON.stringify(ref));
  assert.equal(await codeOf(listRef(makeTree(t).root, 'main')), 'not_a_repository');
  assert.match(await resolveRef(tree.root, 'main'), /^[0-9a-f]{40}$/);
});

test('if git refuses to work, resolving a ref throws unsupported, not ref_not_found', async (t) => {
  const tree = makeRepository(t);
  twoBranches(tree);
  // git then treats the repository as owned by another user.
  process.env.GIT_TEST_ASSUME_DIFFERENT_OWNER = '1';
  t.after(() => delete process.env.GIT_TEST_ASSUME_DIFFERENT_OWNER);
  assert.notEqual(await codeOf(resolveRef(tree.root, 'feature/x')), 'ref_not_found');
});

test('the error for a ref whose objects are missing quotes git', async (t) => {
  const tree = makeRepository(t, { 'a.ts': 'x' });
  tree.commit();
  const folder = tree.git('rev-parse', 'HEAD^{tree}').trim();
  rmSync(join(tree.root, '.git', 'objects', folder.slice(0, 2), folder.slice(2)));
  await assert.rejects(listRef(tree.root, 'main'), { code: 'unsupported', message: /git says: / });
});

test('readBlobs yields blobs of any size in the requested order and leaves out missing ones', async (t) => {
  const contents = [
    '',
    'x',
    'line\nline\n',
    'ü',
    'z'.repeat(300_000),
    '\0\n\0',
    ...Array.from({ length: 300 }, (_, i) => `content ${i}`),
  ];
  const tree = makeRepository(t, Object.fromEntries(contents.map((content, i) => [`f${i}`, content])));
  tree.git('add', '-A');
  const ids = contents.map((content) => blobId(Buffer.from(content)));
  const asked = [...ids, 'f'.repeat(40), ids[0]!];
  const found: [string, string][] = [];
  for await (const { id, bytes } of readBlobs(tree.root, asked)) found.push([id, Buffer.from(bytes).toString('utf8')]);
  assert.deepEqual(found, [...ids.map((id, i) => [id, contents[i]!]), [ids[0]!, '']]);
});

test('readBlobs stops when the signal is aborted, and when its consumer stops', async (t) => {
  const tree = makeRepository(t, { a: 'x'.repeat(100_000) });
  tree.git('add', '-A');
  const id = blobId(Buffer.from('x'.repeat(100_000)));
  const many = Array.from({ length: 2000 }, () => id);
  for await (const blob of readBlobs(tree.root, many)) {
    assert.equal(blob.id, id);
    break;
  }
  const controller = new AbortController();
  const read = async () => {
    for await (const _ of readBlobs(tree.root, many, controller.signal)) controller.abort();
  };
  assert.equal(await codeOf(read()), 'cancelled');
});
