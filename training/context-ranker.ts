/**
 * Trains the weights of a context search: `node --import tsx training/context-ranker.ts REPOSITORIES [--home=DIR]
 * [--write]`. REPOSITORIES holds the clones that bench/memory-questions.json asks about. Only the half of the questions
 * that is there to tune on is used; the other half says how well it went. Few questions correct weights that were set
 * by hand, rather than make them: what no question of the set tells (sessions, replaced decisions) stays as it was set.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAnswer, layOut, loadRepositories, type Question } from '../bench/memory-set.ts';
import { createEngine, type Engine } from '../src/engine/index.ts';
import { CONTEXT_FEATURES } from '../src/memory/index.ts';
import type { RankerModel, RankerModels } from '../src/search/index.ts';
import { engineConfig } from '../test/engine-config.ts';
import { type Candidates, type Labelled, logistic, orderOf, scoreAll, train } from './linear.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const WIDTH = CONTEXT_FEATURES.length;
const TOP = 5;
const PRIOR: Record<(typeof CONTEXT_FEATURES)[number], number> = {
  coverage: 2,
  best_chunk: 2,
  similarity: 4,
  vector: 0,
  relevance: 4,
  confidence: 1.5,
  asked_kind: 0.8,
  is_legacy: -2,
  is_code: -2.5,
  is_documentation: -1,
  is_session: -1,
};
/** Decay towards the weights set by hand. */
const DECAY = 1;
/**
 * The set asks about decisions of the past, and of no session: neither says how much those count for the work of today.
 */
const FIXED = ['is_legacy', 'is_session'] as const;
/** Features of the best candidate that tell in any project whether it answers at all. */
const CONFIDENCE = ['coverage', 'similarity'] as const;

interface Group extends Labelled {
  readonly question: Question;
  /** The sample of the question asked of another project, where nothing answers it. */
  readonly foreign: Candidates;
}

/** A model that returns every candidate with its plain features: all weights 1, no floor. */
const BARE: RankerModel = {
  version: 0,
  weights: { default: Object.fromEntries(CONTEXT_FEATURES.map((name) => [name, 1])) },
  calibration: { confidence: { bias: 0, weights: {} }, gap: { offset: 0, slope: 0 } },
  floor: 0,
};

async function collect(engine: Engine, folder: string, query: string) {
  const { results } = await engine.contextSearch(folder, { query, limit: 1000, explain: true });
  const rows = new Float32Array(results.length * WIDTH);
  results.forEach(({ explanation }, i) => {
    for (const { feature, value } of explanation ?? [])
      rows[i * WIDTH + (CONTEXT_FEATURES as readonly string[]).indexOf(feature)] = value;
  });
  return { results, sample: { rows, paths: results.map(({ id }) => id) } };
}

async function collectAll(parent: string, home: string, models: string): Promise<Group[]> {
  const engine = createEngine(engineConfig(home, { modelFolder: models }));
  const repositories = loadRepositories();
  const folders = repositories.map((repository) => layOut(parent, repository));
  for (const folder of folders) {
    await engine.index(folder);
    // A call embeds as many texts as its time limit allows; repeated calls embed the rest.
    for (let i = 0; i < 5; i++) await engine.contextSearch(folder, { query: 'anything at all' });
  }
  const groups: Group[] = [];
  for (const [at, { questions }] of repositories.entries()) {
    for (const question of questions) {
      const { results, sample } = await collect(engine, folders[at]!, question.question);
      const foreign = await collect(engine, folders[(at + 1) % folders.length]!, question.question);
      const labels = Uint8Array.from(results, (result) => (isAnswer(result, question) ? 1 : 0));
      groups.push({ question, sample, labels, foreign: foreign.sample });
    }
  }
  await engine.close();
  return groups;
}

function rankOf(weights: Float64Array, { sample, labels }: Group): number {
  return orderOf(scoreAll(weights, sample), sample).findIndex((i) => labels[i] === 1) + 1;
}

