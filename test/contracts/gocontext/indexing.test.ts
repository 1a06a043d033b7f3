/** gocontext: what index_codebase and get_status report. */
import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connectHttp, MODERN, otherIndexer, untilStale } from '../real-engine.ts';
import { box, call, http, names, paths, refused, search } from './setup.ts';

test('indexing answers with figures (GC-06, GC-08, GC-09, GC-22, GC-26, GC-40)', async () => {
  const answer = await call('index_codebase', { path: box.project });
  assert.deepEqual(Object.keys(answer), ['success', 'project_id', 'statistics', 'errors', 'message']);
  assert.deepEqual(Object.keys(answer.statistics), [
    'files_indexed',
    'files_skipped',
    'files_failed',
    'symbols_extracted',
    'chunks_created',
    'embeddings_generated',
    'duration_seconds',
    'index_size_mb',
  ]);
  assert.equal(answer.success, true);
  assert.ok(Number.isInteger(answer.project_id));
  assert.equal(answer.statistics.files_indexed, 8);
  assert.ok(answer.statistics.symbols_extracted > 8 && answer.statistics.chunks_created > 5);
  assert.match(answer.message, /^Successfully indexed 8 files in [\d.]+ seconds$/);
  assert.ok(paths(await search('TestAuthenticateUser')).includes('internal/auth/service_test.go'));
  assert.equal(names(await search('VendoredHelper')).includes('VendoredHelper'), false);
});

test('while a project is being indexed, by another process too: -32002, and the index that is there answers (GC-16, GC-53)', async () => {
  const other = await otherIndexer(box, box.project);
  try {
    const data = await refused('index_codebase', { path: box.project }, -32002, 'Indexing in progress');
    assert.equal(data.path, box.project);
    assert.ok((await search('authenticate')).results.length > 0, 'searches go on');
    assert.equal((await call('get_status', { path: box.project })).indexed, true);
  } finally {
    await other.end();
  }
});

test('index_codebase reads only changes, all with force; the status shows a change that is then found (GC-07, GC-38)', async () => {
  const again = await call('index_codebase', { path: box.project });
  const { files_indexed, symbols_extracted, chunks_created, embeddings_generated } = again.statistics;
  assert.deepEqual([files_indexed, symbols_extracted, chunks_created, embeddings_generated], [0, 0, 0, 0]);
  box.write(
    'shop/internal/auth/logout.go',
    'package auth\n\n// RevokeEverything signs a user out everywhere.\nfunc RevokeEverything() {}\n',
  );
  const before = await untilStale(() => search('token'));
  const said = ['Changed since the index was made: internal/auth/logout.go. Call index_codebase to follow.'];
  assert.deepEqual(before.notices, said);
  assert.deepEqual((await call('get_status', { path: box.project })).notices, said);
  const changed = await call('index_codebase', { path: box.project });
  assert.equal('notices' in (await call('get_status', { path: box.project })), false);
  assert.deepEqual([changed.statistics.files_indexed, changed.statistics.symbols_extracted], [1, 1]);
  assert.ok(changed.statistics.chunks_created > 0 && changed.statistics.chunks_created < 4, 'of one small file');
  assert.equal(names(await search('RevokeEverything'))[0], 'RevokeEverything');
  const forced = await call('index_codebase', { path: box.project, force_reindex: true });
  assert.equal(forced.statistics.files_indexed, 9);
});

