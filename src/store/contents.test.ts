/** Contents are stored once per extractor version, after a check. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchOf, draftOf, entriesOf, indexFiles, LIVE, ROOT } from './fixtures/made-up.ts';
import { openWriter } from './index.ts';
import { opened } from './store.fixture.ts';

test('a content that is written several times is stored once', (t) => {
  const { writer, reader } = opened(t);
  writer.write(batchOf(['same words', 'other']));
  writer.write(batchOf(['third', 'same words']));
  writer.flush();
  writer.write(batchOf(['same words', 'fourth']));
  writer.publish(draftOf({ a: 'same words', b: 'other', c: 'third', d: 'fourth' }));
  const view = reader.openTree(LIVE)!;
  assert.equal(view.info.chunkCount, 4);
  for (const [word, path] of [
    ['same', 'a'],
    ['other', 'b'],
    ['third', 'c'],
    ['fourth', 'd'],
  ] as const) {
    const live = [...reader.postings('text', word).docs].filter((doc) => view.fileOfChunk[doc]! >= 0);
    assert.deepEqual(
      live.map((doc) => view.files[view.fileOfChunk[doc]!]!.path),
      [path],
    );
  }
  writer.publish(draftOf({ d: 'fourth' }));
  assert.equal(writer.compact({ full: true }).contents, 3);
});

test('the same bytes in two languages are two contents', (t) => {
  const { writer, reader } = opened(t);
  writer.write(batchOf(['text'], 'toy'));
  writer.write(batchOf(['text'], 'other'));
  const files = [...entriesOf({ a: 'text' }, 'toy'), ...entriesOf({ b: 'text' }, 'other')];
  writer.publish(draftOf({}, { files }));
  const view = reader.openTree(LIVE)!;
  assert.notEqual(view.contentOf[0], view.contentOf[1]);
  assert.deepEqual(
    view.files.map((file) => file.language),
    ['toy', 'other'],
  );
});

test('publishing a file whose content is not written, or unsorted files, throws and changes nothing', (t) => {
  const { writer, reader } = opened(t);
  indexFiles(writer, { a: 'one' });
  const before = [...reader.dump(LIVE)];
  assert.throws(() => writer.publish(draftOf({ a: 'one', b: 'unknown' })), { code: 'internal_error' });
  const files = entriesOf({ a: 'one', b: 'one' }).reverse();
  assert.throws(() => writer.publish(draftOf({}, { files })), { code: 'internal_error' });
  for (const path of ['nul\0', 'half \ud800', ''])
    assert.throws(() => writer.publish(draftOf({}, { files: entriesOf({ [path]: 'one' }) })), {
      code: 'invalid_input',
    });
  assert.deepEqual([...reader.dump(LIVE)], before);
});

test('an inconsistent batch is refused as a whole', (t) => {
  const { writer } = opened(t);
  const batch = batchOf(['fine', 'not fine']);
  const broken = { ...batch, contents: [batch.contents[0]!, { ...batch.contents[1]!, vectors: new Int8Array(3) }] };
  assert.throws(() => writer.write(broken), { code: 'internal_error' });
  assert.deepEqual([...writer.findContents(entriesOf({ a: 'fine' }))], [-1]);
  writer.write(batch);
  writer.publish(draftOf({ a: 'fine', b: 'not fine' }));
  writer.reader.openTree(LIVE);
  assert.deepEqual([...writer.reader.postings('text', 'fine').docs], [0, 1]);
});

test('paths with any characters are stored and read unchanged', (t) => {
  const { writer, reader } = opened(t);
  const files = { ' ': 'x', 'a\nb': '日本 語', 'ü/😀': '😀 é', '\'"': `word${'y'.repeat(3000)}` };
  indexFiles(writer, files);
  const view = reader.openTree(LIVE)!;
  assert.deepEqual(
    view.files.map((file) => file.path),
    Object.keys(files).sort(),
  );
  for (const path of Object.keys(files)) assert.equal(view.files[view.indexOfPath(path)]!.path, path);
  for (const word of ['x', '日本', '語', '😀', 'é', `word${'y'.repeat(3000)}`])
    assert.equal(reader.postings('text', word).docs.length, 1, word);
});

test('contents of another extractor version are derived again, and trees with the old ones stay', (t) => {
  const { options, writer } = opened(t, { extractorVersion: '1' });
  indexFiles(writer, { a: 'one' }, { ref: 'old' });
  indexFiles(writer, { a: 'one' });
  writer.release();
  const next = openWriter(options, { owner: 'test', extractorVersion: '2' });
  t.after(() => next.release());
  assert.deepEqual([...next.findContents(entriesOf({ a: 'one' }))], [-1]);
  assert.throws(() => next.publish(draftOf({ a: 'one' })), { code: 'internal_error' });
  indexFiles(next, { a: 'one' });
  const [live, old] = [next.reader.openTree(LIVE)!, next.reader.openTree({ root: ROOT, ref: 'old' })!];
  assert.notEqual(live.contentOf[0], old.contentOf[0]);
  assert.equal(next.reader.text(old.contentOf[0]!), 'one');
});

test('a forced run finds no derived content', (t) => {
  const { options, writer } = opened(t);
  indexFiles(writer, { a: 'one', b: 'two' });
  const before = [...writer.reader.dump(LIVE)];
  writer.release();
  const forced = openWriter(options, { owner: 'test', force: true });
  t.after(() => forced.release());
  const entries = entriesOf({ a: 'one', b: 'two' });
  const old = forced.reader.openTree(LIVE)!;
  assert.deepEqual([...forced.findContents(entries)], [-1, -1]);
  indexFiles(forced, { a: 'one', b: 'two' });
  assert.ok([...forced.findContents(entries)].every((row) => row >= 0));
  assert.deepEqual([...forced.reader.dump(LIVE)], before);
  assert.equal(forced.compact({ full: true }).contents, 2);
  assert.deepEqual([...forced.reader.dump(LIVE)], before);
  assert.deepEqual(
    [...old.contentOf].map((row) => forced.reader.text(row)),
    ['one', 'two'],
    'a view from before still shows its texts',
  );
});
