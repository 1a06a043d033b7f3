/**
 * `npm run bench:fleet -- --layout DIR [--bench DIR] [--write]`: the git repositories of a folder in one fleet, on a
 * cluster of three nodes that it starts and stops. With --bench, the open half of the public benchmark is asked within
 * its repository and across all. With --write the section goes to docs/fleet.md.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEngine } from '../src/engine/index.ts';
import { fleetContents } from '../src/fleet/blobs/fleet-contents.ts';
import { openFleet } from '../src/fleet/index.ts';
import { connectCluster } from '../src/fleet/opensearch/search-cluster.ts';
import { hydrate } from '../src/fleet/serving/hydrate.ts';
import { PublishedSnapshots } from '../src/fleet/snapshots/published-snapshots.ts';
import { derivationOf } from '../src/fleet/worker/derivation.ts';
import { engineConfig } from '../test/engine-config.ts';
import { startCluster } from '../test/fleet/cluster/cluster.ts';
import { crossOf } from '../test/fleet/cross-under-test.ts';
import { git } from '../test/fleet/fleet-under-test.ts';
import { type Capacity, capacityText } from './fleet-capacity.ts';
import { mean } from './quality/figures.ts';
import { loadQuestions, ndcg } from './quality/set.ts';

const argv = process.argv.slice(2);
const option = (name: string) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined);
const [layout, bench] = [option('--layout'), option('--bench')];
if (!layout) {
  console.error('usage: npm run bench:fleet -- --layout DIR [--bench DIR] [--write]');
  process.exit(2);
}
const PREFIX = 'bench';
const MB = 1 << 20;
const PLAIN_QUESTIONS = ['parse the command line', 'retry with backoff', 'where is the connection closed', 'Router'];
const folder = mkdtempSync(join(tmpdir(), 'sextant-bench-fleet-'));
const cluster = await startCluster((line) => console.error(line), { heapMb: 1024 });
const connection = connectCluster({ urls: cluster.urls });
try {
  const text = await measure();
  console.log(text);
  if (argv.includes('--write')) {
    const page = join(dirname(fileURLToPath(import.meta.url)), '../docs/fleet.md');
    const [before, after] = readFileSync(page, 'utf8').split(/\n## Measured\n[\s\S]*?(?=\n## |$)/);
    writeFileSync(page, `${before!.trimEnd()}\n\n## Measured\n\n${text.trimEnd()}\n${after ?? ''}`);
  }
} finally {
  await connection.close();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<string> {
  const config = engineConfig(join(folder, 'worker'));
  const fleet = openFleet({ address: { urls: cluster.urls }, prefix: PREFIX, engine: config });
  await fleet.setUp({ shards: 3, replicas: 1 });
  const names = readdirSync(layout!).filter((name) => readdirSync(join(layout!, name)).includes('.git'));
  for (const name of names) await fleet.add({ name, url: join(layout!, name), ref: null, groups: [] });
  const derived = { files: 0, created: 0, ms: 0 };
  await fleet.work({
    follow: false,
    reconcileMs: 60_000,
    signal: new AbortController().signal,
    onSynced: ({ files, created, durationMs }) => {
      derived.files += files;
      derived.created += created;
      derived.ms += durationMs;
    },
    onFailed: (name, error) => console.error(`${name}: ${error.message}`),
  });
  const sizes = await sizesOf();
  const hydrated = await hydrateAll(names);
  const across = await askAcross(names, hydrated.within);
  const pushed = await timePush(fleet);
  await fleet.close();
  const capacity: Capacity = {
    chunkBytes: sizes.chunkBytes / sizes.chunks,
    blobBytes: sizes.blobBytes / sizes.chunks,
    chunksPerFile: sizes.chunks / derived.files,
    filesPerSecond: derived.created / (derived.ms / 1000),
    p50Ms: across.p50,
  };
  return `${names.length} repositories, ${derived.files} files, ${sizes.chunks.toLocaleString('en')} chunks, three nodes of OpenSearch on one machine, \`npm run bench:fleet\`:

| | |
|---|---|
| contents derived, stored and made findable, by one worker | ${capacity.filesPerSecond.toFixed(0)} a second |
| bytes of a chunk in \`chunks\`, in \`blobs\` (one copy) | ${capacity.chunkBytes.toFixed(0)}, ${capacity.blobBytes.toFixed(0)} |
| a repository from the fleet to a node's disk | ${(hydrated.mb / hydrated.seconds).toFixed(1)} MB of source a second |
| a question across all, p50 / p95 | ${across.p50.toFixed(0)} / ${across.p95.toFixed(0)} ms |
| from push to answer | ${(pushed / 1000).toFixed(1)} s |
${across.quality}
${capacityText(capacity)}`;
}

async function sizesOf() {
  await connection.ask({ method: 'POST', path: `/${PREFIX}-*/_refresh` });
  const stats = async (index: string) => {
    const { body } = await connection.ask<{ _all: { primaries: { store: { size_in_bytes: number } } } }>({
      method: 'GET',
      path: `/${PREFIX}-${index}/_stats/store`,
    });
    return body._all.primaries.store.size_in_bytes;
  };
  const { body } = await connection.ask<{ count: number }>({
    method: 'POST',
    path: `/${PREFIX}-chunks/_count`,
    body: { query: { term: { kind: 'chunk' } } },
  });
  return { chunks: body.count, chunkBytes: await stats('chunks'), blobBytes: await stats('blobs') };
}

/** Every repository on a node's disk, and an engine that answers from there. */
async function hydrateAll(names: readonly string[]) {
  const config = engineConfig(join(folder, 'node'), { frozen: true });
  const engine = createEngine(config);
  const derivation = derivationOf(config);
  const snapshots = new PublishedSnapshots(connection, PREFIX);
  const contents = fleetContents(connection, PREFIX, derivation.extractor);
  const heads = await snapshots.heads();
  let [mb, seconds] = [0, 0];
  for (const { repository, ref, summary } of heads.filter((head) => names.includes(head.repository))) {
    const root = join(folder, 'files', repository);
    mkdirSync(root, { recursive: true });
    const { storeFolder } = await engine.project(root);
    const started = performance.now();
    await hydrate({ root, storeFolder, derivation, contents }, (await snapshots.read(repository, ref))!);
    seconds += (performance.now() - started) / 1000;
    mb += summary.bytes / MB;
  }
  const within = (name: string, query: string) =>
    engine.search(join(folder, 'files', name), { query, limit: 10, stateless: true });
  return { mb, seconds, within };
}

type Within = Awaited<ReturnType<typeof hydrateAll>>['within'];

async function askAcross(names: readonly string[], within: Within) {
  const config = engineConfig(join(folder, 'worker'));
  const snapshots = new PublishedSnapshots(connection, PREFIX);
  const contents = fleetContents(connection, PREFIX, derivationOf(config).extractor);
  const cross = await crossOf({ connection, prefix: PREFIX, snapshots, contents, config, folder });
  const loaded = bench ? loadQuestions(bench, layout!).questions : [];
  const questions = loaded.filter(({ repository }) => names.includes(repository));
  const asked = questions.length > 0 ? questions.map(({ query }) => query) : PLAIN_QUESTIONS;
  for (const query of asked.slice(0, 5)) await cross.search({ query: `${query} warm up` });
  const times: number[] = [];
  const scores: { together: number; alone: number; first: number }[] = [];
  for (const [i, query] of asked.entries()) {
    const started = performance.now();
    const { hits } = await cross.search({ query, limit: 10 });
    times.push(performance.now() - started);
    const question = questions[i];
    if (!question) continue;
    const { repository, targets } = question;
    const own = hits.map((hit) => ({
      ...hit,
      path: hit.path.startsWith(`${repository}/`) ? hit.path.slice(repository.length + 1) : `\0${hit.path}`,
    }));
    const { hits: alone } = await within(repository, query);
    const first = Number(own[0] !== undefined && !own[0].path.startsWith('\0'));
    scores.push({ together: ndcg(own, targets), alone: ndcg(alone, targets), first });
  }
  times.sort((a, b) => a - b);
  const figure = (of: (one: (typeof scores)[number]) => number) => mean(scores.map(of)).toFixed(3);
  const quality =
    scores.length === 0
      ? ''
      : `| NDCG@10 across all, repository and file together (${scores.length} questions) | ${figure(({ together }) => together)} |
