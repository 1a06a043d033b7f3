/** codecompass: the branch by default, another ref as it was indexed. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Message } from '../raw-client.ts';
import { box, call, client, git, indexProject, jobEnds, open } from './setup.ts';

before(indexProject);

test('refs: the branch by default, another one as it was indexed (CC-20)', async () => {
  box.write('shop/web/refund.ts', 'export function refundEverything() {}\n');
  await call('sync_repo');
  await jobEnds();
  git('add', '.');
  git('commit', '-qm', 'second');
  git('branch', 'old', 'HEAD~1');
  const missing = await call('locate_symbol', { name: 'cartTotal', ref: 'old' });
  assert.deepEqual([missing.results, missing.metadata.ref, missing.metadata.schema_status], [[], 'old', 'not_indexed']);
  assert.deepEqual(missing.suggested_next_actions, [{ tool: 'index_repo', ref: 'old' }]);
  await call('index_repo', { ref: 'old' });
  const status = await jobEnds(client, 'old');
  assert.deepEqual([status.ref, status.file_count], ['old', 8]);
  assert.equal((await call('index_status')).ref, 'main');
  const names = async (ref: string) =>
    (await call('locate_symbol', { name: 'refundEverything', ref })).results.map(({ name }: Message) => name);
  assert.equal((await names('old')).includes('refundEverything'), false);
  assert.equal((await names('main')).includes('refundEverything'), true);
  git('checkout', '-q', '-b', 'topic');
  const moved = await call('sync_repo');
  assert.equal(moved.metadata.ref, 'topic', 'the branch that the job is about, not the one of the index before');
  const [job] = (await jobEnds()).recent_jobs;
  assert.deepEqual([job.job_id, job.ref], [moved.job_id, 'topic']);
  git('checkout', '-q', '--detach');
  const detached = await call('sync_repo');
  await jobEnds();
  git('checkout', '-q', 'main');
  await call('sync_repo');
  const jobs = (await jobEnds()).recent_jobs.slice(0, 3);
  assert.deepEqual([detached.metadata.ref, ...jobs.map(({ ref }: Message) => ref)], ['live', 'main', 'live', 'topic']);
  await box.engine.register(box.bare);
  const bare = await open(box.bare);
  await call('index_repo', {}, bare);
  assert.equal((await jobEnds(bare)).ref, 'live');
});
