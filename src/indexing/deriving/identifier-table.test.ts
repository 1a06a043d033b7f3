import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { forEachIdentifier } from '../../model/text/terms.ts';
import { IdentifierTable } from './identifier-table.ts';

test('the identifier table finds the same identifiers as forEachIdentifier in any text', () => {
  const table = new IdentifierTable();
  const word = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('parseFile', 'a_b', '日本語', 'naïve', '$x1', ' ', '\n', '𝒳y'),
  );
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const text = words.join('');
      const expected: string[] = [];
      forEachIdentifier(text, (identifier) => expected.push(identifier));
      const count = table.scan(text, 0, text.length);
      assert.deepEqual(
        Array.from(table.found.subarray(0, count), (entry) => table.name(entry)),
        expected,
      );
    }),
  );
});

test('scanBytes returns the same entries as scan, or -1 if a byte is not ASCII', () => {
  const table = new IdentifierTable();
  const word = fc.constantFrom(
    'parseFile',
    'a_b',
    '$x1',
    'x',
    'parse',
    ' ',
    '\n',
    '(',
    '.',
    'naïve',
    '日本語',
    '\u0000',
  );
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const text = words.join('');
      const bytes = Buffer.from(text);
      const fromText = [...table.found.subarray(0, table.scan(text, 0, text.length))];
      const count = table.scanBytes(bytes, 0, bytes.length);
      if (bytes.length !== text.length) assert.equal(count, -1);
      else assert.deepEqual([...table.found.subarray(0, count)], fromText);
    }),
  );
});

test('entries of the identifier table stay distinct while the table grows', () => {
  const table = new IdentifierTable();
  const names = Array.from({ length: 40_000 }, (_, i) => `name${i}`);
  const text = names.join(' ');
  const count = table.scan(text, 0, text.length);
  assert.equal(count, names.length);
  assert.equal(table.size, names.length);
  assert.equal(table.scan('name39999', 0, 9), 1);
  assert.equal(table.name(table.found[0]!), 'name39999');
  assert.equal(table.scanBytes(Buffer.from(text), 0, text.length), names.length);
  assert.equal(table.size, names.length);
});
