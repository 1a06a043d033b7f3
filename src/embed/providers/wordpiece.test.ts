import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWordPiece, type WordPieceModel, wordPieces } from './wordpiece.ts';

const words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'parse', '##r', '##file', 'the', 'cafe', '.', '界', '(', ')'];
const vocab = Object.fromEntries(words.map((word, id) => [word, id]));
const file = (model: object, normalizer: object = { lowercase: true }) => JSON.stringify({ model, normalizer });
const read = (json: string) => {
  const model = readWordPiece(json);
  assert.notEqual(typeof model, 'string', String(model));
  return model as WordPieceModel;
};

test('words are split into longest pieces, and punctuation and ideographs are pieces of their own', () => {
  const model = read(file({ type: 'WordPiece', vocab, continuing_subword_prefix: '##' }));
  const pieces = (text: string, limit = 32) => wordPieces(model, text, limit).map((id) => words[id]);
  assert.deepEqual(pieces('The parser'), ['[CLS]', 'the', 'parse', '##r', '[SEP]']);
  assert.deepEqual(pieces('parseFile()'), ['[CLS]', 'parse', '##file', '(', ')', '[SEP]']);
  assert.deepEqual(pieces('Café.'), ['[CLS]', 'cafe', '.', '[SEP]']);
  assert.deepEqual(pieces('世界'), ['[CLS]', '[UNK]', '界', '[SEP]']);
  assert.deepEqual(pieces('parsex the'), ['[CLS]', '[UNK]', 'the', '[SEP]']);
  assert.deepEqual(pieces('constructor toString'), ['[CLS]', '[UNK]', '[UNK]', '[SEP]'], 'names that every object has');
  assert.deepEqual(pieces('the the the the', 4), ['[CLS]', 'the', 'the', '[SEP]']);
});

test('a cased model keeps case and accents', () => {
  const model = read(file({ vocab, continuing_subword_prefix: '##' }, { lowercase: false }));
  assert.deepEqual(wordPieces(model, 'The the', 9), [2, 1, 7, 3]);
});

test('other tokenisers are refused by name', () => {
  assert.match(String(readWordPiece(file({ type: 'BPE', vocab }))), /BPE/);
  assert.match(String(readWordPiece('{')), /not JSON/);
  assert.match(String(readWordPiece(file({ type: 'WordPiece', vocab: { a: 1 } }))), /\[CLS\]/);
});
