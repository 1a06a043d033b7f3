import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredDetail, TreeView } from '../store.ts';
import { packText } from './packed-text.ts';
import { RecentContents } from './recent-contents.ts';

const tree = (ref: string, ...rows: number[]) =>
  ({ info: { root: '/project', ref }, contentOf: Int32Array.from(rows) }) as unknown as TreeView;

/** The contents that the cache has to read again. */
function readAgain(shown: RecentContents, rows: readonly number[]): number[] {
  const read: number[] = [];
  for (const row of rows) {
    shown.detail(row, () => {
      read.push(row);
      return {} as StoredDetail;
    });
    shown.lines(row, 1, 1, () => {
      read.push(-row);
      return packText(Buffer.from(`text of ${row}\n`));
    });
  }
  return read;
}

test('a content is cached until its tree is opened without it', () => {
  const shown = new RecentContents();
  shown.dropReplaced(tree('live', 1, 2, 3));
  assert.deepEqual(readAgain(shown, [1, 2]), [1, -1, 2, -2]);
  assert.deepEqual(readAgain(shown, [1, 2]), []);
  shown.dropReplaced(tree('live', 1, 4, 3));
  assert.deepEqual(readAgain(shown, [1, 2]), [2, -2]);
});

test('opening another tree drops no cached content', () => {
  const shown = new RecentContents();
  shown.dropReplaced(tree('live', 1, 2));
  shown.dropReplaced(tree('v1', 5));
  readAgain(shown, [1, 2, 5]);
  shown.dropReplaced(tree('v1', 6));
  assert.deepEqual(readAgain(shown, [1, 2, 5]), [5, -5]);
});