test('a function that is appended to a file counts its own embedding (GC-54)', async () => {
  const functions = ['Open', 'Close', 'Reset'].map(
    (name) =>
      `// ${name} works on the whole ledger of the branch.\nfunc ${name}(ledger int) int {\n${'\tledger++\n'.repeat(20)}\treturn ledger\n}\n`,
  );
  const path = 'shop/internal/ledger/ledger.go';
  box.write(path, `package ledger\n\n${functions.join('\n')}`);
  const first = (await call('index_codebase', { path: box.project })).statistics;
  assert.equal(first.embeddings_generated, first.chunks_created);
  const appended = `\n// Settle pays what is owed.\nfunc Settle(owed int) int {\n${'\towed--\n'.repeat(20)}\treturn owed\n}\n`;
  box.write(path, `package ledger\n\n${functions.join('\n')}${appended}`);
  const { files_indexed, embeddings_generated, chunks_created } = (await call('index_codebase', { path: box.project }))
    .statistics;
  assert.equal(files_indexed, 1);
  assert.ok(
    embeddings_generated >= 1 && embeddings_generated < chunks_created - 1,
    `${embeddings_generated} of ${chunks_created}`,
  );
  rmSync(join(box.project, 'internal/ledger'), { recursive: true });
  await call('index_codebase', { path: box.project });
});

test('without tests and with vendored code (GC-08, GC-09)', async () => {
  await call('index_codebase', { path: box.project, include_tests: false, include_vendor: true });
  assert.equal(
    paths(await search('TestAuthenticateUser')).some((path) => path.endsWith('_test.go')),
    false,
  );
  assert.ok(names(await search('VendoredHelper')).includes('VendoredHelper'));
  await call('index_codebase', { path: box.project });
});

test('a file with syntax errors is an entry, not a failure (GC-10)', async () => {
  box.write('broken/main.go', 'package main\n\nfunc good() {}\n\nfunc broken( {\n\treturn }}\n');
  const answer = await call('index_codebase', { path: join(box.folder, 'broken') });
  assert.equal(answer.success, true);
  assert.deepEqual(Object.keys(answer.errors[0]), ['file', 'error']);
  assert.equal(answer.errors[0].file, 'main.go');
  assert.equal(answer.statistics.files_failed, 1);
  symlinkSync('nowhere.go', join(box.folder, 'broken/gone.go'));
  const { errors, statistics } = await call('index_codebase', { path: join(box.folder, 'broken') });
  assert.deepEqual(errors[0], { file: 'gone.go', error: 'cannot be read: broken link' });
  assert.deepEqual([statistics.files_failed, statistics.files_skipped], [2, 0]);
});

test('status of an indexed project (GC-33, GC-35)', async () => {
  const status = await call('get_status', { path: box.project });
  assert.deepEqual(Object.keys(status), ['success', 'indexed', 'project', 'statistics', 'health', 'message']);
  const { id, ...project } = status.project;
  assert.ok(Number.isInteger(id));
  assert.deepEqual(project, {
    root_path: box.project,
    module_name: 'github.com/acme/shop',
    go_version: '1.22',
    index_version: project.index_version,
  });
  assert.match(project.index_version, /^\d+\.\d+\.\d+$/);
  const { statistics } = status;
  assert.deepEqual(Object.keys(statistics), [
    'total_files',
    'total_symbols',
    'total_chunks',
    'total_embeddings',
    'index_size_mb',
    'last_indexed_at',
    'indexing_duration_seconds',
  ]);
  assert.equal(statistics.total_files, 9);
  assert.equal(new Date(statistics.last_indexed_at).toISOString(), statistics.last_indexed_at);
  assert.deepEqual(status.health, { database_accessible: true, embeddings_available: true, fts_indexes_built: true });
  assert.equal(status.message, 'Project indexed successfully with 9 files');
  box.write('node/package.json', '{\n  "name": "@acme/web",\n  "engines": { "node": ">=20" }\n}\n');
  await box.engine.index(join(box.folder, 'node'));
  const other = (await call('get_status', { path: join(box.folder, 'node') })).project;
  assert.deepEqual([other.module_name, other.go_version], ['@acme/web', 'node >=20']);
});

test('the newest protocol version gets the same answers and errors (GC-06, GC-16)', async () => {
  const modern = await connectHttp(`${http.url}/mcp`, MODERN);
  assert.equal((await call('get_status', { path: box.project }, modern)).indexed, true);
  await refused('search_code', { path: box.bare, query: 'x' }, -32003, 'Project not indexed', modern);
  await modern.close();
});
