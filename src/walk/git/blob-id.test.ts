import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { blobId } from './blob-id.ts';
import { smallSha1 } from './small-sha1.ts';

const systems = (...parts: readonly Uint8Array[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha1')).digest('hex');

test('the hash of our own is the system’s, of any length and in any parts', () => {
  const bytes = fc.uint8Array({ maxLength: 400 });
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      assert.equal(smallSha1(one, other), systems(one, other));
    }),
    { numRuns: 300 },
  );
  // What fits into its memory at a time, to the byte, and what does not.
  for (const length of [127_991, 127_992, 128_000, 128_064, 300_001]) {
    const long = Uint8Array.from({ length }, (_, i) => (i * 7) >> (i & 3));
    assert.equal(smallSha1(long), systems(long));
  }
});

test('a content has the id that git gives it, however many were hashed before', () => {
  const content = Buffer.from('what is up, doc?');
  for (let i = 0; i < 12; i++) {
    assert.equal(blobId(content), 'bd9dbf5aae1a3862dd1526723246b20206e5fc37');
    blobId(Buffer.alloc(32 * 1024));
  }
});

test('a content that changed in its place has another id', () => {
  const bytes = Buffer.from('one');
  const before = blobId(bytes);
  assert.equal(blobId(Buffer.from('one')), before);
  bytes.write('two');
  assert.notEqual(blobId(bytes), before);
});
