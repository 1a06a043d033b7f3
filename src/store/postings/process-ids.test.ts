/** Process ids are dense and in the order of the file's ids, and do not change what a tree contains. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { indexFiles, LIVE, optionsFor, temporaryFolder } from '../fixtures/made-up.ts';
import { openReader, openWriter } from '../index.ts';
import { ProcessIds } from './process-ids.ts';

const runs = fc.array(fc.record({ gap: fc.nat(5), count: fc.nat(5) }), { maxLength: 40 });

test('file ids get consecutive process ids in their order; postings of unknown ids are left out', () => {
  fc.assert(
    fc.property(runs, fc.uniqueArray(fc.nat(300)), (parts, asked) => {
      const numbering = new ProcessIds();
      const expected = new Map<number, number>();
      let id = 0;
      for (const { gap, count } of parts) {
        id += gap;
        assert.equal(numbering.add(id, count), expected.size);
        for (const end = id + count; id < end; id++) expected.set(id, expected.size);
      }
      assert.equal(numbering.count, expected.size);
      const ids = asked.sort((a, b) => a - b);
      const postings = () => ({ docs: Uint32Array.from(ids), values: Uint16Array.from(ids, (one) => one + 1) });
      const known = ids.filter((one) => expected.has(one));
      const numbered = numbering.apply(postings());
      assert.deepEqual(
        [...numbered.docs],
        known.map((one) => expected.get(one)),
      );
      assert.deepEqual(
        [...numbered.values],
        known.map((one) => one + 1),
      );
      assert.deepEqual([...numbering.retain(postings()).docs], known);
    }),
  );
});

test('adding file ids twice throws DamagedDataError', () => {
  const numbering = new ProcessIds();
  numbering.add(4, 3);
  assert.throws(() => numbering.add(6, 1), /twice/);
});

test('renewed() replaces a reader that holds many deleted contents by a smaller one with the same answers', (t) => {
  const options = optionsFor(temporaryFolder(t));
  const writer = openWriter(options, { owner: 'test', graceMs: 0 });
  t.after(() => writer.release());
  const kept = { a: 'one two', b: 'three' };
  const many = (round: number) => Array.from({ length: 1500 }, (_, line) => `w${round} line${line}`).join('\n');
  indexFiles(writer, { ...kept, c: many(0) });
  const reader = openReader(options);
  assert.equal(reader.renewed(), reader, 'nothing is gone yet');
  for (let round = 1; round <= 5; round++) {
    indexFiles(writer, { ...kept, c: many(round) });
    writer.compact({ full: true });
    reader.openTree(LIVE);
  }
  const old = reader.openTree(LIVE)!;
  const fresh = reader.renewed();
  t.after(() => fresh.close());
  assert.notEqual(fresh, reader);
  const view = fresh.openTree(LIVE)!;
  assert.ok(old.fileOfChunk.length > 9000, `${old.fileOfChunk.length} chunks before`);
  assert.ok(view.fileOfChunk.length < 1600, `${view.fileOfChunk.length} chunks afterwards`);
  assert.deepEqual([...view.storedChunkOf], [...old.storedChunkOf], 'numbers that are shown stay');
  assert.deepEqual([...fresh.dump(LIVE)], [...reader.dump(LIVE)], 'the old one still answers, and the same');
  const query = new Float32Array(options.dims).fill(1);
  const best = (scores: Float32Array, first: number) => [...scores.subarray(first, first + 2)];
  assert.deepEqual(
    best(fresh.scoreVectors(view, query), view.firstChunkOf[2]!),
    best(reader.scoreVectors(old, query), old.firstChunkOf[2]!),
  );
  indexFiles(writer, { ...kept, b: 'four' });
  assert.equal(fresh.renewed(), fresh, 'one is enough');
  const after = fresh.openTree(LIVE)!;
  const [doc] = fresh.postings('text', 'four').docs;
  assert.equal(after.files[after.fileOfChunk[doc!]!]!.path, 'b');
});
