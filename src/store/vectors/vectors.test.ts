import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { batchOf, DIMS, draftOf, LIVE, MODEL, optionsFor, temporaryFolder, vectorOf } from '../fixtures/made-up.ts';
import { openWriter } from '../index.ts';
import { createKernel, SIGN_BYTES } from './vector-kernel.ts';

test('the SIMD and the plain kernel quantise every float32 to the same int8, tiny and infinite values included', () => {
  const value = fc.oneof(fc.float({ noNaN: true }), fc.float({ min: -1, max: 1, noNaN: true }));
  const values = fc
    .integer({ min: 1, max: 3 })
    .chain((lanes) => fc.array(value, { minLength: lanes * 16, maxLength: lanes * 16 }));
  fc.assert(
    fc.property(values, fc.constantFrom(1, 1e-20, 1e-38), (list, factor) => {
      const quantised = (simd: boolean) => {
        const { memory, quantise } = createKernel({ simd });
        new Float32Array(memory.buffer, 0, list.length).set(list.map((one) => one * factor));
        quantise(0, 1024, list.length);
        return [...new Int8Array(memory.buffer, 1024, list.length)];
      };
      const row = quantised(true);
      assert.deepEqual(row, quantised(false));
      assert.ok(row.every((one) => one === 0) || row.some((one) => Math.abs(one) === 127), row.join());
    }),
  );
});

test('the SIMD and the plain kernel return identical floats', () => {
  const rows = fc.integer({ min: 1, max: 3 }).chain((lanes) =>
    fc.record({
      dims: fc.constant(lanes * 16),
      query: fc.array(fc.integer({ min: -32767, max: 32767 }), { minLength: lanes * 16, maxLength: lanes * 16 }),
      data: fc.array(fc.array(fc.integer({ min: -128, max: 127 }), { minLength: lanes * 16, maxLength: lanes * 16 }), {
        minLength: 4,
        maxLength: 12,
      }),
    }),
  );
  fc.assert(
    fc.property(rows, ({ dims, query, data }) => {
      const count = data.length - (data.length % 4);
      const run = (simd: boolean) => {
        const kernel = createKernel({ simd });
        new Int16Array(kernel.memory.buffer, 0, dims).set(query);
        const [scales, out, at] = [1024, 2048, 4096];
        new Int8Array(kernel.memory.buffer, at, count * dims).set(data.slice(0, count).flat());
        kernel.norms(at, scales, count, dims);
        kernel.scan(0, at, scales, out, count, dims, 0.001);
        const cosines = new Float32Array(kernel.memory.buffer.slice(out, out + count * 4));
        const [signs, asked] = [8192, 12_288];
        kernel.signs(at, signs, count, dims, SIGN_BYTES);
        new Uint8Array(kernel.memory.buffer, asked, SIGN_BYTES).set([0b1010_0110, 255, 1]);
        const [histogram, list] = [16_384, 20_480];
        kernel.differ(asked, signs, out, count, SIGN_BYTES, histogram);
        const backwards = Array.from({ length: count }, (_, i) => count - 1 - i);
        new Int32Array(kernel.memory.buffer, list, count).set(backwards);
        kernel.pick(0, at, scales, list, count, dims, 0.001);
        const picked = [...new Float32Array(kernel.memory.buffer, list, count)].reverse();
        assert.deepEqual(picked, [...cosines], 'rows picked one by one give what a scan gives');
        const numbers = (from: number, length: number) => [
          ...new Int32Array(kernel.memory.buffer.slice(from, from + length * 4)),
        ];
        const differing = { rows: numbers(out, count), histogram: numbers(histogram, SIGN_BYTES * 8 + 1) };
        const most = [...differing.rows].sort((a, b) => a - b)[count >> 1]!;
        const near = numbers(list, kernel.gather(out, list, count, most));
        assert.deepEqual(
          near,
          [...differing.rows.keys()].filter((row) => differing.rows[row]! <= most),
        );
        // Rows of twice as many signs, the second half of which are equal.
        const wide = 24_576;
        const bytes = new Uint8Array(kernel.memory.buffer);
        for (let row = 0; row < count; row++)
          bytes.copyWithin(wide + row * 2 * SIGN_BYTES, signs + row * SIGN_BYTES, signs + (row + 1) * SIGN_BYTES);
        kernel.differ(asked, wide, out, count, 2 * SIGN_BYTES, 32_768);
        assert.deepEqual(numbers(out, count), differing.rows);
        return { cosines, differing };
      };
      const { cosines: fast, differing } = run(true);
      const { cosines: plain, differing: plainly } = run(false);
      assert.deepEqual(differing, plainly);
      differing.histogram.forEach((rows, bits) => {
        assert.equal(rows, differing.rows.filter((row) => row === bits).length);
      });
      for (let i = 0; i < count; i++) assert.ok(Math.abs(fast[i]! - plain[i]!) <= 1e-6 * Math.abs(plain[i]!) + 1e-9);
    }),
    { numRuns: 50 },
  );
});

