import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WalkedFile } from '../../model/records/source-file.ts';
import { batchesOf } from './batches.ts';

test('batchesOf puts the language with the most bytes first, and its large files before its small ones', () => {
  const sizes = { 'a.css': 300, 'b.py': 200, 'c.py': 100, 'd.py': 200, 'e.md': 300, Makefile: 10 };
  const walked = new Map(Object.entries(sizes).map(([path, size]) => [path, { path, size } as WalkedFile]));
  const jobs = Object.keys(sizes).map((path) => ({ path, root: '/', gitBlob: null, flags: 0 }));
  const order = ['b.py', 'd.py', 'c.py', 'a.css', 'e.md', 'Makefile'];
  for (const listed of [jobs, [...jobs].reverse()])
    assert.deepEqual(
      batchesOf(listed, walked).flatMap((batch) => batch.map(({ path }) => path)),
      order,
    );
});
