/**
 * `npm run bench:quality -- --bench DIR --layout DIR [--home DIR] [--write]`: asks every question of the benchmark's open half with default settings and
 * prints NDCG@10 overall, by category and by language, beside the published figures of the peers and our own ablations, and how long a
 * question takes at 10,000 and 100,000 chunks. DIR of --bench holds repos.json and annotations/, that of --layout the repositories. With
 * --write the tables go to docs/quality.md.
 */
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Engine } from '../src/engine/index.ts';
import type { SearchRequest } from '../src/model/records/query.ts';
import { engineConfig } from '../test/engine-config.ts';
import { builtEngine } from './built-engine.ts';
import { covers, loadQuestions, ndcg, type Question } from './quality-set.ts';
import { measureSpeed, type Speed } from './quality-speed.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** On the same half, from the benchmark's own publication. */
const PUBLISHED: readonly (readonly [string, number])[] = [
  ['CodeRankEmbed hybrid (137M-parameter transformer + BM25)', 0.865],
  ['semble (BM25 + static model + heuristics)', 0.85],
];
const PUBLISHED_ALL =
  'CodeRankEmbed hybrid 0.862, semble 0.854, CodeRankEmbed 0.765, ColGREP 0.693, BM25 0.673, potion-code-16M 0.650, grepai 0.561, probe 0.387, ripgrep 0.126';

interface Outcome {
  readonly question: Question;
  readonly score: number;
  readonly durationMs: number;
  /** Characters an agent reads until the first right file, ours and with grep-and-read. */
  readonly read: number;
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);

async function ask(
  engine: Engine,
  layout: string,
  questions: readonly Question[],
  more: Partial<SearchRequest> = {},
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const question of questions) {
    const { hits, durationMs } = await engine.search(join(layout, question.repository), {
      query: question.query,
      limit: 10,
      ...more,
    });
    let read = 0;
    for (const hit of hits) {
      read += hit.content.length + hit.path.length + 40;
      if (question.targets.some((target) => covers(hit, target))) break;
    }
    outcomes.push({ question, score: ndcg(hits, question.targets), durationMs, read });
  }
  return outcomes;
}

/** Share of questions that get no answer, each asked of the repository of the question `away` places further on in the list. */
async function refused(engine: Engine, layout: string, questions: readonly Question[], away: number): Promise<number> {
  let count = 0;
  for (const [i, { query }] of questions.entries()) {
    const { repository } = questions[(i + away) % questions.length]!;
    const { hits } = await engine.search(join(layout, repository), { query, limit: 10 });
    if (hits.length === 0) count++;
  }
  return count / questions.length;
}

/** What an agent without an index does: grep for each longer word, open the files that match most of them, whole, until the right one is read. */
async function grepAndRead(engine: Engine, layout: string, question: Question): Promise<number> {
  const folder = join(layout, question.repository);
  const words = [...new Set(question.query.match(/[A-Za-z_]{4,}/g) ?? [])].slice(0, 6);
  const counts = new Map<string, number>();
  let read = 0;
  for (const word of words) {
    const { matches } = await engine.grep(folder, { pattern: word, literal: true, limit: 100, contextLines: 0 });
    for (const { path, text } of matches) {
      read += path.length + text.length + 8;
      counts.set(path, (counts.get(path) ?? 0) + 1);
    }
  }
  for (const [path] of [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))) {
    const file = join(folder, path);
    if (existsSync(file)) read += readFileSync(file).length;
    if (question.targets.some((target) => covers({ path, startLine: 1, endLine: 1e9 }, target))) break;
  }
  return read;
}

function grouped(outcomes: readonly Outcome[], key: 'category' | 'language'): [string, number, number][] {
  const groups = new Map<string, number[]>();
  for (const { question, score } of outcomes) groups.set(question[key], [...(groups.get(question[key]) ?? []), score]);
  return [...groups].sort().map(([name, scores]) => [name, mean(scores), scores.length]);
}

const argv = process.argv.slice(2);
const option = (name: string) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined);
const bench = option('--bench');
const layout = option('--layout');
if (!bench || !layout) {
  console.error('usage: npm run bench:quality -- --bench DIR --layout DIR [--home DIR] [--write]');
  process.exit(2);
}
const home = option('--home') ?? mkdtempSync(join(tmpdir(), 'sextant-quality-'));
const { createEngine } = await builtEngine();
const engineWith = (modelFolder: string) => createEngine(engineConfig(home, { modelFolder }));
const engine = engineWith(join(root, 'models'));
const work = mkdtempSync(join(tmpdir(), 'sextant-quality-work-'));

