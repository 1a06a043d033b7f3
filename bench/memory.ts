/**
 * `npm run bench:memory [-- --repositories DIR] [--half tuning|held] [--misses] [--rounds N] [--scale] [--write]`: asks
 * the labelled questions of memory-questions.json about three public repositories and prints the share that is answered
 * within the first five results of a context search, for the half that the ranking was tuned on and for the half that
 * was kept apart; and what mining costs beside the index. DIR holds clones by name; those that are missing are cloned
 * from GitHub, with their history.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEngine, type Engine } from '../src/engine/index.ts';
import { engineConfig } from '../test/engine-config.ts';
import { measureScale } from './memory-scale.ts';
import { isAnswer, layOut, loadRepositories, type Question, type Repository } from './memory-set.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const flag = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const has = (name: string) => process.argv.includes(`--${name}`);

const TOP = 5;
const TARGET = 0.8;
const ROUNDS = Number(flag('rounds') ?? 3);

interface Outcome {
  readonly repository: string;
  readonly question: Question;
  /** 1 for the first result, 0 where none of the first five answers. */
  readonly rank: number;
  readonly durationMs: number;
}
interface Cost {
  readonly repository: string;
  readonly commits: number;
  readonly discoveries: number;
  readonly indexMs: number;
  readonly mineMs: number;
  readonly againMs: number;
}

async function ask(engine: Engine, folder: string, repository: string, question: Question): Promise<Outcome> {
  const { results, durationMs } = await engine.contextSearch(folder, { query: question.question, limit: TOP });
  const at = results.findIndex((result) => isAnswer(result, question));
  if (has('misses') && at < 0) {
    process.stdout.write(`\n${repository} [${question.half}] ${question.question}\n`);
    for (const { type, source, score, content, evidence } of results)
      process.stdout.write(
        `   ${score.toFixed(3)} ${source}/${type} ${evidence[0]?.path ?? evidence[0]?.commit?.slice(0, 10) ?? ''}:${evidence[0]?.startLine ?? ''} ${content.slice(0, 90).replace(/\s+/g, ' ')}\n`,
      );
  }
  return { repository, question, rank: at + 1, durationMs };
}

function newEngine(home: string): Engine {
  return createEngine(engineConfig(home));
}

/**
 * Time of the processor in ms, of this process and of those that it started and saw end: others on the machine do not
 * show in it. Wall time where the system does not tell.
 */
function spentMs(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    // utime, stime, cutime, cstime in hundredths of a second.
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
  } catch {
    return performance.now();
  }
}

async function spentBy(work: () => unknown): Promise<number> {
  const before = spentMs();
  await work();
  return spentMs() - before;
}