test('this machine runs the SIMD kernel, not the plain one', () => {
  assert.match(createKernel().scan.toString(), /native code/);
  assert.doesNotMatch(createKernel({ simd: false }).scan.toString(), /native code/);
});

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [dot, aa, bb] = [0, 0, 0];
  for (let i = 0; i < DIMS; i++) {
    dot += a[i]! * b[i]!;
    aa += a[i]! ** 2;
    bb += b[i]! ** 2;
  }
  return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb);
}

test('scores are cosines for every number of dimensions, and cover each new publication', (t) => {
  const writer = openWriter(optionsFor(temporaryFolder(t)), { owner: 'test' });
  t.after(() => writer.release());
  const files: Record<string, string> = {};
  const query = Float32Array.from({ length: DIMS }, (_, i) => Math.sin(i * 7));
  for (let round = 0; round < 6; round++) {
    files[`f${round}`] = Array.from({ length: round * 300 + 1 }, (_, i) => `line ${round} ${i}`).join('\n');
    if (round === 4) delete files.f1;
    writer.write(batchOf([files[`f${round}`]!]));
    writer.publish(draftOf(files));
    const view = writer.reader.openTree(LIVE)!;
    const scores = writer.reader.scoreVectors(view, query);
    assert.equal(scores.length, view.fileOfChunk.length);
    for (let chunk = 0; chunk < scores.length; chunk++) {
      const file = view.fileOfChunk[chunk]!;
      const lines = file < 0 ? [] : files[view.files[file]!.path]!.split('\n');
      const expected = file < 0 ? 0 : cosine(query, vectorOf(lines[chunk - view.firstChunkOf[file]!]!));
      assert.ok(Math.abs(scores[chunk]! - expected) < 0.001, `chunk ${chunk} in round ${round}`);
    }
  }
});

