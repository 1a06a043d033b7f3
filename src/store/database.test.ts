import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { EngineError } from '../model/errors.ts';
import { Database, storeError } from './database.ts';
import { temporaryFolder } from './fixtures/made-up.ts';

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

test('a failed transaction leaves nothing and the connection usable; an inner one is part of the outer', (t) => {
  const db = Database.open(join(temporaryFolder(t), 'x.sqlite'), 'write');
  db.exec('CREATE TABLE t(a INTEGER PRIMARY KEY)');
  const attempt = () =>
    db.transaction(() => {
      db.run('INSERT INTO t VALUES (1)');
      db.transaction(() => db.run('INSERT INTO t VALUES (2)'));
      db.run('INSERT INTO t VALUES (1)');
    });
  assert.throws(attempt, { code: 'internal_error' });
  assert.deepEqual(db.all('SELECT a FROM t'), []);
  db.transaction(() => db.run('INSERT INTO t VALUES (3)'));
  assert.deepEqual(db.all('SELECT a FROM t'), [[3]]);
  db.close();
  db.close();
});

test('a snapshot does not see what is committed meanwhile', (t) => {
  const path = join(temporaryFolder(t), 'x.sqlite');
  const [writer, reader] = [Database.open(path, 'write'), Database.open(path, 'read')];
  writer.exec('CREATE TABLE t(a)');
  reader.snapshot(() => {
    assert.deepEqual(reader.all('SELECT a FROM t'), []);
    writer.run('INSERT INTO t VALUES (1)');
    assert.deepEqual(reader.all('SELECT a FROM t'), []);
  });
  assert.deepEqual(reader.all('SELECT a FROM t'), [[1]]);
  assert.throws(() => reader.run('INSERT INTO t VALUES (2)'), { code: 'store_unwritable' });
  reader.close();
  writer.close();
});
