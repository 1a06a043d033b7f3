import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roaringBitmap } from './roaring-bitmap.ts';

/** Reads the format as its specification has it. */
function read(bitmap: Buffer): number[] {
  assert.equal(bitmap.readUInt32LE(0), 12_346);
  const size = bitmap.readUInt32LE(4);
  return Array.from({ length: size }, (_, i) => {
    const high = bitmap.readUInt16LE(8 + i * 4) << 16;
    const count = bitmap.readUInt16LE(10 + i * 4) + 1;
    const at = bitmap.readUInt32LE(8 + size * 4 + i * 4);
    if (count <= 4096) return Array.from({ length: count }, (_, k) => high | bitmap.readUInt16LE(at + k * 2));
    const bits = Array.from({ length: 65_536 }, (_, k) => k).filter((k) => bitmap[at + (k >> 3)]! & (1 << (k & 7)));
    assert.equal(bits.length, count);
    return bits.map((k) => high | k);
  }).flat();
}

test('a bitmap contains its numbers, few or many, in one container or several', () => {
  const every = (count: number, step: number, from = 0) => Array.from({ length: count }, (_, i) => from + i * step);
  for (const numbers of [
    [],
    [0],
    [65_535, 65_536, 2 ** 31 - 1],
    every(4_096, 3),
    every(4_097, 3),
    every(20_000, 7, 60_000),
  ]) {
    assert.deepEqual(read(roaringBitmap(numbers)), numbers);
    assert.deepEqual(read(roaringBitmap([...numbers, ...numbers].reverse())), numbers, 'order and repetition');
  }
});

test('half of 20,000 numbers take less than 10 kB', () => {
  assert.ok(roaringBitmap(Array.from({ length: 10_000 }, (_, i) => 2 * i)).length < 10_000);
});
