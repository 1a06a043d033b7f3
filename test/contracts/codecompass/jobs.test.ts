/** codecompass: index_repo, sync_repo and index_status. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { Engine } from '../../../src/engine/engine.ts';
import { type Message, rawClient } from '../raw-client.ts';
import { otherIndexer } from '../real-engine.ts';
import { box, call, jobEnds, open, refused, search } from './setup.ts';

before(async () => {
  await box.engine.register(box.project);
});

test('index_repo starts a job and answers at once; index_status follows it (CC-08, CC-21, CC-22, CC-01)', async () => {
  const answer = await call('index_repo');
  assert.deepEqual(Object.keys(answer), ['job_id', 'status', 'mode', 'file_count', 'metadata']);
  assert.deepEqual([answer.status, answer.mode, answer.file_count], ['running', 'full', null]);
  assert.deepEqual(
    [answer.metadata.indexing_status, answer.metadata.freshness_status, answer.metadata.ref],
    ['indexing', 'syncing', 'main'],
  );
  // Who follows the job must not find none and take it for done.
  const begun = await call('index_status');
  assert.deepEqual(
    [begun.active_job?.job_id, begun.active_job?.status, begun.active_job?.ref],
    [answer.job_id, 'running', 'main'],
  );
  const status = await jobEnds();
  assert.deepEqual(Object.keys(status), [
    'project_id',
    'repo_root',
    'index_status',
    'schema_status',
    'current_schema_version',
    'required_schema_version',
    'last_indexed_at',
    'ref',
    'file_count',
    'symbol_count',
    'active_job',
    'recent_jobs',
    'metadata',
  ]);
  assert.match(status.project_id, /^[0-9a-f]{16}$/);
  assert.deepEqual(
    [status.repo_root, status.index_status, status.schema_status, status.ref, status.file_count],
    [box.project, 'ready', 'compatible', 'main', 8],
  );
  assert.equal(status.current_schema_version, status.required_schema_version);
  assert.ok(status.symbol_count > 8);
  assert.equal(new Date(status.last_indexed_at).toISOString(), status.last_indexed_at);
  const [job] = status.recent_jobs;
  assert.deepEqual(Object.keys(job), ['job_id', 'ref', 'mode', 'status', 'changed_files', 'duration_ms', 'created_at']);
  assert.deepEqual(
    [job.job_id, job.ref, job.mode, job.status, job.changed_files],
    [answer.job_id, 'main', 'full', 'published', 8],
  );
  assert.equal(status.metadata.freshness_status, 'fresh');
  assert.equal(status.metadata.schema_status, 'compatible');
});

test('while an index is being made, by another process too (CC-02, CC-03, CC-09)', async () => {
  const other = await otherIndexer(box, box.project);
  try {
    for (const name of ['index_repo', 'sync_repo']) {
      const { message, fix } = await refused(name, {}, 'index_in_progress');
      assert.equal(message, 'An indexing job is already running for this project.');
      assert.match(fix, /index_status/);
    }
    const { metadata, results } = await search('cartTotal');
    assert.deepEqual([metadata.indexing_status, metadata.freshness_status], ['indexing', 'syncing']);
    assert.ok(results.length > 0, 'searches go on');
  } finally {
    await other.end();
  }
});

test('a change makes the answers stale until sync_repo has taken it over (CC-02, CC-10, CC-22)', async () => {
  box.write('shop/web/refund.ts', 'export function refundEverything() {}\n');
  let metadata: Message;
  do {
    ({ metadata } = await search('cartTotal'));
    await new Promise((resolve) => setTimeout(resolve, 200));
  } while (metadata.freshness_status === 'fresh');
  assert.equal(metadata.freshness_status, 'stale');
  const answer = await call('sync_repo');
  assert.deepEqual(Object.keys(answer), ['job_id', 'status', 'mode', 'changed_files', 'metadata']);
  assert.deepEqual([answer.status, answer.mode, answer.changed_files], ['running', 'incremental', null]);
  const status = await jobEnds();
  const job = status.recent_jobs.find(({ job_id }: Message) => job_id === answer.job_id);
  assert.deepEqual([job.mode, job.status, job.changed_files], ['incremental', 'published', 1]);
  assert.equal((await call('locate_symbol', { name: 'refundEverything' })).results[0].path, 'web/refund.ts');
  assert.equal((await search('refundEverything')).metadata.freshness_status, 'fresh');
});

test('an answer that waited for the first index tells the state it was given in (CC-01)', async () => {
  const { engine } = box;
  for (const [name, args] of [
    ['search_code', { query: 'main' }],
    ['locate_symbol', { name: 'main' }],
  ] as const) {
    box.write(`${name}/main.go`, 'package main\n\nfunc main() {}\n');
    const folder = join(box.folder, name);
    await engine.register(folder);
    const late = Object.assign(Object.create(engine) as Engine, {
      status: engine.status.bind(engine),
      search: async (...asked: Parameters<Engine['search']>) => {
        await engine.index(folder);
        return engine.search(...asked);
      },
      locate: async (...asked: Parameters<Engine['locate']>) => {
        await engine.index(folder);
        return engine.locate(...asked);
      },
    });
    const raw = rawClient({ profile: 'codecompass', engine: late, workspace: folder });
    await raw.initialize();
    const { result } = await raw.request('tools/call', { name, arguments: args });
    const { results, metadata } = result.structuredContent;
    assert.equal(results[0].path, 'main.go');
    const { freshness_status, indexing_status, schema_status } = metadata;
    assert.deepEqual([freshness_status, indexing_status, schema_status], ['fresh', 'ready', 'compatible']);
    await raw.close();
  }
});

test('a first index that fails is reported as failed (CC-03)', async () => {
  const folder = join(box.folder, 'empty');
  await box.engine.register(folder);
  const empty = await open(folder);
  await call('index_repo', {}, empty);
  const status = await jobEnds(empty);
  assert.deepEqual([status.index_status, status.metadata.indexing_status], ['failed', 'failed']);
  assert.equal(status.recent_jobs[0].status, 'failed');
  assert.match(status.recent_jobs[0].error, /no source or text file/i);
  const { message } = await call('search_code', { query: 'price' }, empty);
  assert.match(message, /^live could not be indexed: .*no source or text file.*\. Call index_repo again when/);
});
