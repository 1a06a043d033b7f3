import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { IndexReport } from '../engine.ts';
import { WatchedProject } from './watched-project.ts';

/** A watch over an empty folder whose updates end when the test says so. */
async function watchedFolder(t: TestContext) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sextant-watching-')));
  const outcomes: ((outcome: Error | null) => void)[] = [];
  const watched = new WatchedProject();
  t.after(async () => {
    for (const end of outcomes) end(null);
    await watched.stop();
    rmSync(root, { recursive: true, force: true });
  });
  await watched.start(
    { root, git: null, storeFolder: root },
    {
      includeVendor: false,
      update: () =>
        new Promise<IndexReport | null>((resolve, reject) =>
          outcomes.push((error) => (error ? reject(error) : resolve(null))),
        ),
      prepare: () => undefined,
      findPending: async () => [],
    },
  );
  const until = async (fits: () => boolean) => {
    for (const end = Date.now() + 20_000; !fits() && Date.now() < end; ) await sleep(20);
    assert.ok(fits(), JSON.stringify(watched.freshness()));
  };
  return { root, watched, outcomes, until };
}

test('before its first check, a watch reports only the changes it saw', async (t) => {
  const { root, watched, outcomes, until } = await watchedFolder(t);
  if (watched.mode !== 'events') return t.skip('no file events here');
  await until(() => outcomes.length === 1);
  assert.equal(watched.freshness(), null);
  writeFileSync(join(root, 'early.ts'), 'export const a = 1;\n');
  await until(() => watched.freshness() !== null);
  assert.deepEqual(watched.freshness(), { status: 'syncing', pending: ['early.ts'] });
});

test('the watch names pending files during a run, and after a failed run with the reason', async (t) => {
  const { root, watched, outcomes, until } = await watchedFolder(t);
  if (watched.mode !== 'events') return t.skip('no file events here');
  await until(() => outcomes.length === 1);
  outcomes[0]!(null);
  await until(() => watched.freshness()?.status === 'fresh');

  writeFileSync(join(root, 'changed.ts'), 'export const a = 1;\n');
  await until(() => outcomes.length === 2);
  assert.deepEqual(watched.freshness(), { status: 'syncing', pending: ['changed.ts'] });
  outcomes[1]!(new EngineError('disk_full'));
  await until(() => watched.freshness()?.status === 'stale');
  const failure = new EngineError('disk_full').message;
  assert.deepEqual(watched.freshness(), { status: 'stale', pending: ['changed.ts'], failure });

  const caughtUp = watched.catchUp(20_000);
  await until(() => outcomes.length === 3);
  assert.deepEqual(watched.freshness(), { status: 'syncing', pending: ['changed.ts'], failure });
  outcomes[2]!(null);
  await caughtUp;
  assert.deepEqual(watched.freshness(), { status: 'fresh', pending: [] });
});
