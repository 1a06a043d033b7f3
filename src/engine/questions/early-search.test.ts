/** What can be asked while the first index is made: each question hangs on an event of the run. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { engineConfig } from '../../../test/engine-config.ts';
import { type Workspace, workspace } from '../../../test/workspace.ts';
import { loadStaticModel } from '../../embed/index.ts';
import type { IndexProgress } from '../../model/records/progress.ts';
import type { EarlyAnswer } from '../../model/records/query.ts';
import { openReader } from '../../store/index.ts';
import type { Engine } from '../engine.ts';
import { many } from '../runs/indexing.fixture.ts';

const FILES = 900;
const open: Workspace[] = [];

function made(): Workspace {
  const space = workspace({ ...many(FILES, 3), 'notes.md': '# Notes\n\nWhat early readers find.\n' });
  open.push(space);
  return space;
}

afterEach(async () => {
  for (const space of open.splice(0)) await space.close();
});

/** Indexes, and asks at every step that leaves files to be read. */
async function indexing<T>(engine: Engine, root: string, ask: (progress: IndexProgress) => Promise<T>): Promise<T[]> {
  const answers: Promise<T>[] = [];
  await engine.index(root, {
    onProgress: (progress) => {
      if (progress.phase === 'parse' && progress.done > 0 && progress.done < progress.total)
        answers.push(ask(progress));
    },
  });
  return Promise.all(answers);
}

test('during the first index, searchSoFar() ranks the files that have been read so far', async () => {
  const { engine, root } = made();
  assert.equal(await engine.searchSoFar(root, { query: 'f1_1' }), null, 'nobody makes an index');
  const steps = await indexing(engine, root, async ({ currentFile }) => {
    const query = currentFile!.replace(/^src\/file(\d+)\.ts$/, 'f$1_1');
    const early = await engine.searchSoFar(root, { query });
    const again = early && (await engine.searchSoFar(root, { query }, early.filesDone));
    return { currentFile, early, again };
  });
  const answered = steps.filter((step): step is typeof step & { early: EarlyAnswer } => step.early !== null);
  const [first] = answered;
  assert.ok(first, 'the first step is answered');
  assert.equal(first.early.answer.hits[0]?.path, first.currentFile);
  assert.equal(first.early.answer.freshness.status, 'syncing');
  const done = answered.map(({ early }) => early.filesDone);
  assert.ok(done.every((count, i) => count > 0 && count < FILES && count >= (done[i - 1] ?? 0)));
  assert.ok(new Set(done).size > 1, 'the tree that answers grows');
  assert.deepEqual([...new Set(answered.map(({ early }) => early.filesTotal))], [FILES + 1]);
  assert.ok(answered.every(({ early, again }) => again === null || again.filesDone > early.filesDone));
  assert.equal(await engine.searchSoFar(root, { query: 'f1_1' }), null, 'the published index answers now');
  assert.equal((await engine.search(root, { query: 'f1_1' })).hits[0]?.path, 'src/file1.ts');
});

test('every other call answers not_indexed until the index is published', async () => {
  const { engine, root } = made();
  const refused = (asked: Promise<unknown>) =>
    asked.then(
      () => 'answered',
      ({ code }) => code as string,
    );
  const steps = await indexing(engine, root, async () => {
    const early = await engine.searchSoFar(root, { query: 'f1_1' });
    const { indexing: state, lastIndexedAtMs, symbolCount, refs } = await engine.status(root);
    const codes = await Promise.all([
      refused(engine.search(root, { query: 'f1_1' })),
      refused(engine.locate(root, { name: 'f1_1' })),
      refused(engine.files(root)),
      refused(engine.findPaths(root, 'file1')),
    ]);
    return { early, codes, status: { state, lastIndexedAtMs, symbolCount, refs } };
  });
  const [first] = steps;
  assert.ok(first?.early);
  assert.deepEqual(first.codes, ['not_indexed', 'not_indexed', 'not_indexed', 'not_indexed']);
  assert.deepEqual(first.status, { state: 'indexing', lastIndexedAtMs: null, symbolCount: 0, refs: [] });
});

test('a search during the first index does not change the index', async (t) => {
  const { engine, root, home, anotherEngine } = made();
  const steps = await indexing(engine, root, () => engine.searchSoFar(root, { query: 'f1_1' }));
  assert.ok(steps.some((early) => early !== null));
  const alone = anotherEngine({ home: `${home}-alone` });
  await alone.index(root);
  const { id, dims } = loadStaticModel(engineConfig(home).modelFolder);
  const [watched, unwatched] = await Promise.all(
    [engine, alone].map(async (each) => {
      const reader = openReader({ folder: (await each.project(root)).storeFolder, modelId: id, dims });
      t.after(() => reader.close());
      assert.deepEqual(reader.check(true), []);
      return [...reader.dump({ root, ref: 'live' })];
    }),
  );
  assert.ok(watched!.length > FILES);
  assert.deepEqual(watched, unwatched);
});

test('a stopped first run leaves no tree, and the next run reuses the files it had read', async () => {
  const { engine, root, git } = made();
  git('init', '-q');
  git('add', '.');
  const stop = new AbortController();
  let early: Promise<EarlyAnswer | null> | null = null;
  const run = engine.index(root, {
    signal: stop.signal,
    onProgress: ({ phase, done }) => {
      if (phase !== 'parse' || done === 0 || early) return;
      early = engine.searchSoFar(root, { query: 'f1_1' });
      early.finally(() => stop.abort());
    },
  });
  await assert.rejects(run, { code: 'cancelled' });
  const { filesDone } = (await (early as Promise<EarlyAnswer | null> | null))!;
  assert.equal(await engine.searchSoFar(root, { query: 'f1_1' }), null);
  assert.equal((await engine.status(root)).lastIndexedAtMs, null);
  const { filesIndexed, filesTotal } = await engine.index(root);
  assert.equal(filesTotal, FILES + 1);
  assert.ok(filesIndexed <= filesTotal - filesDone, 'asking has committed what was read by then');
});
