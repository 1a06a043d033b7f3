/**
 * Trains what comes after the order of files: `node --import tsx training/place-ranker.ts QUESTIONS BENCHMARK [HISTORY]
 * [--folds=DIR] [--write]`, each made by place-data.ts, or several with commas between them. Weights that choose a
 * definition by its file's features and its own (from QUESTIONS), weights that order files by their own features and
 * those of their best definition (from both), and calibrations by mode, fitted on what weights that never saw a
 * repository say about it. --folds writes those weights, too.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize } from 'node:v8';
import { areaUnderCurve, calibrationError } from '../bench/quality/figures.ts';
import { FEATURES, type RankerModels, type ScoreDecay, softmaxShare } from '../src/search/index.ts';
import { type Group, groupOf, NAMES, WIDTH } from './definition-groups.ts';
import { logistic, orderOf, scoreAll, train } from './linear.ts';
import type { LabelledSample } from './place-data.ts';

const FOLDS = 8;
/** Weight of a question about a function relative to one about a file: a higher one orders files worse. */
const QUESTION_WEIGHT = 0.5;
/** Decay of the weights that order files: a stronger one makes the features of places too weak. */
const PLACE_DECAY = 0.015;
/**
 * Weights set by hand: the questions rarely name the symbol that answers them, but people who name a symbol mean it.
 */
const SET_FEATURES: Readonly<Record<string, number>> = {
  says_question: 6,
  has_setting: 10,
  context: 1,
  repository_named: 1,
};
const FIXED: Readonly<Record<string, number>> = {
  ...SET_FEATURES,
  place_is_identifier: 2,
  place_is_identifier_in_other_case: 0.5,
  place_is_compound: 0.5,
  place_is_word: 0,
  place_scope_is_named: 0.5,
  place_is_traced: 0.5,
  place_begins_with_identifier: 0,
  place_name_related: 0.5,
};
/** Number of definitions per question that compete with the right ones. */
const LIKELY = 40;
/** Columns of a definition's features with weights set by hand; the order of files ignores them. */
const SET_COLUMNS = Object.keys(FIXED)
  .filter((name) => name.startsWith('place_'))
  .map((name) => NAMES.indexOf(name));
const CONFIDENCE = [
  'share',
  'lead',
  'place_lead',
  'best_chunk',
  'vector',
  'coverage',
  'chunk_coverage',
  'similarity',
  'stem_coverage',
  'name_coverage',
  'defines_compound',
  'place_own_coverage',
  'place_name_precision',
  'place_name_coverage',
  'place_similarity',
  'place_is_callable',
  'place_doc_coverage',
  'place_own_words',
  'place_pairs_near',
  'place_chunk_words',
  'place_chunk_vector',
];
const OF_FILES = ['lead', 'coverage', 'chunk_coverage', 'similarity', 'defines_exactly', 'stem_coverage'];
const MEANING = ['vector', 'vector_three', 'similarity'];
const WORDS = [
  'best_chunk',
  'best_three',
  'body',
  'names',
  'docs',
  'overview',
  'whole_file',
  'coverage',
  'chunk_coverage',
  'name_coverage',
  'defines_exactly',
  'defines_identifier',
  'defines_compound',
  'defines_word',
  'stem_coverage',
  'path',
];
const ANSWERS = [
  'coverage',
  'chunk_coverage',
  'similarity',
  'name_coverage',
  'stem_coverage',
  'defines_compound',
  'defines_exactly',
];
const MAX_LEAD = 4;
/** Same value as MAX_SCORE_GAP of src/search/places/choose-places.ts. */
const MAX_SCORE_GAP = 1;
/** Decay of the calibration's weights, of which there are many for few questions. */
const TRUST_DECAY = 0.002;
const GAP_DECAY = 1e-6;
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

const [questionFile, benchFile, historyFile] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const foldFolder = process.argv.find((word) => word.startsWith('--folds='))?.slice('--folds='.length);
const path = new URL('../models/ranker.json', import.meta.url);
const shipped = JSON.parse(readFileSync(path, 'utf8')) as RankerModels;
/** Initial weights, which select competing definitions before training. */
const shippedPlaces = Float64Array.from(NAMES, (name) => shipped.places?.default?.[name] ?? 0);
const load = (files: string) => files.split(',').flatMap((file) => deserialize(readFileSync(file)) as LabelledSample[]);
const questions = load(questionFile!);
const benchmark = load(benchFile!);
const history = historyFile ? load(historyFile) : null;
const isPlain = ({ sample }: LabelledSample) => sample.intent !== 'symbol' && sample.intent !== 'path';
const own = questions.filter((one) => one.source === 'questions' && isPlain(one));
const files = benchmark.filter(isPlain);
const repositories = [...new Set([...own, ...benchmark].map(({ sample }) => sample.repository))].sort();
const foldOf = ({ sample }: LabelledSample) => repositories.indexOf(sample.repository) % FOLDS;

