import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blobId } from './blob-id.ts';

test('blobId computes git’s blob id', () => {
  const content = Buffer.from('what is up, doc?');
  assert.equal(blobId(content), 'bd9dbf5aae1a3862dd1526723246b20206e5fc37');
});

test('bytes that change in place get another blob id', () => {
  const bytes = Buffer.from('one');
  const before = blobId(bytes);
  assert.equal(blobId(Buffer.from('one')), before);
  bytes.write('two');
  assert.notEqual(blobId(bytes), before);
});
