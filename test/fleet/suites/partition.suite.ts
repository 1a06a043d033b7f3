/** A cluster that is cut in two: three nodes of its own, the last one in a network namespace. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { startCluster } from '../cluster/cluster.ts';
import { createLink, missingForLinks } from '../cluster/network-link.ts';
import { crossOf } from '../cross-under-test.ts';
import { fleetFor } from '../fleet-under-test.ts';

/** Writes on the other side of the link, to the node that is there alone. */
function writeBeyond(namespace: string, url: string): number {
  const script = `fetch(${JSON.stringify(url)}, { method: 'PUT', headers: { 'content-type': 'application/json' },
    body: '{"kind":"repo","name":"lost"}', signal: AbortSignal.timeout(8000) }).then((r) => r.status, () => 0)
    .then((status) => process.stdout.write(String(status)))`;
  const args = ['netns', 'exec', namespace, process.execPath, '-e', script];
  return Number(spawnSync('ip', args, { encoding: 'utf8' }).stdout);
}

test('of a cluster that is cut in two, the majority goes on, the minority takes no writes, and nothing is lost when it heals', async (t) => {
  const missing = missingForLinks();
  if (missing !== null) return t.skip(missing);
  const link = createLink();
  t.after(() => link.remove());
  const cluster = await startCluster((line) => t.diagnostic(line), { link });
  t.after(() => cluster.stop());
  const under = await fleetFor(t, { cluster });
  const remote = under.repository('cut', { 'src/a.ts': 'export function beforeTheCut() {}\n' });
  await under.fleet.add({ name: 'cut', url: remote, ref: null, groups: [] });
  await under.work();
  link.cut();
  const beyond = writeBeyond(link.namespace, `${cluster.urls[2]}/${under.prefix}-repos/_doc/lost?timeout=5s`);
  assert.ok(beyond === 0 || beyond >= 400, `the minority acknowledged a write with ${beyond}`);
  under.commit(remote, { 'src/b.ts': 'export function duringTheCut() {}\n' });
  await under.fleet.add({ name: 'cut', url: remote, ref: null, groups: [] });
  const [report] = await under.work();
  assert.equal(report?.files, 2);
  const across = await crossOf(under);
  assert.equal((await across.search({ query: 'duringTheCut' })).hits[0]?.path, 'cut/src/b.ts');
  link.join();
  await cluster.green();
  assert.equal((await across.search({ query: 'duringTheCut' })).hits[0]?.path, 'cut/src/b.ts');
  assert.equal((await under.snapshots.read('cut', 'main'))?.files.length, 2);
  const { repositories } = await under.fleet.status();
  assert.deepEqual(
    repositories.map(({ name }) => name),
    ['cut'],
  );
});
