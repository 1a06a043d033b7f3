/** What happens to a fleet: nodes, workers and disks that fail while it works. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '../../../src/model/records/engine-errors.ts';
import { type AuditRow, auditEntries } from '../audit-entries.ts';
import { crossOf } from '../cross-under-test.ts';
import { askTool, FREELY, indexByBinary, serveFleet } from '../fleet-node.ts';
import { type FleetUnderTest, fleetFor, theCluster, until } from '../fleet-under-test.ts';
import { type Asked, askTogether, connectClients, percentile } from '../many-clients.ts';

/** `count` files, each with a function that nothing else is called like. */
function manyFiles(count: number, word: string): Record<string, string> {
  const body = (i: number) =>
    Array.from(
      { length: 12 },
      (_, k) => `export function ${word}${i}Step${k}(x: number) {\n  return x + ${i * k};\n}\n`,
    );
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`src/${word}${i}.ts`, body(i).join('\n')]));
}

/** Every content that the snapshot names can be read. */
async function assertWhole(under: FleetUnderTest, name: string, files: number): Promise<void> {
  const snapshot = await under.snapshots.read(name, 'main');
  assert.equal(snapshot?.files.length, files);
  let read = 0;
  for await (const _ of under.contents.read(snapshot!.files)) read++;
  assert.equal(read, files);
}

/** A right answer, or an error that says when to come back. */
function assertHonest(asked: readonly Asked[], right: RegExp): void {
  for (const { text, isError } of asked)
    if (isError) assert.match(text, /Try again in \d+ seconds/);
    else assert.match(text, right);
}

test('a killed node of OpenSearch costs no blob, no snapshot and no right answer while a worker and 50 clients are at it', async (t) => {
  const under = await fleetFor(t);
  const first = under.repository('first', manyFiles(20, 'steady'));
  await under.fleet.add({ name: 'acme/first', url: first, ref: null, groups: [] });
  await indexByBinary(under);
  const node = await serveFleet(under, { ann: [] }, FREELY);
  const clients = await connectClients([node], 50, 'ann');
  const second = under.repository('second', manyFiles(150, 'arriving'));
  await under.fleet.add({ name: 'acme/second', url: second, ref: null, groups: [] });

  let isOver = false;
  const asking = askTogether(
    clients,
    (i, round) => ({ query: `steady${(i + round) % 20}Step3`, ...(i % 2 === 0 ? { path: 'acme/first' } : {}) }),
    () => isOver,
  );
  const working = under.work();
  await delay(500);
  await theCluster().kill(1);
  const [report] = await working;
  await delay(3_000);
  isOver = true;
  const asked = await asking;
  assert.equal(report?.files, 150);
  assertHonest(asked, /steady\d+\.ts/);
  const failed = asked.filter(({ isError }) => isError).length;
  assert.equal(failed, 0, `two of three nodes are a quorum, yet ${failed} of ${asked.length} questions failed`);
  await theCluster().revive(1);
  await assertWhole(under, 'acme/second', 150);
  t.diagnostic(
    `${asked.length} questions while a node was killed, slowest ${Math.round(
      percentile(
        asked.map(({ ms }) => ms),
        1,
      ),
    )} ms`,
  );
});

