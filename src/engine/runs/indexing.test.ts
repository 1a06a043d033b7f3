/**
 * The life of an index, through the engine's face: what a run costs, what it leaves, and what happens when it is
 * disturbed.
 */
import assert from 'node:assert/strict';
import { renameSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { INDEX_DEFAULTS } from '../index.ts';
import { FILES, made, many, names } from './indexing.fixture.ts';

test('a run derives only what changed: edit, rename, revert, delete, force', async () => {
  const space = made();
  const { engine, root } = space;
  await assert.rejects(engine.search(root, { query: 'alpha' }), { code: 'not_indexed' });
  const run = async (force = false) => {
    const { mode, filesTotal, filesIndexed, filesUnchanged, filesRemoved } = await engine.index(root, { force });
    return { mode, filesTotal, filesIndexed, filesUnchanged, filesRemoved };
  };
  assert.deepEqual(await run(), { mode: 'full', filesTotal: 2, filesIndexed: 2, filesUnchanged: 0, filesRemoved: 0 });
  assert.deepEqual(await run(), {
    mode: 'incremental',
    filesTotal: 2,
    filesIndexed: 0,
    filesUnchanged: 2,
    filesRemoved: 0,
  });
  space.write('src/alpha.ts', 'export function alphaChanged() {\n  return 2;\n}\n');
  assert.equal((await run()).filesIndexed, 1);
  assert.deepEqual(await names(space, 'alphaOriginal'), []);
  assert.deepEqual(await names(space, 'alphaChanged'), ['src/alpha.ts']);
  space.write('src/alpha.ts', FILES['src/alpha.ts']!);
  assert.equal((await run()).filesIndexed, 0, 'a content that was known before costs nothing');
  assert.deepEqual(await names(space, 'alphaOriginal'), ['src/alpha.ts']);
  renameSync(join(root, 'src/beta.ts'), join(root, 'src/gamma.ts'));
  assert.equal((await run()).filesIndexed, 0, 'nor does a rename');
  assert.deepEqual(await names(space, 'betaThing'), ['src/gamma.ts']);
  space.remove('src/gamma.ts');
  assert.equal((await run()).filesRemoved, 1);
  assert.deepEqual(await names(space, 'betaThing'), []);
  assert.deepEqual(await run(true), {
    mode: 'full',
    filesTotal: 1,
    filesIndexed: 1,
    filesUnchanged: 0,
    filesRemoved: 0,
  });
});

for (const kind of ['tracked', 'untracked', 'without git'])
  test(`a file rewritten with the same size and time is indexed again: ${kind}`, async () => {
    const space = made();
    const { engine, root } = space;
    // Another file under the same name: to git, two writes of one file within a second look alike.
    const put = (path: string, text: string) => {
      space.write('whole', text);
      utimesSync(join(root, 'whole'), 1_000_000_000, 1_000_000_000);
      renameSync(join(root, 'whole'), join(root, path));
    };
    put('src/alpha.ts', 'export function firstName() {}\n');
    if (kind !== 'without git') space.git('init', '-q');
    if (kind === 'tracked') space.git('add', '.');
    await engine.index(root);
    put('src/alpha.ts', 'export function otherName() {}\n');
    const { freshness } = await space.anotherEngine().search(root, { query: 'firstName' });
    assert.deepEqual([freshness.status, freshness.pending], ['stale', ['src/alpha.ts']]);
    assert.equal((await engine.index(root)).filesIndexed, 1);
    assert.deepEqual(await names(space, 'otherName'), ['src/alpha.ts']);
  });

test('a file skipped for its size or for being a link is pending once it is neither', async () => {
  const space = made({
    ...FILES,
    'long.ts': '// long\n'.repeat(INDEX_DEFAULTS.maxFileBytes / 8 + 1),
    'notes.csv': '1,2\n',
  });
  const { root } = space;
  symlinkSync(space.home, join(root, 'linked.ts'));
  await space.engine.index(root);
  const pending = async () => (await space.anotherEngine().search(root, { query: 'alphaOriginal' })).freshness.pending;
  assert.deepEqual(await pending(), []);
  space.remove('linked.ts');
  for (const path of ['long.ts', 'linked.ts']) space.write(path, 'export function atLast() {}\n');
  assert.deepEqual(await pending(), ['linked.ts', 'long.ts']);
  assert.deepEqual((await space.engine.verify(root)).pending, ['linked.ts', 'long.ts']);
  await space.engine.index(root);
  assert.deepEqual((await space.engine.verify(root)).pending, []);
});

test('freshness follows the bytes on disk, even if git converts line endings', async () => {
  const crlf = 'export function alphaOriginal() {\r\n  return 1;\r\n}\r\n';
  const space = made({ ...FILES, '.gitattributes': '*.ts text eol=crlf\n', 'src/alpha.ts': crlf });
  space.git('init', '-q');
  space.git('add', '.');
  space.git('commit', '-qm', 'first');
  await space.engine.index(space.root);
  const freshness = async () => (await space.anotherEngine().search(space.root, { query: 'alphaOriginal' })).freshness;
  assert.equal((await freshness()).status, 'fresh');
  // The same to git, not to a reader.
  space.write('src/alpha.ts', crlf.replaceAll('\r', ''));
  assert.deepEqual((await freshness()).pending, ['src/alpha.ts']);
  await space.engine.index(space.root);
  assert.equal((await freshness()).status, 'fresh');
});

test('files that git has not checked since conversion was switched off are read, whether their blob id is known or not', async () => {
  const space = made();
  space.git('init', '-q');
  space.git('add', '.');
  space.git('commit', '-qm', 'first');
  await space.engine.index(space.root);
  space.git('config', 'core.autocrlf', 'true');
  space.remove('src/alpha.ts');
  space.git('checkout', '-q', '.');
  utimesSync(join(space.root, 'src/alpha.ts'), 1_000_000_000, 1_000_000_000);
  space.git('update-index', '--refresh');
  space.git('config', 'core.autocrlf', 'false');
  await space.engine.index(space.root);
  assert.deepEqual((await space.engine.verify(space.root)).pending, []);
});

for (const count of [3, 40])
  test(`changed files are found among ${count} files that git stores in another form`, async () => {
    const files = Object.fromEntries(
      Object.entries(many(count, 1)).map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]),
    );
    const space = made({ ...files, 'gone.py': 'x = 1\n', '.gitattributes': '*.ts text eol=crlf\n' });
    space.git('init', '-q');
    space.git('add', '.');
    space.git('commit', '-qm', 'first');
    await space.engine.index(space.root);
    const pending = async () => (await space.anotherEngine().search(space.root, { query: 'f1_0' })).freshness.pending;
    assert.deepEqual(await pending(), []);
    space.write('src/file1.ts', 'export const changed = 1;\r\n');
    space.write('src/new.py', 'y = 1\n');
    space.remove('gone.py');
    assert.deepEqual(await pending(), ['gone.py', 'src/file1.ts', 'src/new.py']);
  });

