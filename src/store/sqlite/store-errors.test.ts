import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../model/records/engine-errors.ts';
import { storeError } from './store-errors.ts';

test("SQLite's results become the engine's codes, extended ones and bare messages too", () => {
  const coded = (errcode: number) => Object.assign(new Error('told by SQLite'), { errcode });
  const codeOf = (error: unknown, mode: 'read' | 'write') => (storeError(error, '/x', mode) as EngineError).code;
  for (const [errcode, write, read] of [
    [5, 'index_in_progress', 'index_in_progress'],
    [8, 'store_unwritable', 'store_unwritable'],
    [10, 'store_unwritable', 'store_corrupt'],
    [778, 'store_unwritable', 'store_corrupt'],
    [11, 'store_corrupt', 'store_corrupt'],
    [13, 'disk_full', 'disk_full'],
    [14, 'store_unwritable', 'permission_denied'],
    [26, 'store_corrupt', 'store_corrupt'],
    [1, 'internal_error', 'internal_error'],
  ] as const) {
    assert.equal(codeOf(coded(errcode), 'write'), write, `${errcode}`);
    assert.equal(codeOf(coded(errcode), 'read'), read, `${errcode}`);
  }
  assert.equal(codeOf(new Error('database or disk is full'), 'write'), 'disk_full');
  const own = new EngineError('cancelled');
  assert.equal(storeError(own, '/x', 'write'), own);
  const foreign = new TypeError('not from SQLite');
  assert.equal(storeError(foreign, '/x', 'write'), foreign);
});
