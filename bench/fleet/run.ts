/**
 * `npm run bench:fleet -- --layout DIR [--bench DIR [--across-only]] [--more ADDRESS,ADDRESS] [--shards N] [--write]`:
 * the repositories of a folder in one fleet, on a cluster of three nodes that it starts and stops, or on the one whose
 * nodes SEXTANT_FLEET_URLS names. With --bench, the open half of the public benchmark is asked within its repository
 * and across all, beside an embedded index of the same commit; --across-only leaves the former out. The git
 * repositories of --more are added afterwards, for questions across a larger fleet. With --write the section goes to
 * docs/fleet.md.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectCluster } from '../../src/fleet/opensearch/search-cluster.ts';
import { attachCluster, startCluster } from '../../test/fleet/cluster/cluster.ts';
import { loadQuestions } from '../quality/set.ts';
import { askAcross, type Latency } from './across.ts';
import { type Capacity, capacityText } from './capacity.ts';
import { BenchedFleet } from './fleet.ts';
import { compareMoving } from './moving.ts';
import { furtherRepositories, layoutRepositories } from './repositories.ts';
import { askWithin, coldAnswer, headOfSize, hydrateAll } from './within.ts';

const argv = process.argv.slice(2);
const option = (name: string) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined);
const [layout, bench, more] = [option('--layout'), option('--bench'), option('--more')];
if (!layout) {
  console.error('usage: npm run bench:fleet -- --layout DIR [--bench DIR] [--more ADDRESS,ADDRESS] [--write]');
  process.exit(2);
}
/** A repository about which the first question must be answered in 2 s. */
const COLD_LINES = 100_000;
const SHARDS = Number(option('--shards') ?? 1);
const PLAIN_QUESTIONS = ['parse the command line', 'retry with backoff', 'where is the connection closed', 'Router'];
const say = (line: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);
const folder = mkdtempSync(join(tmpdir(), 'sextant-bench-fleet-'));
const running = process.env.SEXTANT_FLEET_URLS;
const cluster = running
  ? attachCluster(running.split(','))
  : await startCluster(say, { heapMb: 1024, isLongRunning: true });
const connection = connectCluster({ urls: cluster.urls });
try {
  const text = await measure(layout);
  console.log(text);
  if (argv.includes('--write')) writeSection(text);
} finally {
  await connection.ask({ method: 'DELETE', path: '/bench-*', expected: [404] }).catch(() => undefined);
  await connection.close();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}

function writeSection(text: string): void {
  const page = join(dirname(fileURLToPath(import.meta.url)), '../../docs/fleet.md');
  const [before, after] = readFileSync(page, 'utf8').split(/\n## Measured\n[\s\S]*?(?=\n## |$)/);
  writeFileSync(page, `${before!.trimEnd()}\n\n## Measured\n\n${text.trimEnd()}\n${after ?? ''}`);
}

async function measure(from: string): Promise<string> {
  const fleet = await BenchedFleet.open(cluster.urls, connection, folder, SHARDS);
  const repositories = layoutRepositories(from, join(folder, 'remotes'));
  const indexed = await fleet.index(repositories, say);
  const sizes = await fleet.sizes();
  say(`${sizes.chunks} chunks; hydrating`);
  const hydrated = await hydrateAll(fleet, join(folder, 'node'));
  const loaded = bench ? loadQuestions(bench, from).questions : [];
  const questions = loaded.filter(({ repository }) => repositories.some(({ name }) => name === repository));
  const isWithin = questions.length > 0 && !argv.includes('--across-only');
  const within = isWithin ? await askWithin(fleet, hydrated, questions, repositories, say) : null;
  const asked = questions.length > 0 ? questions.map(({ query }) => query) : PLAIN_QUESTIONS;
  const across = await askAcross(fleet, asked, questions);
  say(`across ${sizes.chunks} chunks: ${latency(across.latency)}`);
  const further = more ? await fleet.index(furtherRepositories(more.split(',')), say) : null;
  const total = further ? await fleet.sizes() : sizes;
  const { latency: large, cpu } = further ? await askAcross(fleet, asked, []) : across;
  const head = await headOfSize(fleet, COLD_LINES);
  const cold = await coldAnswer(fleet, join(folder, 'cold'), head);
  const moved = await compareMoving(fleet, head);
  const pushed = await fleet.timePush(say);
  await fleet.close();
  const all = indexed.files + (further?.files ?? 0);
  const created = indexed.created + (further?.created ?? 0);
  const capacity: Capacity = {
    chunkBytes: total.chunkBytes / total.chunks,
    blobBytes: total.blobBytes / total.chunks,
    chunksPerFile: total.chunks / all,
    filesPerSecond: created / (indexed.seconds + (further?.seconds ?? 0)),
    p50Ms: large.p50,
    measuredChunks: total.chunks,
  };
  const count = (value: number) => value.toLocaleString('en');
  const rows = [
    ...(within
      ? [
          [
            `NDCG@10 within the repository: fleet, embedded (${questions.length} questions)`,
            `${within.fleet.toFixed(4)}, ${within.embedded.toFixed(4)}; ${within.different} answers differ`,
          ],
        ]
      : []),
    ...(across.quality
      ? [
          ['NDCG@10 across all, repository and file together', across.quality.together.toFixed(3)],
          ['the first result is of the right repository', across.quality.first.toFixed(3)],
        ]
      : []),
    [`a question across ${count(sizes.chunks)} chunks, p50 / p95`, latency(across.latency)],
    ...(further ? [[`a question across ${count(total.chunks)} chunks, p50 / p95`, latency(large)]] : []),
    [
      'CPU of such a question: all nodes of OpenSearch, the node that answers',
      `${cpu.cluster.toFixed(0)}, ${cpu.asker.toFixed(0)} ms`,
    ],
    ['contents derived, stored and made findable, by one worker', `${capacity.filesPerSecond.toFixed(0)} a second`],
    [
      'bytes of a chunk in `chunks`, in `blobs` (one copy)',
      `${capacity.chunkBytes.toFixed(0)}, ${capacity.blobBytes.toFixed(0)}`,
    ],
    [
      "a repository from the fleet to a node's disk",
      `${(hydrated.mb / hydrated.seconds).toFixed(1)} MB of source a second`,
    ],
    [
      `the first answer about a repository that the node does not have (${cold.name}, ${count(cold.lines)} lines)`,
      `${(cold.ms / 1000).toFixed(1)} s`,
    ],
    [
      `its ${moved.contents} contents (${moved.mb.toFixed(1)} MB packed) read and unpacked: one document each, in ${moved.segments} segments`,
      `${moved.blobsMs.toFixed(0)}, ${moved.segmentsMs.toFixed(0)} ms`,
    ],
    ['from an announced push to the answer, with a worker that stays', `${(pushed / 1000).toFixed(1)} s`],
  ];
  return `${indexed.count + (further?.count ?? 0)} repositories, ${count(all)} files, ${count(total.chunks)} chunks; three nodes of OpenSearch (${SHARDS} shards), the worker and the asker on one machine of two cores that did other work besides (load ${loadavg()[1]!.toFixed(0)} at the end); \`npm run bench:fleet\`:

| | |
|---|---|
${rows.map(([what, value]) => `| ${what} | ${value} |`).join('\n')}

### Capacity
${capacityText(capacity)}`;
}

function latency({ p50, p95 }: Latency): string {
  return `${p50.toFixed(0)} / ${p95.toFixed(0)} ms`;
}
