import assert from 'node:assert/strict';
import fs, { appendFileSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { subscribe, subscribeToFile } from './folder-events.ts';

const ENOUGH_MS = 10_000;

async function followed(t: TestContext, ignored: readonly string[] = []) {
  const outer = realpathSync(mkdtempSync(join(tmpdir(), 'sextant-events-')));
  const root = join(outer, 'project');
  mkdirSync(root);
  /** The paths of the last report, and of all reports. */
  const told = new Set<string>();
  const seen = new Set<string>();
  const errors: unknown[] = [];
  const subscription = await subscribe(root, ignored, {
    onPaths: (paths) => {
      for (const path of paths) told.add(path) && seen.add(path);
    },
    onError: (error) => errors.push(error),
  });
  t.after(async () => {
    await subscription.close();
    rmSync(outer, { recursive: true, force: true });
  });
  /** Writes the file repeatedly, since the watch may have to notice its folder first. */
  const tells = async (path: string) => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    await sleep(100);
    told.clear();
    for (const end = Date.now() + ENOUGH_MS; !told.has(file) && Date.now() < end; await sleep(50))
      appendFileSync(file, 'x');
    assert.ok(told.has(file), `an event names ${path}, not only ${[...told]}`);
  };
  return { outer, root, told, seen, errors, tells };
}

test('events of files in new, renamed and nested folders have the current paths', async (t) => {
  const { outer, root, told, errors, tells } = await followed(t);
  await tells('a/b/c/file');
  renameSync(join(root, 'a'), join(root, 'renamed'));
  await tells('renamed/b/c/file');
  assert.deepEqual(
    [...told].filter((path) => path.startsWith(join(root, 'a/'))),
    [],
    'no event names a folder by its former name',
  );
  mkdirSync(join(outer, 'elsewhere/d/e'), { recursive: true });
  renameSync(join(outer, 'elsewhere'), join(root, 'moved'));
  await tells('moved/d/e/file');
  // A folder that is deleted and created within one report is another folder.
  rmSync(join(root, 'moved'), { recursive: true });
  mkdirSync(join(root, 'moved/d/e'), { recursive: true });
  await tells('moved/d/e/file');
  assert.deepEqual(errors, []);
});

test('the deletion of the watched folder itself is reported', async (t) => {
  const { root, told } = await followed(t);
  rmSync(root, { recursive: true });
  for (const end = Date.now() + ENOUGH_MS; !told.has(root) && Date.now() < end; ) await sleep(50);
  assert.ok(told.has(root));
});

test('events of ignored files are not reported', async (t) => {
  const { root, seen, tells } = await followed(t, ['**/node_modules/**', '**/.git/*.lock']);
  mkdirSync(join(root, 'sub/node_modules/lib'), { recursive: true });
  mkdirSync(join(root, '.git'));
  writeFileSync(join(root, 'sub/node_modules/lib/a.js'), '');
  writeFileSync(join(root, '.git/index.lock'), '');
  await tells('sub/last');
  assert.deepEqual(
    [...seen].filter((path) => /node_modules|lock/.test(path)),
    [],
  );
});

test('onError is called if a folder can no longer be watched', { skip: process.platform !== 'linux' }, async (t) => {
  const { root, errors } = await followed(t);
  const full = t.mock.method(fs, 'watch', () => {
    throw Object.assign(new Error('System limit for number of file watchers reached'), { code: 'ENOSPC' });
  });
  syncBuiltinESMExports();
  try {
    mkdirSync(join(root, 'one-too-many'));
    for (const end = Date.now() + ENOUGH_MS; errors.length === 0 && Date.now() < end; ) await sleep(50);
  } finally {
    full.mock.restore();
    syncBuiltinESMExports();
  }
  assert.match(String(errors[0]), /System limit/);
});

test('subscribeToFile reports changes of the file, also after it was replaced, and of no other file', async (t) => {
  const { root } = await followed(t);
  const file = join(root, 'rules');
  let changes = 0;
  const subscription = subscribeToFile(file, () => changes++);
  try {
    writeFileSync(join(root, 'neighbour'), '');
    writeFileSync(`${file}.tmp`, 'new');
    await sleep(200);
    assert.equal(changes, 0);
    renameSync(`${file}.tmp`, file);
    for (const end = Date.now() + ENOUGH_MS; changes === 0 && Date.now() < end; ) await sleep(50);
    assert.ok(changes > 0);
  } finally {
    await subscription.close();
  }
});
