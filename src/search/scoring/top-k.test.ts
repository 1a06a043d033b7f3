import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nthHighest, topBySum } from './top-k.ts';

const floats = fc.array(fc.oneof(fc.float({ noNaN: true }), fc.constantFrom(0, 1, 1.5, -1, 1e-40)), {
  minLength: 1,
  maxLength: 300,
});

test('nthHighest returns the value that sorting finds', () => {
  fc.assert(
    fc.property(floats, fc.nat(), (list, n) => {
      const values = Float32Array.from(list);
      const count = 1 + (n % values.length);
      assert.equal(nthHighest(values, count) + 0, values.slice().sort()[values.length - count]! + 0);
      assert.equal(nthHighest(values, values.length + 1), 0);
    }),
  );
});

test('topBySum returns the files with the highest sums, the first among equals, and none with a sum of zero', () => {
  const files = [4, 2, 7, 0, 5];
  const column = Float32Array.of(3, 9, 3, 0, 1, 3, 0, 0);
  const other = Float32Array.of(0, 0, 0, 0, 2, 0, 0, 0);
  const sorted = (found: readonly number[]) => [...found].sort((a, b) => a - b);
  assert.deepEqual(sorted(topBySum(files, [column], 2)), [0, 2]);
  assert.deepEqual(sorted(topBySum(files, [column, other], 3)), [0, 2, 4]);
  assert.deepEqual(sorted(topBySum(files, [column], 5)), [0, 2, 4, 5]);
  assert.deepEqual(topBySum([3, 6], [column], 1), []);
});