test('nearestChunks finds the nearest of many chunks by their sign bits, and returns null for few chunks', (t) => {
  const writer = openWriter(optionsFor(temporaryFolder(t)), { owner: 'test' });
  t.after(() => writer.release());
  const query = Float32Array.from(vectorOf('line 3 77'));
  const publish = (files: Record<string, string>) => {
    writer.write(batchOf(Object.values(files)));
    writer.publish(draftOf(files));
    return writer.reader.openTree(LIVE)!;
  };
  const lines = (file: number, count: number) =>
    Array.from({ length: count }, (_, i) => `line ${file} ${i}`).join('\n');
  const small = publish({ f0: lines(0, 10), f1: lines(1, 10) });
  assert.equal(writer.reader.nearestChunks(query, small.fileOfChunk, 10), null);
  const files = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`f${i + 1}`, lines(i + 1, 2500)]));
  const view = publish(files);
  const exact = writer.reader.scoreVectors(view, query);
  const { chunks: near, scores } = writer.reader.nearestChunks(query, view.fileOfChunk, 500)!;
  assert.deepEqual(
    [...scores],
    Array.from(near, (chunk) => exact[chunk]!),
  );
  assert.ok(near.length >= 500 && near.length < 5000, `${near.length} chosen`);
  assert.ok(
    near.every((chunk) => view.fileOfChunk[chunk]! >= 0),
    'the first tree has left nothing behind',
  );
  const best = exact.indexOf(Math.max(...exact));
  assert.ok(near.includes(best), 'the same line is the nearest');
  const mean = (chunks: readonly number[]) => chunks.reduce((sum, chunk) => sum + exact[chunk]!, 0) / chunks.length;
  assert.ok(mean(near) > mean([...exact.keys()]) + 0.3, 'they are nearer than others');
  // The store has a small tree and a large one.
  const few = view.fileOfChunk.map((file) => (file === 4 ? 0 : -1));
  const among = writer.reader.nearestChunks(query, few, 500)!.chunks;
  assert.ok(among.length >= 250, `${among.length} chosen`);
  assert.ok(
    among.every((chunk) => few[chunk] === 0),
    'only wanted ones',
  );
  const asked = [2, 0].map((file) => ({ row: view.contentOf[file]!, chunks: view.chunkCountOf[file]! }));
  const got: number[][] = [];
  writer.reader.scoreContents(query, [{ row: 1_000_000, chunks: 3 }, ...asked], (index, scores, from) => {
    got[index] = [...scores.subarray(from, from + 2500)];
  });
  const first = view.firstChunkOf[2]!;
  assert.deepEqual(got[1], [...exact.subarray(first, first + 2500)]);
  assert.deepEqual([got[0], got[2]?.length], [undefined, 2500]);
});

test('a zero query, a zero vector and a query with NaN score 0', (t) => {
  const writer = openWriter(optionsFor(temporaryFolder(t)), { owner: 'test' });
  t.after(() => writer.release());
  writer.write(batchOf(['word\n']));
  writer.publish(draftOf({ a: 'word\n' }));
  const view = writer.reader.openTree(LIVE)!;
  assert.deepEqual([...writer.reader.scoreVectors(view, new Float32Array(DIMS))], [0, 0]);
  assert.deepEqual([...writer.reader.scoreVectors(view, new Float32Array(DIMS).fill(Number.NaN))], [0, 0]);
  assert.equal(writer.reader.scoreVectors(view, new Float32Array(DIMS).fill(1))[1], 0);
  assert.throws(() => writer.reader.scoreVectors(view, new Float32Array(3)), { code: 'internal_error' });
});

test('vectors that are written later are stored once and complete the tree', (t) => {
  const writer = openWriter(optionsFor(temporaryFolder(t)), { owner: 'test' });
  t.after(() => writer.release());
  const files = { a: 'one', b: 'two\nthree' };
  writer.write(batchOf(Object.values(files), 'toy', false));
  assert.equal(writer.publish(draftOf(files)).vectorCount, 0);
  const rows = writer.findContents(draftOf(files).files);
  assert.deepEqual([...writer.missingVectors(MODEL, rows)], [...rows]);
  const vectors = Int8Array.from([...vectorOf('two'), ...vectorOf('three')]);
  writer.writeVectors(MODEL, rows[1]!, vectors, DIMS);
  writer.writeVectors(
    MODEL,
    rows[1]!,
    vectors.map(() => 1),
    DIMS,
  );
  assert.throws(() => writer.writeVectors(MODEL, rows[0]!, vectors, DIMS), { code: 'internal_error' });
  assert.deepEqual([...writer.missingVectors(MODEL, rows)], [rows[0]]);
  assert.deepEqual([...writer.missingVectors('another model', rows)], [...rows]);
  assert.equal(writer.publish(draftOf(files)).vectorCount, 2);
  const view = writer.reader.openTree(LIVE)!;
  const scores = writer.reader.scoreVectors(view, Float32Array.from(vectorOf('three')));
  assert.ok(scores[view.firstChunkOf[1]! + 1]! > 0.999);
  assert.equal(scores[view.firstChunkOf[0]!], 0);
});
