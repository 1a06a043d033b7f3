import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoChangeHistory, findCompanions } from './companions.ts';

const COMMITS = [
  ['core/src/Store.java', 'core/test/StoreTest.java'],
  ['src/Store.java', 'test/StoreTest.java', 'test/util.java'],
  ['src/Store.java', 'test/StoreTest.java'],
];

test('moved files keep their history if their names are unique', () => {
  const tree = ['core/src/Store.java', 'core/test/StoreTest.java', 'a/util.java', 'b/util.java'];
  const together = new CoChangeHistory(COMMITS, tree).with('core/src/Store.java');
  assert.deepEqual(Object.fromEntries(together), {
    'core/test/StoreTest.java': { together: 3, commits: 3 },
    'test/util.java': { together: 1, commits: 3 },
  });
});

test('an existing file is not taken for a moved file of the same name', () => {
  const tree = ['core/src/Store.java', 'src/Store.java', 'test/StoreTest.java'];
  const together = new CoChangeHistory(COMMITS, tree).with('core/src/Store.java');
  assert.deepEqual(Object.fromEntries(together), { 'test/StoreTest.java': { together: 1, commits: 1 } });
});

test('companions are named by their current paths', () => {
  const tree = ['core/src/Store.java', 'core/test/StoreTest.java'];
  const companions = findCompanions(new CoChangeHistory(COMMITS, tree), ['core/src/Store.java'], (path) =>
    tree.includes(path),
  );
  assert.deepEqual(companions, [
    { path: 'core/test/StoreTest.java', together: 3, commits: 3, with: 'core/src/Store.java' },
  ]);
});
