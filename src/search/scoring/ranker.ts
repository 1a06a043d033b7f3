/**
 * The ranker: a linear model with a weight per feature and weight set, read from models/ranker.json and trained by
 * training/. A score is the sum of named contributions, so every score can be explained exactly.
 */

import type { Contribution } from '../../model/records/query.ts';
import { isRecord } from '../../model/runtime/is-record.ts';
import { DEFINITION_FEATURES } from './definitions/definition-columns.ts';
import { FEATURES } from './ranking-features.ts';

/** Weights by weight set (see weightSetOf), then by feature. */
type WeightSets = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface RankerModel {
  readonly version: number;
  /** Weights of file features. The set `default` serves names without a set; a missing feature weighs 0. */
  readonly weights: WeightSets;
  readonly calibration: Calibration;
  /** Results of lower relevance are not shown. */
  readonly floor: number;
  /**
   * By search mode for results that definitions order, by `MODE_files` for other results. `calibration` serves names
   * that are missing here.
   */
  readonly calibrations?: Readonly<Record<string, Calibration>>;
  /** By search mode: whether any file answers. With a probability below `least`, the search returns nothing. */
  readonly answers?: Readonly<Record<string, Calibration['confidence'] & { readonly least: number }>>;
  /**
   * Orders definitions: weights of the file's features and, under `place_NAME`, of the definition's own
   * (definition-columns.ts). Without them, places are chosen by their words alone.
   */
  readonly definitions?: WeightSets;
  /** Relevance of further definitions of a file that answers a report, relative to the best one's. */
  readonly further?: ScoreDecay;
  /** Relevance of the second place of a file that answers another question, relative to the first. */
  readonly second?: ScoreDecay;
  /** Orders files whose best definition is known: weights in the form of `definitions`. */
  readonly places?: WeightSets;
}

/** models/ranker.json: weights for code files, and for the items of a context search. */
export interface RankerModels extends RankerModel {
  readonly context: RankerModel;
}

/**
 * Relevance is the product of two estimates: the probability that anything answers the query, from the features of the
 * best candidate, and the probability of a candidate relative to the best one, from their difference in score.
 */
export interface Calibration {
  readonly confidence: { readonly bias: number; readonly weights: Readonly<Record<string, number>> };
  readonly gap: { readonly offset: number; readonly slope: number };
}

/** `share` for a score as high as the best, multiplied by e^-slope for each point below it. */
export interface ScoreDecay {
  readonly share: number;
  readonly slope: number;
}

/** Weights of the features of a definition's file, and of the definition's own. */
export interface PlaceWeights {
  readonly ofFile: Float32Array;
  readonly ofPlace: Float32Array;
}

/** False for a truncated or wrongly edited model file. */
export function isRankerModel(model: unknown): model is RankerModel {
  if (!isRecord(model) || !isRecord(model.weights) || !isRecord(model.calibration)) return false;
  const { confidence, gap } = model.calibration;
  return typeof model.floor === 'number' && isRecord(confidence) && isRecord(confidence.weights) && isRecord(gap);
}

export class Ranker {
  readonly #model: RankerModel;
  /** Column names of a row. */
  readonly #features: readonly string[];
  /** Weights by column, cached by weight set. */
  readonly #columnWeights = new Map<string, Float32Array>();
  readonly #placeWeightsCache = new Map<string, PlaceWeights>();

  constructor(model: RankerModel, features: readonly string[] = FEATURES) {
    this.#model = model;
    this.#features = features;
  }

  get floor(): number {
    return this.#model.floor;
  }

  score(rows: Float32Array, weightSet: string): Float32Array {
    const weights = this.#weightsOf(weightSet);
    const width = this.#features.length;
    const scores = new Float32Array(rows.length / width);
    for (let i = 0; i < scores.length; i++) {
      let sum = 0;
      for (let column = 0; column < width; column++) sum += weights[column]! * rows[i * width + column]!;
      scores[i] = sum;
    }
    return scores;
  }

  weightOf(feature: string, weightSet: string): number {
    return this.#weightsOf(weightSet)[this.#features.indexOf(feature)] ?? 0;
  }

  /** Relevance of candidates by their scores; `best` is the index of the highest score. */
  relevance(rows: Float32Array, scores: Float32Array, best: number): (index: number) => number {
    const { confidence, gap } = this.#model.calibration;
    let sum = confidence.bias;
    this.#features.forEach((feature, column) => {
      sum += (confidence.weights[feature] ?? 0) * (rows[best * this.#features.length + column] ?? 0);
    });
    return relativeTo(sigmoid(sum), gap, scores, best);
  }

