/** What the fleet keeps: indices, contents, snapshots, leases. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Leases } from '../../../src/fleet/catalogue/leases.ts';
import { Repositories } from '../../../src/fleet/catalogue/repositories.ts';
import { createDocuments } from '../../../src/fleet/opensearch/bulk-write.ts';
import { deleteMatching } from '../../../src/fleet/opensearch/delete-matching.ts';
import { FLEET_SCHEMA, readSchema, setUpFleet } from '../../../src/fleet/opensearch/indices.ts';
import { EngineError } from '../../../src/model/records/engine-errors.ts';
import type { Snapshot } from '../../../src/store/snapshot-source.ts';
import { crossOf } from '../cross-under-test.ts';
import { fleetFor } from '../fleet-under-test.ts';

const code = (expected: string) => (error: unknown) => error instanceof EngineError && error.code === expected;

test('a fleet that is not set up says so, and init sets it up once', async (t) => {
  const { fleet, connection, prefix } = await fleetFor(t, { setUp: false });
  await assert.rejects(fleet.status(), code('fleet_not_set_up'));
  assert.deepEqual(await fleet.setUp({ shards: 1, replicas: 1 }), { from: 0, to: FLEET_SCHEMA });
  assert.deepEqual(await fleet.setUp({ shards: 1, replicas: 1 }), { from: FLEET_SCHEMA, to: FLEET_SCHEMA });
  assert.equal(await readSchema(connection, prefix), FLEET_SCHEMA);
});

test('a fleet written by the previous schema is carried forward with all it holds', async (t) => {
  const { fleet, connection, prefix } = await fleetFor(t, { setUp: false });
  await setUpFleet(connection, { prefix, shards: 1, replicas: 1 }, FLEET_SCHEMA - 1);
  const repositories = new Repositories(connection, prefix);
  await repositories.add({ name: 'acme/old', url: '/nowhere', ref: null, groups: ['a'] });
  await assert.rejects(fleet.status(), code('fleet_outdated'));
  assert.deepEqual(await fleet.setUp({ shards: 1, replicas: 1 }), { from: FLEET_SCHEMA - 1, to: FLEET_SCHEMA });
  const { repositories: kept } = await fleet.status();
  assert.deepEqual(
    kept.map(({ name, groups }) => [name, groups]),
    [['acme/old', ['a']]],
  );
});

test('documents of the previous format are written again, under the new schema, when a worker next looks', async (t) => {
  const under = await fleetFor(t, { setUp: false });
  const { fleet, connection, prefix } = under;
  await setUpFleet(connection, { prefix, shards: 1, replicas: 1 }, FLEET_SCHEMA - 1);
  const schema = (value: number) => {
    const body = { kind: 'schema', schema: value };
    return connection.ask({ method: 'PUT', path: `/${prefix}-repos/_doc/schema`, query: { refresh: 'true' }, body });
  };
  await schema(FLEET_SCHEMA);
  const url = under.repository('old', {
    'a.ts': 'export function carriedForward() {}\n',
    'b.ts': 'export const b = 1;\n',
  });
  await fleet.add({ name: 'acme/old', url, ref: null, groups: [] });
  await under.work();
  // What the previous version left: its documents under other ids, heads of the format before, its schema.
  const index = `${prefix}-chunks`;
  await deleteMatching(connection, index, { term: { repository: 'acme/old' } });
  const left = { kind: 'file', file: 'old', repository: 'acme/old', path: 'acme/old/a.ts', chunks: 1 };
  await connection.ask({ method: 'PUT', path: `/${index}/_doc/old`, query: { refresh: 'true' }, body: left });
  const head = `/${prefix}-snapshots/_doc/${encodeURIComponent('head acme/old main')}`;
  const { body } = await connection.ask<{ _source: object }>({ method: 'GET', path: head });
  await connection.ask({
    method: 'PUT',
    path: head,
    query: { refresh: 'true' },
    body: { ...body._source, documents: 1 },
  });
  await schema(FLEET_SCHEMA - 1);

  await fleet.setUp({ shards: 1, replicas: 1 });
  const [report] = await under.work();
  assert.deepEqual([report?.files, report?.created], [2, 0], 'contents stay, documents are written again');
  const first = { bool: { filter: [{ term: { repository: 'acme/old' } }, { term: { isFirst: true } }] } };
  const counted = { method: 'POST', path: `/${index}/_count`, body: { query: first } } as const;
  assert.equal((await connection.ask<{ count: number }>(counted)).body.count, 2);
  const ghost = await connection.ask({ method: 'GET', path: `/${index}/_doc/old`, expected: [404] });
  assert.equal(ghost.status, 404);
  const across = await crossOf(under);
  assert.equal((await across.search({ query: 'carriedForward' })).hits[0]?.path, 'acme/old/a.ts');
});

test('a step of the schema that adds a field adds it to the index that is there, and to its template', async (t) => {
  const { connection, prefix } = await fleetFor(t, { setUp: false });
  const fieldsOf = async () => {
    type Mapped = Record<string, { mappings: { properties: Record<string, { type?: string }> } }>;
    const index = `${prefix}-chunks`;
    const { body: mapped } = await connection.ask<Mapped>({ method: 'GET', path: `/${index}/_mapping` });
    interface Templates {
      readonly index_templates: { index_template: { template: Mapped[string] } }[];
    }
    const { body: templates } = await connection.ask<Templates>({ method: 'GET', path: `/_index_template/${index}` });
    const template = templates.index_templates[0]!.index_template.template;
    return [mapped[index]!, template].map(({ mappings: { properties } }) => [
      properties.isFirst?.type,
      properties.path?.type,
    ]);
  };
  await setUpFleet(connection, { prefix, shards: 1, replicas: 0 }, 4);
  const before = [undefined, 'keyword'];
  assert.deepEqual(await fieldsOf(), [before, before]);
  await setUpFleet(connection, { prefix, shards: 1, replicas: 0 });
  const after = ['boolean', 'keyword'];
  assert.deepEqual(await fieldsOf(), [after, after]);
});

test('more documents than one answer of OpenSearch holds are all listed, and removed in parts', async (t) => {
  const { fleet, connection, prefix } = await fleetFor(t, { shards: 1, replicas: 0 });
  const names = Array.from({ length: 10_050 }, (_, i) => `acme/r${String(i).padStart(5, '0')}`);
  const documents = names.map((name, i) => {
    const source = { kind: 'repo', name, url: '/nowhere', ref: null, groups: [], addedAtMs: i, wantedAtMs: i };
    return { index: `${prefix}-repos`, id: `repo ${name}`, source, size: 200 };
  });
  await createDocuments(connection, documents);
  await connection.ask({ method: 'POST', path: `/${prefix}-repos/_refresh` });
  const listed = async () => (await fleet.status()).repositories.map(({ name }) => name);
  assert.deepEqual(await listed(), names);
  // In parts, as many documents are removed: all that match, and no others.
  await deleteMatching(connection, `${prefix}-repos`, { range: { addedAtMs: { lt: 10_000 } } }, 4_000);
  assert.deepEqual(await listed(), names.slice(10_000));
});

test('a fleet of a newer schema is left alone', async (t) => {
  const { fleet, connection, prefix } = await fleetFor(t);
  const body = { kind: 'schema', schema: FLEET_SCHEMA + 1 };
  await connection.ask({ method: 'PUT', path: `/${prefix}-repos/_doc/schema`, query: { refresh: 'true' }, body });
  await assert.rejects(fleet.setUp({ shards: 1, replicas: 1 }), code('store_newer'));
  await assert.rejects(fleet.status(), code('store_newer'));
});

test('a lease has one holder among many that try, passes on when released, and when its time is up', async (t) => {
  const { connection, prefix } = await fleetFor(t);
  const workers = Array.from({ length: 8 }, (_, i) => new Leases(connection, prefix, `worker ${i}`));
  for (let round = 0; round < 5; round++) {
    const taken = (await Promise.all(workers.map((worker) => worker.take('acme/one')))).filter(
      (lease) => lease !== null,
    );
    assert.equal(taken.length, 1);
    await taken[0]!.extend();
    await taken[0]!.release();
  }
  const hasty = new Leases(connection, prefix, 'one that dies', 50);
  const dead = await hasty.take('acme/two');
  assert.ok(dead);
  let successor = await workers[0]!.take('acme/two');
  while (!successor) successor = await workers[0]!.take('acme/two');
  await assert.rejects(dead.extend(), code('index_in_progress'));
  await dead.release();
  assert.equal(
    await workers[1]!.take('acme/two'),
    null,
    'a holder that lost its lease must not release its successor’s',
  );
});

test('every repository gets a number of its own, which a removed one does not leave to the next', async (t) => {
  const { connection, prefix } = await fleetFor(t, { shards: 1, replicas: 0 });
  const workers = Array.from({ length: 4 }, () => new Repositories(connection, prefix));
  const names = Array.from({ length: 6 }, (_, i) => `acme/r${i}`);
  for (const name of names) await workers[0]!.add({ name, url: '/nowhere', ref: null, groups: [] });
  const given = await Promise.all(workers.map((worker) => Promise.all(names.map((name) => worker.numberOf(name)))));
  for (const one of given) assert.deepEqual(one, given[0], 'all workers are given the same');
  assert.equal(new Set(given[0]).size, names.length);
  await workers[0]!.remove('acme/r3');
  await workers[0]!.add({ name: 'acme/r3', url: '/nowhere', ref: null, groups: [] });
  assert.ok(!given[0]!.includes(await workers[1]!.numberOf('acme/r3')));
  const { total, changed } = await workers[0]!.latestChanges(3);
  assert.deepEqual([total, changed.length, changed[0]?.record.name], [names.length, 3, 'acme/r3']);
});

const draft: Omit<Snapshot, 'generation' | 'publishedAtMs'> = {
  ref: 'main',
  branch: 'main',
  commit: 'a'.repeat(40),
  durationMs: 1,
  modelId: 'none',
  options: {},
  files: [],
  skipped: [],
};

test('a snapshot that is half written is never seen, and its head is replaced by one writer only', async (t) => {
  const { connection, prefix, snapshots } = await fleetFor(t);
  // What a writer leaves that dies between the manifest and the head.
  const part = { kind: 'part', repository: 'acme/x', ref: 'main', manifest: 'm', data: '' };
  await connection.ask({ method: 'PUT', path: `/${prefix}-snapshots/_doc/part%20m%200`, body: part });
  assert.equal(await snapshots.read('acme/x', 'main'), null);
  const first = await snapshots.publish('acme/x', draft, 0);
  assert.equal(first.generation, 1);
  const racing = await Promise.allSettled(
    Array.from({ length: 6 }, (_, i) => snapshots.publish('acme/x', { ...draft, commit: String(i).repeat(40) }, 1)),
  );
  const won = racing.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  assert.equal(won.length, 1);
  const read = await snapshots.read('acme/x', 'main');
  assert.equal(read?.commit, won[0]!.commit);
  assert.equal(read?.generation, 2);
});

test('a reader finds a whole snapshot however often the next one takes its place', async (t) => {
  const { snapshots } = await fleetFor(t);
  const files = Array.from({ length: 200 }, (_, i) => ({
    path: `f${String(i).padStart(3, '0')}`,
    blobId: '0'.repeat(40),
    language: 'text',
    flags: 0,
    size: 1,
    lines: 1,
    mtimeMs: 0,
  }));
  await snapshots.publish('acme/x', { ...draft, files }, 0);
  let writing = true;
  const write = (async () => {
    for (let generation = 1; generation < 20; generation++) {
      const commit = generation.toString(16).padStart(40, '0');
      await snapshots.publish(
        'acme/x',
        { ...draft, commit, files: files.map((f) => ({ ...f, size: generation })) },
        generation,
      );
    }
    writing = false;
  })();
  while (writing) {
    const { files: seen, commit, generation } = (await snapshots.read('acme/x', 'main'))!;
    assert.equal(seen.length, 200);
    const size = generation === 1 ? 1 : Number.parseInt(commit, 16);
    assert.ok(seen.every((file) => file.size === size));
  }
  await write;
});
