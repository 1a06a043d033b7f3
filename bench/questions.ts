/**
 * `npm run bench:questions -- --repos DIR [--split open|kept] [--home DIR] [--misses]`: asks every question of
 * bench/questions with default settings and prints how often the first result is the right function, how often one of
 * the first three or five is, how often the first file is right, and how well the score separates right from wrong
 * (AUC). DIR holds a checkout of every repository under the name of its question file, at the revision that the file
 * names. Expected functions that the index does not have are listed: they are mistakes in the set or in the parser.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Hit } from '../src/model/records/query.ts';
import { engineConfig } from '../test/engine-config.ts';
import { builtEngine } from './built-engine.ts';
import { type FunctionQuestion, isExpected, loadFunctionQuestions, type Split } from './question-set.ts';

type Place = Pick<Hit, 'path' | 'startLine' | 'endLine'>;

interface Outcome {
  readonly question: FunctionQuestion;
  /** Rank of the first expected function among the hits, from 1; 0 where it is not among them. */
  readonly rank: number;
  /** The lines of the first hit overlap those of an expected function, whatever symbol the hit names. */
  readonly overlaps: boolean;
  readonly fileFirst: boolean;
  readonly score: number;
  readonly shown: string;
}

const { values } = parseArgs({
  options: {
    repos: { type: 'string' },
    split: { type: 'string' },
    home: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
});
if (values.repos === undefined) throw new Error('--repos DIR is needed: a folder with a checkout of each repository');
const repos = values.repos;

const { createEngine } = await builtEngine();
const home = values.home ?? mkdtempSync(join(tmpdir(), 'sextant-questions-'));
const engine = createEngine(engineConfig(home));
try {
  const asked = loadFunctionQuestions(values.split as Split | undefined);
  const present = asked.filter(({ name }) => existsSync(join(repos, name)));
  const missing = new Set(asked.map(({ name }) => name));
  for (const { name } of present) missing.delete(name);
  if (missing.size > 0) console.log(`Not in ${repos}: ${[...missing].join(', ')}`);
  const outcomes: Outcome[] = [];
  for (const name of new Set(present.map((question) => question.name))) {
    await engine.index(join(repos, name));
    for (const question of present) if (question.name === name) outcomes.push(await ask(question));
  }
  print(outcomes);
} finally {
  await engine.close();
  if (values.home === undefined) rmSync(home, { recursive: true, force: true });
}

async function ask(question: FunctionQuestion): Promise<Outcome> {
  const folder = join(repos, question.name);
  const places = await definitions(folder, question);
  const { hits } = await engine.search(folder, { query: question.question, limit: 10 });
  const rank = hits.findIndex((hit) => isExpected(hit.path, hit.symbol?.qualifiedName, question.expected)) + 1;
  const first = hits[0];
  return {
    question,
    rank,
    overlaps: first !== undefined && places.some((place) => overlap(place, first)),
    fileFirst: question.expected.some(({ path }) => path === first?.path),
    score: first?.score ?? 0,
    shown: first === undefined ? 'nothing' : `${first.path}:${first.startLine} ${first.symbol?.name ?? first.title}`,
  };
}

/**
 * Where the expected functions are defined. One that the index does not have is a mistake in the set or in the parser:
 * it is printed.
 */
async function definitions(folder: string, { name, question, expected }: FunctionQuestion): Promise<Place[]> {
  const places: Place[] = [];
  for (const one of expected) {
    const parent = dirname(one.path);
    const { symbols } = await engine.locate(folder, {
      name: one.symbol,
      limit: 100,
      ...(parent === '.' ? {} : { folder: parent }),
    });
    const known = symbols.filter((symbol) => isExpected(symbol.path, symbol.qualifiedName, [one]));
    if (known.length === 0) console.log(`Not in the index of ${name}: ${one.path} ${one.symbol} (${question})`);
    places.push(...known);
  }
  return places;
}

function overlap(a: Place, b: Place): boolean {
  return a.path === b.path && a.startLine <= b.endLine && b.startLine <= a.endLine;
}

function print(outcomes: readonly Outcome[]): void {
  const groups = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    for (const group of [outcome.question.name, `all ${outcome.question.split}`, 'all']) {
      groups.set(group, [...(groups.get(group) ?? []), outcome]);
    }
  }
  console.log(
    '| repository | questions | function first | in first 3 | in first 5 | lines overlap first | file first | AUC |',
  );
  console.log('|---|---|---|---|---|---|---|---|');
  for (const [group, list] of groups) {
    const share = (holds: (outcome: Outcome) => boolean) => (list.filter(holds).length / list.length).toFixed(2);
    const within = (k: number) => share(({ rank }) => rank > 0 && rank <= k);
    console.log(
      `| ${group} | ${list.length} | ${within(1)} | ${within(3)} | ${within(5)} | ${share((o) => o.overlaps)} | ${share((o) => o.fileFirst)} | ${auc(list)} |`,
    );
  }
  if (!values.misses) return;
  for (const { question, rank, shown, score } of outcomes.filter((outcome) => outcome.rank !== 1)) {
    const wanted = question.expected.map(({ symbol }) => symbol).join(' or ');
    console.log(`${question.name}: ${question.question}\n  wants ${wanted} (rank ${rank}), shows ${shown} ${score}`);
  }
}

/** Chance that a right first result has a higher score than a wrong one. */
function auc(outcomes: readonly Outcome[]): string {
  const right = outcomes.filter(({ rank }) => rank === 1);
  const wrong = outcomes.filter(({ rank }) => rank !== 1);
  if (right.length === 0 || wrong.length === 0) return '-';
  let wins = 0;
  for (const a of right) for (const b of wrong) wins += a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0;
  return (wins / (right.length * wrong.length)).toFixed(2);
}
