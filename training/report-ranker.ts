/**
 * Learns the weights for pasted issues: `node --import tsx training/report-ranker.ts ISSUES [--folds=DIR] [--write]`,
 * where ISSUES is a file that place-data.ts makes (`issues=FILE`), or several, separated by commas. It learns the
 * weights `report` that order files, definitions and places, pulled towards the weights of other questions; the score
 * of a further definition of a file; and the chance that the first result is right. It prints figures for issues of
 * repositories that the weights never saw. --folds writes these weights for `npm run bench:quality -- --folds DIR`. If
 * place-ranker.ts is run, too, it must run first.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize } from 'node:v8';
import { areaUnderCurve, calibrationError, mean } from '../bench/quality/figures.ts';
import { FEATURES, type RankerModels, softmaxShare } from '../src/search/index.ts';
import { type Group, groupOf, NAMES, WIDTH } from './definition-groups.ts';
import { logistic, orderOf, scoreAll, train } from './linear.ts';
import type { LabelledSample } from './place-data.ts';
import { FILES } from './place-samples.ts';

const FOLDS = 8;
/** Number of definitions per issue that compete with the right ones. */
const LIKELY = 40;
/** Decay towards the weights of other questions: there are few issues for so many weights. */
const DECAY = 0.6;
/** Initial weights of features that only issues have. */
const PRIOR: Readonly<Record<string, number>> = {
  names_in_report: 1,
  file_in_report: 2,
  frame_in_report: 1,
  module_in_report: 1,
  title_in_path: 1,
  place_name_in_report: 1,
  place_scope_in_report: 0.3,
  place_frame_in_report: 1,
  place_line_in_report: 1,
  place_says_report: 1,
  place_called_by_reported: 0.3,
  place_title_in_name: 1,
  place_title_in_text: 1,
  place_names_in_text: 1,
};
/** Features of the calibration. */
const CONFIDENCE = ['share', 'lead', 'similarity', 'coverage'];
const TRUST_DECAY = 0.002;
const MAX_LEAD = 4;

const path = new URL('../models/ranker.json', import.meta.url);
const foldFolder = process.argv.find((word) => word.startsWith('--folds='))?.slice('--folds='.length);
const model = JSON.parse(readFileSync(path, 'utf8')) as RankerModels;
const issues = process.argv[2]!.split(',')
  .flatMap((file) => deserialize(readFileSync(file)) as LabelledSample[])
  .filter(({ fix }) => fix !== undefined);
const repositories = [...new Set(issues.map(({ sample }) => sample.repository))].sort();
const foldOf = ({ sample }: LabelledSample) => repositories.indexOf(sample.repository) % FOLDS;

interface Weights {
  readonly files: Float64Array;
  readonly definitions: Float64Array;
  readonly places: Float64Array;
}

const drawnTo = (set: Readonly<Record<string, number>>, names: readonly string[]) =>
  Float64Array.from(names, (name) => PRIOR[name] ?? set[name] ?? 0);
const START: Weights = {
  files: drawnTo(model.weights.default!, FEATURES),
  definitions: drawnTo(model.definitions!.default!, NAMES),
  places: drawnTo(model.places!.default!, NAMES),
};

/** The definitions of the first files, as a search collects them, best first. */
function lookedAt(one: LabelledSample, { files, definitions }: Weights): Group & { readonly scores: Float64Array } {
  const { sample, labels } = one;
  const order = orderOf(scoreAll(files, { rows: sample.fileRows, paths: sample.paths }), sample);
  const first = new Set(order.slice(0, FILES));
  const found = [...sample.definitions.keys()].filter((i) => first.has(sample.definitions[i]!.file));
  const group = groupOf(one, found, (i) => labels[i]!);
  const sorted = orderOf(scoreAll(definitions, group.sample), group.sample).map((i) => found[i]!);
  const made = groupOf(one, sorted, (i) => labels[i]!);
  return { ...made, scores: scoreAll(definitions, made.sample) };
}

/** The definitions with the highest scores, and all that answer. */
function likeliest(one: LabelledSample, weights: Weights): Group {
  const { of, labels } = lookedAt(one, weights);
  const chosen = of.filter((_, place) => place < LIKELY || labels[place] === 1);
  return groupOf(one, chosen, (i) => one.labels[i]!);
}

/** The best definition of each file, labelled like its file. */
function bestOfFiles(one: LabelledSample, weights: Weights): Group {
  const seen = new Set<number>();
  const best = lookedAt(one, weights).of.filter((i) => {
    const { file } = one.sample.definitions[i]!;
    const isFirst = !seen.has(file);
    seen.add(file);
    return isFirst;
  });
  return groupOf(one, best, (i) => one.fileLabels[one.sample.definitions[i]!.file]!);
}

function learn(use: (one: LabelledSample) => boolean): Weights {
  const some = issues.filter(use);
  const fit = (groups: Parameters<typeof train>[0], prior: Float64Array) =>
    train(groups, prior.length, { prior: [...prior], decay: DECAY });
  const files = fit(
    some.map(({ sample, fileLabels }) => ({
      sample: { rows: sample.fileRows, paths: sample.paths },
      labels: fileLabels,
    })),
    START.files,
  );
  const definitions = fit(
    some.map((one) => likeliest(one, { ...START, files })),
    START.definitions,
  );
  const places = fit(
    some.map((one) => bestOfFiles(one, { ...START, files, definitions })),
    START.places,
  );
  return { files, definitions, places };
}

const folds = [...Array(FOLDS).keys()].map((fold) => learn((one) => foldOf(one) !== fold));
const unseen = (one: LabelledSample) => folds[foldOf(one)]!;
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
const round = (value: number) => Math.round(value * 1e4) / 1e4;

