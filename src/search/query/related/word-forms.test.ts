import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stem } from '../../../model/text/terms.ts';
import { wordRoot } from './word-forms.ts';

const rootOf = (word: string) => wordRoot(stem(word));

test('verbs share a root with the nouns that are made from them', () => {
  const families = [
    ['evict', 'evicted', 'eviction'],
    ['autodetect', 'autodetected', 'autodetector'],
    ['rewrite', 'rewriting', 'rewritten', 'rewriter'],
    ['expire', 'expiration'],
    ['allocate', 'allocation', 'allocator'],
    ['manage', 'management', 'manager'],
    ['remove', 'removal'],
    ['configure', 'configurable', 'configuration'],
  ];
  for (const family of families) assert.deepEqual(new Set(family.map(rootOf)).size, 1, family.join(' '));
});

test('words that only begin alike have different roots', () => {
  const strangers = [
    ['state', 'statement'],
    ['form', 'format'],
    ['opt', 'option'],
    ['act', 'action'],
    ['ord', 'order'],
    ['us', 'user'],
  ];
  for (const [a, b] of strangers) assert.notEqual(rootOf(a!), rootOf(b!), `${a} ${b}`);
});

test('what is no plain word is its own root', () => {
  for (const term of ['sha256', 'größer', 'tar.gz', '']) assert.equal(wordRoot(term), term);
});
