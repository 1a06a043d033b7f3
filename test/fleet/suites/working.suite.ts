/** From a remote repository to answers: workers, contents that are derived once, hydration. */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { collectGarbage } from '../../../src/fleet/blobs/collect-garbage.ts';
import { Leases } from '../../../src/fleet/catalogue/leases.ts';
import { hydrate } from '../../../src/fleet/serving/hydrate.ts';
import { derivationOf } from '../../../src/fleet/worker/derivation.ts';
import { dumpOf, type FleetUnderTest, fleetFor } from '../fleet-under-test.ts';

/** Real sources of several languages: our own fixtures. */
function fixtureFiles(): Record<string, string> {
  const languages = join(import.meta.dirname, '../../../src/languages');
  const files: Record<string, string> = {
    'README.md': '# Shop\n\nPayments and refunds.\n',
    Makefile: 'all:\n\techo\n',
  };
  for (const language of readdirSync(languages)) {
    const folder = join(languages, language, 'fixture');
    let names: string[] = [];
    try {
      names = readdirSync(folder);
    } catch {
      continue;
    }
    for (const name of names)
      if (!name.endsWith('.snap') && !name.endsWith('.json'))
        files[`src/${language}/${name}`] = readFileSync(join(folder, name), 'utf8');
  }
  return files;
}

async function hydrated(under: FleetUnderTest, name: string, root: string) {
  const snapshot = await under.snapshots.read(name, 'main');
  assert.ok(snapshot);
  const engine = under.engine(join(under.folder, 'node'), { frozen: true });
  mkdirSync(root, { recursive: true });
  const { storeFolder } = await engine.project(root);
  const report = await hydrate(
    { root, storeFolder, derivation: derivationOf(under.config), contents: under.contents },
    snapshot,
  );
  return { engine, storeFolder, report, snapshot };
}

test('a hydrated store says what a local index of the same commit says, byte for byte, and answers the same', async (t) => {
  const under = await fleetFor(t);
  const remote = under.repository('shop', fixtureFiles());
  const added = await under.fleet.add({ name: 'acme/shop', url: remote, ref: null, groups: [] });
  assert.deepEqual(added, { name: 'acme/shop', isNew: true });
  const [report] = await under.work();
  assert.equal(report?.isNew, true);
  assert.ok(report!.created > 30);
  const root = join(under.folder, 'node-files', 'shop');
  const { engine, storeFolder, report: moved } = await hydrated(under, 'acme/shop', root);
  assert.equal(moved.read, report!.created);

  const local = under.engine(join(under.folder, 'laptop'));
  await local.index(remote);
  const { storeFolder: localStore } = await local.project(remote);
  assert.deepEqual(dumpOf(under.config, storeFolder, root), dumpOf(under.config, localStore, remote));

  for (const query of ['parse a payment', 'Shop', 'where are retries configured', 'refund']) {
    const plain = async (from: typeof engine, path: string) =>
      (await from.search(path, { query, stateless: true })).hits.map(({ path: file, startLine, endLine, score }) => ({
        file,
        startLine,
        endLine,
        score,
      }));
    assert.deepEqual(await plain(engine, root), await plain(local, remote), query);
  }
  const { content } = await engine.readFile(root, { path: 'README.md' });
  assert.match(content, /Payments and refunds/);
  assert.equal((await engine.status(root)).freshness, 'fresh');
});

test('a fork and the next commit cost what is new: every other blob was derived once', async (t) => {
  const under = await fleetFor(t);
  const files = fixtureFiles();
  const first = under.repository('one', files);
  const fork = under.repository('fork', { ...files, 'src/own.ts': 'export const own = 1;\n' });
  await under.fleet.add({ name: 'acme/one', url: first, ref: null, groups: [] });
  await under.work();
  await under.fleet.add({ name: 'acme/fork', url: fork, ref: null, groups: [] });
  const [forked] = await under.work();
  assert.equal(forked!.created, 1, 'of the fork only its own file is new');

  const root = join(under.folder, 'node-files', 'one');
  await hydrated(under, 'acme/one', root);
  under.commit(first, { 'src/new.py': 'def charge(card):\n    return card\n', 'README.md': null });
  await under.fleet.add({ name: 'acme/one', url: first, ref: null, groups: [] });
  const [second] = await under.work();
  assert.deepEqual([second!.derived, second!.created], [1, 1]);
  const again = await hydrated(under, 'acme/one', root);
  assert.equal(again.report.read, 1);
  assert.equal(readdirSync(root).includes('README.md'), false);
  const { hits } = await again.engine.search(root, { query: 'charge card', stateless: true });
  assert.equal(hits[0]?.path, 'src/new.py');

  const { repositories } = await under.fleet.status();
  assert.deepEqual(
    repositories.map(({ name, failure, wantedAtMs, branch }) => [name, failure, wantedAtMs, branch]),
    [
      ['acme/fork', null, null, 'main'],
      ['acme/one', null, null, 'main'],
    ],
  );
  assert.equal(await under.fleet.remove('acme/fork'), true);
  assert.equal(await under.snapshots.head('acme/fork', 'main'), null);
  assert.equal(await under.fleet.remove('acme/fork'), false);
});

