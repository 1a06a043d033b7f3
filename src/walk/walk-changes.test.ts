/**
 * A walk of the changes since an earlier walk gives the same result as a whole walk, whatever changed in the folder.
 */
import assert from 'node:assert/strict';
import { readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { SkippedFile } from '../model/records/source-file.ts';
import { blobId, walk } from './index.ts';
import { makeRepository, optionsFor, type TempTree } from './temp-tree.fixture.ts';
import type { EarlierWalk, WalkResult } from './walk-project.ts';

/** The walk that an walkEarlier tree was made from: every file has the blob id of its bytes. */
async function walkEarlier({ root }: TempTree): Promise<EarlierWalk> {
  const result = await walk(optionsFor(root));
  const files = result.files.map((file) => ({ ...file, blobId: idOf(root, file.path) }));
  const byPath = new Map(files.map((file) => [file.path, file]));
  const { skipped, gitListing } = result;
  return { tree: TREE, gitListing: gitListing!, files, file: (path) => byPath.get(path) ?? null, skipped };
}

const TREE = { generation: 1, publishedAtMs: 1 };
const idOf = (root: string, path: string) => blobId(readFileSync(join(root, path)));
const walkSince = ({ root }: TempTree, earlier: EarlierWalk) => walk(optionsFor(root, { earlier: () => earlier }));

/** The earlier walk with the changes that were found applied to it. */
function applyChanges({ root }: TempTree, earlier: EarlierWalk, found: WalkResult) {
  const walkedPaths = found.since?.paths;
  const isUnchanged = ({ path }: { readonly path: string }) => walkedPaths !== undefined && !walkedPaths.has(path);
  const contents = [
    ...earlier.files.filter(isUnchanged).map(({ path, blobId: id }) => `${path} ${id}`),
    ...found.files.map(({ path }) => `${path} ${idOf(root, path)}`),
  ];
  const skips = [...earlier.skipped.filter(isUnchanged), ...found.skipped].map(
    ({ path, reason }: SkippedFile) => `${path} ${reason}`,
  );
  return { contents: contents.sort(), skips: skips.sort() };
}

/** Asserts that a walk of the changes gives the result of a whole walk. */
async function assertSameAsWhole(tree: TempTree, earlier: EarlierWalk, what: string): Promise<WalkResult> {
  const found = await walkSince(tree, earlier);
  const whole = await walk(optionsFor(tree.root));
  assert.deepEqual(applyChanges(tree, earlier, found), applyChanges(tree, earlier, whole), what);
  return found;
}

function project(t: TestContext, more: Readonly<Record<string, string>> = {}): TempTree {
  const tree = makeRepository(t, {
    'a.ts': 'export const a = 1;\n',
    'lib/b.ts': 'export const b = 2;\n',
    'lib/c.ts': 'export const c = 3;\n',
    'docs/d.md': '# D\n',
    '.gitignore': '*.tmp\n',
    'secret.pem': 'x',
    ...more,
  });
  tree.commit();
  return tree;
}

test('after an edit, a revert, a commit or a touch, the walk looks at that file only', async (t) => {
  const tree = project(t);
  const first = await walkEarlier(tree);
  tree.write({ 'lib/b.ts': 'export const b = 22;\n' });
  const edited = await assertSameAsWhole(tree, first, 'edited');
  assert.deepEqual([...edited.since!.paths], ['lib/b.ts']);
  assert.deepEqual(
    edited.files.map(({ path, blobId: id }) => [path, id]),
    [['lib/b.ts', null]],
  );
  const second = await walkEarlier(tree);
  tree.write({ 'lib/b.ts': 'export const b = 23;\n' });
  assert.deepEqual([...(await assertSameAsWhole(tree, second, 'edited again')).since!.paths], ['lib/b.ts']);
  tree.git('checkout', '-q', 'lib/b.ts');
  assert.deepEqual([...(await assertSameAsWhole(tree, second, 'taken back')).since!.paths], ['lib/b.ts']);
  tree.write({ 'lib/b.ts': 'export const b = 24;\n' });
  tree.commit();
  const committed = await assertSameAsWhole(tree, second, 'committed');
  assert.deepEqual(
    committed.files.map(({ path, blobId: id }) => [path, id]),
    [['lib/b.ts', idOf(tree.root, 'lib/b.ts')]],
  );
  utimesSync(join(tree.root, 'a.ts'), 1, 1);
  await assertSameAsWhole(tree, second, 'touched');
});

test('new files, deleted files, changed rules and links need a whole walk', async (t) => {
  for (const [what, change] of Object.entries<(tree: TempTree) => void>({
    'a new file': (tree) => tree.write({ 'lib/e.ts': 'export const e = 5;\n' }),
    'a new file, staged': (tree) => {
      tree.write({ 'lib/e.ts': 'export const e = 5;\n' });
      tree.git('add', '-A');
    },
    'a rename': (tree) => renameSync(join(tree.root, 'a.ts'), join(tree.root, 'z.ts')),
    'a rule of git': (tree) => tree.write({ '.gitignore': '*.tmp\nlib/\n' }),
    'a rule of ours': (tree) => tree.write({ '.sextantignore': 'lib/\n' }),
    'a file that has become a link': (tree) => {
      rmSync(join(tree.root, 'a.ts'));
      symlinkSync('lib/b.ts', join(tree.root, 'a.ts'));
    },
  })) {
    const tree = project(t);
    const earlier = await walkEarlier(tree);
    change(tree);
    assert.equal((await assertSameAsWhole(tree, earlier, what)).since, undefined, what);
  }
});

test('a deleted file, a file that is now too large and a folder that is now a link are noticed', async (t) => {
  const tree = project(t);
  const earlier = await walkEarlier(tree);
  rmSync(join(tree.root, 'lib/b.ts'));
  assert.deepEqual((await assertSameAsWhole(tree, earlier, 'gone')).files, []);
  assert.deepEqual([...(await assertSameAsWhole(tree, await walkEarlier(tree), 'gone for a while')).since!.paths], []);
  tree.write({ 'lib/b.ts': 'x'.repeat(1_000_001) });
  await assertSameAsWhole(tree, earlier, 'too large');
  renameSync(join(tree.root, 'lib'), join(tree.root, 'moved'));
  symlinkSync('moved', join(tree.root, 'lib'));
  await assertSameAsWhole(tree, earlier, 'a folder that leads elsewhere');
});

test('the walk finds a change that git does not see because git converts line endings', async (t) => {
  const tree = project(t, { '.gitattributes': '* text=auto\n' });
  const earlier = await walkEarlier(tree);
  assert.equal(earlier.gitListing.hasExactIds, false);
  const none = await assertSameAsWhole(tree, earlier, 'nothing');
  assert.equal(none.since?.paths.size, 0);
  tree.write({ 'a.ts': 'export const a = 1;\r\n' });
  const found = await assertSameAsWhole(tree, earlier, 'other line endings');
  assert.deepEqual([...found.since!.paths], ['a.ts']);
  const plain = project(t);
  const before = await walkEarlier(plain);
  plain.git('config', 'core.autocrlf', 'true');
  assert.equal((await assertSameAsWhole(plain, before, 'a setting that converts')).since, undefined);
});

test('known untracked files, a submodule’s folder and files in a skipped folder need no whole walk', async (t) => {
  const tree = project(t, { 'node_modules/x/index.js': 'x\n' });
  tree.write({ 'new.ts': 'export const n = 1;\n', 'notes.bin': '\0\0' });
  const inner = join(tree.root, 'inner');
  tree.write({ 'inner/i.ts': 'export const i = 1;\n' });
  tree.git('-C', inner, 'init', '-q');
  const earlier = await walkEarlier(tree);
  tree.write({ 'new.ts': 'export const n = 2;\n', 'node_modules/x/index.js': 'y\n' });
  const found = await assertSameAsWhole(tree, earlier, 'known');
  assert.ok(found.since?.paths.has('new.ts'), 'looked at');
  assert.ok(statSync(inner).isDirectory(), 'still there');
});

test('a walk without git returns no git listing to compare with', async (t) => {
  const tree = project(t);
  rmSync(join(tree.root, '.git'), { recursive: true });
  const result = await walk(optionsFor(tree.root, { earlier: () => assert.fail('asked') }));
  assert.equal(result.gitListing, null);
});