| NDCG@10 within the repository, on hydrated data | ${figure(({ alone }) => alone)} |
| the first result is of the right repository | ${figure(({ first }) => first)} |
`;
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))]!;
  return { p50: at(0.5), p95: at(0.95), quality };
}

/** From a commit to the first answer that shows it, with a worker that is told at once. */
async function timePush(fleet: ReturnType<typeof openFleet>): Promise<number> {
  const remote = join(folder, 'pushed');
  mkdirSync(remote);
  git(remote, 'init', '--quiet', '--initial-branch=main');
  writeFileSync(join(remote, 'pushed.ts'), 'export function pushedToTheFleet() {}\n');
  git(remote, 'add', '--all');
  git(remote, 'commit', '--quiet', '-m', 'push');
  const config = engineConfig(join(folder, 'worker'));
  const snapshots = new PublishedSnapshots(connection, PREFIX);
  const contents = fleetContents(connection, PREFIX, derivationOf(config).extractor);
  const cross = await crossOf({ connection, prefix: PREFIX, snapshots, contents, config, folder });
  const started = performance.now();
  await fleet.add({ name: 'pushed', url: remote, ref: null, groups: [] });
  const idle = { onSynced: () => undefined, onFailed: () => undefined, signal: new AbortController().signal };
  await fleet.work({ follow: false, reconcileMs: 60_000, ...idle });
  while ((await cross.search({ query: 'pushedToTheFleet' })).hits[0]?.path !== 'pushed/pushed.ts');
  return performance.now() - started;
}
