import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checksum, requireSum } from './blob-checksum.ts';

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

test('many words add up as few do, whatever their number', () => {
  // As stores hold it: word by word in plain steps.
  const plain = (bytes: Uint8Array) => {
    const words = new DataView(bytes.buffer, bytes.byteOffset);
    let sum = 0x5e87_a9d1;
    for (let i = 0; i + 4 <= bytes.length; i += 4) {
      sum = Math.imul(sum ^ words.getInt32(i, true), 0x9e37_79b1);
      sum ^= sum >>> 15;
    }
    for (const byte of bytes.subarray(bytes.length & ~3)) sum = Math.imul(sum ^ byte, 0x9e37_79b1);
    return Math.imul(sum ^ bytes.length, 0x9e37_79b1) >>> 0;
  };
  for (const length of [0, 3, 16_383, 16_384, 16_387, 262_143, 262_144, 262_148, 700_001]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 2_654_435_761) >>> 13);
    assert.equal(checksum(bytes), plain(bytes), `${length} bytes`);
  }
});
