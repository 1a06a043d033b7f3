/** The ranker: a weight per named feature and intent, read from models/ranker.json, made by training/. Small enough to read, exact to explain. */

import type { Contribution, QueryIntent } from '../../model/records/query.ts';
import { isRecord } from '../../model/runtime/is-record.ts';
import { FEATURES } from './ranking-features.ts';

export interface RankerModel {
  readonly version: number;
  /** By intent; `default` serves intents without weights of their own. A missing feature weighs nothing. */
  readonly weights: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly calibration: Calibration;
  /** Below this relevance a result is not worth showing. */
  readonly floor: number;
}

/** models/ranker.json: the weights for files of code, and those for all that a context search ranks (memory/features.ts). */
export interface RankerModels extends RankerModel {
  readonly context: RankerModel;
}

/**
 * Two questions, answered apart: does anything here answer the question at all (by what the best candidate matches in absolute terms), and how
 * much less likely is a candidate that scores lower than the best one. Their product is the relevance; it falls with the rank.
 */
export interface Calibration {
  readonly confidence: { readonly bias: number; readonly weights: Readonly<Record<string, number>> };
  readonly gap: { readonly offset: number; readonly slope: number };
}

/** Whether it has what a ranker reads; a file that was cut or written by hand may not. */
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

  constructor(model: RankerModel, features: readonly string[] = FEATURES) {
    this.#model = model;
    this.#features = features;
  }

  get floor(): number {
    return this.#model.floor;
  }

  score(rows: Float32Array, intent: QueryIntent): Float32Array {
    const weights = this.#weightsOf(intent);
    const width = this.#features.length;
    const scores = new Float32Array(rows.length / width);
    for (let i = 0; i < scores.length; i++) {
      let sum = 0;
      for (let column = 0; column < width; column++) sum += weights[column]! * rows[i * width + column]!;
      scores[i] = sum;
    }
    return scores;
  }

  weightOf(feature: string, intent: QueryIntent): number {
    return this.#weightsOf(intent)[this.#features.indexOf(feature)] ?? 0;
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

  explain(rows: Float32Array, index: number, intent: QueryIntent): Contribution[] {
    const weights = this.#weightsOf(intent);
    return this.#features
      .map((feature, column) => {
        const value = rows[index * this.#features.length + column]!;
        return { feature, value, weight: weights[column]!, contribution: value * weights[column]! };
      })
      .filter(({ contribution }) => contribution !== 0)
      .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
  }

  #weightsOf(intent: QueryIntent): Float32Array {
    const known = this.#columns.get(intent);
    if (known) return known;
    const named = this.#model.weights[intent] ?? this.#model.weights.default ?? {};
    const made = Float32Array.from(this.#features, (feature) => named[feature] ?? 0);
    this.#columns.set(intent, made);
    return made;
  }
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