test('without a quorum writes fail with a retry time, questions are answered rightly or say so, and all comes back', async (t) => {
  const under = await fleetFor(t);
  const remote = under.repository('kept', manyFiles(5, 'kept'));
  await under.fleet.add({ name: 'acme/kept', url: remote, ref: null, groups: [] });
  await indexByBinary(under);
  const node = await serveFleet(under, { ann: [] }, FREELY);
  const ann = await node.client('ann');
  const here = { query: 'kept3Step1', path: 'acme/kept' };
  assert.match((await askTool(ann, 'search_code', here)).text, /kept3\.ts/);
  await Promise.all([theCluster().kill(0), theCluster().kill(2)]);
  const [near, across, added] = await Promise.all([
    askTool(ann, 'search_code', { ...here, query: 'kept3Step2' }),
    askTool(ann, 'search_code', { query: 'kept3Step1' }),
    under.fleet.add({ name: 'acme/late', url: remote, ref: null, groups: [] }).then(
      () => null,
      (error: unknown) => error,
    ),
  ]);
  await theCluster().revive(0, 2);
  assert.match(near.text, /kept3\.ts/);
  // The node that is left may hold a copy of every shard.
  assertHonest([{ ...across, ms: 0 }], /kept3\.ts/);
  assert.ok(added instanceof EngineError, `a write without a quorum was acknowledged: ${added}`);
  assert.equal(added.code, 'fleet_unavailable', added.message);
  // Calls of that time were noted when the cluster could not be written to, and nobody has asked since.
  let noted: readonly AuditRow[] = [];
  await until(async () => {
    noted = (await auditEntries(under)).filter(({ tool, outcome }) => tool === 'search' && outcome === 'ok');
    return noted.length >= 2;
  });
  assert.ok(noted.length >= 2, `${noted.length} calls are in the audit log`);
  assert.match((await askTool(ann, 'search_code', { query: 'kept3Step1' })).text, /kept3\.ts/);
});

test('while all of OpenSearch hangs, repositories on a disk are answered and other questions end in words', async (t) => {
  const under = await fleetFor(t);
  const remote = under.repository('hung', manyFiles(5, 'hung'));
  await under.fleet.add({ name: 'acme/hung', url: remote, ref: null, groups: [] });
  await indexByBinary(under);
  const node = await serveFleet(under, { ann: [] }, FREELY);
  const ann = await node.client('ann');
  const here = { query: 'hung3Step1', path: 'acme/hung' };
  assert.match((await askTool(ann, 'search_code', here)).text, /hung3\.ts/);
  const all = [0, 1, 2];
  for (const one of all) theCluster().pause(one);
  try {
    // A client waits a minute for each: a request that hangs with the cluster would be an error without words.
    const [near, across] = await Promise.all([
      askTool(ann, 'search_code', { ...here, query: 'hung3Step2' }),
      askTool(ann, 'search_code', { query: 'hung3Step1' }),
    ]);
    assert.match(near.text, /hung3\.ts/);
    assert.equal(across.isError, true);
    assertHonest([{ ...across, ms: 0 }], /hung3\.ts/);
    const ready = await fetch(`${node.url}/readyz`);
    assert.equal(ready.status, 503);
  } finally {
    for (const one of all) theCluster().resume(one);
  }
  await theCluster().green();
  await until(async () => /hung3\.ts/.test((await askTool(ann, 'search_code', { query: 'hung3Step1' })).text));
  assert.match((await askTool(ann, 'search_code', { query: 'hung3Step1' })).text, /hung3\.ts/);
});

test('a worker that is killed loses its lease in time; the next one finds what it finished and publishes the whole', async (t) => {
  const under = await fleetFor(t);
  const remote = under.repository('large', manyFiles(400, 'large'));
  await under.fleet.add({ name: 'acme/large', url: remote, ref: null, groups: [] });
  const args = [join(import.meta.dirname, '../worker-child.ts'), join(under.folder, 'child'), under.prefix, '4000'];
  const child = spawn(process.execPath, ['--import', 'tsx', ...args, theCluster().urls.join(',')], { stdio: 'ignore' });
  const contents = async () => {
    const path = `/${under.prefix}-blobs/_count`;
    await under.connection.ask({ method: 'POST', path: `/${under.prefix}-blobs/_refresh` });
    return (await under.connection.ask<{ count: number }>({ method: 'GET', path })).body.count;
  };
  while ((await contents()) === 0 && child.exitCode === null) await delay(20);
  child.kill('SIGKILL');
  if (child.signalCode === null) await once(child, 'exit');
  const left = await contents();
  assert.ok(left > 0);
  const [report] = await under.work();
  assert.equal(report?.files, 400);
  assert.ok(report!.created <= 400 - left, `${report!.created} were derived again beside ${left}`);
  await assertWhole(under, 'acme/large', 400);
  const { repositories } = await under.fleet.status();
  assert.equal(repositories[0]?.failure, null);
});