for (const format of ['sha1', 'sha256'])
  test(`a run in a repository with ${format} ids derives only the changes`, async () => {
    const space = made();
    const { engine, root } = space;
    space.git('init', '-q', `--object-format=${format}`);
    space.git('add', '.');
    space.git('commit', '-qm', 'first');
    const run = async () => {
      const { filesIndexed, filesUnchanged, filesRemoved } = await engine.index(root);
      return [filesIndexed, filesUnchanged, filesRemoved];
    };
    assert.deepEqual(await run(), [2, 0, 0]);
    assert.deepEqual(await run(), [0, 2, 0]);
    space.write('src/alpha.ts', 'export function alphaChanged() {}\n');
    assert.deepEqual(await run(), [1, 1, 0]);
    assert.deepEqual(await run(), [0, 2, 0]);
    space.git('commit', '-qam', 'second');
    assert.deepEqual(await run(), [0, 2, 0]);
    space.git('checkout', '-q', 'HEAD~');
    assert.deepEqual(await run(), [0, 2, 0], 'a content that was known before');
    assert.deepEqual(await names(space, 'alphaOriginal'), ['src/alpha.ts']);
    space.remove('src/beta.ts');
    space.write('src/gamma.ts', 'export function gammaNew() {}\n');
    assert.deepEqual(await run(), [1, 1, 1]);
    assert.deepEqual(await names(space, 'gammaNew'), ['src/gamma.ts']);
    assert.deepEqual((await engine.verify(root)).pending, []);
  });

test('a file that was changed during a read and changed back afterwards is read again', async () => {
  const space = made();
  const { engine, root } = space;
  space.git('init', '-q');
  space.git('add', '.');
  space.git('commit', '-qm', 'first');
  // After git has listed the folder, before the file is read.
  await engine.index(root, {
    onProgress: ({ phase }) => {
      if (phase === 'parse') space.write('src/alpha.ts', 'export function alphaMeanwhile() {}\n');
    },
  });
  assert.deepEqual(await names(space, 'alphaMeanwhile'), ['src/alpha.ts']);
  space.git('checkout', '-q', '.');
  await engine.index(root);
  assert.deepEqual(await names(space, 'alphaMeanwhile'), []);
  assert.deepEqual(await names(space, 'alphaOriginal'), ['src/alpha.ts']);
});
