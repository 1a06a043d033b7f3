/**
 * Trains the ranker's weights: `node --import tsx training/ranker.ts BENCH LAYOUT… [--only] [--write]`. BENCH holds
 * repos.json and annotations/, each LAYOUT the repositories, in part or whole: people index all of a repository, and
 * only there lie its tests, examples and manuals. Every question gives its candidates' features (exactly those that
 * search uses); weights per intent are fitted with a pairwise logistic loss weighted by what a swap changes in NDCG@10,
 * and judged on repositories that the weights never saw. With --only, nothing but LEARNED_FROM_ALL is learned anew,
 * beside the weights that ship.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { covers, loadQuestions, ndcg, type Place, type Question } from '../bench/quality/set.ts';
import { FEATURES } from '../src/search/index.ts';
import { logistic, orderOf, scoreAll, train } from './linear.ts';
import { collectCandidates, type Sample } from './ranker-samples.ts';

const FOLDS = 8;

type Weights = Record<'default' | 'symbol', Readonly<Record<string, number>>>;
interface Shipped {
  readonly weights: Weights;
  readonly calibration: unknown;
  readonly floor: number;
}

interface Group {
  readonly question: Question;
  readonly sample: Sample;
  readonly labels: Uint8Array;
  readonly layout: string;
}

function evaluate(weights: Float64Array, group: Group): number {
  const places = orderOf(scoreAll(weights, group.sample), group.sample)
    .slice(0, 10)
    .map((i): Place => ({ path: group.sample.paths[i]!, startLine: 1, endLine: 1e9 }));
  return ndcg(places, group.question.targets);
}

/**
 * Limits the weight of each flag to twice the smallest one that is learned without one of the folds: what a path says
 * about a file differs from repository to repository, and no single one may determine the weight.
 */
function limitFlagWeights(weights: Float64Array, folds: readonly Float64Array[]): Float64Array {
  return weights.map((weight, f) => {
    if (!FEATURES[f]!.startsWith('is_')) return weight;
    const smallest = Math.min(...folds.map((fold) => Math.max(0, Math.sign(weight) * fold[f]!)));
    return Math.sign(weight) * Math.min(Math.abs(weight), 2 * smallest);
  });
}

/**
 * Features whose weights are learned from all layouts; other weights are learned from the first layout alone. The first
 * layout, which the questions are about, contains hardly any tests and examples. Manuals and settings are not in this
 * list: no question expects an answer there, so whole repositories would teach the ranker to leave them out.
 */
const LEARNED_FROM_ALL = ['is_test', 'is_example'];

function learn(groups: readonly Group[], intent: keyof Weights): Float64Array {
  const weights = only
    ? Float64Array.from(FEATURES, (name) => shipped.weights[intent][name] ?? 0)
    : train(
        groups.filter(({ layout }) => layout === layouts[0]),
        FEATURES.length,
      );
  if (layouts.length === 1) return weights;
  const fixed = FEATURES.flatMap((name, f) => (LEARNED_FROM_ALL.includes(name) ? [] : [f]));
  return train(groups, FEATURES.length, { prior: [...weights], fixed });
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);

function report(title: string, results: readonly { group: Group; score: number }[]): void {
  console.log(`${title}: ${mean(results.map((r) => r.score)).toFixed(4)} (${results.length})`);
  for (const key of ['category', 'language'] as const) {
    const by = new Map<string, number[]>();
    for (const { group, score } of results)
      by.set(group.question[key], [...(by.get(group.question[key]) ?? []), score]);
    console.log(
      `  ${[...by]
        .sort()
        .map(([name, list]) => `${name} ${mean(list).toFixed(3)}`)
        .join('  ')}`,
    );
  }
}

/** Features of the best candidate that tell in any repository whether it answers at all. */
const CONFIDENCE = [
  'coverage',
  'chunk_coverage',
  'name_coverage',
  'similarity',
  'defines_exactly',
  'defines_compound',
  'stem_coverage',
] as const;

function calibrate(groups: readonly Group[], weightsOf: (intent: string) => Float64Array) {
  const top = (sample: Pick<Sample, 'rows' | 'paths' | 'intent'>) => {
    const scores = scoreAll(weightsOf(sample.intent), sample);
    const [best] = orderOf(scores, sample);
    return best === undefined
      ? null
      : { best, scores, x: CONFIDENCE.map((name) => sample.rows[best * FEATURES.length + FEATURES.indexOf(name)]!) };
  };
  const trust: { x: number[]; label: number }[] = [];
  const gaps: { x: number[]; label: number }[] = [];
  const own: number[][] = [];
  const foreign: number[][] = [];
  for (const { sample, labels } of groups) {
    const at = top(sample);
    const away = top(sample.foreign);
    if (at) {
      own.push(at.x);
      trust.push({ x: at.x, label: labels[at.best] === 1 ? 1 : 0.6 });
      orderOf(at.scores, sample)
        .slice(0, 10)
        .forEach((i) => {
          gaps.push({ x: [at.scores[at.best]! - at.scores[i]!], label: labels[i]! });
        });
    }
    if (away) {
      foreign.push(away.x);
      trust.push({ x: away.x, label: 0 });
    }
  }
  const confidence = logistic(trust);
  const gap = logistic(gaps);
  const chance = (x: readonly number[]) =>
    1 / (1 + Math.exp(-(confidence.bias + x.reduce((sum, value, i) => sum + value * confidence.weights[i]!, 0))));
  // Half of what keeps all but three in a thousand of the questions that have an answer: the weights know these
  // questions, and on others (the relevance test's) the whole of it refused one right answer in twenty.
  const floor = own.map(chance).sort((a, b) => a - b)[Math.floor(own.length * 0.003)]! / 2;
  const kept = own.filter((x) => chance(x) >= floor).length / own.length;
  const refused = foreign.filter((x) => chance(x) < floor).length / Math.max(1, foreign.length);
  console.log(
    `floor ${floor.toFixed(3)} keeps ${(100 * kept).toFixed(1)} % of own questions and refuses ${(100 * refused).toFixed(1)} % of questions asked of another repository`,
  );
  const round = (value: number) => Math.round(value * 1e4) / 1e4;
  return {
    calibration: {
      confidence: {
        bias: round(confidence.bias),
        weights: Object.fromEntries(CONFIDENCE.map((name, i) => [name, round(confidence.weights[i]!)])),
      },
      gap: { offset: round(gap.bias), slope: round(-gap.weights[0]!) },
    },
    floor: round(floor),
  };
}

