/**
 * The ranker: a weight per named feature and intent, read from models/ranker.json, made by training/. Small enough to
 * read, exact to explain.
 */

import type { Contribution } from '../../model/records/query.ts';
import { isRecord } from '../../model/runtime/is-record.ts';
import { DEFINITION_FEATURES } from './definitions/definition-features.ts';
import { FEATURES } from './ranking-features.ts';

export interface RankerModel {
  readonly version: number;
  /**
   * By intent, and `report` for pasted issues; `default` serves those without weights of their own. A missing feature
   * weighs nothing.
   */
  readonly weights: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly calibration: Calibration;
  /** Results with a lower relevance are not shown. */
  readonly floor: number;
  /**
   * By search mode, for results whose order their places decide, and with `_files` behind it, for the others;
   * `calibration` where there is none.
   */
  readonly calibrations?: Readonly<Record<string, Calibration>>;
  /** By mode: whether anything answers. Below `least`, the answer is that nothing matches. */
  readonly answers?: Readonly<Record<string, Calibration['confidence'] & { readonly least: number }>>;
  /**
   * Which definition answers: weights of its file's features, and of its own (definition-features.ts) with `place_`
   * before their names. Without them, places are chosen by their words alone.
   */
  readonly definitions?: RankerModel['weights'];
  /**
   * How likely a further definition of a file answers a report, as a share of the best one's chance: `share` where it
   * is as good, less by `slope` for each point of score that it is behind.
   */
  readonly further?: ScoreDecay;
  /** The same for the second place that a file shows for any other question. */
  readonly second?: ScoreDecay;
  /** Which file answers, of those whose best definition is known: weights in the same form. */
  readonly places?: RankerModel['weights'];
}

/**
 * models/ranker.json: the weights for files of code, and those for all that a context search ranks
 * (memory/features.ts).
 */
export interface RankerModels extends RankerModel {
  readonly context: RankerModel;
}

/**
 * Relevance is the product of two estimates: whether anything answers the query (by the absolute match of the best
 * candidate), and how much less likely a candidate with a lower score is than the best one.
 */
export interface Calibration {
  readonly confidence: { readonly bias: number; readonly weights: Readonly<Record<string, number>> };
  readonly gap: { readonly offset: number; readonly slope: number };
}

export interface ScoreDecay {
  readonly share: number;
  readonly slope: number;
}

/** Of the features of a definition's file, and of its own. */
export interface PlaceWeights {
  readonly ofFile: Float32Array;
  readonly ofPlace: Float32Array;
}

/** Whether the model file is complete; a truncated or edited file may not be. */
export function isRankerModel(model: unknown): model is RankerModel {
  if (!isRecord(model) || !isRecord(model.weights) || !isRecord(model.calibration)) return false;
  const { confidence, gap } = model.calibration;
  return typeof model.floor === 'number' && isRecord(confidence) && isRecord(confidence.weights) && isRecord(gap);
}

export class Ranker {
  readonly #model: RankerModel;
  /** Names of the columns of a row. */
  readonly #features: readonly string[];
  readonly #columns = new Map<string, Float32Array>();
  readonly #ofPlaces = new Map<string, PlaceWeights>();

  constructor(model: RankerModel, features: readonly string[] = FEATURES) {
    this.#model = model;
    this.#features = features;
  }

  get floor(): number {
    return this.#model.floor;
  }

  score(rows: Float32Array, kind: string): Float32Array {
    const weights = this.#weightsOf(kind);
    const width = this.#features.length;
    const scores = new Float32Array(rows.length / width);
    for (let i = 0; i < scores.length; i++) {
      let sum = 0;
      for (let column = 0; column < width; column++) sum += weights[column]! * rows[i * width + column]!;
      scores[i] = sum;
    }
    return scores;
  }

  weightOf(feature: string, kind: string): number {
    return this.#weightsOf(kind)[this.#features.indexOf(feature)] ?? 0;
  }

