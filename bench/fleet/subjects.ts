/**
 * `npm run bench:fleet:subjects -- [--repositories N] [--keep DIR] [--shares N,N]`: what a question across repositories
 * costs a subject that may see many of 20,000. Small repositories are made of this project's own sources and of two
 * files each; the node is asked through its engine, on behalf of subjects of one group and of many. With --keep, on the
 * cluster that SEXTANT_FLEET_URLS names, the fleet stays for a later run.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Repositories, type RepositoryRecord } from '../../src/fleet/catalogue/repositories.ts';
import { type BulkDocument, createDocuments } from '../../src/fleet/opensearch/bulk-write.ts';
import { indexName, VECTOR_DIMS } from '../../src/fleet/opensearch/indices.ts';
import { connectCluster } from '../../src/fleet/opensearch/search-cluster.ts';
import { fileDocuments } from '../../src/fleet/search/file-documents.ts';
import { asSubject } from '../../src/fleet/serving/subjects.ts';
import { maySee } from '../../src/fleet/serving/visible-repositories.ts';
import type { SnapshotHead } from '../../src/fleet/snapshots/published-snapshots.ts';
import { derivationOf } from '../../src/fleet/worker/derivation.ts';
import type { FileEntry } from '../../src/model/records/source-file.ts';
import type { ContentBatch } from '../../src/store/store.ts';
import { attachCluster, startCluster } from '../../test/fleet/cluster/cluster.ts';
import { git } from '../../test/fleet/fleet-under-test.ts';
import { type CpuMs, cpuOf, type Latency, latencyOf } from './across.ts';
import { BenchedFleet, MEASURED } from './fleet.ts';
import { latencyText } from './report.ts';

const argv = process.argv.slice(2);
const option = (name: string) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined);
const REPOSITORIES = Number(option('--repositories') ?? 20_000);
const GROUPS = 200;
/** Groups of a subject. */
const SHARES = (option('--shares') ?? '1,10,100,200').split(',').map(Number);
const FILES = 2;
/** Of a file: three or four chunks. */
const MOST_CHARACTERS = 2_500;
const TEMPLATES = 50;
/** Beyond those that the worker gave to the templates. */
const FIRST_NUMBER = 1_000;
const QUESTIONS = 30;
const WARM_UP = 5;
const say = (line: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);
const keep = option('--keep');
const folder = keep ? resolve(keep) : mkdtempSync(join(tmpdir(), 'sextant-bench-subjects-'));
mkdirSync(folder, { recursive: true });
const running = process.env.SEXTANT_FLEET_URLS;
const cluster = running ? attachCluster(running.split(',')) : await startCluster(say, MEASURED);
const connection = connectCluster({ urls: cluster.urls });
const PREFIX = 'benchsubjects';
try {
  const fleet = await BenchedFleet.open(cluster.urls, connection, folder, { shards: 1, prefix: PREFIX });
  const sources = sourceFiles(join(import.meta.dirname, '../../src'));
  await load(fleet, sources);
  console.log(await measure(fleet, questionsOf(sources)));
  await fleet.close();
} finally {
  if (!keep) await connection.ask({ method: 'DELETE', path: `/${PREFIX}-*`, expected: [404] }).catch(() => undefined);
  await connection.close();
  await cluster.stop();
  if (!keep) rmSync(folder, { recursive: true, force: true });
}

interface Source {
  readonly name: string;
  readonly text: string;
}

function sourceFiles(root: string): Source[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
  const sources = names.filter((name) => /(?<!\.test)\.ts$/.test(name));
  const read = sources.map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));
  return read.filter(({ text }) => text.length < MOST_CHARACTERS);
}

/** Sentences that say what a file is for. */
function questionsOf(sources: readonly Source[]): string[] {
  const sentences = sources.flatMap(
    ({ text }) => /^\/\*\*\s+(?:\* )?([A-Z][^.:;*]{20,120})[.:;]/.exec(text)?.[1] ?? [],
  );
  const every = Math.floor(sentences.length / (QUESTIONS + WARM_UP));
  return sentences.filter((_, i) => i % every === 0).slice(0, QUESTIONS + WARM_UP);
}

function nameOf(i: number): string {
  return `git.acme.example/team-${Math.floor((i / REPOSITORIES) * GROUPS)}/service-${i}`;
}

/** Some repositories as a worker indexes them, and the others as their copies under other names. */
async function load(fleet: BenchedFleet, sources: readonly Source[]): Promise<void> {
  const done = join(folder, 'loaded');
  if (existsSync(done)) return;
  const templates = Array.from({ length: TEMPLATES }, (_, i) => template(i, sources));
  await fleet.index(templates, () => undefined);
  say(`${TEMPLATES} repositories are indexed; copying`);
  const heads = (await fleet.snapshots.heads()).filter(({ repository }) => repository.startsWith('template-'));
  for (const [t, head] of heads.entries()) await copy(fleet, head, t);
  await connection.ask({ method: 'POST', path: `/${PREFIX}-*/_refresh` });
  writeFileSync(done, '');
  say(`${(await countChunks()).toLocaleString('en')} chunks`);
}

