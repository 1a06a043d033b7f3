/**
 * `npm run bench:fleet -- --layout DIR [--bench DIR [--across-only] [--every N]] [--more ADDRESS,ADDRESS] [--shards N]
 * [--keep DIR] [--write]`: the repositories of a folder in one fleet, on a cluster of three nodes that it starts and
 * stops, or on the one whose nodes SEXTANT_FLEET_URLS names. With --bench, the open half of the public benchmark is
 * asked within its repository and across all, beside an embedded index of the same commit; --across-only leaves the
 * former out, --every N asks each Nth question. The git repositories of --more are added afterwards, for questions
 * across a larger fleet. --keep leaves the fleet on the cluster that SEXTANT_FLEET_URLS names, and its data folder at
 * DIR: a later run goes on there, indexes what is missing, and asks about all of it. With --write the section goes to
 * docs/fleet.md.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectCluster } from '../../src/fleet/opensearch/search-cluster.ts';
import { attachCluster, startCluster } from '../../test/fleet/cluster/cluster.ts';
import { loadQuestions } from '../quality/set.ts';
import { askAcross } from './across.ts';
import { BenchedFleet, MEASURED, PREFIX } from './fleet.ts';
import { compareMoving } from './moving.ts';
import { latencyText, reportText } from './report.ts';
import { furtherRepositories, layoutRepositories } from './repositories.ts';
import { askWithin, coldAnswer, headOfSize, hydrateAll } from './within.ts';

const argv = process.argv.slice(2);
const option = (name: string) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined);
const [layout, bench, more, keep] = [option('--layout'), option('--bench'), option('--more'), option('--keep')];
const running = process.env.SEXTANT_FLEET_URLS;
if (!layout || (keep && !running)) {
  console.error('usage: npm run bench:fleet -- --layout DIR [--bench DIR] [--more ADDRESS,ADDRESS] [--write]');
  if (keep)
    console.error('--keep DIR needs a cluster that stays: SEXTANT_FLEET_URLS (bench/fleet/cluster.ts starts one)');
  process.exit(2);
}
/** A repository about which the first question must be answered in 2 s. */
const COLD_LINES = 100_000;
const SHARDS = Number(option('--shards') ?? 1);
const EVERY = Number(option('--every') ?? 1);
const PLAIN_QUESTIONS = ['parse the command line', 'retry with backoff', 'where is the connection closed', 'Router'];
const say = (line: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);
const folder = keep ? resolve(keep) : mkdtempSync(join(tmpdir(), 'sextant-bench-fleet-'));
mkdirSync(folder, { recursive: true });
/** Of this run alone. */
const scratch = mkdtempSync(join(folder, 'run-'));
const cluster = running ? attachCluster(running.split(',')) : await startCluster(say, MEASURED);
const connection = connectCluster({ urls: cluster.urls });
try {
  const text = await measure(layout);
  console.log(text);
  if (argv.includes('--write')) writeSection(text);
} finally {
  if (!keep) await connection.ask({ method: 'DELETE', path: `/${PREFIX}-*`, expected: [404] }).catch(() => undefined);
  await connection.close();
  await cluster.stop();
  rmSync(keep ? scratch : folder, { recursive: true, force: true });
}

function writeSection(text: string): void {
  const page = join(dirname(fileURLToPath(import.meta.url)), '../../docs/fleet.md');
  const [before, after] = readFileSync(page, 'utf8').split(/\n## Measured\n[\s\S]*?(?=\n## |$)/);
  writeFileSync(page, `${before!.trimEnd()}\n\n## Measured\n\n${text.trimEnd()}\n${after ?? ''}`);
}

async function measure(from: string): Promise<string> {
  const fleet = await BenchedFleet.open(cluster.urls, connection, folder, { shards: SHARDS });
  const repositories = layoutRepositories(from, join(folder, 'remotes'));
  const isLaidOut = (repository: string) => repositories.some(({ name }) => name === repository);
  await fleet.index(repositories, say);
  const loaded = bench ? loadQuestions(bench, from).questions : [];
  const questions = loaded.filter(({ repository }) => isLaidOut(repository)).filter((_, i) => i % EVERY === 0);
  const isWithin = questions.length > 0 && !argv.includes('--across-only');
  const hydrated = isWithin ? await hydrateAll(fleet, join(scratch, 'node')) : null;
  const within = hydrated ? await askWithin(scratch, hydrated, questions, repositories, say) : null;
  const asked = questions.length > 0 ? questions.map(({ query }) => query) : PLAIN_QUESTIONS;
  const across = { chunks: await fleet.chunksOf(isLaidOut), ...(await askAcross(fleet, asked, questions, isLaidOut)) };
  say(`across ${across.chunks} chunks: ${latencyText(across.latency)}`);
  if (more) await fleet.index(furtherRepositories(more.split(',')), say);
  const sizes = await fleet.sizes();
  const all = sizes.chunks === across.chunks ? null : await askAcross(fleet, asked, []);
  if (all) say(`across ${sizes.chunks} chunks: ${latencyText(all.latency)}`);
  const head = await headOfSize(fleet, COLD_LINES);
  const cold = await coldAnswer(fleet, join(scratch, 'cold'), head);
  const moved = await compareMoving(fleet, head);
  const indexed = fleet.indexed();
  const pushMs = await fleet.timePush(say);
  await fleet.close();
  const [, load] = loadavg();
  const measured = { shards: SHARDS, load: load!, indexed, sizes, questions: questions.length, across, all };
  return reportText({ ...measured, hydrated, within, cold, moved, pushMs });
}
