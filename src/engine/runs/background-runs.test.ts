/** Jobs: started, awaited, cancelled, killed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openWriter } from '../../store/index.ts';
import { children, commandOf, ended, made, many, names } from './indexing.fixture.ts';

test('a job records the branch that was checked out', async () => {
  const space = made();
  const { engine, root } = space;
  space.git('init', '-q', '-b', 'main');
  space.git('add', '.');
  space.git('commit', '-qm', 'one');
  await engine.index(root);
  space.git('checkout', '-q', '-b', 'topic');
  space.write('src/topic.ts', 'export const topic = 1;\n');
  await engine.index(root);
  assert.deepEqual(
    (await engine.status(root)).recentJobs.map(({ ref }) => ref),
    ['topic', 'main'],
  );
  space.git('checkout', '-q', '--detach');
  assert.equal((await engine.startIndex(root)).ref, 'live');
  await ended(space);
  space.git('checkout', '-q', 'main');
  assert.equal((await engine.index(root, { ref: 'HEAD' })).ref, 'main');
  assert.deepEqual(
    (await engine.status(root)).recentJobs.map(({ ref }) => ref),
    ['main', 'live', 'topic', 'main'],
  );
});

test('status() shows a job as soon as it starts; the job of a killed process is not running', async () => {
  const space = made();
  const { engine, root } = space;
  await engine.index(root);
  const { storeFolder } = await engine.project(root);
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const [job] = (await engine.status(root)).recentJobs;
  const writer = openWriter({ folder: storeFolder, modelId: '', dims: 1 }, { owner: 'test' });
  writer.startJob({ ...job!, jobId: 'killed', root, status: 'running', createdAtMs: job!.createdAtMs + 1, pid });
  // This process holds the lease, but that job is not its own.
  const meanwhile = await engine.status(root);
  assert.deepEqual([meanwhile.indexing, meanwhile.activeJob], ['indexing', null]);
  assert.deepEqual(
    meanwhile.recentJobs.map(({ jobId, status }) => [jobId, status]),
    [
      ['killed', 'failed'],
      [job!.jobId, 'published'],
    ],
  );
  writer.release();
  const started = await engine.startIndex(root);
  assert.deepEqual((await engine.status(root)).activeJob, started);
  await ended(space);
  const { recentJobs } = await engine.status(root);
  assert.deepEqual(
    recentJobs.map(({ jobId, status }) => [jobId, status]),
    [
      [started.jobId, 'published'],
      ['killed', 'failed'],
      [job!.jobId, 'published'],
    ],
  );
  assert.match(recentJobs[1]!.error!, /ended/);
});

test('a forced run drops cached answers', async () => {
  const space = made();
  const { engine, root } = space;
  await engine.index(root, { force: true });
  const ask = async () => (await engine.search(root, { query: 'alpha function', mode: 'keyword' })).hits[0]?.content;
  assert.match((await ask())!, /return 1/);
  space.write('src/alpha.ts', 'export function alphaOriginal() {\n  return 42;\n}\n');
  await engine.index(root, { force: true });
  assert.match((await ask())!, /return 42/);
});

test('short-lived caches expire even when the clock is set back by an hour', async (t) => {
  const space = made();
  const { engine, root, git } = space;
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'one');
  git('tag', 'v1');
  await engine.index(root);
  await engine.index(root, { ref: 'v1' });
  const look = async () => {
    const [live, tagged] = await Promise.all([engine.status(root), engine.status(root, 'v1')]);
    return [live.ref, live.pending, tagged.freshness];
  };
  assert.deepEqual(await look(), ['main', [], 'fresh']);
  const now = Date.now.bind(Date);
  t.mock.method(Date, 'now', () => now() - 3_600_000);
  git('checkout', '-q', '-b', 'topic');
  space.write('src/alpha.ts', 'export function alphaChanged() {}\n');
  git('commit', '-qam', 'two');
  git('tag', '-f', 'v1');
  // What is known of git may be two seconds old.
  for (let i = 0; i < 200 && (await look())[2] !== 'stale'; i++) await sleep(50);
  assert.deepEqual(await look(), ['main', ['src/alpha.ts'], 'stale']);
  await engine.index(root);
  assert.deepEqual(await look(), ['topic', [], 'stale']);
});

test('status() follows a background run to its end; a second engine is refused meanwhile', async () => {
  const space = made(many(60));
  const { engine, root } = space;
  const job = await engine.startIndex(root);
  assert.equal(job.status, 'running');
  await assert.rejects(space.anotherEngine().index(root), { code: 'index_in_progress' });
  await assert.rejects(engine.index(root), { code: 'index_in_progress' });
  let status = await engine.status(root);
  assert.equal(status.indexing, 'indexing');
  for (let i = 0; i < 600 && status.activeJob; i++) {
    await sleep(50);
    status = await engine.status(root);
  }
  assert.equal(status.indexing, 'ready');
  assert.equal(status.recentJobs.find(({ jobId }) => jobId === job.jobId)?.status, 'published');
  assert.equal(status.fileCount, 60);
});

test('a server indexes a small change and then a large one', async () => {
  const space = made();
  const { root } = space;
  const engine = space.anotherEngine({ inline: false });
  await engine.index(root);
  space.write('src/gamma.ts', 'export const gamma = 1;\n');
  assert.equal((await engine.index(root)).filesIndexed, 1);
  for (const [path, text] of Object.entries(many(120, 1))) space.write(path, text);
  assert.equal((await engine.index(root)).filesIndexed, 120);
  space.write('src/delta.ts', 'export const delta = 1;\n');
  assert.equal((await engine.index(root)).filesTotal, 124);
  assert.deepEqual(await names(space, 'f119_0'), ['src/file119.ts']);
});

test('a cancelled run leaves the old index and releases the lease', async () => {
  const space = made();
  const { engine, root } = space;
  await engine.index(root);
  for (const [path, text] of Object.entries(many(80))) space.write(path, text);
  const abort = new AbortController();
  const run = engine.index(root, {
    signal: abort.signal,
    onProgress: ({ phase }) => {
      if (phase === 'parse') abort.abort();
    },
  });
  await assert.rejects(run, { code: 'cancelled' });
  assert.equal((await engine.search(root, { query: 'alphaOriginal' })).hits[0]?.path, 'src/alpha.ts');
  assert.equal((await engine.status(root)).recentJobs[0]?.status, 'cancelled');
  await assert.rejects(engine.index(root, { signal: AbortSignal.abort() }), { code: 'cancelled' });
  const late = await engine.startIndex(root, { signal: AbortSignal.abort() });
  let status = await engine.status(root);
  const outcome = () => status.recentJobs.find(({ jobId }) => jobId === late.jobId)?.status ?? 'running';
  for (let i = 0; i < 600 && outcome() === 'running'; i++) {
    await sleep(50);
    status = await engine.status(root);
  }
  assert.equal(outcome(), 'cancelled');
  assert.equal((await engine.index(root)).filesTotal, 82);
});

test('a killed worker loses at most the file it was parsing', { skip: process.platform !== 'linux' }, async () => {
  const space = made(many(60, 40));
  const { engine, root } = space;
  const before = children();
  let killed = 0;
  const run = engine.index(root);
  for (let i = 0; i < 4_000 && killed === 0; i++) {
    for (const pid of children()) {
      if (before.has(pid) || !/worker\.cjs/.test(commandOf(pid))) continue;
      // Give it time to have a file in hand; killing it earlier must be survived as well.
      await sleep(30);
      process.kill(pid, 'SIGKILL');
      killed = pid;
      break;
    }
    await sleep(5);
  }
  assert.ok(killed > 0, 'no worker was seen');
  const report = await run;
  assert.ok(report.filesFailed <= 1);
  assert.equal(report.filesTotal + report.filesFailed, 60);
  const again = await engine.index(root);
  assert.equal(again.filesTotal, 60, 'the next run takes up what was lost');
});

test('a question before the first index waits for it if this process makes it', async () => {
  const space = made();
  const { engine, root } = space;
  const isThere = (timeoutMs: number, signal = new AbortController().signal) =>
    engine.firstIndex(root, { timeoutMs, signal });
  assert.equal(await isThere(60_000), false, 'nobody makes one');
  assert.equal((await engine.status(root)).indexing, 'not_indexed');
  space.git('init', '-q');
  // Somebody is at work in the folder: the run stays due until they have done.
  space.write('.git/index.lock', '');
  const stop = await engine.watch(root);
  try {
    assert.equal((await engine.status(root)).indexing, 'indexing');
    assert.equal((await engine.status(join(root, 'src'))).indexing, 'indexing');
    await assert.rejects(isThere(0), { code: 'index_not_ready' });
    await assert.rejects(isThere(60_000, AbortSignal.abort()), { code: 'cancelled' });
    const waiting = engine.firstIndex(join(root, 'src'), { timeoutMs: 60_000 });
    space.remove('.git/index.lock');
    assert.equal(await waiting, true);
    assert.deepEqual(await names(space, 'alphaOriginal'), ['src/alpha.ts']);
  } finally {
    await stop();
  }
});

test('a question waits for a first index that a call started', async () => {
  const { engine, root } = made();
  let waiting: Promise<boolean> | undefined;
  await engine.index(root, {
    onProgress: () => {
      waiting ??= engine.firstIndex(root, { timeoutMs: 60_000 });
    },
  });
  assert.equal(await waiting, true);
});

test('a forced run leaves a damaged index in place until a parser has started', async () => {
  const { engine, root, anotherEngine } = made();
  await engine.index(root);
  const { storeFolder } = await engine.project(root);
  await engine.close();
  const file = join(storeFolder, 'index.sqlite');
  writeFileSync(file, 'no database');
  const workerEntry = join(storeFolder, 'worker-that-ends.cjs');
  writeFileSync(workerEntry, 'process.exit(3);\n');
  const refused = { code: 'internal_error', message: /a worker process cannot start/ };
  for (const inline of [true, false]) {
    const broken = anotherEngine({ inline, workerEntry });
    await assert.rejects(broken.index(root, { force: true }), refused);
    await assert.rejects(broken.startIndex(root, { force: true }), refused);
    assert.equal(readFileSync(file, 'utf8'), 'no database');
  }
  assert.equal((await anotherEngine().index(root, { force: true })).filesIndexed, 2);
});