  /** As relevance(), with a named calibration; `feature` returns features of the best candidate. */
  relevanceOf(
    name: string,
    feature: (name: string) => number,
    scores: ArrayLike<number>,
    best: number,
  ): (index: number) => number {
    const { confidence, gap } = this.#model.calibrations?.[name] ?? this.#model.calibration;
    return relativeTo(probability(confidence, feature), gap, scores, best);
  }

  /** Whether anything answers a question, by the features of the best candidate. */
  answers(mode: string, feature: (name: string) => number): boolean {
    const threshold = this.#model.answers?.[mode];
    return !threshold || probability(threshold, feature) >= threshold.least;
  }

  /** Relevance of a further definition of a file, relative to the best one; `gap` is its distance in score. */
  furtherPlaceShare(gap: number): number {
    return decay(this.#model.further, gap);
  }

  /** Relevance of the second place of a file, relative to the first; `gap` is its distance in score. */
  secondPlaceShare(gap: number): number {
    return decay(this.#model.second, gap);
  }

  /** Null if the model has no weights for definitions. */
  definitionWeights(weightSet: string): PlaceWeights | null {
    return this.#placeWeights('definitions', weightSet);
  }

  /** The score of a file by its own features and those of its best definition. */
  scorePlace(file: Float32Array, definition: Float32Array, weightSet: string): number {
    const { ofFile, ofPlace } = this.#placeWeights('places', weightSet)!;
    return dot(ofFile, file) + dot(ofPlace, definition);
  }

  explainPlace(file: Float32Array, definition: Float32Array, weightSet: string): Contribution[] {
    const { ofFile, ofPlace } = this.#placeWeights('places', weightSet)!;
    const placed = contributions(DEFINITION_FEATURES, definition, ofPlace);
    return [
      ...contributions(this.#features, file, ofFile),
      ...placed.map((part) => ({ ...part, feature: `place_${part.feature}` })),
    ].sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
  }

  #placeWeights(set: 'definitions' | 'places', weightSet: string): PlaceWeights | null {
    const key = `${set} ${weightSet}`;
    const cached = this.#placeWeightsCache.get(key);
    if (cached) return cached;
    const byName = this.#model[set]?.[weightSet] ?? this.#model[set]?.default;
    if (!byName) return null;
    const weights = {
      ofFile: Float32Array.from(this.#features, (name) => byName[name] ?? 0),
      ofPlace: Float32Array.from(DEFINITION_FEATURES, (name) => byName[`place_${name}`] ?? 0),
    };
    this.#placeWeightsCache.set(key, weights);
    return weights;
  }

  explain(rows: Float32Array, index: number, weightSet: string): Contribution[] {
    const width = this.#features.length;
    return contributions(this.#features, rows.subarray(index * width, (index + 1) * width), this.#weightsOf(weightSet));
  }

  #weightsOf(weightSet: string): Float32Array {
    const cached = this.#columnWeights.get(weightSet);
    if (cached) return cached;
    const byName = this.#model.weights[weightSet] ?? this.#model.weights.default ?? {};
    const weights = Float32Array.from(this.#features, (feature) => byName[feature] ?? 0);
    this.#columnWeights.set(weightSet, weights);
    return weights;
  }
}

export function dot(weights: Float32Array, row: Float32Array): number {
  let sum = 0;
  for (let column = 0; column < weights.length; column++) sum += weights[column]! * row[column]!;
  return sum;
}

/** Contributions other than zero, the largest first. */
function contributions(features: readonly string[], row: Float32Array, weights: Float32Array): Contribution[] {
  return features
    .map((feature, column) => {
      const [value, weight] = [row[column]!, weights[column]!];
      return { feature, value, weight, contribution: value * weight };
    })
    .filter(({ contribution }) => contribution !== 0)
    .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
}

/** Relevance by index of a candidate: `trust` for the best one, less for lower scores. */
function relativeTo(
  trust: number,
  { offset, slope }: Calibration['gap'],
  scores: ArrayLike<number>,
  best: number,
): (index: number) => number {
  const highest = sigmoid(offset);
  return (index) => (trust * sigmoid(offset - slope * (scores[best]! - scores[index]!))) / highest;
}

function probability({ bias, weights }: Calibration['confidence'], feature: (name: string) => number): number {
  let sum = bias;
  for (const [name, weight] of Object.entries(weights)) sum += weight * feature(name);
  return sigmoid(sum);
}

function decay({ share, slope }: ScoreDecay = { share: 0, slope: 0 }, gap: number): number {
  return share * Math.exp(-slope * Math.max(0, gap));
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
