import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EdgeTable } from './edges.ts';
import { type JudgedSite, labelledSites, parseSites, readLabels } from './judged-sites.ts';
import { document, type Figures, type Row, table } from './report.ts';
import { judge, score } from './score.ts';

const labels = join(dirname(fileURLToPath(import.meta.url)), 'labels');

const SITES: readonly JudgedSite[] = parseSites(
  [
    'a.ts\t1\t5\tf\t1\tfunction\tb.ts:1',
    'a.ts\t2\t5\tg\t2\tfunction\tb.ts:9|b.ts:10',
    'a.ts\t3\t5\tlog\t3\tfunction\t-',
    'a.ts\t4\t9\tcallback\t4\tvalue\ta.ts:1',
    'a.ts\t5\t1\th\t5\tfunction\tb.ts:20',
    'a.ts\t5\t9\th\t5\tfunction\tb.ts:30',
  ].join('\n'),
);

function edges(...made: [line: number, column: number, name: string, confidence: string, ...targets: string[]][]) {
  const all = new EdgeTable();
  all.addFile('a.ts');
  for (const [line, column, name, confidence, ...targets] of made) {
    const decided = confidence !== 'ambiguous';
    all.add('a.ts', { name, line, column, sure: confidence === 'exact', decided, targets });
  }
  return all;
}

test('a wrong exact edge costs precision, also where the call leads outside or to a variable', () => {
  const found = edges(
    [1, 5, 'f', 'exact', 'b.ts:1'],
    [3, 5, 'log', 'exact', 'b.ts:40'],
    [4, 9, 'callback', 'exact', 'b.ts:50'],
  );
  const { sure, sureRight } = score(judge(SITES, found, { anyOnLine: false }));
  assert.deepEqual([sure, sureRight], [3, 1]);
});

test('recall counts calls of the tree: one right target alone, exact or likely', () => {
  const found = edges(
    [1, 5, 'f', 'likely', 'b.ts:1'],
    [2, 5, 'g', 'ambiguous', 'b.ts:10', 'c.ts:1'],
    [5, 1, 'h', 'exact', 'b.ts:20'],
    [5, 9, 'h', 'exact', 'b.ts:20'],
  );
  const result = score(judge(SITES, found, { anyOnLine: false }));
  assert.equal(result.resolvable, 4);
  assert.equal(result.found, 2, 'f and the first h');
  assert.equal(result.foundSurely, 1);
  assert.equal(result.foundAmong, 3, 'g is among its candidates');
});

test('an edge without a column is right if any edge of its line is', () => {
  const found = edges([5, 1, 'h', 'exact', 'b.ts:30'], [5, 1, 'h', 'exact', 'b.ts:20']);
  assert.equal(score(judge(SITES, found, { anyOnLine: true })).found, 2);
});

test('the page keeps the rows of languages that a run left out', () => {
  const ours = score(judge(SITES, edges(), { anyOnLine: false }));
  const row = (title: string, calls: number): Row => ({
    title,
    by: 'labels',
    trees: [`x/${title} 1`],
    ours: { ...ours, judged: calls },
    theirs: null,
    common: ours,
    claims: 0,
    falseClaims: 0,
  });
  const only = (...rows: Row[]): Figures => ({ rows, implementers: [], questions: [] });
  const first = document(only(row('Zig', 20), row('Go', 10)), '1.0', '', ['Go', 'Zig']);
  const second = document(only(row('Zig', 30)), '1.0', first, ['Go', 'Zig']);
  assert.ok(second.includes(table(only(row('Go', 10))).split('\n')[2]!), 'Go stays as it was');
  assert.ok(second.indexOf('| Go |') < second.indexOf('| Zig |'), 'in the order that was asked for');
  assert.ok(second.includes('| Zig | labels | 30 |'), 'Zig is new');
  assert.ok(!second.includes('| Zig | labels | 20 |'), 'and there once');
  const third = document(only(row('Zig', 40)), '1.0', `${second}\n## Ids\n\nText.\n`, ['Go', 'Zig']);
  assert.ok(third.includes('| Zig | labels | 40 |') && third.endsWith('|\n\n## Ids\n\nText.\n'), third);
});

test('the page keeps codegraph’s figures where it was not run and the judged calls are the same', () => {
  const ours = score(judge(SITES, edges(), { anyOnLine: false }));
  const row = (judged: number, theirs: Row['theirs']): Figures => ({
    rows: [
      { title: 'Go', by: 'go', trees: [], ours: { ...ours, judged }, theirs, common: ours, claims: 0, falseClaims: 0 },
    ],
    implementers: [],
    questions: [],
  });
  const peer = { ...ours, decided: 10, decidedRight: 9, sure: 8, sureRight: 8, found: 1 };
  const lineOf = (page: string) => page.split('\n').find((text) => text.startsWith('| Go |'))!;
  const first = document(row(10, peer), '1.0', '', ['Go']);
  assert.match(lineOf(first), /\| 90\.0 % \| 100\.0 % \| \d+\.\d % \|$/);
  assert.equal(lineOf(document(row(10, null), '1.0', first, ['Go'])), lineOf(first));
  assert.match(lineOf(document(row(11, null), '1.0', first, ['Go'])), /\| – \| – \| – \|$/, 'other calls');
});

test('every labelled language has at least twenty calls with valid places', () => {
  for (const file of readdirSync(labels).filter((name) => name.endsWith('.json'))) {
    const sets = readLabels(labels, file.replace(/\.json$/, ''));
    const sites = sets.flatMap(labelledSites);
    assert.ok(sites.length >= 20, `${file}: ${sites.length} calls`);
    for (const { commit, repository } of sets) {
      assert.match(commit, /^[0-9a-f]{40}$/, file);
      assert.match(repository, /^[\w.-]+\/[\w.-]+$/, file);
    }
    for (const { path, targets } of sites)
      for (const target of targets) assert.match(target, /^.+:\d+$/, `${file}: ${path}`);
    const keys = sites.map(({ path, line, column, name }) => `${path}:${line}:${column}:${name}`);
    assert.equal(new Set(keys).size, keys.length, `${file}: a call twice`);
  }
});
