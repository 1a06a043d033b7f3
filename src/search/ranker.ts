/** The ranker: a weight per named feature and intent, read from models/ranker.json, made by training/. Small enough to read, exact to explain. */
import type { Contribution, QueryIntent } from '../model/query.ts';
import { FEATURES } from './features.ts';

export interface RankerModel {
  readonly version: number;
  /** By intent; `default` serves intents without weights of their own. A missing feature weighs nothing. */
  readonly weights: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Score to relevance: 1 / (1 + exp(-(slope × score + offset))). */
  readonly calibration: { readonly slope: number; readonly offset: number };
  /** Below this relevance a result is not worth showing. */
  readonly floor: number;
}

export class Ranker {
  readonly #model: RankerModel;
  readonly #columns = new Map<string, Float32Array>();

  constructor(model: RankerModel) {
    this.#model = model;
  }

  get floor(): number {
    return this.#model.floor;
  }

  score(rows: Float32Array, intent: QueryIntent): Float32Array {
    const weights = this.#weightsOf(intent);
    const width = FEATURES.length;
    const scores = new Float32Array(rows.length / width);
    for (let i = 0; i < scores.length; i++) {
      let sum = 0;
      for (let column = 0; column < width; column++) sum += weights[column]! * rows[i * width + column]!;
      scores[i] = sum;
    }
    return scores;
  }

  relevance(score: number): number {
    const { slope, offset } = this.#model.calibration;
    return 1 / (1 + Math.exp(-(slope * score + offset)));
  }

  explain(rows: Float32Array, index: number, intent: QueryIntent): Contribution[] {
    const weights = this.#weightsOf(intent);
    return FEATURES.map((feature, column) => {
      const value = rows[index * FEATURES.length + column]!;
      return { feature, value, weight: weights[column]!, contribution: value * weights[column]! };
    })
      .filter(({ contribution }) => contribution !== 0)
      .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
  }

  #weightsOf(intent: QueryIntent): Float32Array {
    const known = this.#columns.get(intent);
    if (known) return known;
    const named = this.#model.weights[intent] ?? this.#model.weights.default ?? {};
    const made = Float32Array.from(FEATURES, (feature) => named[feature] ?? 0);
    this.#columns.set(intent, made);
    return made;
  }
}
