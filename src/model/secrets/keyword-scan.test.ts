import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createKeywordScan } from './keyword-scan.ts';

test('every keyword of a text is found, those that overlap and those that begin with another included', () => {
  const keywords = ['ab', 'abc', 'bca', 'c.', 'c.d', 'aab', '-a'];
  const scan = createKeywordScan(keywords);
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'B', 'c', '.', 'd', '-', 'İ'), maxLength: 12 }),
      (text) => {
        const found = new Set<number>();
        scan(text, (keyword) => found.add(keyword));
        const expected = keywords.filter((keyword) => text.toLowerCase().includes(keyword));
        assert.deepEqual([...found].map((i) => keywords[i]).sort(), expected.sort());
      },
    ),
    { numRuns: 500 },
  );
});
