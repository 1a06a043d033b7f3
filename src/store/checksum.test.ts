import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checksum, requireSum } from './checksum.ts';

test('any change within a blob shows, wherever it lies in memory', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 70 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      fc.nat(3),
      (bytes, place, flip, shift) => {
        const moved = new Uint8Array(bytes.length + shift).subarray(shift);
        moved.set(bytes);
        assert.equal(checksum(moved), checksum(bytes));
        moved[place % bytes.length]! ^= flip;
        assert.notEqual(checksum(moved), checksum(bytes));
      },
    ),
    { seed: 7 },
  );
});

test('length and borders of the parts count', () => {
  const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6);
  assert.notEqual(checksum(bytes), checksum(bytes.subarray(0, 5)));
  assert.notEqual(checksum(bytes), checksum(bytes.subarray(0, 2), bytes.subarray(2)));
  assert.notEqual(checksum(new Uint8Array(4)), checksum(new Uint8Array(8)));
  requireSum('it', checksum(bytes), bytes);
  for (const sum of [0, null, checksum(bytes) + 1])
    assert.throws(() => requireSum('it', sum, bytes), /it does not match/);
});
