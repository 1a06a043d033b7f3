import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLineStarts, LinedText } from './lined-text.ts';

const lined = (bytes: Buffer) => new LinedText(bytes.toString('utf8'), bytes);

test('LinedText finds the start of each line in bytes and in characters', () => {
  const source = lined(Buffer.from('one\n\ntwo é\n€uro\r\n😀 last'));
  assert.deepEqual([...source.byteStarts], [0, 4, 5, 12, 20]);
  assert.deepEqual([...source.textStarts], [0, 4, 5, 11, 17]);
  assert.deepEqual([...lined(Buffer.from('')).textStarts], [0]);
  assert.deepEqual([...lined(Buffer.from('a\n')).textStarts], [0, 2]);
});

test('byte starts and text starts are equal for text of one byte per character, also with invalid bytes', () => {
  for (const bytes of [Buffer.from('a\nb\n\nc'), Buffer.from([0x61, 0xff, 10, 0xfe, 0x62, 10, 10])]) {
    const source = lined(bytes);
    assert.equal(source.text.length, bytes.length);
    assert.deepEqual(source.textStarts, findLineStarts(source.text));
  }
});

test('LinedText finds all lines of a long content after short ones', () => {
  const source = lined(Buffer.from('x\n'.repeat(10_000)));
  assert.equal(source.byteStarts.length, 10_001);
  assert.equal(source.byteStarts[10_000], 20_000);
});