function report(title: string, weights: Float64Array, groups: readonly Group[]): void {
  const told = (['tuning', 'held'] as const).map((half) => {
    const ranks = groups.filter(({ question }) => question.half === half).map((group) => rankOf(weights, group));
    const share = ranks.filter((rank) => rank > 0 && rank <= TOP).length / ranks.length;
    const mrr = ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / ranks.length;
    return `${half} ${share.toFixed(3)} (mean reciprocal rank ${mrr.toFixed(3)})`;
  });
  console.log(`${title}: ${told.join(', ')}`);
}

/**
 * See Ranker.relevance(): whether anything answers, by the best candidate's features; and how fast that falls behind
 * it.
 */
function calibrate(groups: readonly Group[], weights: Float64Array): Pick<RankerModel, 'calibration' | 'floor'> {
  const trust: { x: number[]; label: number }[] = [];
  const gaps: { x: number[]; label: number }[] = [];
  const columns = CONFIDENCE.map((name) => CONTEXT_FEATURES.indexOf(name));
  const top = (sample: Candidates) => {
    const scores = scoreAll(weights, sample);
    const order = orderOf(scores, sample);
    const best = order[0];
    return best === undefined
      ? null
      : { best, scores, order, x: columns.map((column) => sample.rows[best * WIDTH + column]!) };
  };
  for (const { sample, labels, foreign } of groups) {
    const own = top(sample);
    const away = top(foreign);
    if (own) {
      trust.push({ x: own.x, label: labels[own.best] === 1 ? 1 : 0.6 });
      for (const i of own.order.slice(0, 10))
        gaps.push({ x: [own.scores[own.best]! - own.scores[i]!], label: labels[i]! });
    }
    if (away) trust.push({ x: away.x, label: 0 });
  }
  const confidence = logistic(trust);
  const gap = logistic(gaps);
  return {
    calibration: {
      confidence: { bias: round(confidence.bias), weights: namedBy(CONFIDENCE, confidence.weights) },
      gap: { offset: round(gap.bias), slope: round(-gap.weights[0]!) },
    },
    // What is left out is noise at the end of a list; whether there is an answer at all is for the reader to judge by
    // the score.
    floor: FLOOR,
  };
}

const FLOOR = 0.001;
const round = (value: number) => Math.round(value * 1e4) / 1e4;
const namedBy = (names: readonly string[], values: ArrayLike<number>) =>
  Object.fromEntries(names.map((name, i) => [name, round(values[i]!)]));

const [parent] = process.argv.slice(2);
if (!parent) {
  console.error('usage: node --import tsx training/context-ranker.ts REPOSITORIES [--home=DIR] [--write]');
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), 'sextant-context-'));
try {
  const home = process.argv.find((a) => a.startsWith('--home='))?.slice(7) ?? join(scratch, 'home');
  const models = join(scratch, 'models');
  const file = join(root, 'models/ranker.json');
  const kept = JSON.parse(readFileSync(file, 'utf8')) as RankerModels;
  cpSync(join(root, 'models'), models, { recursive: true });
  writeFileSync(join(models, 'ranker.json'), JSON.stringify({ ...kept, context: BARE }));
  const groups = await collectAll(parent, home, models);
  const prior = CONTEXT_FEATURES.map((name) => PRIOR[name]);
  report('set by hand', Float64Array.from(prior), groups);
  const tuning = groups.filter(({ question }) => question.half === 'tuning');
  const weights = train(tuning, WIDTH, {
    prior,
    decay: DECAY,
    fixed: FIXED.map((name) => CONTEXT_FEATURES.indexOf(name)),
  });
  report('trained', weights, groups);
  const { calibration, floor } = calibrate(tuning, weights);
  const context: RankerModel = {
    version: 1,
    weights: { default: namedBy(CONTEXT_FEATURES, weights) },
    calibration,
    floor,
  };
  console.log(JSON.stringify(context, null, 1));
  if (process.argv.includes('--write')) writeFileSync(file, `${JSON.stringify({ ...kept, context }, null, 2)}\n`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
