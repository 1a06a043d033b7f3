import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { editDistance } from './edit-distance.ts';

/** Optimal string alignment, straight from its definition. */
function naive(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i || j));
  for (let i = 0; i <= a.length; i++) {
    for (let j = 0; j <= b.length; j++) {
      if (i === 0 || j === 0) rows[i]![j] = i + j;
      else {
        const same = a[i - 1] === b[j - 1] ? 0 : 1;
        rows[i]![j] = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + same);
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
          rows[i]![j] = Math.min(rows[i]![j]!, rows[i - 2]![j - 2]! + 1);
      }
    }
  }
  return rows[a.length]![b.length]!;
}

test('editDistance equals a naive implementation up to the limit, and limit + 1 beyond', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 });
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 5 }), (a, b, limit) => {
      const real = naive(a, b);
      const found = editDistance(a, b, limit);
      if (real <= limit) assert.equal(found, real);
      else assert.ok(found > limit, `${found} for ${real} with limit ${limit}`);
    }),
    { numRuns: 500 },
  );
});
