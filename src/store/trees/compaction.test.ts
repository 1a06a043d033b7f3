/** A store after changes, merges and deletions has the same dump as a store built at once. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  batchOf,
  draftOf,
  type Files,
  indexFiles,
  LIVE,
  optionsFor,
  ROOT,
  temporaryFolder,
} from '../fixtures/made-up.ts';
import { openReader, openWriter } from '../index.ts';
import { Database } from '../sqlite/database.ts';

const WORDS = ['one', 'two', 'three', 'fourHandler', 'é', '日本', '😀', 'broken', 'w1', 'w2', 'w3', 'long'.repeat(30)];
const text = fc
  .array(
    fc.array(fc.constantFrom(...WORDS), { maxLength: 5 }).map((words) => words.join(' ')),
    { minLength: 1, maxLength: 4 },
  )
  .map((lines) => lines.join('\n'));
const change = fc.record({
  path: fc.constantFrom('a', 'b', 'c/d', 'c/e', 'test/f', 'ü'),
  text: fc.option(text, { nil: null }),
  next: fc.constantFrom('publish', 'publish', 'flush', 'compact', 'compact fully', 'other ref', 'reopen'),
});

test('fresh and incremental stores dump the same lines', (t) => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 25 }), (changes) => {
      const options = optionsFor(temporaryFolder(t));
      let writer = openWriter(options, { owner: 'incremental', graceMs: 0 });
      const files: Record<string, string> = {};
      let topic: Files | null = null;
      for (const { path, text: content, next } of changes) {
        if (content === null) delete files[path];
        else files[path] = content;
        if (next === 'flush') {
          writer.write(batchOf(Object.values(files)));
          writer.flush();
          continue;
        }
        indexFiles(writer, files);
        if (next.startsWith('compact')) writer.compact({ full: next === 'compact fully' });
        if (next === 'other ref') {
          topic = { ...files, extra: 'topic only' };
          indexFiles(writer, topic, { ref: 'topic' });
        }
        if (next === 'reopen') {
          writer.release();
          writer = openWriter(options, { owner: 'incremental', graceMs: 0 });
        }
      }
      indexFiles(writer, files);
      const fresh = openWriter(optionsFor(temporaryFolder(t)), { owner: 'fresh' });
      indexFiles(fresh, files, {}, 2);
      const expected = [...fresh.reader.dump(LIVE)];
      assert.deepEqual([...writer.reader.dump(LIVE)], expected);
      writer.compact({ full: true });
      assert.deepEqual([...writer.reader.dump(LIVE)], expected);
      assert.deepEqual(writer.reader.check(false), []);
      if (topic) {
        indexFiles(fresh, topic, { ref: 'topic' });
        const key = { root: ROOT, ref: 'topic' };
        assert.deepEqual([...writer.reader.dump(key)], [...fresh.reader.dump(key)]);
      }
      writer.release();
      const reader = openReader(options);
      assert.deepEqual([...reader.dump(LIVE)], expected);
      reader.close();
      fresh.release();
    }),
    { numRuns: 30 },
  );
});

function count(folder: string, table: string): number {
  const db = Database.open(join(folder, 'index.sqlite'), 'read');
  const [n] = db.probe('count(*)', `FROM ${table}`)!;
  db.close();
  return n as number;
}

test('many small runs leave few segments, and readers with old views keep working', (t) => {
  const options = optionsFor(temporaryFolder(t));
  const writer = openWriter(options, { owner: 'test' });
  t.after(() => writer.release());
  const files: Record<string, string> = {};
  indexFiles(writer, { first: 'common first' });
  const reader = openReader(options);
  t.after(() => reader.close());
  for (let i = 0; i < 100; i++) {
    files[`f${i % 30}`] = `common number${i}\nsecond line ${i}`;
    indexFiles(writer, files);
    if (i === 50) reader.openTree(LIVE);
    writer.compact({ full: false });
    assert.ok(count(options.folder, 'segment') <= 24, `${count(options.folder, 'segment')} segments`);
  }
  const view = reader.openTree(LIVE)!;
  const live = [...reader.postings('text', 'common').docs].filter((doc) => view.fileOfChunk[doc]! >= 0);
  assert.equal(live.length, 30);
  assert.equal(reader.postings('text', 'number99').docs.length, 1);
});

test('a reader whose segments another process has merged reads the merged segment', (t) => {
  const options = optionsFor(temporaryFolder(t));
  const writer = openWriter(options, { owner: 'test', graceMs: 0 });
  t.after(() => writer.release());
  for (let i = 0; i < 5; i++) {
    writer.write(batchOf([`common only${i}`]));
    writer.flush();
  }
  const files = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`f${i}`, `common only${i}`]));
  writer.publish(draftOf(files));
  const view = writer.reader.openTree(LIVE)!;
  assert.equal(writer.reader.postings('text', 'only0').docs.length, 1);
  writer.compact({ full: true });
  assert.equal(count(options.folder, 'segment'), 1);
  assert.equal(writer.reader.openTree(LIVE), view, 'a merge publishes nothing');
  assert.equal(writer.reader.postings('text', 'common').docs.length, 5);
  assert.equal(writer.reader.allTerms('text').length, 6);
  assert.equal(writer.reader.scoreVectors(view, new Float32Array(20).fill(1)).length, 5);
});

test('a full compaction deletes contents that no tree refers to, except during the grace period', (t) => {
  const options = optionsFor(temporaryFolder(t));
  const long = Array.from({ length: 400 }, (_, i) => `word${i} word${i * 7}`).join('\n');
  const patient = openWriter(options, { owner: 'test', graceMs: 60_000 });
  indexFiles(patient, { a: long, b: 'stays' });
  indexFiles(patient, { b: 'stays' });
  assert.deepEqual(patient.compact({ full: true }).contents, 0);
  patient.release();
  const writer = openWriter(options, { owner: 'test', graceMs: 0 });
  t.after(() => writer.release());
  const before = [...writer.reader.dump(LIVE)];
  const freed = writer.compact({ full: true });
  assert.equal(freed.contents, 1);
  assert.ok(freed.bytes > 8192, `${freed.bytes} bytes`);
  assert.deepEqual([...writer.reader.dump(LIVE)], before);
  assert.deepEqual(writer.reader.termsWithPrefix('text', 'word'), []);
  assert.deepEqual(writer.compact({ full: true }), { contents: 0, bytes: 0 });
  indexFiles(writer, { a: long, b: 'stays' });
  assert.equal(writer.reader.openTree(LIVE)!.info.vectorCount, 401);
});

test('returning to a branch derives nothing while its contents are still stored', (t) => {
  const writer = openWriter(optionsFor(temporaryFolder(t)), { owner: 'test', graceMs: 0 });
  t.after(() => writer.release());
  indexFiles(writer, { a: 'main' });
  indexFiles(writer, { a: 'topic' });
  writer.compact({ full: false });
  assert.ok(writer.findContents(draftOf({ a: 'main' }).files)[0]! > 0);
});
