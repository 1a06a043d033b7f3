import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VectorRows } from './vector-rows.ts';

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

const vectorOf = (row: number, dims: number) =>
  Array.from({ length: dims }, (_, d) => Math.sin(row * 7 + d * (row + 1)));

for (const dims of [3, 16, 384, 1536])
  test(`cosines of ${dims} dimensions are exact to one percent, also between additions of rows`, () => {
    const rows = new VectorRows(dims);
    const query = vectorOf(99, dims);
    assert.equal(rows.cosines(query).length, 0);
    for (let row = 0; row < 21; row++) {
      rows.add(vectorOf(row, dims));
      const found = rows.cosines(query);
      assert.equal(found.length, row + 1);
      for (let at = 0; at <= row; at += 5)
        assert.ok(Math.abs(found[at]! - cosine(vectorOf(at, dims), query)) < 0.01, `${at} of ${row}`);
    }
  });

test('vectors of equal components do not overflow, and a zero vector has cosine 0 with every query', () => {
  const rows = new VectorRows(4096);
  rows.add(new Array(4096).fill(1));
  rows.add(new Array(4096).fill(0));
  const [alike, zero] = rows.cosines(new Array(4096).fill(1));
  assert.ok(Math.abs(alike! - 1) < 0.001);
  assert.equal(zero, 0);
});
