/** The promises of the store's port, tested through the entry of the room. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  batchOf,
  draftOf,
  entriesOf,
  indexFiles,
  LIVE,
  optionsFor,
  ROOT,
  temporaryFolder,
} from './fixtures/made-up.ts';
import { openReader, openWriter } from './index.ts';
import { termHash } from './postings/term-filter.ts';
import { FILES, opened } from './store.fixture.ts';
import type { JobRecord, StoreReader } from './store.ts';

test('another connection reads a published tree', (t) => {
  const { options, writer } = opened(t);
  const info = indexFiles(writer, FILES, {
    skipped: [{ path: 'x.png', reason: 'binary' }],
    options: { tests: true },
    commit: 'c0ffee',
  });
  const reader = openReader(options);
  t.after(() => reader.close());
  const view = reader.openTree(LIVE)!;
  assert.deepEqual(view.info, info);
  assert.deepEqual(reader.trees(), [info]);
  assert.deepEqual(
    [info.fileCount, info.chunkCount, info.symbolCount, info.lineCount, info.vectorCount],
    [3, 4, 4, 4, 4],
  );
  assert.deepEqual([info.commit, info.options], ['c0ffee', { tests: true }]);
  assert.deepEqual(view.files, entriesOf(FILES));
  assert.equal(view.indexOfPath('lib/b.toy'), 1);
  assert.equal(view.indexOfPath('lib/c.toy'), -1);
  const row = view.contentOf[1]!;
  assert.deepEqual(view.filesOfContent(row), [1, 2]);
  assert.equal(reader.text(row), FILES['lib/b.toy']);
  assert.equal(reader.detail(row).symbols[0]!.name, 'beta');
  assert.deepEqual(view.problems(), [
    { path: 'lib/b.toy', line: 1, message: 'unexpected broken' },
    { path: 'lib/b_test.toy', line: 1, message: 'unexpected broken' },
  ]);
  assert.deepEqual(view.skipped(), [{ path: 'x.png', reason: 'binary' }]);
  const { docs, values } = reader.postings('text', 'beta');
  const live = [...docs.keys()].filter((i) => view.fileOfChunk[docs[i]!]! >= 0);
  assert.deepEqual(
    live.map((i) => [view.files[view.fileOfChunk[docs[i]!]!]!.path, values[i]]),
    [
      ['a.toy', 1],
      ['lib/b.toy', 0x102],
    ],
  );
  assert.equal(reader.postings('reference', 'delta').docs[0], row);
  assert.deepEqual(reader.termsWithPrefix('text', 'b'), ['beta', 'broken']);
  assert.deepEqual(reader.allTerms('symbol'), ['alpha', 'beta', 'gamma']);
  assert.equal(reader.termFilters('symbol', false), null, 'they are made when they are asked for');
  const mayName = (term: string) => reader.termFilters('symbol', true)!.some((each) => each.mayHave(termHash(term)));
  assert.deepEqual(['alpha', 'beta', 'gamma', 'delta'].map(mayName), [true, true, true, false]);
  assert.equal(reader.postings('symbol', 'nothing').docs.length, 0);
  assert.deepEqual(reader.check(true), []);
  assert.ok(reader.sizeBytes() > 0);
});

test('a reader sees the old tree until the new one is published, then the new one', (t) => {
  const { options, writer } = opened(t);
  indexFiles(writer, { a: 'one' });
  const reader = openReader(options);
  t.after(() => reader.close());
  const before = reader.openTree(LIVE)!;
  assert.equal(reader.openTree(LIVE), before, 'cached while nothing is published');
  writer.write(batchOf(['one two']));
  writer.flush();
  assert.equal(reader.openTree(LIVE), before);
  assert.equal(reader.postings('text', 'two').docs.length, 0, 'flushed but not published');
  writer.publish(draftOf({ a: 'one two', b: 'one' }));
  assert.deepEqual(
    reader.openTree(LIVE)!.files.map((file) => file.path),
    ['a', 'b'],
  );
  assert.equal(reader.postings('text', 'two').docs.length, 1);
  assert.deepEqual(
    before.files.map((file) => file.path),
    ['a'],
    'a view does not change under its user',
  );
});

test('fileOfChunk is -1 for a chunk that is not in the tree', (t) => {
  const { writer, reader } = opened(t);
  indexFiles(writer, { a: 'one\ntwo', b: 'three' });
  indexFiles(writer, { b: 'three' });
  const view = reader.openTree(LIVE)!;
  assert.deepEqual([...view.fileOfChunk], [-1, -1, 0]);
  assert.deepEqual([...view.fileOfSymbol], [-1, -1, 0]);
  assert.equal(view.bodyLength[2], 1);
  assert.equal(view.chunkKind[2], 0);
});

test('trees of several refs share contents and are published independently', (t) => {
  const { writer, reader } = opened(t);
  indexFiles(writer, { a: 'one', b: 'two' });
  indexFiles(writer, { a: 'one', b: 'three' }, { ref: 'topic' });
  const [live, topic] = [reader.openTree(LIVE)!, reader.openTree({ root: ROOT, ref: 'topic' })!];
  assert.equal(live.contentOf[0], topic.contentOf[0]);
  assert.notEqual(live.contentOf[1], topic.contentOf[1]);
  assert.equal(live.fileOfChunk.length, topic.fileOfChunk.length);
  assert.ok(topic.info.generation > live.info.generation);
  assert.equal(writer.dropTree(LIVE), true);
  assert.equal(writer.dropTree(LIVE), false);
  assert.equal(reader.openTree(LIVE), null);
  assert.deepEqual(
    reader.trees().map((tree) => tree.ref),
    ['topic'],
  );
});

test('an empty tree can be published and opened', (t) => {
  const { writer, reader } = opened(t);
  assert.equal(reader.openTree(LIVE), null);
  writer.publish(draftOf({}));
  const view = reader.openTree(LIVE)!;
  assert.deepEqual([view.files.length, view.fileOfChunk.length, view.problems().length], [0, 0, 0]);
  assert.deepEqual([...reader.dump(LIVE)], []);
});

test('the store lists the last fifty jobs, newest first', (t) => {
  const { writer, reader } = opened(t);
  const job = (n: number, status: JobRecord['status']): JobRecord => ({
    jobId: `job${n}`,
    root: ROOT,
    ref: 'live',
    mode: 'full',
    status,
    changedFiles: null,
    durationMs: 0.5,
    createdAtMs: 1000 + n,
    error: null,
    pid: 1,
    done: n,
    total: 60,
  });
  for (let n = 0; n < 60; n++) writer.recordJob(job(n, 'running'));
  writer.recordJob(job(59, 'published'));
  assert.deepEqual(reader.jobs(2), [job(59, 'published'), job(58, 'running')]);
  assert.equal(reader.jobs(1000).length, 50);
  writer.startJob(job(60, 'running'));
  const [started, last, dead] = reader.jobs(3);
  assert.deepEqual([started, last], [job(60, 'running'), job(59, 'published')]);
  assert.deepEqual([dead?.status, dead?.error?.includes('ended')], ['failed', true]);
  assert.deepEqual(
    reader.jobs(1000).filter(({ status }) => status === 'running'),
    [started],
  );
});

test('views, and their parts that are read on demand, outlive the connection that loaded them', (t) => {
  const { options, writer } = opened(t);
  indexFiles(writer, FILES, { skipped: [{ path: 'x', reason: 'binary' }] });
  const [first, second] = [openReader(options), openReader(options)];
  t.after(() => second.close());
  const view = first.openTree(LIVE)!;
  first.close();
  assert.equal(second.openTree(LIVE), view);
  assert.equal(view.skipped().length, 1);
  assert.equal(view.problems().length, 2);
});

test('a copy of a store does not share its state in memory', (t) => {
  const { options, writer } = opened(t);
  indexFiles(writer, { a: 'one' });
  writer.release();
  const copy = optionsFor(temporaryFolder(t));
  copyFileSync(join(options.folder, 'index.sqlite'), join(copy.folder, 'index.sqlite'));
  const [first, second] = [openWriter(options, { owner: 'test' }), openWriter(copy, { owner: 'test' })];
  indexFiles(first, { a: 'two' });
  indexFiles(second, { a: 'three' });
  const textOf = (store: StoreReader) => store.text(store.openTree(LIVE)!.contentOf[0]!);
  assert.deepEqual([textOf(first.reader), textOf(second.reader)], ['two', 'three']);
  first.release();
  second.release();
});
