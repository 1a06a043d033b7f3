import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { deflateRaw } from './deflater.ts';

test('deflateRaw packs pieces of every length one after another, and all of them inflate to their input', () => {
  const text = Buffer.from('export function pieceOf(text: string, from: number): string {\n'.repeat(2000));
  const noise = randomBytes(100_000);
  const packed: { readonly bytes: Uint8Array; readonly piece: Buffer }[] = [];
  for (const source of [text, noise])
    for (const length of [65, 1000, 8192, 12_288, 32 * 1024, 32 * 1024 + 1, 100_000]) {
      const piece = source.subarray(0, length);
      packed.push({ bytes: deflateRaw(piece), piece });
    }
  // Inflate after all pieces are packed, to detect output that a later piece has overwritten.
  for (const { bytes, piece } of packed)
    assert.ok(inflateRawSync(bytes).equals(piece), `${piece.length} bytes did not come back`);
});

test('deflateRaw packs equal pieces to equal bytes', () => {
  const piece = Buffer.from('const same = 1;\n'.repeat(300));
  const first = deflateRaw(piece);
  deflateRaw(randomBytes(5000));
  assert.deepEqual(deflateRaw(piece), first);
  assert.ok(first.length < piece.length / 10, `${first.length} bytes`);
});