interface Weights {
  readonly files: Readonly<Record<'default' | 'symbol', Float64Array>>;
  /** Weights of a file's features, then of a definition's. */
  readonly definitions: Float64Array;
  readonly places: Float64Array;
}

function rowsOf(one: LabelledSample, of: readonly number[]): Group {
  const { sample, labels, fileLabels, source } = one;
  // The benchmark labels files only.
  const isFile = source === 'benchmark';
  return groupOf(one, of, (i) => (isFile ? fileLabels[sample.definitions[i]!.file]! : labels[i]!));
}

const wholes = new WeakMap<LabelledSample, Group>();
function whole(one: LabelledSample): Group {
  const known = wholes.get(one) ?? rowsOf(one, [...one.sample.definitions.keys()]);
  wholes.set(one, known);
  return known;
}

/** The definitions with the highest scores, and all that answer. */
function likeliest(one: LabelledSample, weights: Float64Array): Group {
  const group = whole(one);
  const order = orderOf(scoreAll(weights, group.sample), group.sample);
  return rowsOf(
    one,
    order.filter((i, place) => place < LIKELY || group.labels[i] === 1),
  );
}

/** The best definition of each file. */
function bestOfFiles(one: LabelledSample, weights: Float64Array): Group {
  const group = whole(one);
  const seen = new Set<number>();
  const order = orderOf(scoreAll(weights, group.sample), group.sample);
  const best = order.filter((i) => {
    const { file } = one.sample.definitions[i]!;
    if (seen.has(file)) return false;
    seen.add(file);
    return true;
  });
  const picked = rowsOf(one, best);
  // Names in the question are features of the file already.
  for (let at = 0; at < best.length; at++) for (const f of SET_COLUMNS) picked.sample.rows[at * WIDTH + f] = 0;
  return picked;
}

/** As above, for questions whose labels are files: every definition of a right file is right. */
function bestByFile(one: LabelledSample, weights: Float64Array): Group {
  const group = bestOfFiles(one, weights);
  return { ...group, labels: Uint8Array.from(group.of, (i) => one.fileLabels[one.sample.definitions[i]!.file]!) };
}

function learn(use: (one: LabelledSample) => boolean): Weights {
  const byFiles = (some: readonly LabelledSample[]) =>
    train(
      some.map(({ sample, fileLabels }) => ({
        sample: { rows: sample.fileRows, paths: sample.paths },
        labels: fileLabels,
      })),
      FEATURES.length,
    );
  const definitions = train(
    own.filter(use).map((one) => likeliest(one, shippedPlaces)),
    WIDTH,
    {
      prior: NAMES.map((name) => FIXED[name] ?? 0),
      fixed: NAMES.flatMap((name, f) => (name in FIXED ? [f] : [])),
    },
  );
  const groups = [
    ...own.filter(use).map((one) => ({ ...bestByFile(one, definitions), weight: QUESTION_WEIGHT })),
    ...files.filter(use).map((one) => bestByFile(one, definitions)),
  ];
  return {
    files: {
      default: byFiles(files.filter(use)),
      symbol: byFiles(benchmark.filter((one) => one.sample.intent === 'symbol' && use(one))),
    },
    definitions,
    places: train(groups, WIDTH, { decay: PLACE_DECAY }),
  };
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);

/** The order of files by their best definitions, with the features of the calibration. */
function judge(one: LabelledSample, { definitions, places }: Weights) {
  const all = scoreAll(definitions, whole(one).sample);
  const group = bestOfFiles(one, definitions);
  const scores = scoreAll(places, group.sample);
  const order = orderOf(scores, group.sample);
  const [best, next] = order;
  const inFile = (at: number) => {
    const own = group.of[at]!;
    const { file } = one.sample.definitions[own]!;
    const others = one.sample.definitions.flatMap((other, i) => (other.file === file && i !== own ? [all[i]!] : []));
    return others.length === 0 ? MAX_LEAD : Math.min(MAX_LEAD, all[own]! - Math.max(...others));
  };
  const feature = (name: string): number => {
    if (best === undefined) return 0;
    if (name === 'lead') return next === undefined ? MAX_LEAD : Math.min(MAX_LEAD, scores[best]! - scores[next]!);
    if (name === 'place_lead') return inFile(best);
    if (name === 'share') return softmaxShare(all[group.of[best]!]!, [...all]);
    return group.sample.rows[best * WIDTH + NAMES.indexOf(name)]!;
  };
  /** The second place shown: the best file's next definition that does not overlap and scores nearly as high. */
  const second = () => {
    if (best === undefined) return null;
    const first = group.of[best]!;
    const { file, startLine, endLine } = one.sample.definitions[first]!;
    let found = -1;
    for (const [i, other] of one.sample.definitions.entries()) {
      const isElsewhere = other.file === file && (other.startLine > endLine || other.endLine < startLine);
      if (isElsewhere && all[i]! >= all[first]! - MAX_SCORE_GAP && (found < 0 || all[i]! > all[found]!)) found = i;
    }
    return found < 0 ? null : { behind: all[first]! - all[found]!, isRight: one.labels[found] === 1 };
  };
  return { group, scores, order, feature, second, isRight: best !== undefined && group.labels[best] === 1 };
}

