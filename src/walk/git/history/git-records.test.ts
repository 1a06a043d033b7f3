import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitRecords } from './git-records.ts';

test('splitRecords returns the same records wherever the pieces end', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '|') })), (pieces) => {
      const records: string[] = [];
      const splitter = splitRecords('|', (record) => records.push(record));
      for (const piece of pieces) splitter.push(piece);
      splitter.finish();
      assert.deepEqual(records, pieces.join('').split('|'));
    }),
  );
});

test('splitRecords cuts a record that is too long', () => {
  const lengths: number[] = [];
  const splitter = splitRecords('|', (record) => lengths.push(record.length));
  for (let i = 0; i < 100; i++) splitter.push('x'.repeat(65_536));
  splitter.push('|next');
  splitter.finish();
  assert.deepEqual(lengths, [1 << 20, 4]);
});