const [bench, ...layouts] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const write = process.argv.includes('--write');
const only = process.argv.includes('--only');
const ranker = join(dirname(fileURLToPath(import.meta.url)), '../models/ranker.json');
const shipped = JSON.parse(readFileSync(ranker, 'utf8')) as Shipped;
const keep = process.argv.find((a) => a.startsWith('--home='))?.slice(7);
if (!bench || layouts.length === 0) {
  console.error('usage: node --import tsx training/ranker.ts BENCH LAYOUT… [--only] [--home=DIR] [--write]');
  process.exit(2);
}
const home = keep ?? mkdtempSync(join(tmpdir(), 'sextant-ranker-'));
const cached = process.argv.find((a) => a.startsWith('--samples='))?.slice(10);
const groups: Group[] = [];
for (const [i, layout] of layouts.entries()) {
  const { questions } = loadQuestions(bench, layout);
  const file = cached && `${cached}.${i}`;
  const samples =
    file && existsSync(file)
      ? (deserialize(readFileSync(file)) as Sample[])
      : await collectCandidates(questions, layout, join(home, String(i)));
  if (file && !existsSync(file)) writeFileSync(file, serialize(samples));
  for (const [at, question] of questions.entries()) {
    const sample = samples[at]!;
    const labels = Uint8Array.from(sample.paths, (path) =>
      question.targets.some((t) => covers({ path, startLine: 1, endLine: 1e9 }, t)) ? 1 : 0,
    );
    groups.push({ question, sample, labels, layout });
  }
}
if (!keep) rmSync(home, { recursive: true, force: true });
const found = groups.filter((g) => g.labels.includes(1)).length;
console.log(`${groups.length} questions; a right file is among the candidates of ${found}`);
const repositories = [...new Set(groups.map((g) => g.question.repository))].sort();
const foldOf = (repository: string) => repositories.indexOf(repository) % FOLDS;
const isSymbol = (g: Group) => g.sample.intent === 'symbol';
const results: { group: Group; score: number }[] = [];
const folds: Record<keyof Weights, Float64Array>[] = [];
for (let fold = 0; fold < FOLDS; fold++) {
  const rest = groups.filter((g) => foldOf(g.question.repository) !== fold);
  const symbol = learn(rest.filter(isSymbol), 'symbol');
  const other = learn(
    rest.filter((g) => !isSymbol(g)),
    'default',
  );
  folds.push({ symbol, default: other });
  for (const group of groups.filter((g) => foldOf(g.question.repository) === fold)) {
    results.push({ group, score: evaluate(isSymbol(group) ? symbol : other, group) });
  }
}
for (const layout of layouts)
  report(
    `cross-validated by repository, ${FOLDS} folds, ${layout}`,
    results.filter(({ group }) => group.layout === layout),
  );
const trainedOn = (part: readonly Group[], intent: keyof Weights) =>
  limitFlagWeights(
    learn(part, intent),
    folds.map((fold) => fold[intent]),
  );
const symbol = trainedOn(groups.filter(isSymbol), 'symbol');
const other = trainedOn(
  groups.filter((g) => !isSymbol(g)),
  'default',
);
for (const layout of layouts)
  report(
    `trained on all, ${layout}`,
    groups
      .filter((group) => group.layout === layout)
      .map((group) => ({ group, score: evaluate(isSymbol(group) ? symbol : other, group) })),
  );
const named = (weights: Float64Array) =>
  Object.fromEntries(FEATURES.map((name, f) => [name, Math.round(weights[f]! * 1e4) / 1e4]));
const { calibration, floor } = calibrate(groups, (intent) => (intent === 'symbol' ? symbol : other));
console.log(JSON.stringify({ natural_language: named(other), symbol: named(symbol), calibration }, null, 1));
if (process.argv.includes('--misses')) {
  for (const { group, score } of results.filter((r) => r.score < 0.7).sort((a, b) => a.score - b.score)) {
    const { question, sample } = group;
    const order = orderOf(scoreAll(isSymbol(group) ? symbol : other, sample), sample).slice(0, 4);
    console.log(
      `${score.toFixed(2)} ${question.repository} [${question.category}] ${question.query}\n     want ${question.targets.map((t) => t.path).join(', ')}\n     got  ${order.map((i) => sample.paths[i]).join(', ')}`,
    );
  }
}
if (write) {
  // What else ships is made by place-ranker.ts and context-ranker.ts.
  const said = only ? {} : { calibration, floor };
  const model = { ...shipped, weights: { default: named(other), symbol: named(symbol) }, ...said };
  writeFileSync(ranker, `${JSON.stringify(model, null, 2)}\n`);
}
