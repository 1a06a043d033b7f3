import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLooseJson } from './loose-json.ts';

test('loose JSON may have comments, trailing commas and a byte order mark', () => {
  const text = '\uFEFF{ // one\n "a": [1, 2, ], /* two */ "b": { "c": "// no comment", }, }\n';
  assert.deepEqual(parseLooseJson(text), { a: [1, 2], b: { c: '// no comment' } });
});

test('loose JSON that is no object, broken or nested too deeply is null', () => {
  for (const text of [
    '',
    '[]',
    '3',
    '{ "a": ',
    '{ a: 1 }',
    '{ /* ',
    '['.repeat(200_000),
    `{"a":${'['.repeat(200_000)}`,
  ])
    assert.equal(parseLooseJson(text), null, text.slice(0, 20));
});

test('160 KB of brackets and a comment are read: the earlier reader copied the text at each bracket', () => {
  const many = Array.from({ length: 40_000 }, () => '[],').join('');
  assert.deepEqual(Object.keys(parseLooseJson(`{ // comment\n "a": [${many}] }`) ?? {}), ['a']);
});
