import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Hit, SearchAnswer } from '../../model/records/query.ts';
import { matchRanges, queryTerms } from '../../model/text/query-matches.ts';
import type { Screen } from '../running/command-session.ts';
import { renderHits } from './hits.ts';
import { Pace, progressText, showProgress } from './progress-bar.ts';
import { renderSnippet } from './snippet.ts';
import { makeStyle, wantsColor } from './style.ts';
import { alignRows, cellWidth, clip, clipStart, printable, printableLine } from './terminal-text.ts';
import { bytes, count, duration, plural } from './units.ts';

const plain = makeStyle(false);
const colored = makeStyle(true);

function recorder(isTerminal: boolean, width = 80): Screen & { readonly written: string[] } {
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  const columns = Math.max(40, width);
  const cutAt = isTerminal ? columns : Number.POSITIVE_INFINITY;
  return { written, write, isTerminal, rewrites: isTerminal, columns, cutAt, width, style: plain };
}

test('text from a repository cannot control the terminal', () => {
  assert.equal(printableLine('a\u001b[2Jb\nc\rd\u202ee'), 'a<U+001B>[2Jb\\nc<U+000D>d<U+202E>e');
  assert.equal(printable('x\r\n\ty'), 'x\n    y');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.doesNotMatch(printable(text), /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    }),
  );
});

test('text is cut by cells, not by characters', () => {
  assert.equal(clip('abcdef', 4), 'abc…');
  assert.equal(clip('日本語', 4), '日…');
  assert.equal(clipStart('src/a/b.ts', 6), '…/b.ts');
  assert.equal(cellWidth(colored.red('日a')), 3);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, width) => {
      assert.ok(cellWidth(clip(text, width)) <= width);
    }),
  );
});

test('columns are aligned whatever their colours', () => {
  assert.deepEqual(
    alignRows([
      [colored.red('a'), 'x'],
      ['bbb', 'y'],
    ]).map((line) => cellWidth(line)),
    [6, 6],
  );
  assert.deepEqual(
    alignRows(
      [
        ['a', '1'],
        ['b', '22'],
      ],
      [1],
    ),
    ['a   1', 'b  22'],
  );
});

test('matched words are found by the rules of the index', () => {
  const found = (line: string, query: string) =>
    matchRanges(line, queryTerms(query)).map((r) => line.slice(r.start, r.end));
  assert.deepEqual(found('const cachedTokens = parseTokens(x)', 'the token caches'), ['cached', 'Tokens', 'Tokens']);
  assert.deepEqual(found('parse_file(parseFile)', 'parseFile'), ['parse_file', 'parseFile']);
  assert.deepEqual(found('how it is', 'how is the thing done'), []);
});

test('a snippet shows the lines that match, numbered, within the width', () => {
  const code = Array.from({ length: 30 }, (_, i) =>
    i === 20 || i === 22 || i === 23 ? `  needle(${i})` : `  line ${i}`,
  ).join('\n');
  const options = { language: 'go', startLine: 101, terms: queryTerms('needle'), columns: 60, indent: '  ' };
  const lines = renderSnippet(code, { ...options, maxLines: 5, style: plain });
  assert.equal(lines.filter((line) => line.includes('needle')).length, 3);
  assert.match(lines.at(-1)!, /25 more lines/);
  const wide = renderSnippet('x'.repeat(500), { ...options, maxLines: 5, style: colored });
  assert.ok(wide.every((line) => cellWidth(line) <= 60));
  assert.deepEqual(renderSnippet(code, { ...options, maxLines: 0, style: plain }), []);
});

test('likely results are quoted, others take a line, the rest is counted', () => {
  const hit = (path: string, score: number) =>
    ({
      path,
      score,
      startLine: 1,
      endLine: 2,
      title: path,
      content: `code of ${path}`,
      symbolNames: [],
    }) as unknown as Hit;
  const answer = {
    hits: [hit('a.ts', 0.9), hit('b.ts', 0.2), hit('c.ts', 0.01)],
    intent: 'natural_language',
    mode: 'hybrid',
    durationMs: 1,
    notices: [],
    freshness: { status: 'fresh', pending: [] },
  } as unknown as SearchAnswer;
  const view = { query: 'code', snippetLines: 3, isWhole: false, quotesAll: false };
  const screen = recorder(false);
  const short = renderHits(answer, view, screen).join('\n');
  assert.match(
    short,
    /a\.ts:1-2.*0\.90\n.*code of a\.ts\n\n2 {2}b\.ts:1-2.*0\.20\n\n2 results .*--limit 3 lists 1 weaker$/,
  );
  assert.match(
    renderHits(answer, { ...view, isWhole: true }, screen).join('\n'),
    /c\.ts:1-2.*0\.01\n\n3 results [^-]*$/,
  );
  assert.match(renderHits(answer, { ...view, quotesAll: true }, screen).join('\n'), /code of c\.ts/);
});

