import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checksum, requireChecksum } from './blob-checksum.ts';

const bytes = Uint8Array.from({ length: 11 }, (_, i) => i * 37);

test('a blob with the checksum of an older schema is still accepted', () => {
  // The checksum that schema 4 stored for these bytes.
  requireChecksum('blob', 3_878_931_425, bytes);
});

test('a changed byte, a missing byte and swapped parts do not match the checksum', () => {
  const sum = checksum(bytes, Uint8Array.of(1, 2));
  requireChecksum('blob', sum, bytes, Uint8Array.of(1, 2));
  for (let i = 0; i < bytes.length; i++) {
    const changed = bytes.slice();
    changed[i]! ^= 1;
    assert.throws(() => requireChecksum('blob', sum, changed, Uint8Array.of(1, 2)), /does not match its checksum/);
  }
  assert.throws(() => requireChecksum('blob', sum, bytes.subarray(1), Uint8Array.of(1, 2)));
  assert.throws(() => requireChecksum('blob', sum, Uint8Array.of(1, 2), bytes));
});
