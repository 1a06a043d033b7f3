import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchText, wordPairs } from './match-text.ts';

const words = ['evict', 'key', 'memori'].map((term) => ({ term, share: 1 / 3, isRelated: false, forms: [] }));

test('pairs are neighbouring words of the question, ignoring stop words', () => {
  assert.deepEqual(wordPairs('evict the keys when memory is full', words), [
    [0, 1],
    [1, 2],
  ]);
  assert.deepEqual(wordPairs('evict whole keys', words), []);
});

test('words in one identifier count as nearer than words in one line or far apart', () => {
  const pairs = wordPairs('evict keys', words);
  const match = (text: string) => matchText(text, words, pairs);
  assert.deepEqual([match('evictKeys()').pairsInName, match('evictKeys()').pairsNear], [1, 1]);
  assert.deepEqual([match('evict(key)').pairsInName, match('evict(key)').pairsNear], [0, 1]);
  assert.equal(match(`evict(${' '.repeat(100)}key)`).pairsNear, 0);
});

test('a repeated word raises the word score but not the coverage', () => {
  const once = matchText('evict();', words, []);
  const often = matchText('evict(); evict(); evict();', words, []);
  assert.ok(often.words > once.words);
  assert.equal(often.coverage, once.coverage);
  assert.ok(Math.abs(once.coverage - 1 / 3) < 1e-9);
});
