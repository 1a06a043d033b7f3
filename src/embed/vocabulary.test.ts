import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Vocabulary } from './vocabulary.ts';

test('finds every word and nothing else, in any script', () => {
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
