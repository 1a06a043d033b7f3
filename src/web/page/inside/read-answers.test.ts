import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excerptParts, graphOf, neighboursOf, resultsOf } from './read-answers.ts';

test('gaps of a quote are counted in the line numbers after them', () => {
  assert.deepEqual(excerptParts('… 3 lines\na\nb\n… 10 lines\nc\n… 4 more lines', 20), [
    { startLine: 23, content: 'a\nb' },
    { startLine: 35, content: 'c' },
  ]);
  assert.deepEqual(excerptParts('', 1), []);
});

test('answers of tools become results, calls and a graph; missing or malformed fields are dropped', () => {
  const hit = { path: 'a.ts', lines: '3-9', score: 0.7, name: 'Cart.add', kind: 'method', id: 'sym_1', content: 'x' };
  const [first, second] = resultsOf({ results: [hit], also: ['b.py:7 main', 'no place'] });
  assert.deepEqual([first!.startLine, first!.symbolId, first!.language], [3, 'sym_1', 'typescript']);
  assert.deepEqual([second!.path, second!.startLine, second!.name, second!.parts], ['b.py', 7, 'main', []]);
  assert.deepEqual(resultsOf({ results: 'none' }), []);
  assert.equal(neighboursOf({ results: [hit] }), null);
  const site = { path: 'c.ts', line: 4, in: 'fill' };
  const calls = neighboursOf({ results: [hit], detail: { source: '', callers: [site, { ...site, line: 5 }] } })!;
  assert.deepEqual(
    calls.callers.map(({ symbol, count }) => [symbol?.name, count]),
    [['fill', 2]],
  );
  const edges = [
    { from: 'main', to: 'fill', kind: 'calls', at: 'm.ts:1' },
    { from: 'fill', to: 'add', kind: 'calls', at: 'c.ts:4', confidence: 'likely' },
  ];
  const { nodes } = graphOf({ question: 'callers', edges });
  assert.deepEqual(
    nodes.map(({ id, hop }) => [id, hop]),
    [
      ['add', 0],
      ['fill', 1],
      ['main', 2],
    ],
  );
  assert.deepEqual(graphOf({}).nodes, []);
});