test('the status names a repository that cannot be fetched with its reason, and others go on', async (t) => {
  const under = await fleetFor(t);
  await under.fleet.add({ name: 'acme/gone', url: join(under.folder, 'nowhere'), ref: null, groups: [] });
  const good = under.repository('good', { 'a.ts': 'export const a = 1;\n' });
  await under.fleet.add({ name: 'acme/good', url: good, ref: null, groups: [] });
  const failed: string[] = [];
  const counts = await under.fleet.work({
    follow: false,
    reconcileMs: 1,
    signal: new AbortController().signal,
    onSynced: () => undefined,
    onFailed: (name) => failed.push(name),
  });
  assert.deepEqual(counts, { synced: 1, failed: 1 });
  assert.deepEqual(failed, ['acme/gone']);
  const { repositories } = await under.fleet.status();
  const gone = repositories.find(({ name }) => name === 'acme/gone')!;
  assert.match(gone.failure ?? '', /fetch_failed: .*not appear to be a git repository/);
});

test('two workers on one queue index each repository once', async (t) => {
  const under = await fleetFor(t);
  for (let i = 0; i < 4; i++) {
    const remote = under.repository(`r${i}`, { [`f${i}.ts`]: `export const value${i} = ${i};\n` });
    await under.fleet.add({ name: `acme/r${i}`, url: remote, ref: null, groups: [] });
  }
  const reports = (await Promise.all([under.work(), under.work()])).flat();
  const fresh = reports.filter(({ isNew }) => isNew).map(({ name }) => name);
  assert.deepEqual(fresh.sort(), ['acme/r0', 'acme/r1', 'acme/r2', 'acme/r3']);
});

test('two workers on one repository derive it once and publish one snapshot', async (t) => {
  const under = await fleetFor(t);
  const files = fixtureFiles();
  const remote = under.repository('one', files);
  await under.fleet.add({ name: 'acme/one', url: remote, ref: null, groups: [] });
  const reports = (await Promise.all([under.work(), under.work(), under.work()])).flat();
  assert.equal(reports.filter(({ isNew }) => isNew).length, 1);
  const created = reports.reduce((sum, report) => sum + report.created, 0);
  await under.connection.ask({ method: 'POST', path: `/${under.prefix}-blobs/_refresh` });
  assert.equal(created, (await under.fleet.status()).contents);
  assert.equal((await under.snapshots.head('acme/one', 'main'))?.generation, 1);
});

test('a worker that stays finds by its own look a commit that nobody announced', async (t) => {
  const under = await fleetFor(t);
  const remote = under.repository('quiet', { 'a.ts': 'export const a = 1;\n' });
  await under.fleet.add({ name: 'acme/quiet', url: remote, ref: null, groups: [] });
  const stop = new AbortController();
  t.after(() => stop.abort());
  const commits: string[] = [];
  const seen = new EventEmitter();
  const working = under.fleet.work({
    follow: true,
    reconcileMs: 1,
    signal: stop.signal,
    onSynced: ({ commit, isNew }) => {
      if (isNew && commits.push(commit) > 0) seen.emit('commit');
    },
    onFailed: (name, error) => seen.emit('error', new Error(`${name}: ${error.message}`)),
  });
  await once(seen, 'commit');
  const next = under.commit(remote, { 'b.ts': 'export const b = 1;\n' });
  await once(seen, 'commit');
  stop.abort();
  await working;
  assert.equal(commits.at(-1), next);
  assert.equal((await under.snapshots.read('acme/quiet', 'main'))?.files.length, 2);
});

test('contents that no snapshot names are removed, no others, and not while a worker is at it', async (t) => {
  const under = await fleetFor(t);
  const kept = under.repository('kept', { 'a.ts': 'export const a = 1;\n', 'shared.ts': 'export const shared = 1;\n' });
  const gone = under.repository('gone', { 'b.ts': 'export const b = 1;\n', 'shared.ts': 'export const shared = 1;\n' });
  await under.fleet.add({ name: 'kept', url: kept, ref: null, groups: [] });
  await under.fleet.add({ name: 'gone', url: gone, ref: null, groups: [] });
  await under.work();
  assert.equal((await under.fleet.clean()).contents, 0);
  under.commit(kept, { 'a.ts': 'export const a = 2;\n' });
  await under.fleet.add({ name: 'kept', url: kept, ref: null, groups: [] });
  await under.work();
  await under.fleet.remove('gone');
  const lease = await new Leases(under.connection, under.prefix, 'another').take('kept');
  await assert.rejects(under.fleet.clean(), /index/i);
  await lease!.release();
  // With room for one id at a time, the snapshots are read once for each first digit.
  const { contents } = await collectGarbage(under.connection, under.prefix, under.snapshots, async () => undefined, 1);
  assert.equal(contents, 2, 'a.ts as it was, and b.ts');
  assert.equal((await under.fleet.clean()).contents, 0);
  const root = join(under.folder, 'node-files', 'kept');
  assert.equal((await hydrated(under, 'kept', root)).report.read, 2);
});
