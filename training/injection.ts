/**
 * Learns the weights of the recogniser's words (src/model/untrusted/word-weights.json) from the open labelled cases,
 * from passages of public repositories, which are taken for ordinary, and from phrases that are put together:
 *   node --import tsx training/injection.ts DIR…
 * Kept cases are not read. Settings are judged by cross-validation over the open cases.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOrderByFeatures, matchingFeatures } from '../src/model/untrusted/instruction.ts';
import { plainForms } from '../src/model/untrusted/plain-forms.ts';
import { piecesOf, wordFeatures } from '../src/model/untrusted/word-features.ts';
import { readCases } from '../test/injection/measure.ts';
import { ADDRESSES, ORDERS, RULE_TAILS, RULES, TAILS } from './injection-phrases.ts';

interface Sample {
  readonly features: readonly string[];
  readonly isInstruction: boolean;
  readonly weight: number;
  readonly isCase: boolean;
}

const ROUNDS = 60;
const RATE = 0.3;
const DECAY = 0.004;
const MIN_CASES = 3;
const MAX_PASSAGES = 6_000;
/** Weight of a repository's passage relative to a labelled case. */
const PASSAGE_WEIGHT = 0.03;
/** Weight of a case composed of phrases. */
const MADE_WEIGHT = 0.3;
const ABOUT_MODELS = /\b(?:ai|llm|agents?|assistants?|prompts?|models?|you|must|never|instructions?)\b/i;

function sampleOf(text: string, isCode: boolean, isInstruction: boolean, weight: number, isCase: boolean): Sample[] {
  const held = matchingFeatures(plainForms(text, isCode)).map(({ name }) => `@${name}`);
  return piecesOf(plainForms(text, isCode).unquoted).map((piece) => ({
    features: [...held, ...wordFeatures(piece)],
    isInstruction,
    weight,
    isCase,
  }));
}

function passagesBelow(folder: string): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:md|mdx|mdc|rst)$/.test(entry.name)) continue;
    const text = readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8');
    if (text.length > 200_000) continue;
    for (const passage of text.split(/\n\s*\n|\n(?=\s*[-*] )/))
      if (passage.length > 30 && passage.length < 1_500 && ABOUT_MODELS.test(passage)) found.push(passage);
  }
  return found;
}

/** Every n-th item, to spread the selection over repositories and folders. */
function thin<T>(all: readonly T[], most: number): T[] {
  const stride = Math.max(1, Math.ceil(all.length / most));
  return all.filter((_, i) => i % stride === 0);
}

export interface Weights {
  readonly bias: number;
  readonly weights: ReadonlyMap<string, number>;
}

function scoreOf({ bias, weights }: Weights, features: readonly string[]): number {
  let sum = 0;
  for (const feature of features) sum += weights.get(feature) ?? 0;
  return bias + sum / Math.sqrt(features.length || 1);
}

/** Logistic regression with L2 regularisation and AdaGrad: steps shrink for frequent features. */
function fit(samples: readonly Sample[]): Weights {
  const ids = numberFeatures(samples);
  const weights = new Float64Array(ids.size);
  const squares = new Float64Array(ids.size).fill(0.01);
  const rows = samples.map(({ features, isInstruction, weight }) => ({
    known: features.flatMap((feature) => ids.get(feature) ?? []),
    scale: 1 / Math.sqrt(features.length || 1),
    wanted: isInstruction ? 1 : 0,
    weight,
  }));
  let bias = 0;
  let biasSquare = 1;
  for (let round = 0; round < ROUNDS; round++)
    for (const { known, scale, wanted, weight } of rows) {
      let score = 0;
      for (const id of known) score += weights[id]!;
      const error = weight * (wanted - 1 / (1 + Math.exp(-(bias + score * scale))));
      biasSquare += error * error;
      bias += (RATE * error) / Math.sqrt(biasSquare);
      for (const id of known) {
        const step = error * scale - DECAY * weight * weights[id]! * scale;
        squares[id] = squares[id]! + step * step;
        weights[id] = weights[id]! + (RATE * step) / Math.sqrt(squares[id]!);
      }
    }
  return { bias, weights: new Map([...ids].map(([feature, id]) => [feature, weights[id]!])) };
}