/** Further definitions of a right file: their distance in score to the best one, and whether they answer. */
function furtherPoints() {
  const points: { readonly behind: number; readonly label: number }[] = [];
  let best = 0;
  let files = 0;
  for (const one of issues) {
    const { of, scores, labels } = lookedAt(one, unseen(one));
    const most = new Map<number, number>();
    of.forEach((i, at) => {
      const { file } = one.sample.definitions[i]!;
      if (one.fileLabels[file] !== 1) return;
      const highest = most.get(file);
      if (highest === undefined) {
        most.set(file, scores[at]!);
        files++;
        best += labels[at]!;
      } else points.push({ behind: highest - scores[at]!, label: labels[at]! });
    });
  }
  return { points, best: best / files };
}

/** The share and the slope with the highest likelihood. */
function fitFurther(): { share: number; slope: number } {
  const { points, best } = furtherPoints();
  const found = { share: 0, slope: 0, likelihood: Number.NEGATIVE_INFINITY };
  for (let share = 0.05; share <= 1; share += 0.025)
    for (let slope = 0; slope <= 2; slope += 0.05) {
      let likelihood = 0;
      for (const { behind, label } of points) {
        const chance = Math.min(0.99, best * share * Math.exp(-slope * behind));
        likelihood += Math.log(label === 1 ? chance : 1 - chance);
      }
      if (likelihood > found.likelihood) Object.assign(found, { share, slope, likelihood });
    }
  return { share: round(found.share), slope: round(found.slope) };
}

/** The first result: its calibration features, and whether its file is part of the fix. */
function judge(one: LabelledSample) {
  const weights = unseen(one);
  const best = bestOfFiles(one, weights);
  const scores = scoreAll(weights.places, best.sample);
  const order = orderOf(scores, best.sample);
  const first = order[0]!;
  const all = lookedAt(one, weights);
  const featureAt = (name: string) => best.sample.rows[first * WIDTH + NAMES.indexOf(name)]!;
  const feature = (name: string) => {
    if (name === 'lead') return Math.min(MAX_LEAD, scores[first]! - (scores[order[1] ?? -1] ?? -1e9));
    if (name === 'share') return softmaxShare(all.scores[all.of.indexOf(best.of[first]!)]!, [...all.scores]);
    return featureAt(name);
  };
  return { x: CONFIDENCE.map(feature), label: best.labels[first]!, scores, order, labels: best.labels };
}

function calibrate() {
  const judged = issues.map(judge);
  const chances = judged.map(({ x, label }, n) => {
    const { bias, weights } = logistic(
      judged.filter((_, i) => foldOf(issues[i]!) !== foldOf(issues[n]!)),
      TRUST_DECAY,
    );
    return { score: sigmoid(bias + x.reduce((sum, value, f) => sum + value * weights[f]!, 0)), isRight: label === 1 };
  });
  console.log(
    `first file: AUC ${areaUnderCurve(chances).toFixed(3)}, ECE ${calibrationError(chances).toFixed(3)}, ` +
      `right ${mean(judged.map(({ label }) => label)).toFixed(3)}`,
  );
  const trust = logistic(judged, TRUST_DECAY);
  const gap = logistic(
    judged.flatMap(({ scores, order, labels }) =>
      order.slice(0, 10).map((i) => ({ x: [scores[order[0]!]! - scores[i]!], label: labels[i]! })),
    ),
  );
  return {
    confidence: { bias: round(trust.bias), weights: named(CONFIDENCE, trust.weights) },
    gap: { offset: round(gap.bias), slope: round(-gap.weights[0]!) },
  };
}

function named(names: readonly string[], values: ArrayLike<number>): Record<string, number> {
  return Object.fromEntries(names.map((name, f) => [name, round(values[f]!)]));
}

const shareIn = (most: number) =>
  mean(
    issues.map((one) => {
      const { sample, fix } = one;
      const order = orderOf(scoreAll(unseen(one).files, { rows: sample.fileRows, paths: sample.paths }), sample);
      const first = new Set(order.slice(0, most).map((i) => sample.paths[i]!));
      return Number(fix!.files.every((file) => first.has(file)));
    }),
  ).toFixed(3);
console.log(
  `${issues.length} issues of ${repositories.length} repositories; by the weights of files alone, all files of the fix ` +
    `are among the first 5 for ${shareIn(5)}, 10 for ${shareIn(10)}, ${FILES} for ${shareIn(FILES)}, ` +
    `among all candidates for ${shareIn(1e9)}`,
);
const further = fitFurther();
console.log('further definitions', further);
const report = calibrate();

function withReport(weights: Weights): RankerModels {
  return {
    ...model,
    weights: { ...model.weights, report: named(FEATURES, weights.files) },
    definitions: { ...model.definitions, report: named(NAMES, weights.definitions) },
    places: { ...model.places, report: named(NAMES, weights.places) },
    calibrations: { ...model.calibrations, report },
    further,
  };
}

if (foldFolder) {
  mkdirSync(foldFolder, { recursive: true });
  folds.forEach((weights, fold) => {
    writeFileSync(join(foldFolder, `ranker-${fold}.json`), JSON.stringify(withReport(weights)));
  });
  const foldsOf = Object.fromEntries(repositories.map((repository, i) => [repository, i % FOLDS]));
  writeFileSync(join(foldFolder, 'folds.json'), JSON.stringify(foldsOf));
}
if (process.argv.includes('--write'))
  writeFileSync(path, `${JSON.stringify(withReport(learn(() => true)), null, 2)}\n`);