/** The same models with a ranker that has learned nothing: best words and best vector, added up, and no floor. */
function untrained(): string {
  const folder = join(work, 'models');
  mkdirSync(folder);
  for (const name of readdirSync(join(root, 'models')))
    if (name !== 'ranker.json') linkOrCopy(join(root, 'models', name), join(folder, name));
  const weights = { default: { best_chunk: 1, vector: 1 } };
  const calibration = { confidence: { bias: 4, weights: {} }, gap: { offset: 0, slope: 1 } };
  writeFileSync(join(folder, 'ranker.json'), JSON.stringify({ version: 1, weights, calibration, floor: 0 }));
  return folder;
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    writeFileSync(to, readFileSync(from));
  }
}
const { questions, missing } = loadQuestions(bench, layout);
if (missing.length > 0) console.error(`not laid out, left out: ${missing.join(', ')}`);
const chunksOf = new Map<string, number>();
for (const repository of new Set(questions.map((question) => question.repository))) {
  const folder = join(layout, repository);
  chunksOf.set(repository, (await engine.index(folder)).chunkCount);
  await engine.watch(folder);
  await engine.search(folder, { query: 'warm up', waitFreshMs: 60_000 });
}
const full = await ask(engine, layout, questions);
const keyword = await ask(engine, layout, questions, { mode: 'keyword' });
const vector = await ask(engine, layout, questions, { mode: 'vector' });
const expanded = await ask(engine, layout, questions, { expandQuery: true });
const foreign = await refused(engine, layout, questions, Math.floor(questions.length / 2));
const own = await refused(engine, layout, questions, 0);
const plainEngine = engineWith(untrained());
const plain = await ask(plainEngine, layout, questions);
await plainEngine.close();
const grep: number[] = [];
for (const question of questions) grep.push(await grepAndRead(engine, layout, question));
await engine.close();
const speeds: Speed[] = [];
for (const wanted of [10_000, 100_000])
  speeds.push(await measureSpeed(() => engineWith(join(root, 'models')), layout, work, questions, chunksOf, wanted));
rmSync(work, { recursive: true, force: true });
if (!option('--home')) rmSync(home, { recursive: true, force: true });

const times = full.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
const three = (value: number) => value.toFixed(3);
const lines = [
  '| | NDCG@10 |',
  '|---|---|',
  `| **Sextant, default settings** | **${three(mean(full.map(({ score }) => score)))}** |`,
  `| Sextant, keyword mode | ${three(mean(keyword.map(({ score }) => score)))} |`,
  `| Sextant, vector mode | ${three(mean(vector.map(({ score }) => score)))} |`,
  `| Sextant, without the learned ranker | ${three(mean(plain.map(({ score }) => score)))} |`,
  `| Sextant, with expand_query (built in) | ${three(mean(expanded.map(({ score }) => score)))} |`,
  ...PUBLISHED.map(([name, score]) => `| ${name}, published for the same half | ${three(score)} |`),
  '',
  `| category | NDCG@10 | questions |\n|---|---|---|\n${grouped(full, 'category')
    .map(([name, score, count]) => `| ${name} | ${three(score)} | ${count} |`)
    .join('\n')}`,
  '',
  `| language | NDCG@10 | questions |\n|---|---|---|\n${grouped(full, 'language')
    .map(([name, score, count]) => `| ${name} | ${three(score)} | ${count} |`)
    .join('\n')}`,
  '',
  `Published for all 63 repositories: ${PUBLISHED_ALL}.`,
  '',
  `A query took ${times[times.length >> 1]!.toFixed(1)} ms at the median and ${times[Math.floor(times.length * 0.95)]!.toFixed(1)} ms at the 95th of a hundred, inside one process that has all of them open; by size, with repositories laid side by side and nothing else open, the middle of three rounds:`,
  '',
  '| chunks | files | p50 | p95 |\n|---|---|---|---|',
  ...speeds.map(
    ({ chunks, files, p50, p95 }) =>
      `| ${chunks.toLocaleString('en')} | ${files.toLocaleString('en')} | ${p50.toFixed(1)} ms | ${p95.toFixed(1)} ms |`,
  ),
  '',
  `"Nothing matches" is the answer to ${(100 * foreign).toFixed(0)} % of the questions when they are asked of another repository, and to ${(100 * own).toFixed(1)} % of them where they belong.`,
  `Until the first right file an agent reads ${Math.round(mean(full.map(({ read }) => read)) / 4).toLocaleString('en')} tokens with Sextant and ${Math.round(mean(grep) / 4).toLocaleString('en')} with grep-and-read (${((100 * mean(full.map(({ read }) => read))) / mean(grep)).toFixed(1)} %).`,
];
const text = lines.join('\n');
console.log(text);
if (argv.includes('--write')) {
  writeFileSync(
    join(root, 'docs/quality.md'),
    `# Answer quality\n\nMade by \`npm run bench:quality -- --bench DIR --layout DIR --write\` on the open half of semble's public benchmark: ${questions.length} questions about ${new Set(questions.map((q) => q.repository)).size} repositories. The ranker's weights were trained on this half; the figure that counts for other repositories is the cross-validated one in [models/README.md](../models/README.md).\n\n${text}\n`,
  );
}