/** Features that several labelled cases have. */
function numberFeatures(samples: readonly Sample[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { features, isCase } of samples)
    if (isCase) for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const common = [...counts].filter(([, count]) => count >= MIN_CASES);
  return new Map(common.map(([feature], id) => [feature, id]));
}

/** A deterministic order, so that a second run gives the same file. */
function shuffled<T>(all: readonly T[]): T[] {
  const mixed = [...all];
  let state = 12_345;
  for (let i = mixed.length - 1; i > 0; i--) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const j = state % (i + 1);
    [mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!];
  }
  return mixed;
}

const cases = shuffled(readCases('open'));
const casesAsSamples = cases.map(({ text, kind, label }) =>
  sampleOf(text, kind === 'code', label === 'instruction', 1, true),
);
const passages = thin(process.argv.slice(2).flatMap(passagesBelow), MAX_PASSAGES).flatMap((text) =>
  sampleOf(text, false, false, PASSAGE_WEIGHT, false),
);
/** Combines every act with a third of the tails and a rotating address. */
function combine(acts: readonly string[], tails: readonly string[], isInstruction: boolean, weight: number): Sample[] {
  let turn = 0;
  return acts.flatMap((act, i) =>
    ['', ...tails]
      .filter((_, j) => (i + j) % 3 === 0)
      .flatMap((tail) => {
        turn++;
        const address = turn % 4 === 0 ? '' : ADDRESSES[turn % ADDRESSES.length]!;
        const text = [address, act, tail].filter(Boolean).join(' ');
        return sampleOf(`${text}.`, false, isInstruction, weight, true);
      }),
  );
}
const made = [...combine(ORDERS, TAILS, true, MADE_WEIGHT), ...combine(RULES, RULE_TAILS, false, MADE_WEIGHT)];
const FOLDS = 5;
const judged: { readonly score: number; readonly isInstruction: boolean; readonly style: string }[] = [];
const alarms: number[] = [];
for (let fold = 0; fold < FOLDS; fold++) {
  const of = (isHeldOut: boolean) => (_: unknown, i: number) => (i % FOLDS === fold) === isHeldOut;
  const model = fit(shuffled([...casesAsSamples.filter(of(false)).flat(), ...passages.filter(of(false)), ...made]));
  casesAsSamples.forEach((pieces, i) => {
    if (i % FOLDS !== fold) return;
    const score = Math.max(...pieces.map(({ features }) => scoreOf(model, features)));
    const hand = isOrderByFeatures(cases[i]!.text, cases[i]!.kind === 'code');
    judged.push({ score: hand ? 9 : score, isInstruction: pieces[0]!.isInstruction, style: cases[i]!.style });
  });
  for (const { features } of passages.filter(of(true))) alarms.push(scoreOf(model, features));
}
for (const threshold of [-1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3]) {
  const found = judged.filter(({ score, isInstruction }) => isInstruction && score >= threshold).length;
  const wrong = judged.filter(({ score, isInstruction }) => !isInstruction && score >= threshold).length;
  const wanted = judged.filter(({ isInstruction }) => isInstruction).length;
  const varied = judged.filter(({ isInstruction, style }) => isInstruction && style === 'varied');
  const foundVaried = varied.filter(({ score }) => score >= threshold).length;
  const rate = alarms.filter((score) => score >= threshold).length / (alarms.length || 1);
  console.log(
    `threshold ${threshold}: recall ${(found / wanted).toFixed(3)}, ` +
      `varied ${(foundVaried / varied.length).toFixed(3)}, precision ${(found / (found + wrong)).toFixed(3)}, ` +
      `alarms in passages ${(100 * rate).toFixed(2)} % of ${alarms.length}`,
  );
}
const { bias, weights } = fit(shuffled([...casesAsSamples.flat(), ...passages, ...made]));
const rounded = [...weights]
  .map(([feature, weight]) => [feature, Math.round(weight * 100) / 100] as const)
  .filter(([, weight]) => Math.abs(weight) >= 0.1)
  .sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(
  new URL('../src/model/untrusted/word-weights.json', import.meta.url),
  `${JSON.stringify({ bias: Math.round(bias * 100) / 100, weights: Object.fromEntries(rounded) }, null, 2)}\n`,
);
console.log(`${rounded.length} features`);