test('progress is one line per phase in a pipe and one rewritten line on a terminal', () => {
  const piped = recorder(false);
  const line = showProgress(piped, false);
  for (const done of [0, 1, 2]) line.update({ phase: 'walk', done, total: 0, lines: 0, currentFile: null });
  for (const done of [0, 1, 2]) line.update({ phase: 'parse', done, total: 2, lines: 9, currentFile: 'a.ts' });
  line.end();
  assert.deepEqual(piped.written, ['Finding files …\n', 'Reading code of 2 files …\n']);
  const quiet = recorder(true);
  showProgress(quiet, true).update({ phase: 'walk', done: 1, total: 0, lines: 0, currentFile: null });
  assert.deepEqual(quiet.written, []);
});

test('the live line shows share, speed and time left within the width', () => {
  const progress = {
    phase: 'parse',
    done: 50,
    total: 200,
    lines: 10_000,
    currentFile: 'src/日本/very/deep/file\u001b[0m.ts',
  } as const;
  const pace = { leftMs: 6000, linesPerSecond: 5000 };
  const text = progressText(progress, pace, recorder(true, 120));
  assert.match(text, /25 % of 200 files · 5,000 lines\/s · 6\.0 s left/);
  for (const columns of [10, 30, 40, 60, 80, 120]) {
    const line = progressText(progress, pace, recorder(true, columns));
    assert.ok(cellWidth(line) < columns, `${columns}: ${line}`);
    assert.doesNotMatch(line, /\u001b\[0m/);
  }
});

test('the bar, the percentage and the time left use the same measure', () => {
  const progress = { phase: 'parse', done: 10, total: 200, share: 0.5, lines: 0, currentFile: null } as const;
  const text = progressText(progress, { leftMs: 4000, linesPerSecond: null }, recorder(true, 120));
  assert.match(text, / 50 % of 200 files · 4\.0 s left/);
  assert.doesNotMatch(text, /10\/200/);
  // Without colours, too, a half is told from a whole.
  assert.match(text, /Reading code ━{12}─{12} /);
});

test('the time left is shown once it is known, and leaves out the wait for the first file', () => {
  const at = (share: number) => ({ phase: 'parse', done: 1, total: 9, share, lines: 0, currentFile: null }) as const;
  const pace = new Pace(at(0), 0);
  pace.add(at(0), 0);
  // Two minutes of work: a slow start, then 1 % in 1.2 s.
  pace.add(at(0.0002), 1400);
  assert.equal(pace.leftMs, null);
  for (let percent = 1; percent < 100; percent++) {
    const now = 1400 + percent * 1200;
    pace.add(at(percent / 100), now);
    if (percent <= 5) assert.equal(pace.leftMs, null, `${percent} %`);
    else assert.ok(Math.abs(pace.leftMs! - (100 - percent) * 1200) < 3000, `${percent} %: ${pace.leftMs}`);
  }
});

test('a terminal that cannot rewrite lines gets plain lines', () => {
  const dumb = { ...recorder(true), rewrites: false };
  const line = showProgress(dumb, false);
  line.update({ phase: 'walk', done: 0, total: 0, lines: 0, currentFile: null });
  line.end();
  assert.deepEqual(dumb.written, ['Finding files …\n']);
});

test('colour is decided by the flag, then FORCE_COLOR, then NO_COLOR, then the terminal', () => {
  assert.equal(wantsColor(undefined, {}, true), true);
  assert.equal(wantsColor(undefined, {}, false), false);
  assert.equal(wantsColor(undefined, { NO_COLOR: '1' }, true), false);
  assert.equal(wantsColor(undefined, { NO_COLOR: '' }, true), true);
  assert.equal(wantsColor(undefined, { FORCE_COLOR: '1', NO_COLOR: '1' }, false), true);
  assert.equal(wantsColor(undefined, { FORCE_COLOR: '0' }, true), false);
  assert.equal(wantsColor(false, { FORCE_COLOR: '1' }, true), false);
  assert.equal(wantsColor(undefined, { TERM: 'dumb' }, true), false);
});

test('counts, sizes and durations are short and have their unit', () => {
  assert.deepEqual([0, 999, 1000, 1234567].map(count), ['0', '999', '1,000', '1,234,567']);
  assert.deepEqual([plural(1, 'file'), plural(2, 'match', 'matches')], ['1 file', '2 matches']);
  assert.deepEqual([512, 2048, 5 * 1024 * 1024, 3 * 1024 ** 4].map(bytes), ['512 B', '2.0 KB', '5.0 MB', '3072 GB']);
  assert.deepEqual([0.2, 12.4, 1500, 61_000, 200_000, 7_300_000].map(duration), [
    '<1 ms',
    '12 ms',
    '1.5 s',
    '61 s',
    '3 min 20 s',
    '2 h 1 min',
  ]);
});