async function index(home: string, folder: string): Promise<void> {
  const engine = newEngine(home);
  await engine.index(folder);
  await engine.close();
  // Workers are counted when they have ended.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}

/** The built program, as somebody would call it. */
function listMemory(home: string, folder: string): void {
  execFileSync(process.execPath, [join(root, 'bin/sextant'), '--quiet', 'memory', 'list', '--limit', '1'], {
    cwd: folder,
    env: { ...process.env, SEXTANT_HOME: home },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/**
 * An index, the first look at what is known (which mines), and a second one (which finds it mined): mining costs what
 * the first takes longer. In turn and several times, so that what else the machine does meets all of them alike.
 */
async function measureCost(folder: string, { name }: Repository, homes: readonly string[]): Promise<Cost> {
  const total = { index: 0, first: 0, second: 0 };
  for (const home of homes) {
    total.index += await spentBy(() => index(home, folder));
    total.first += await spentBy(() => listMemory(home, folder));
    total.second += await spentBy(() => listMemory(home, folder));
  }
  const engine = newEngine(homes[0]!);
  const { length } = await engine.discoveries(folder);
  await engine.close();
  return {
    repository: name,
    commits: Number(execFileSync('git', ['-C', folder, 'rev-list', '--count', 'HEAD'], { encoding: 'utf8' })),
    discoveries: length,
    indexMs: total.index / homes.length,
    mineMs: (total.first - total.second) / homes.length,
    againMs: total.second / homes.length,
  };
}

const share = (outcomes: readonly Outcome[]) =>
  outcomes.length === 0 ? '–' : (outcomes.filter(({ rank }) => rank > 0).length / outcomes.length).toFixed(3);
const mrr = (outcomes: readonly Outcome[]) =>
  (outcomes.reduce((sum, { rank }) => sum + (rank > 0 ? 1 / rank : 0), 0) / Math.max(1, outcomes.length)).toFixed(3);

function report(outcomes: readonly Outcome[], costs: readonly Cost[]): string[] {
  const halves = ['tuning', 'held'] as const;
  const rows: [string, readonly Outcome[]][] = [
    ...[...new Set(outcomes.map(({ repository }) => repository))].map(
      (name) => [name, outcomes.filter(({ repository }) => repository === name)] as [string, Outcome[]],
    ),
    ...(
      [
        ['why', '“why do we …”'],
        ['allowed', '“are we allowed to …”'],
        ['seen', '“was this seen before”'],
      ] as const
    ).map(([kind, words]) => [words, outcomes.filter(({ question }) => question.kind === kind)] as [string, Outcome[]]),
    ['**all**', outcomes],
  ];
  const times = outcomes.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  return [
    `| answered within the first ${TOP} | questions | all | tuned on | kept apart | mean reciprocal rank |`,
    '|---|---:|---:|---:|---:|---:|',
    ...rows.map(
      ([name, own]) =>
        `| ${name} | ${own.length} | ${share(own)} | ${halves.map((half) => share(own.filter(({ question }) => question.half === half))).join(' | ')} | ${mrr(own)} |`,
    ),
    '',
    '| processor time | commits | discoveries | index | mining | share | a command that finds it mined |',
    '|---|---:|---:|---:|---:|---:|---:|',
    ...costs.map(
      (cost) =>
        `| ${cost.repository} | ${cost.commits} | ${cost.discoveries} | ${Math.round(cost.indexMs)} ms | ${Math.round(cost.mineMs)} ms | ${((100 * cost.mineMs) / cost.indexMs).toFixed(1)} % | ${Math.round(cost.againMs)} ms |`,
    ),
    '',
    `A context search takes ${times[Math.floor(times.length / 2)]?.toFixed(0)} ms at the median, ${times[Math.floor(times.length * 0.95)]?.toFixed(0)} ms at the 95th percentile.`,
  ];
}

const scratch = mkdtempSync(join(tmpdir(), 'sextant-bench-memory-'));
try {
  const parent = flag('repositories') ?? join(tmpdir(), 'sextant-bench-repositories');
  const only = flag('half');
  const home = flag('home') ?? join(scratch, 'home');
  const outcomes: Outcome[] = [];
  const costs: Cost[] = [];
  for (const repository of loadRepositories()) {
    const folder = layOut(parent, repository);
    const others = Array.from({ length: ROUNDS - 1 }, (_, i) => join(scratch, `${repository.name}-${i}`));
    costs.push(await measureCost(folder, repository, [home, ...others]));
    const engine = newEngine(home);
    for (const question of repository.questions)
      if (only === undefined || question.half === only)
        outcomes.push(await ask(engine, folder, repository.name, question));
    await engine.close();
  }
  const lines = [
    ...report(outcomes, costs),
    ...(has('scale') ? ['', ...(await measureScale(scratch, newEngine))] : []),
  ];
  process.stdout.write(`\n${lines.join('\n')}\n`);
  if (has('write')) writeSection(lines);
  if (only === undefined && Number(share(outcomes)) < TARGET) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Between the marks of docs/memory.md. */
function writeSection(lines: readonly string[]): void {
  const file = join(root, 'docs/memory.md');
  const text = readFileSync(file, 'utf8');
  const [open, close] = ['<!-- bench:memory -->', '<!-- /bench:memory -->'];
  const [before, rest] = text.split(open);
  const after = rest?.split(close)[1];
  if (before !== undefined && after !== undefined)
    writeFileSync(file, `${before}${open}\n${lines.join('\n')}\n${close}${after}`);
}