  /** Relevance of candidates by their scores; `best` is the index of the highest. */
  relevance(rows: Float32Array, scores: Float32Array, best: number): (index: number) => number {
    const { confidence, gap } = this.#model.calibration;
    let sum = confidence.bias;
    this.#features.forEach((feature, column) => {
      sum += (confidence.weights[feature] ?? 0) * (rows[best * this.#features.length + column] ?? 0);
    });
    const trust = sigmoid(sum);
    const most = sigmoid(gap.offset);
    return (index) => (trust * sigmoid(gap.offset - gap.slope * (scores[best]! - scores[index]!))) / most;
  }

  /** The same by a calibration of the given name, with features of the best candidate by their names. */
  relevanceOf(
    name: string,
    feature: (name: string) => number,
    scores: ArrayLike<number>,
    best: number,
  ): (index: number) => number {
    const { confidence, gap } = this.#model.calibrations?.[name] ?? this.#model.calibration;
    const trust = chance(confidence, feature);
    const most = sigmoid(gap.offset);
    return (index) => (trust * sigmoid(gap.offset - gap.slope * (scores[best]! - scores[index]!))) / most;
  }

  /** Whether anything answers a question, by the features of the best candidate. */
  answers(mode: string, feature: (name: string) => number): boolean {
    const judged = this.#model.answers?.[mode];
    return !judged || chance(judged, feature) >= judged.least;
  }

  /** The score of a further definition of a file, as a share of the best one's, by how far it is behind. */
  furtherPlaceShare(behind: number): number {
    return shareBehind(this.#model.further, behind);
  }

  /** The same for the second place of a file that answers a question. */
  secondPlaceShare(behind: number): number {
    return shareBehind(this.#model.second, behind);
  }

  /** Null where the model has none. */
  definitionWeights(kind: string): PlaceWeights | null {
    return this.#placeWeights('definitions', kind);
  }

  /** The score of a file by its own features and those of its best definition. */
  scorePlace(file: Float32Array, definition: Float32Array, kind: string): number {
    const { ofFile, ofPlace } = this.#placeWeights('places', kind)!;
    return dot(ofFile, file) + dot(ofPlace, definition);
  }

  explainPlace(file: Float32Array, definition: Float32Array, kind: string): Contribution[] {
    const { ofFile, ofPlace } = this.#placeWeights('places', kind)!;
    const placed = contributions(DEFINITION_FEATURES, definition, ofPlace);
    return [
      ...contributions(this.#features, file, ofFile),
      ...placed.map((one) => ({ ...one, feature: `place_${one.feature}` })),
    ].sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
  }

  #placeWeights(set: 'definitions' | 'places', kind: string): PlaceWeights | null {
    const key = `${set} ${kind}`;
    const known = this.#ofPlaces.get(key);
    if (known) return known;
    const named = this.#model[set]?.[kind] ?? this.#model[set]?.default;
    if (!named) return null;
    const made = {
      ofFile: Float32Array.from(this.#features, (name) => named[name] ?? 0),
      ofPlace: Float32Array.from(DEFINITION_FEATURES, (name) => named[`place_${name}`] ?? 0),
    };
    this.#ofPlaces.set(key, made);
    return made;
  }

  explain(rows: Float32Array, index: number, kind: string): Contribution[] {
    const width = this.#features.length;
    return contributions(this.#features, rows.subarray(index * width, (index + 1) * width), this.#weightsOf(kind));
  }

  #weightsOf(kind: string): Float32Array {
    const known = this.#columns.get(kind);
    if (known) return known;
    const named = this.#model.weights[kind] ?? this.#model.weights.default ?? {};
    const made = Float32Array.from(this.#features, (feature) => named[feature] ?? 0);
    this.#columns.set(kind, made);
    return made;
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

function chance({ bias, weights }: Calibration['confidence'], feature: (name: string) => number): number {
  let sum = bias;
  for (const [name, weight] of Object.entries(weights)) sum += weight * feature(name);
  return sigmoid(sum);
}

function shareBehind({ share, slope }: ScoreDecay = { share: 0, slope: 0 }, behind: number): number {
  return share * Math.exp(-slope * Math.max(0, behind));
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
