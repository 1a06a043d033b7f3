import assert from 'node:assert/strict';
import fs, { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type WatchOptions, watchProject } from './watch-folder.ts';

/** Watches a folder inside a temp folder, and counts the updates. */
async function watched(t: TestContext, asked: Partial<WatchOptions> = {}) {
  const outer = realpathSync(mkdtempSync(join(tmpdir(), 'sextant-watch-')));
  const root = join(outer, 'project');
  mkdirSync(root);
  const seen = new Set<string>();
  let updates = 0;
  const watch = await watchProject({
    root,
    alsoWatch: [],
    alsoFiles: [join(outer, '.gitignore')],
    isBare: false,
    includeVendor: false,
    findPending: async () => [],
    onDirty: (paths) => {
      for (const path of paths) seen.add(path);
    },
    update: async () => {
      statSync(root);
      updates++;
      return { retry: false };
    },
    onSettled: () => undefined,
    onError: () => undefined,
    ...asked,
  });
  t.after(async () => {
    await watch.stop();
    rmSync(outer, { recursive: true, force: true });
  });
  /** Repeats a change until the watch has updated after it. */
  const follows = async (change: () => void, noticed: () => boolean = () => true) => {
    const before = updates;
    for (const end = Date.now() + 30_000; (updates === before || !noticed()) && Date.now() < end; await sleep(200))
      change();
    assert.ok(updates > before && noticed(), `${updates - before} updates, seen: ${[...seen]}`);
  };
  return { outer, root, seen, watch, follows };
}

test('a written file causes an update', async (t) => {
  const { root, seen, watch, follows } = await watched(t);
  await follows(
    () => writeFileSync(join(root, 'a.txt'), 'hello'),
    () => watch.mode !== 'events' || seen.has(join(root, 'a.txt')),
  );
});

test('a folder that is deleted and created again is still watched', async (t) => {
  const { root, seen, watch, follows } = await watched(t);
  rmSync(root, { recursive: true });
  await sleep(1_000);
  mkdirSync(root);
  await follows(
    () => writeFileSync(join(root, 'a.txt'), 'hello'),
    () => watch.mode !== 'events' || seen.has(join(root, 'a.txt')),
  );
  assert.equal(watch.reason, null);
});

test('a change of an ignore file above the folder causes an update', async (t) => {
  const { outer, follows } = await watched(t);
  await follows(() => writeFileSync(join(outer, '.gitignore'), 'a.txt'));
});

test('the watcher polls and says why if the system has no watches left', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const { root, watch, follows } = await watched(t);
  assert.equal(watch.mode, 'events');
  const full = t.mock.method(fs, 'watch', () => {
    throw Object.assign(new Error('no more watches'), { code: 'ENOSPC' });
  });
  syncBuiltinESMExports();
  try {
    await follows(
      () => mkdirSync(join(root, 'one/too/many'), { recursive: true }),
      () => watch.mode === 'polling',
    );
  } finally {
    full.mock.restore();
    syncBuiltinESMExports();
  }
  assert.equal(watch.reason, 'no more watches');
  await follows(() => undefined);
});

test('vendored code is watched if it is indexed', async (t) => {
  const { root, follows } = await watched(t, { includeVendor: true });
  mkdirSync(join(root, 'node_modules/lib'), { recursive: true });
  await sleep(1_000);
  await follows(() => writeFileSync(join(root, 'node_modules/lib/a.js'), 'hello'));
});

test('a change without an event is found by a later check', async (t) => {
  let looks = 0;
  const findPending = async () => {
    looks++;
    return ['missed.txt'];
  };
  const { root, seen, watch, follows } = await watched(t, { findPending, firstCheckMs: 500 });
  watch.poke();
  await watch.settled(10_000);
  await follows(
    () => undefined,
    () => watch.mode !== 'events' || seen.has(join(root, 'missed.txt')),
  );
  assert.equal(looks, watch.mode === 'events' ? 1 : 0);
});

test('a check that fails to compare the index with the folder starts a run', async (t) => {
  const findPending = async () => {
    throw new Error('no index');
  };
  const { watch, follows } = await watched(t, { findPending, firstCheckMs: 500 });
  watch.poke();
  await watch.settled(10_000);
  await follows(() => undefined);
});
