import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../fixtures/made-up.ts';
import { Database } from './database.ts';

test('a failed transaction is rolled back and the connection stays usable; a nested one is part of the outer', (t) => {
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

test('a snapshot does not see data that is committed meanwhile', (t) => {
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
