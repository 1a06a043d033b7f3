import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excerpt } from './excerpt.ts';
import { queryTerms } from './query-matches.ts';
import { chooseDetail, quotedLines } from './result-list.ts';

const body = (count: number, at: number, line: string) =>
  Array.from({ length: count }, (_, i) => (i === at ? line : `  step${i}();`));

test('an excerpt has the lines with the most matches and the declaration', () => {
  const text = ['/** Runs. */', 'function run() {', ...body(40, 30, '  evictOldestKeys(memory);'), '}'].join('\n');
  const shown = excerpt(text, { terms: queryTerms('evict keys when memory is full'), maxLines: 5, name: 'run' });
  assert.deepEqual(shown.split('\n').slice(0, 3), ['/** Runs. */', 'function run() {', '… 27 lines']);
  assert.match(shown, /evictOldestKeys\(memory\)/);
  assert.match(shown, /\n… \d+ more lines$/);
  assert.ok(shown.split('\n').length <= 9);
});

test('a text that is hardly longer than its excerpt is returned whole, and long lines are cut', () => {
  assert.equal(excerpt('a\nb\nc', { terms: new Set(), maxLines: 1 }), 'a\nb\nc');
  const long = excerpt(`var a = "${'x'.repeat(500)}";`, { terms: new Set(), maxLines: 3 });
  assert.match(long, /… 311 more characters$/);
});

test('an excerpt without a match shows the beginning', () => {
  const text = body(30, -1, '').join('\n');
  assert.equal(excerpt(text, { terms: new Set(['zebra']), maxLines: 2 }), '  step0();\n  step1();\n… 28 more lines');
});

test('the best results are quoted, further ones are listed in a line, and the rest is left out', () => {
  assert.deepEqual(chooseDetail([0.9, 0.3, 0.12, 0.05]), ['quoted', 'listed', 'listed', 'left out']);
  assert.deepEqual(chooseDetail([0.6, 0.5, 0.4, 0.35]), ['quoted', 'quoted', 'quoted', 'listed']);
  assert.deepEqual(chooseDetail([0.9, 0.01, 0.001]), ['quoted', 'left out', 'left out']);
  assert.deepEqual(chooseDetail([0.9, 0.01, 0.001], true), ['quoted', 'listed', 'listed']);
  assert.deepEqual(chooseDetail([]), []);
  assert.ok(quotedLines(0, 1) > quotedLines(0, 2) && quotedLines(0, 2) > quotedLines(1, 2));
});
