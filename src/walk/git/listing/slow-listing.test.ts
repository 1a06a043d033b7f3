import assert from 'node:assert/strict';
import { test } from 'node:test';
import { list, makeRepository } from '../../temp-tree.fixture.ts';

test('a folder whose ignore rules would take git hours is listed without git, by the same rules', async (t) => {
  const deep = 'a/'.repeat(45);
  const tree = makeRepository(t, {
    '.gitignore': `${'**/a/'.repeat(12)}b\n*.log\n`,
    'main.py': 'def main(): pass\n',
    'main.log': 'ignored\n',
    [`${deep}x.py`]: 'x = 1\n',
  });
  assert.deepEqual(await list(tree.root), ['.gitignore', `${deep}x.py`, 'main.py']);
});
