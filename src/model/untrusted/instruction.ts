/**
 * Recognises text that gives orders to a language model: text of a repository is data, and such a text must never pass
 * for a rule of the project. A sum of named features decides (instruction-features.ts), or a linear model over words
 * (learned-wording.ts). docs/security.md has precision and recall.
 */
import type { InstructionFeature } from './features/instruction-feature.ts';
import { INSTRUCTION_FEATURES } from './features/instruction-features.ts';
import { featuresWithWords } from './features/needed-words.ts';
import { isLearnedOrder, maySpeakToReader } from './learned-wording.ts';
import { isPlainEnglish, type PlainForms, plainForms } from './plain-forms.ts';

export interface Recognition {
  readonly isInstruction: boolean;
  readonly score: number;
  /** Names of the features that match the text. */
  readonly features: readonly string[];
}

/** The name of the learned model in the list of features. */
const LEARNED = 'wording';
const THRESHOLD = 0.9;
/** Tolerance for sums of tenths, which are not exact. */
const ROUNDING = 1e-9;
/** Characters that are read of a longer text, to bound the time per text. */
const MAX_LENGTH = 4_000;

export function recogniseInstruction(text: string, isCode = false): Recognition {
  const forms = plainForms(text.slice(0, MAX_LENGTH), isCode);
  const matching = matchingFeatures(forms);
  const score = sumOf(matching);
  const names = matching.map(({ name }) => name);
  if (score >= THRESHOLD - ROUNDING) return { isInstruction: true, score, features: names };
  const isInstruction = isLearnedOrder(forms.unquoted, names);
  return isInstruction
    ? { isInstruction, score: THRESHOLD, features: [...names, LEARNED] }
    : { isInstruction, score, features: names };
}

/** The features that match a text. */
export function matchingFeatures(forms: PlainForms): InstructionFeature[] {
  const isPossible = featuresWithWords(forms.words);
  const mayHold = (i: number) => forms.sentences.length > 0 || isPossible[i];
  return INSTRUCTION_FEATURES.filter(({ holds }, i) => mayHold(i) && holds(forms));
}

/** The judgement by features alone; the learned model is trained on the texts that the features miss. */
export function isOrderByFeatures(text: string, isCode: boolean): boolean {
  return sumOf(matchingFeatures(plainForms(text.slice(0, MAX_LENGTH), isCode))) >= THRESHOLD - ROUNDING;
}

function sumOf(matching: readonly InstructionFeature[]): number {
  return matching.reduce((sum, { weight }) => sum + weight, 0);
}

/** Whether a text gives orders, after a fast check that rules out most texts by the words that features need. */
export function givesOrders(text: string, isCode = false): boolean {
  return mayGiveOrders(text.slice(0, MAX_LENGTH)) && recogniseInstruction(text, isCode).isInstruction;
}

function mayGiveOrders(text: string): boolean {
  const lower = text.toLowerCase();
  if (!isPlainEnglish(lower) || maySpeakToReader(lower)) return true;
  const isPossible = featuresWithWords(lower);
  const maxScore = INSTRUCTION_FEATURES.reduce(
    (sum, { weight, mayHold }, i) =>
      weight > 0 && isPossible[i] && (mayHold?.test(lower) ?? true) ? sum + weight : sum,
    0,
  );
  return maxScore >= THRESHOLD - ROUNDING;
}
