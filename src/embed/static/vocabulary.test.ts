import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeTable, Vocabulary } from './vocabulary.ts';
import { loadWordTable, writeWordTable } from './word-table.ts';

test('the vocabulary finds every word in any script, and no other word', () => {
  const word = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !text.includes('\n'));
  fc.assert(
    fc.property(fc.uniqueArray(word), fc.array(word), (words, others) => {
      const vocabulary = new Vocabulary(Buffer.from(words.join('\n')), words.length);
      words.forEach((text, row) => {
        assert.equal(vocabulary.rowOf(text), row);
        assert.equal(vocabulary.word(row), text);
      });
      for (const other of others) assert.equal(vocabulary.rowOf(other), words.indexOf(other));
    }),
  );
});

test('a stored word table equals a computed one, and is ignored for another model', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-words-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const words = ['one', 'two', 'drei', 'четыре'];
  const bytes = Buffer.from(words.join('\n'));
  const header = { id: 'a-model', words: words.length, sections: { vocabulary: 3, end: 3 + bytes.length } };
  writeFileSync(join(folder, 'static.json'), JSON.stringify(header));
  writeFileSync(join(folder, 'static.bin'), Buffer.concat([Buffer.alloc(3), bytes]));
  assert.equal(loadWordTable(folder, header), null, 'there is none yet');
  writeWordTable(folder);
  const table = loadWordTable(folder, header);
  assert.deepEqual(table, makeTable(bytes, words.length));
  const vocabulary = new Vocabulary(bytes, words.length, table!);
  assert.deepEqual(
    words.map((word) => vocabulary.rowOf(word)),
    [0, 1, 2, 3],
  );
  assert.equal(loadWordTable(folder, { ...header, id: 'b-model' }), null, 'of another model');
  assert.equal(loadWordTable(folder, { ...header, words: 40 }), null, 'of another size');
});