function template(t: number, sources: readonly Source[]) {
  const remote = join(folder, 'remotes', `template-${t}`);
  if (!existsSync(remote)) {
    mkdirSync(remote, { recursive: true });
    git(remote, 'init', '--quiet', '--initial-branch=main');
    for (let i = 0; i < FILES; i++) {
      const { name, text } = sources[(t * FILES + i) % sources.length]!;
      writeFileSync(join(remote, name.replaceAll('/', '-')), text);
    }
    git(remote, 'add', '--all');
    git(remote, 'commit', '--quiet', '-m', 'template');
  }
  return { name: `template-${t}`, url: remote };
}

async function copy(fleet: BenchedFleet, head: SnapshotHead, t: number): Promise<void> {
  const files = (await fleet.snapshots.filesOf(head))!;
  const batches = new Map<string, ContentBatch>();
  for await (const batch of fleet.contents.read(files)) batches.set(batch.contents[0]!.blobId, batch);
  const documents: BulkDocument[] = [];
  for (let i = t; i < REPOSITORIES; i += TEMPLATES) documents.push(...copied(fleet, head, files, batches, i));
  await createDocuments(connection, documents);
}

function copied(
  fleet: BenchedFleet,
  head: SnapshotHead,
  files: readonly FileEntry[],
  batches: ReadonlyMap<string, ContentBatch>,
  i: number,
): BulkDocument[] {
  const name = nameOf(i);
  const number = FIRST_NUMBER + i;
  const { extractor } = derivationOf(fleet.config);
  const now = Date.now();
  const record: RepositoryRecord = {
    kind: 'repo',
    name,
    url: `https://${name}.git`,
    ref: null,
    groups: [name.split('/')[1]!],
    addedAtMs: now,
    wantedAtMs: null,
    checkedAtMs: now,
    branch: head.ref,
    failure: null,
    number,
  };
  const documents = files.flatMap((file) =>
    fileDocuments(file, batches.get(file.blobId)!, { repository: name, number, extractor, isFirst: true }, VECTOR_DIMS),
  );
  return [
    { index: indexName(PREFIX, 'repos'), id: `repo ${name}`, source: { ...record }, size: 500 },
    {
      index: indexName(PREFIX, 'snapshots'),
      id: `head ${name} ${head.ref}`,
      source: { ...head, repository: name },
      size: 500,
    },
    ...documents.map((document) => ({ index: indexName(PREFIX, 'chunks'), ...document })),
  ];
}

async function countChunks(): Promise<number> {
  const query = { term: { kind: 'chunk' } };
  const path = `/${indexName(PREFIX, 'chunks')}/_count`;
  return (await connection.ask<{ count: number }>({ method: 'POST', path, body: { query } })).body.count;
}

async function measure(fleet: BenchedFleet, questions: readonly string[]): Promise<string> {
  const node = await fleet.fleet.serve({
    tokensFile: null,
    issuer: null,
    webhookSecretFile: null,
    requestsPerMinute: 1_000_000,
    auditDays: 90,
    giveGroups: [],
    giveBytesPerDay: 1 << 30,
    cacheBytes: 1 << 30,
    onRemark: say,
  });
  const records = await new Repositories(connection, PREFIX).list();
  const rows: string[] = [];
  for (const share of SHARES) {
    const subject = { name: `of ${share}`, groups: new Set(Array.from({ length: share }, (_, i) => `team-${i}`)) };
    const { latency, cpu } = await asSubject(subject, () =>
      timed(fleet, questions, (query) => node.engine.search(node.folder, { query, limit: 10 })),
    );
    const visible = records.filter(({ groups }) => maySee(subject, groups)).length;
    const costs = `${cpu.cluster.toFixed(0)}, ${cpu.asker.toFixed(0)} ms`;
    rows.push(`| ${visible.toLocaleString('en')} | ${latencyText(latency)} | ${costs} |`);
    say(rows.at(-1)!);
  }
  await node.close();
  const chunks = (await countChunks()).toLocaleString('en');
  return `${records.length.toLocaleString('en')} repositories, ${chunks} chunks:

| repositories that the subject may see | p50 / p95 | CPU of a question: all nodes of OpenSearch, the node that answers |
|---|---|---|
${rows.join('\n')}
`;
}

async function timed(
  fleet: BenchedFleet,
  questions: readonly string[],
  ask: (query: string) => Promise<unknown>,
): Promise<{ readonly latency: Latency; readonly cpu: CpuMs }> {
  for (const query of questions.slice(0, WARM_UP)) await ask(query);
  const asked = questions.slice(WARM_UP);
  const before = await cpuOf(fleet);
  const times: number[] = [];
  for (const query of asked) {
    const started = performance.now();
    await ask(query);
    times.push(performance.now() - started);
  }
  const after = await cpuOf(fleet);
  const each = (of: keyof CpuMs) => (after[of] - before[of]) / asked.length;
  return { latency: latencyOf(times), cpu: { cluster: each('cluster'), asker: each('asker') } };
}