const folds = Array.from({ length: FOLDS }, (_, fold) => learn((one) => foldOf(one) !== fold));
const unseen = (one: LabelledSample) => folds[foldOf(one)] ?? all;
const all = learn(() => true);
console.log(
  `questions about functions, cross-validated: first ${mean(own.map((one) => (judge(one, unseen(one)).isRight ? 1 : 0))).toFixed(3)}`,
);
const ndcgs = files.map((one) => {
  const { group, order } = judge(one, unseen(one));
  let ideal = 0;
  for (let rank = 1; rank <= Math.min(10, one.wanted); rank++) ideal += 1 / Math.log2(rank + 1);
  return Math.min(
    1,
    order.slice(0, 10).reduce((sum, i, rank) => sum + group.labels[i]! / Math.log2(rank + 2), 0) / ideal,
  );
});
console.log(`benchmark without names and paths, cross-validated NDCG@10: ${mean(ndcgs).toFixed(4)}`);

const round = (value: number) => Math.round(value * 1e4) / 1e4;
const named = (names: readonly string[], weights: ArrayLike<number>, from = 0) =>
  Object.fromEntries(names.map((name, f) => [name, round(weights[from + f]!)]));

/** Second places of questions about functions, with the probability of the first place. */
const seconds: { readonly behind: number; readonly isRight: boolean; readonly first: number }[] = [];

/** The share and slope, by grid search for the highest likelihood, of a second place's relevance. */
function fitSecondPlaces(): ScoreDecay {
  let best = { share: 0, slope: 0 };
  let highest = Number.NEGATIVE_INFINITY;
  for (let share = 0.05; share <= 1; share += 0.025)
    for (let slope = 0; slope <= 2; slope += 0.1) {
      let likelihood = 0;
      for (const { behind, isRight, first } of seconds) {
        const chance = Math.min(0.99, Math.max(0.001, first * share * Math.exp(-slope * behind)));
        likelihood += Math.log(isRight ? chance : 1 - chance);
      }
      if (likelihood > highest) [best, highest] = [{ share: round(share), slope: round(slope) }, likelihood];
    }
  console.log(`second places: ${seconds.length}, ${seconds.filter(({ isRight }) => isRight).length} right`);
  return best;
}

/**
 * The probability that the first result is right, and its decline for the others, fitted on predictions for repositories
 * that the weights never saw.
 */
function calibrate(mode: string, samples: readonly LabelledSample[]) {
  const unseenTrust: ReturnType<typeof logistic>[] = [];
  const judged = samples.map((one) => judge(one, unseen(one)));
  const points = judged.map(({ feature, isRight }) => ({ x: CONFIDENCE.map(feature), label: isRight ? 1 : 0 }));
  const trust = logistic(points, TRUST_DECAY);
  const chances = points.map(({ x, label }, i) => {
    const fold = foldOf(samples[i]!);
    unseenTrust[fold] ??= logistic(
      points.filter((_, n) => foldOf(samples[n]!) !== fold),
      TRUST_DECAY,
    );
    const { bias, weights } = unseenTrust[fold]!;
    return { score: sigmoid(bias + x.reduce((sum, v, f) => sum + v * weights[f]!, 0)), isRight: label === 1 };
  });
  const own = chances.filter((_, i) => samples[i]!.source !== 'benchmark');
  if (mode === 'hybrid')
    for (const [i, { second }] of judged.entries()) {
      const next = samples[i]!.source === 'benchmark' ? null : second();
      if (next) seconds.push({ ...next, first: chances[i]!.score });
    }
  console.log(
    `${mode}: AUC of the first result ${areaUnderCurve(chances).toFixed(3)}, ECE ${calibrationError(chances).toFixed(3)}; ` +
      `functions alone ${areaUnderCurve(own).toFixed(3)}, ${calibrationError(own).toFixed(3)}`,
  );
  const gaps = judged.flatMap(({ order, scores, group }) =>
    order.slice(0, 10).map((i) => ({ x: [scores[order[0]!]! - scores[i]!], label: group.labels[i]! })),
  );
  const gap = logistic(gaps, GAP_DECAY);
  return {
    confidence: { bias: round(trust.bias), weights: named(CONFIDENCE, trust.weights) },
    gap: { offset: round(gap.bias), slope: round(-gap.weights[0]!) },
  };
}

