import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchOf, DIMS, draftOf, LIVE, vectorOf } from './fixtures/made-up.ts';
import { openPreview, openReader } from './index.ts';
import { opened } from './store.fixture.ts';
import type { StorePreview, TreeView } from './store.ts';

const FILES = { b: 'two one', a: 'one two', c: 'three' };
const paths = (view: TreeView) => view.files.map(({ path }) => path);

/** The files of a preview that have a term. */
function filesWith({ reader }: StorePreview, view: TreeView, term: string): string[] {
  const files = [...reader.postings('text', term).docs].map((chunk) => view.fileOfChunk[chunk] ?? -1);
  return files.filter((file) => file >= 0).map((file) => view.files[file]!.path);
}

test('a preview has the committed contents, and grows with each commit', (t) => {
  const { options, writer } = opened(t);
  writer.write(batchOf([FILES.a]));
  writer.flush();
  writer.write(batchOf([FILES.b]));
  const preview = openPreview(options, '');
  t.after(() => preview.close());
  const draft = draftOf(FILES);
  const first = preview.open({ ...draft, files: [...draft.files].reverse() });
  assert.deepEqual(paths(first), ['a'], 'written but not committed is not there');
  assert.deepEqual([first.info.fileCount, first.info.chunkCount, first.info.vectorCount], [1, 1, 1]);
  assert.equal(preview.reader.text(first.contentOf[0]!), FILES.a);
  assert.deepEqual(filesWith(preview, first, 'two'), ['a']);
  writer.flush();
  const second = preview.open({ ...draft, files: [...draft.files].reverse() });
  assert.deepEqual(paths(second), ['a', 'b']);
  assert.deepEqual(filesWith(preview, second, 'two'), ['a', 'b']);
  assert.deepEqual(filesWith(preview, first, 'two'), ['a'], 'a view of before says what it said');
  const query = Float32Array.from(vectorOf(FILES.b));
  const scores = preview.reader.scoreVectors(second, query);
  assert.equal(query.length, DIMS);
  assert.equal(second.files[second.fileOfChunk[scores.indexOf(Math.max(...scores))]!]!.path, 'b');
  assert.deepEqual(preview.reader.allTerms('symbol'), ['one', 'two']);
});

test('other readers do not see a preview, and it does not change what is published later', (t) => {
  const [watched, alone] = [opened(t), opened(t)];
  const preview = openPreview.bind(null, watched.options, '');
  for (const text of Object.values(FILES)) {
    for (const { writer } of [watched, alone]) writer.write(batchOf([text]));
    watched.writer.flush();
    const look = preview();
    look.open(draftOf(FILES));
    look.close();
  }
  const reader = openReader(watched.options);
  t.after(() => reader.close());
  assert.deepEqual([reader.trees(), reader.openTree(LIVE)], [[], null]);
  assert.equal(reader.postings('text', 'two').docs.length, 0);
  for (const { writer } of [watched, alone]) writer.publish(draftOf(FILES));
  assert.deepEqual([...reader.dump(LIVE)], [...alone.reader.dump(LIVE)]);
  assert.deepEqual(reader.check(true), []);
});
