import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GrepMatch } from '../model/records/query.ts';
import { bestLines, textPattern, wordsPattern } from './api/found-lines.ts';
import { lineResults } from './page/parts/answers/line-results.ts';
import { outlineDepths } from './page/parts/reading/outline-depths.ts';

function match(path: string, line: number, text: string, before: string[] = [], after: string[] = []): GrepMatch {
  return { path, line, column: 1, text, before, after };
}

test('text is searched literally, and text between slashes as a regular expression', () => {
  assert.deepEqual(textPattern('a.b(c)'), { pattern: 'a.b(c)', literal: true, caseSensitive: 'smart' });
  assert.deepEqual(textPattern('/get_\\w+/'), { pattern: 'get_\\w+', literal: false, caseSensitive: 'smart' });
  for (const text of ['/', '//', '/usr/bin', 'bin/']) assert.equal(textPattern(text).literal, true, text);
  assert.equal(wordsPattern(['a.b', 'c']).pattern, 'a\\.b|c');
});

test('files with most of the words come first, each with its best lines in order', () => {
  const lines = [
    match('a.go', 1, 'route one'),
    match('a.go', 2, 'route two'),
    match('b.go', 5, 'the route'),
    match('b.go', 9, 'a matched route'),
    ...Array.from({ length: 9 }, (_, i) => match('c.go', i + 1, 'matched')),
    match('c.go', 10, 'matched route'),
    match('route/matched.go', 3, 'matched'),
  ];
  const best = bestLines(lines, ['route', 'matched'], 100);
  assert.deepEqual(
    best.map(({ path, line }) => `${path}:${line}`),
    [
      ...['b.go:5', 'b.go:9'],
      ...['c.go:1', 'c.go:2', 'c.go:3', 'c.go:4', 'c.go:10'],
      ...['route/matched.go:3', 'a.go:1', 'a.go:2'],
    ],
  );
  assert.equal(bestLines(lines, ['route'], 3).length, 3);
});

test('matches whose context lines touch are one result, with each line once', () => {
  const results = lineResults([
    match('a.py', 3, 'three', ['one', 'two'], ['four', 'five']),
    match('a.py', 5, 'five', ['three', 'four'], ['six', 'seven']),
    match('a.py', 8, 'eight', [], ['nine']),
    match('a.py', 20, 'twenty'),
    match('b.py', 21, 'of another file'),
  ]);
  assert.deepEqual(
    results.map(({ path, parts: [part], pointed, endLine }) => [
      path,
      part!.startLine,
      part!.content,
      pointed,
      endLine,
    ]),
    [
      ['a.py', 1, 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine', [3, 5, 8], 8],
      ['a.py', 20, 'twenty', [20], 20],
      ['b.py', 21, 'of another file', [21], 21],
    ],
  );
});

test('the outline indents nested symbols, but no method outside of its type', () => {
  const lines = (...pairs: [number, number][]) => pairs.map(([startLine, endLine]) => ({ startLine, endLine }));
  // A class with two methods, one with a function inside; a function; a method of Go's kind.
  assert.deepEqual(outlineDepths(lines([1, 20], [2, 9], [4, 6], [11, 19], [22, 30], [32, 40])), [0, 1, 2, 1, 0, 0]);
  assert.deepEqual(outlineDepths([]), []);
});