/** Calibration for results that definitions do not order: features of files, without those the mode lacks. */
function calibrateFiles(hidden: readonly string[]) {
  const columns = hidden.map((name) => FEATURES.indexOf(name as never));
  const judged = benchmark.map((one) => {
    const rows = Float32Array.from(one.sample.fileRows, (value, i) =>
      columns.includes(i % FEATURES.length) ? 0 : value,
    );
    const weights = unseen(one).files[one.sample.intent === 'symbol' ? 'symbol' : 'default'];
    const sample = { rows, paths: one.sample.paths };
    const scores = scoreAll(weights, sample);
    const order = orderOf(scores, sample);
    const feature = (name: string) =>
      name === 'lead'
        ? Math.min(MAX_LEAD, scores[order[0]!]! - (scores[order[1] ?? -1] ?? Number.NEGATIVE_INFINITY))
        : rows[order[0]! * FEATURES.length + FEATURES.indexOf(name as never)]!;
    return { scores, order, feature, labels: one.fileLabels };
  });
  const trust = logistic(
    judged.map(({ feature, order, labels }) => ({ x: OF_FILES.map(feature), label: labels[order[0]!]! })),
  );
  const gap = logistic(
    judged.flatMap(({ order, scores, labels }) =>
      order.slice(0, 10).map((i) => ({ x: [scores[order[0]!]! - scores[i]!], label: labels[i]! })),
    ),
  );
  return {
    confidence: { bias: round(trust.bias), weights: named(OF_FILES, trust.weights) },
    gap: { offset: round(gap.bias), slope: round(-gap.weights[0]!) },
  };
}

const inMode = (mode: string) => questions.filter((one) => one.source === `questions-${mode}` && isPlain(one));
const calibrations = {
  hybrid: calibrate('hybrid', [...own, ...files]),
  keyword: calibrate('keyword', inMode('keyword')),
  vector: calibrate('vector', inMode('vector')),
  hybrid_files: calibrateFiles([]),
  keyword_files: calibrateFiles(MEANING),
  vector_files: calibrateFiles(WORDS),
};
const second = fitSecondPlaces();

/**
 * Whether anything answers: questions and commit subjects where they belong, against questions asked of another
 * repository.
 */
function answersModel(subjects: readonly LabelledSample[]) {
  const foreign = questions.filter(({ source }) => source === 'foreign').map((one) => judge(one, all).feature);
  const right = [...own, ...files, ...subjects.filter(isPlain)].map((one) => judge(one, unseen(one)).feature);
  const { bias, weights } = logistic([
    ...right.map((feature) => ({ x: ANSWERS.map(feature), label: 1 })),
    ...foreign.map((feature) => ({ x: ANSWERS.map(feature), label: 0 })),
  ]);
  const chance = (feature: (name: string) => number) =>
    1 / (1 + Math.exp(-(bias + ANSWERS.reduce((sum, name, i) => sum + weights[i]! * feature(name), 0))));
  const sorted = right.map(chance).sort((a, b) => a - b);
  const least = sorted[Math.floor(sorted.length * 0.004)]!;
  const refused = mean(foreign.map((feature) => (chance(feature) < least ? 1 : 0)));
  console.log(`refuses ${(100 * refused).toFixed(0)} % of foreign questions where 0.4 % of others are`);
  return { bias: round(bias), weights: named(ANSWERS, weights), least: round(least) };
}
/** Without commit subjects, the thresholds that were learned from them stay. */
const answers = history ? { hybrid: answersModel(history) } : undefined;

const modelOf = (weights: Weights, shippedFiles: unknown) => ({
  weights: shippedFiles ?? {
    default: { ...named(FEATURES, weights.files.default), ...SET_FEATURES },
    symbol: { ...named(FEATURES, weights.files.symbol), ...SET_FEATURES },
  },
  definitions: { default: named(NAMES, weights.definitions) },
  places: { default: { ...named(NAMES, weights.places), ...SET_FEATURES } },
  calibrations,
  second,
  ...(answers ? { answers } : {}),
});
if (process.argv.includes('--write'))
  writeFileSync(path, `${JSON.stringify({ ...shipped, ...modelOf(all, shipped.weights) }, null, 2)}\n`);
if (foldFolder) {
  mkdirSync(foldFolder, { recursive: true });
  for (const [fold, weights] of folds.entries())
    writeFileSync(join(foldFolder, `ranker-${fold}.json`), JSON.stringify({ ...shipped, ...modelOf(weights, null) }));
  const foldByName = Object.fromEntries(repositories.map((name, i) => [name, i % FOLDS]));
  writeFileSync(join(foldFolder, 'folds.json'), JSON.stringify(foldByName));
}
console.log(JSON.stringify({ calibrations, answers }, null, 1));
