import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { blobId } from './blob-id.ts';
import { smallSha1 } from './small-sha1.ts';

test('the hash in plain code is the system’s own, of any length and in any parts', () => {
  const bytes = fc.uint8Array({ maxLength: 400 });
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      assert.equal(smallSha1(one, other), createHash('sha1').update(one).update(other).digest('hex'));
    }),
    { numRuns: 300 },
  );
});

test('a content has the id that git gives it, however many were hashed before', () => {
  const content = Buffer.from('what is up, doc?');
  for (let i = 0; i < 12; i++) {
    assert.equal(blobId(content), 'bd9dbf5aae1a3862dd1526723246b20206e5fc37');
    blobId(Buffer.alloc(8 * 1024));
  }
});

test('a content that changed in its place has another id', () => {
  const bytes = Buffer.from('one');
  const before = blobId(bytes);
  assert.equal(blobId(Buffer.from('one')), before);
  bytes.write('two');
  assert.notEqual(blobId(bytes), before);
});