test('a killed node that answers is replaced by another one, and starts again on the same disk', async (t) => {
  const under = await fleetFor(t);
  const remote = under.repository('one', manyFiles(30, 'one'));
  await under.fleet.add({ name: 'acme/one', url: remote, ref: null, groups: [] });
  await indexByBinary(under);
  const first = await serveFleet(under, { ann: [] }, FREELY);
  const second = await serveFleet(under, { ann: [] }, FREELY);
  const [ann, again] = [await first.client('ann'), await second.client('ann')];
  const asked = { query: 'one7Step2', path: 'acme/one' };
  const answer = askTool(ann, 'search_code', asked);
  first.process.kill('SIGKILL');
  await answer;
  assert.match((await askTool(again, 'search_code', asked)).text, /one7\.ts/);
  const restarted = await serveFleet(under, { ann: [] }, FREELY, first.home);
  assert.match((await askTool(await restarted.client('ann'), 'search_code', asked)).text, /one7\.ts/);
});

test('a full disk refuses writes in words while questions are answered, and lifts by itself', async (t) => {
  const under = await fleetFor(t);
  const remote = under.repository('full', manyFiles(3, 'full'));
  await under.fleet.add({ name: 'acme/full', url: remote, ref: null, groups: [] });
  await under.work();
  const across = await crossOf(under);
  const watermarks = async (value: string | null, isOn: boolean | null) => {
    const disk = 'cluster.routing.allocation.disk';
    const levels = ['low', 'high', 'flood_stage'].map((level) => [`${disk}.watermark.${level}`, value]);
    const transient = {
      [`${disk}.threshold_enabled`]: isOn,
      ...Object.fromEntries(levels),
      'cluster.info.update.interval': value === null ? null : '10s',
    };
    // The block on new indices is lifted with the others, if the look at the disks is not turned off before.
    const persistent = { 'cluster.blocks.create_index': null };
    const body = value === null ? { transient, persistent } : { transient };
    await under.connection.ask({ method: 'PUT', path: '/_cluster/settings', body });
  };
  const writing = () => under.fleet.add({ name: 'acme/full', url: remote, ref: null, groups: [] });
  let refused: unknown = null;
  // More free space is demanded than any disk has.
  await watermarks('900000gb', true);
  try {
    await until(async () => {
      refused = await writing().then(
        () => null,
        (error: unknown) => error,
      );
      return refused !== null;
    });
    assert.ok(refused instanceof EngineError && refused.code === 'fleet_read_only', String(refused));
    assert.match(refused.fix, /Free disk space/);
    assert.equal((await across.search({ query: 'full1Step2' })).hits[0]?.path, 'acme/full/src/full1.ts');
    await watermarks('1b', true);
    await until(async () => (await writing().catch(() => 'refused')) !== 'refused');
    assert.equal((await writing()).name, 'acme/full');
  } finally {
    await watermarks(null, null);
  }
});

test('200 clients of two nodes get right answers', async (t) => {
  const under = await fleetFor(t);
  const remote = under.repository('busy', manyFiles(40, 'busy'));
  await under.fleet.add({ name: 'acme/busy', url: remote, ref: null, groups: [] });
  await indexByBinary(under);
  const nodes = [await serveFleet(under, { ann: [] }, FREELY), await serveFleet(under, { ann: [] }, FREELY)];
  const clients = await connectClients(nodes, 200, 'ann');
  const started = performance.now();
  const asked = await askTogether(
    clients,
    (i, round) => ({ query: `busy${(i + 7 * round) % 40}Step5`, ...(i % 4 === 0 ? {} : { path: 'acme/busy' }) }),
    (round) => round >= 4,
  );
  const seconds = (performance.now() - started) / 1000;
  assert.equal(asked.length, 800);
  assert.deepEqual(
    asked.filter(({ isError, text }) => isError || !/busy\d+\.ts/.test(text)).map(({ text }) => text),
    [],
  );
  const p99 = percentile(
    asked.map(({ ms }) => ms),
    0.99,
  );
  t.diagnostic(`200 clients, two nodes: p99 ${Math.round(p99)} ms, ${(asked.length / seconds).toFixed(0)} answers/s`);
});
