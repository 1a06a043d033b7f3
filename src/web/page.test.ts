import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highlight } from '../model/text/highlight.ts';
import { folderEntries } from './api/folder-entries.ts';
import { bestWindow } from './page/code/best-window.ts';
import { formatLines, parseLines } from './page/code/lines.ts';
import { linksByLine } from './page/code/links-by-line.ts';
import { cutLine } from './page/code/segments.ts';
import { markTerms, termsOf } from './page/code/terms.ts';
import { fileAddress, fromHash, to } from './page/data/addresses.ts';
import { fixForPeople } from './page/data/fixes.ts';
import { ago, duration, short } from './page/data/words.ts';

const VIEWS = { '': 1, file: 1, search: 1 };

test('an address leads back to its view and parameters, whatever stands in them', () => {
  const path = '<img src=x>/x&y=#?%20.ts';
  const { view, parameters } = fromHash(fileAddress(path, '10-20'), VIEWS);
  assert.deepEqual([view, parameters.get('path'), parameters.get('lines')], ['file', path, '10-20']);
});

test('an address that names no view leads to the first one, also by names that every object has', () => {
  for (const hash of ['', '#', '#/', '#main', '#/nope', '#/constructor', '#/toString', '#/__proto__', '#/hasOwn?q=1'])
    assert.equal(fromHash(hash, VIEWS).view, '', hash);
});

test('every address carries the project and the ref on, unless it names others', () => {
  const here = '#/file?path=a.ts&ref=v2&project=%2Fcode%2Fshop';
  assert.equal(to('search', { q: 'x' }, here), '#/search?q=x&project=%2Fcode%2Fshop&ref=v2');
  assert.equal(to('search', { q: 'x', ref: '' }, here), '#/search?q=x&project=%2Fcode%2Fshop');
});

test('lines are read and written as addresses have them', () => {
  assert.deepEqual(parseLines('20-10'), { first: 10, last: 20 });
  assert.deepEqual(parseLines('7'), { first: 7, last: 7 });
  assert.equal(parseLines('x'), null);
  assert.equal(formatLines({ first: 7, last: 7 }), '7');
});

test('a line is cut where tokens, identifiers and marks begin and end, and its parts are the line', () => {
  const line = "return price(item, 'two')";
  const [tokens] = highlight(line, 'typescript');
  const segments = cutLine(tokens!, [{ start: 7, end: 12, link: 3 }], [{ start: 10, end: 17 }]);
  assert.equal(segments.map(({ text }) => text).join(''), line);
  assert.deepEqual(
    segments.filter(({ link }) => link === 3).map(({ text, isMarked }) => [text, isMarked]),
    [
      ['pri', false],
      ['ce', true],
    ],
  );
  assert.ok(segments.some(({ text, kind }) => text === "'two'" && kind === 'string'));
});

test('identifiers are found by their line', () => {
  const link = { line: 4, column: 3, length: 5, targets: [0], confidence: 'exact', isDefinition: false } as const;
  const lines = linksByLine({ symbols: [], links: [link, { ...link, column: 10 }, { ...link, line: 9 }] });
  assert.deepEqual(lines.get(4), [
    { start: 2, end: 7, link: 0 },
    { start: 9, end: 14, link: 1 },
  ]);
  assert.equal(lines.get(9)![0]!.link, 2);
});

test('words and parts of names are marked, common words are not, and odd signs are no patterns', () => {
  assert.deepEqual(termsOf('where is the RateLimiter?'), ['ratelimiter', 'limiter', 'rate']);
  const marked = (text: string, query: string) =>
    markTerms(text, termsOf(query)).map(({ start, end }) => text.slice(start, end));
  assert.deepEqual(marked('class RateLimiter { rate() }', 'where is the RateLimiter'), ['RateLimiter', 'rate']);
  assert.deepEqual(marked('Größe', 'größe'), ['Größe']);
  for (const query of ['a.*b', '$price (x', '[[', '\\', '🙂 smile'])
    assert.ok(Array.isArray(marked('$price(x)', query)));
});

test('a long snippet is shown by its beginning, unless another place has clearly more marks', () => {
  assert.equal(bestWindow([1, 0, 0, 0, 1, 0], 3), 0);
  assert.equal(bestWindow([0, 0, 0, 0, 2, 2], 3), 3);
  assert.equal(bestWindow([0, 5], 3), 0);
});

test('a folder lists its folders with what lies below them, then its files', () => {
  const file = (path: string, lines: number) => ({ path, language: 'go', lines, bytes: 1, isTest: false });
  const files = [file('a.go', 5), file('src/b.go', 7), file('src/in/c.go', 11), file('srcx/d.go', 1)];
  assert.deepEqual(
    folderEntries(files, '').map(({ name, lines, files: below }) => [name, lines, below]),
    [
      ['src', 18, 2],
      ['srcx', 1, 1],
      ['a.go', 5, 1],
    ],
  );
  assert.deepEqual(
    folderEntries(files, 'src').map(({ path, isFolder }) => [path, isFolder]),
    [
      ['src/in', true],
      ['src/b.go', false],
    ],
  );
});

test('numbers and times are short', () => {
  assert.deepEqual([999, 1200, 34_538, 2_000_000].map(short), ['999', '1.2k', '35k', '2M']);
  assert.equal(duration(125_000), '2 min 5 s');
  assert.equal(ago(0, 3 * 3600 * 1000), '3 hours ago');
});

test('a fix names commands, not the tools of agents', () => {
  const fix = 'Call index_codebase once, then repeat this call.';
  assert.match(fixForPeople({ code: 'not_indexed', fix }), /^Run `sextant index`/);
  assert.equal(fixForPeople({ code: 'unreachable', fix: 'Is it running?' }), 'Is it running?');
});
