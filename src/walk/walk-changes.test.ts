/** A walk that looks only at what has changed says what a whole one says, whatever happens to the folder in between. */
import assert from 'node:assert/strict';
import { readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { SkippedFile } from '../model/records/source-file.ts';
import { blobId, walk } from './index.ts';
import { makeRepository, optionsFor, type TempTree } from './temp-tree.fixture.ts';
import type { EarlierWalk, WalkResult } from './walk-project.ts';

/** The folder as a run would have indexed it: every file with the id of its bytes. */
async function indexed({ root }: TempTree): Promise<EarlierWalk> {
  const result = await walk(optionsFor(root));
  const files = result.files.map((file) => ({ ...file, blobId: idOf(root, file.path) }));
  const byPath = new Map(files.map((file) => [file.path, file]));
  const { skipped, words } = result;
  return { of: MARK, words: words!, files, file: (path) => byPath.get(path) ?? null, skipped };
}

const MARK = { generation: 1, publishedAtMs: 1 };
const idOf = (root: string, path: string) => blobId(readFileSync(join(root, path)));
const since = ({ root }: TempTree, earlier: EarlierWalk) => walk(optionsFor(root, { earlier: () => earlier }));

/** The listing after the changes: the one before, with the changes that were found applied to it. */
function together({ root }: TempTree, earlier: EarlierWalk, found: WalkResult) {
  const looked = found.since?.paths;
  const stays = ({ path }: { readonly path: string }) => looked !== undefined && !looked.has(path);
  const contents = [
    ...earlier.files.filter(stays).map(({ path, blobId: id }) => `${path} ${id}`),
    ...found.files.map(({ path }) => `${path} ${idOf(root, path)}`),
  ];
  const skips = [...earlier.skipped.filter(stays), ...found.skipped].map(
    ({ path, reason }: SkippedFile) => `${path} ${reason}`,
  );
  return { contents: contents.sort(), skips: skips.sort() };
}

async function agree(tree: TempTree, earlier: EarlierWalk, what: string): Promise<WalkResult> {
  const found = await since(tree, earlier);
  const whole = await walk(optionsFor(tree.root));
  assert.deepEqual(together(tree, earlier, found), together(tree, earlier, whole), what);
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

test('an edit, its return, a commit and a touch: nothing but the file is looked at', async (t) => {
  const tree = project(t);
  const first = await indexed(tree);
  tree.write({ 'lib/b.ts': 'export const b = 22;\n' });
  const edited = await agree(tree, first, 'edited');
  assert.deepEqual([...edited.since!.paths], ['lib/b.ts']);
  assert.deepEqual(
    edited.files.map(({ path, blobId: id }) => [path, id]),
    [['lib/b.ts', null]],
  );
  const second = await indexed(tree);
  tree.write({ 'lib/b.ts': 'export const b = 23;\n' });
  assert.deepEqual([...(await agree(tree, second, 'edited again')).since!.paths], ['lib/b.ts']);
  tree.git('checkout', '-q', 'lib/b.ts');
  assert.deepEqual([...(await agree(tree, second, 'taken back')).since!.paths], ['lib/b.ts']);
  tree.write({ 'lib/b.ts': 'export const b = 24;\n' });
  tree.commit();
  const committed = await agree(tree, second, 'committed');
  assert.deepEqual(
    committed.files.map(({ path, blobId: id }) => [path, id]),
    [['lib/b.ts', idOf(tree.root, 'lib/b.ts')]],
  );
  utimesSync(join(tree.root, 'a.ts'), 1, 1);
  await agree(tree, second, 'touched');
});

test('files that come and go, rules that change and links are left to a whole walk', async (t) => {
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
    const earlier = await indexed(tree);
    change(tree);
    assert.equal((await agree(tree, earlier, what)).since, undefined, what);
  }
});

test('a file that is gone, one that has grown too large, a folder that leads elsewhere', async (t) => {
  const tree = project(t);
  const earlier = await indexed(tree);
  rmSync(join(tree.root, 'lib/b.ts'));
  assert.deepEqual((await agree(tree, earlier, 'gone')).files, []);
  assert.deepEqual([...(await agree(tree, await indexed(tree), 'gone for a while')).since!.paths], []);
  tree.write({ 'lib/b.ts': 'x'.repeat(1_000_001) });
  await agree(tree, earlier, 'too large');
  renameSync(join(tree.root, 'lib'), join(tree.root, 'moved'));
  symlinkSync('moved', join(tree.root, 'lib'));
  await agree(tree, earlier, 'a folder that leads elsewhere');
});

test('a change that git does not see because it converts line endings is found', async (t) => {
  const tree = project(t, { '.gitattributes': '* text=auto\n' });
  const earlier = await indexed(tree);
  assert.equal(earlier.words.exact, false);
  const none = await agree(tree, earlier, 'nothing');
  assert.equal(none.since?.paths.size, 0);
  tree.write({ 'a.ts': 'export const a = 1;\r\n' });
  const found = await agree(tree, earlier, 'other line endings');
  assert.deepEqual([...found.since!.paths], ['a.ts']);
  const plain = project(t);
  const before = await indexed(plain);
  plain.git('config', 'core.autocrlf', 'true');
  assert.equal((await agree(plain, before, 'a setting that converts')).since, undefined);
});

test('known untracked files, a submodule’s folder and files in a folder left out need no whole walk', async (t) => {
  const tree = project(t, { 'node_modules/x/index.js': 'x\n' });
  tree.write({ 'new.ts': 'export const n = 1;\n', 'notes.bin': '\0\0' });
  const inner = join(tree.root, 'inner');
  tree.write({ 'inner/i.ts': 'export const i = 1;\n' });
  tree.git('-C', inner, 'init', '-q');
  const earlier = await indexed(tree);
  tree.write({ 'new.ts': 'export const n = 2;\n', 'node_modules/x/index.js': 'y\n' });
  const found = await agree(tree, earlier, 'known');
  assert.ok(found.since?.paths.has('new.ts'), 'looked at');
  assert.ok(statSync(inner).isDirectory(), 'still there');
});

test('a folder without git has nothing to compare', async (t) => {
  const tree = project(t);
  rmSync(join(tree.root, '.git'), { recursive: true });
  const result = await walk(optionsFor(tree.root, { earlier: () => assert.fail('asked') }));
  assert.equal(result.words, null);
});
