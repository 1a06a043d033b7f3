/** Fits linear models: weights that rank candidates of many questions, and logistic regression. */

const EPOCHS = 150;
const RATE = 0.08;
const DECAY = 0.03;
/** Only candidates near the top compete with the right ones. */
const RIVALS = 60;

/** Candidates of one question: a row of features and a name, which breaks ties, per candidate. */
export interface Candidates {
  readonly rows: Float32Array;
  readonly paths: readonly string[];
}

/** A question with its candidates and their labels: 1 for those that answer it. */
export interface Labelled {
  readonly sample: Candidates;
  readonly labels: Uint8Array;
  /** Weight of the question; default 1. */
  readonly weight?: number;
}

export function scoreAll(weights: Float64Array, sample: Candidates): Float64Array {
  const n = weights.length;
  const scores = new Float64Array(sample.paths.length);
  for (let i = 0; i < scores.length; i++) {
    let sum = 0;
    for (let f = 0; f < n; f++) sum += weights[f]! * sample.rows[i * n + f]!;
    scores[i] = sum;
  }
  return scores;
}

export function orderOf(scores: Float64Array, sample: Pick<Candidates, 'paths'>): number[] {
  return [...scores.keys()].sort((a, b) => scores[b]! - scores[a]! || (sample.paths[a]! < sample.paths[b]! ? -1 : 1));
}

/**
 * Initial weights, to which decay pulls (default: zero), the strength of decay, and the weights that stay fixed.
 */
export interface Drawn {
  readonly prior?: readonly number[];
  readonly decay?: number;
  readonly fixed?: readonly number[];
}

/** LambdaRank's gradient with Adam on standardised features; the scale is folded into the weights at the end. */
export function train(
  groups: readonly Labelled[],
  n: number,
  { prior = [], decay = DECAY, fixed = [] }: Drawn = {},
): Float64Array {
  const usable = groups.filter((g) => g.labels.includes(1));
  const deviation = deviations(usable, n);
  const total = usable.reduce((sum, { weight = 1 }) => sum + weight, 0);
  const drawn = Float64Array.from({ length: n }, (_, f) => (prior[f] ?? 0) * deviation[f]!);
  const weights = Float64Array.from(drawn);
  const m = new Float64Array(n);
  const v = new Float64Array(n);
  for (let epoch = 1; epoch <= EPOCHS; epoch++) {
    const gradient = new Float64Array(n);
    const scaled = weights.map((weight, f) => weight / deviation[f]!);
    for (const { sample, labels, weight = 1 } of usable) addGradient(gradient, scaled, sample, labels, weight);
    const rate = RATE * (1 - epoch / (EPOCHS + 1));
    for (let f = 0; f < n; f++) {
      if (fixed.includes(f)) continue;
      const g = gradient[f]! / deviation[f]! / total + decay * (weights[f]! - drawn[f]!);
      m[f] = 0.9 * m[f]! + 0.1 * g;
      v[f] = 0.99 * v[f]! + 0.01 * g * g;
      weights[f]! -= (rate * (m[f]! / (1 - 0.9 ** epoch))) / (Math.sqrt(v[f]! / (1 - 0.99 ** epoch)) + 1e-6);
    }
  }
  return weights.map((weight, f) => weight / deviation[f]!);
}

function addGradient(
  gradient: Float64Array,
  weights: Float64Array,
  sample: Candidates,
  labels: Uint8Array,
  weight: number,
): void {
  const n = weights.length;
  const scores = scoreAll(weights, sample);
  const order = orderOf(scores, sample);
  const discount = new Float64Array(scores.length);
  order.forEach((i, at) => {
    discount[i] = 1 / Math.log2(2 + at);
  });
  // The gradients of all pairs are summed per candidate, and multiplied by its features once.
  const push = new Float64Array(scores.length);
  const rivals = order.slice(0, RIVALS).filter((i) => labels[i] !== 1);
  for (let p = 0; p < labels.length; p++) {
    if (labels[p] !== 1) continue;
    for (const q of rivals) {
      const swap = Math.abs(discount[p]! - discount[q]!) + 0.01;
      const lambda = (weight * swap) / (1 + Math.exp(scores[p]! - scores[q]!));
      push[p]! += lambda;
      push[q]! -= lambda;
    }
  }
  for (let i = 0; i < push.length; i++) {
    if (push[i] === 0) continue;
    for (let f = 0; f < n; f++) gradient[f]! -= push[i]! * sample.rows[i * n + f]!;
  }
}

function deviations(groups: readonly Labelled[], n: number): Float64Array {
  const sum = new Float64Array(n);
  const square = new Float64Array(n);
  let count = 0;
  for (const { sample } of groups) {
    for (let i = 0; i < sample.paths.length; i++, count++) {
      for (let f = 0; f < n; f++) {
        const value = sample.rows[i * n + f]!;
        sum[f]! += value;
        square[f]! += value * value;
      }
    }
  }
  return sum.map((total, f) => Math.max(0.02, Math.sqrt(Math.max(0, square[f]! / count - (total / count) ** 2))));
}

/** Logistic regression by Newton's method; `decay` pulls the weights to zero. */
export function logistic(
  points: readonly { readonly x: readonly number[]; readonly label: number }[],
  decay = 1e-6,
): { bias: number; weights: number[] } {
  const width = points[0]!.x.length + 1;
  const solution = new Float64Array(width);
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const gradient = new Float64Array(width);
    const curvature = Array.from({ length: width }, () => new Float64Array(width));
    for (const { x, label } of points) {
      const row = [...x, 1];
      const chance = 1 / (1 + Math.exp(-row.reduce((sum, value, i) => sum + value * solution[i]!, 0)));
      const spread = Math.max(1e-6, chance * (1 - chance));
      for (let i = 0; i < width; i++) {
        gradient[i]! += (label - chance) * row[i]!;
        for (let j = 0; j < width; j++) curvature[i]![j]! += spread * row[i]! * row[j]!;
      }
    }
    for (let i = 0; i < width - 1; i++) {
      gradient[i]! -= decay * points.length * solution[i]!;
      curvature[i]![i]! += decay * points.length;
    }
    solve(curvature, gradient).forEach((change, i) => {
      solution[i]! += change;
    });
  }
  return { bias: solution[width - 1]!, weights: [...solution.slice(0, width - 1)] };
}

const NEWTON_STEPS = 12;

/** Gaussian elimination for a positive definite matrix. */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const n = right.length;
  const result = Float64Array.from(right);
  for (let i = 0; i < n; i++) {
    const pivot = matrix[i]![i]! || 1e-12;
    for (let j = i + 1; j < n; j++) {
      const factor = matrix[j]![i]! / pivot;
      if (factor === 0) continue;
      for (let k = i; k < n; k++) matrix[j]![k]! -= factor * matrix[i]![k]!;
      result[j]! -= factor * result[i]!;
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) result[i]! -= matrix[i]![k]! * result[k]!;
    result[i]! /= matrix[i]![i]! || 1e-12;
  }
  return result;
}
