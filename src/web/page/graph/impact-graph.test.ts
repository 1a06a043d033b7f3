import assert from 'node:assert/strict';
import { test } from 'node:test';
import { impactSubject } from '../data/impact-subject.ts';
import { impactGraph } from './impact-graph.ts';

test('ranges of commits are told from symbols, files and lines', () => {
  for (const diff of ['main..HEAD', 'a...b', 'HEAD', 'HEAD~3', 'HEAD^', 'abc123^!', 'v1..'])
    assert.deepEqual(impactSubject(diff), { diff });
  for (const target of ['Cart.add', 'src/cart.ts', 'src/cart.ts:3-9', 'Header'])
    assert.deepEqual(impactSubject(` ${target} `), { target });
  assert.deepEqual(impactSubject('  '), {});
});

test('the impact of a change is drawn with its users to the left, and their users further left', () => {
  const symbol = { symbolId: 's1', name: 'Cart.add', kind: 'method', path: 'cart.ts', line: 4, isTest: false } as const;
  const place = {
    path: 'a.ts',
    line: 9,
    confidence: 'exact',
    symbolId: 's2',
    from: 'fill',
    uses: 'add',
    hop: 1,
  } as const;
  const further = { ...place, symbolId: 's3', from: 'main', uses: 'fill', hop: 2, confidence: 'likely' } as const;
  const unknown = { ...place, symbolId: 's4', from: 'other', confidence: 'unresolved' } as const;
  const counts = { exact: 1, likely: 1, ambiguous: 0, unresolved: 1 };
  const modules = [{ module: 'a', ...counts, places: [further, place, unknown] }];
  const graph = impactGraph({ symbols: [{ ...symbol, change: 'changed' }], modules })!;
  assert.deepEqual(
    graph.nodes.map(({ label, column }) => [label, column]),
    [
      ['Cart.add', 0],
      ['fill', -1],
      ['main', -2],
    ],
  );
  assert.deepEqual(
    graph.edges.map(({ from, to, confidence }) => [from, to, confidence]),
    [
      ['s2', 's1', 'exact'],
      ['s3', 's2', 'likely'],
    ],
  );
  assert.equal(impactGraph({ symbols: [], modules: [] }), null);
});
