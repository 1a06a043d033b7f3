import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredDetail, TreeView } from '../store.ts';
import { packText } from './packed-text.ts';
import { RecentContents } from './recent-contents.ts';

const tree = (ref: string, ...rows: number[]) =>
  ({ info: { root: '/project', ref }, contentOf: Int32Array.from(rows) }) as unknown as TreeView;

/** Contents that have to be read again. */
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

test('what was shown is kept until its tree goes on without it', () => {
  const shown = new RecentContents();
  shown.follow(tree('live', 1, 2, 3));
  assert.deepEqual(readAgain(shown, [1, 2]), [1, -1, 2, -2]);
  assert.deepEqual(readAgain(shown, [1, 2]), []);
  shown.follow(tree('live', 1, 4, 3));
  assert.deepEqual(readAgain(shown, [1, 2]), [2, -2]);
});

test('another tree takes nothing away', () => {
  const shown = new RecentContents();
  shown.follow(tree('live', 1, 2));
  shown.follow(tree('v1', 5));
  readAgain(shown, [1, 2, 5]);
  shown.follow(tree('v1', 6));
  assert.deepEqual(readAgain(shown, [1, 2, 5]), [5, -5]);
});
