/** codecompass: an index of another schema, a damaged one, failures nobody foresaw. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { createProfile } from '../../../src/contracts/codecompass/index.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { rawClient } from '../raw-client.ts';
import { box, call, indexProject, jobEnds, refused } from './setup.ts';

before(indexProject);

test('an index of another schema, or a damaged one: index_incompatible, and index_repo with force mends it (CC-05, CC-14, CC-19, CC-32)', async () => {
  const { Database } = await import('../../../src/store/sqlite/database.ts');
  const { storeFolder } = await box.engine.project(box.project);
  const file = join(storeFolder, 'index.sqlite');
  await box.engine.close();
  const schema = (version: number) => {
    const db = Database.open(file, 'write');
    db.exec(`PRAGMA user_version = ${version}`);
    db.close();
  };
  schema(99);
  for (const [name, args] of [
    ['search_code', { query: 'price' }],
    ['locate_symbol', { name: 'price' }],
  ] as const)
    assert.equal((await refused(name, args, 'index_incompatible')).metadata.schema_status, 'reindex_required');
  const status = await call('index_status');
  assert.deepEqual([status.schema_status, status.current_schema_version], ['reindex_required', 99]);
  // What a newer version wrote is nobody's to replace, by force either.
  assert.match((await refused('index_repo', { force: true }, 'index_incompatible')).fix, /Upgrade/);
  // Version 1 names other tables than the file has; version 0 is older than any that can be carried forward.
  for (const [version, state] of [
    [1, 'corrupt_manifest'],
    [0, 'reindex_required'],
  ] as const) {
    await box.engine.close();
    schema(version);
    for (const [name, args] of [
      ['locate_symbol', { name: 'price' }],
      ['search_code', { query: 'price' }],
      ['sync_repo', {}],
    ] as const) {
      const refusal = await refused(name, args, 'index_incompatible');
      assert.deepEqual([refusal.metadata.schema_status, /force/.test(refusal.fix)], [state, true], name);
    }
    assert.equal((await call('index_status')).schema_status, state);
    await call('index_repo', { force: true });
    assert.equal((await jobEnds()).schema_status, 'compatible');
  }
  await box.engine.close();
  // Files of their own: a process that maps the old ones would be killed if they were cut short.
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  writeFileSync(file, 'this is no database'.repeat(1000));
  for (const suffix of ['-wal', '-shm']) writeFileSync(file + suffix, '');
  const refusal = await refused('search_code', { query: 'price' }, 'index_incompatible');
  assert.equal(refusal.metadata.schema_status, 'corrupt_manifest');
  assert.match(refusal.fix, /force/);
  assert.equal((await call('index_status')).schema_status, 'corrupt_manifest');
  await call('index_repo', { force: true });
  assert.equal((await jobEnds()).schema_status, 'compatible');
});

test('an unexpected failure is internal_error, with metadata (CC-09, CC-14, CC-19, CC-01)', async () => {
  const boom = () => Promise.reject(new TypeError('boom'));
  const broken = Object.assign(Object.create(box.engine) as Engine, {
    search: boom,
    locate: boom,
    startIndex: boom,
    status: box.engine.status.bind(box.engine),
  });
  const raw = rawClient({
    profile: createProfile({ workspace: null, version: '1', log: () => {}, engine: async () => broken }),
    engine: broken,
    workspace: box.project,
  });
  await raw.initialize();
  for (const [name, args] of [
    ['search_code', { query: 'x' }],
    ['locate_symbol', { name: 'x' }],
    ['index_repo', {}],
  ] as const) {
    const { result } = await raw.request('tools/call', { name, arguments: args });
    const { error, metadata } = JSON.parse(result.content[0].text);
    assert.deepEqual([result.isError, error.code, metadata.indexing_status], [true, 'internal_error', 'ready']);
    assert.match(error.message, /boom/);
  }
  await raw.close();
});
