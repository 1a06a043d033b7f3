import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortText } from './short-text.ts';

test('the text of a history names each commit by its id and day', () => {
  const results = [{ id: 'f3f6f7c0d66f', type: 'lines', date: '2023-01-20T10:00:00.000Z', content: 'Save memory' }];
  const text = shortText({ message: 'Commits of dictAdd (src/dict.c:473-480).', total: 1, results });
  assert.equal(
    text,
    'f3f6f7c0d66f 2023-01-20 lines\nSave memory\nmessage: Commits of dictAdd (src/dict.c:473-480).\ntotal: 1',
  );
});

test('the text of references has their confidences and the number of those not listed', () => {
  const text = shortText({
    results: [{ path: 'query.py', lines: '1-2', name: 'QuerySet.get' }],
    references: [
      { path: 'a.py', line: 3, in: 'load' },
      { path: 'b.py', line: 4, in: 'find', confidence: 'ambiguous' },
    ],
    references_by_confidence: { exact: 4, likely: 0, ambiguous: 9 },
    references_in_tests: { count: 7, first: 'tests/test_a.py:1' },
    more_references: 4,
  });
  assert.deepEqual(text?.split('\n'), [
    'query.py:1-2 QuerySet.get',
    'References (4 exact, 0 likely, 9 ambiguous):',
    'a.py:3 load',
    'b.py:4 find ambiguous',
    '7 more in tests, the first at tests/test_a.py:1',
    '4 more are not listed',
  ]);
});
