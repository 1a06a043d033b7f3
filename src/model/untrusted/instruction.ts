/**
 * Recognises text that gives orders to a language model that reads it: text of a repository is data, and such a text
 * must never pass for a rule of the project. A sum of named features decides (instruction-features.ts), or a model that
 * has learned wordings (learned-wording.ts); docs/security.md has its precision and recall.
 */
import type { InstructionFeature } from './features/instruction-feature.ts';
import { INSTRUCTION_FEATURES } from './features/instruction-features.ts';
import { featuresWithWords } from './features/needed-words.ts';
import { isLearnedOrder, maySpeakToReader } from './learned-wording.ts';
import { isPlainEnglish, type PlainForms, plainForms } from './plain-forms.ts';

export interface Recognition {
  readonly isInstruction: boolean;
  readonly score: number;
  /** Features that hold, as named in the table. */
  readonly features: readonly string[];
}

/** Name of the learned part among the features. */
const LEARNED = 'wording';
const THRESHOLD = 0.9;
/** Sums of tenths are not exact. */
const ROUNDING = 1e-9;
/** Longer passages are read by their beginning. */
const MAX_LENGTH = 4_000;

export function recogniseInstruction(text: string, isCode = false): Recognition {
  const forms = plainForms(text.slice(0, MAX_LENGTH), isCode);
  const held = heldFeatures(forms);
  const score = sumOf(held);
  const names = held.map(({ name }) => name);
  if (score >= THRESHOLD - ROUNDING) return { isInstruction: true, score, features: names };
  const isInstruction = isLearnedOrder(forms.unquoted, names);
  return isInstruction
    ? { isInstruction, score: THRESHOLD, features: [...names, LEARNED] }
    : { isInstruction, score, features: names };
}

/** The features that hold for a text. */
export function heldFeatures(forms: PlainForms): InstructionFeature[] {
  const isPossible = featuresWithWords(forms.words);
  const mayHold = (i: number) => forms.sentences.length > 0 || isPossible[i];
  return INSTRUCTION_FEATURES.filter(({ holds }, i) => mayHold(i) && holds(forms));
}

/** Without the learned part, which is trained on what the features miss. */
export function isOrderByFeatures(text: string, isCode: boolean): boolean {
  return sumOf(heldFeatures(plainForms(text.slice(0, MAX_LENGTH), isCode))) >= THRESHOLD - ROUNDING;
}

function sumOf(held: readonly InstructionFeature[]): number {
  return held.reduce((sum, { weight }) => sum + weight, 0);
}

/** The same as `isInstruction`, without looking closer where the words for it are missing. */
export function givesOrders(text: string, isCode = false): boolean {
  return mayGiveOrders(text.slice(0, MAX_LENGTH)) && recogniseInstruction(text, isCode).isInstruction;
}

function mayGiveOrders(text: string): boolean {
  const lower = text.toLowerCase();
  if (!isPlainEnglish(lower) || maySpeakToReader(lower)) return true;
  const isPossible = featuresWithWords(lower);
  const most = INSTRUCTION_FEATURES.reduce(
    (sum, { weight, mayHold }, i) =>
      weight > 0 && isPossible[i] && (mayHold?.test(lower) ?? true) ? sum + weight : sum,
    0,
  );
  return most >= THRESHOLD - ROUNDING;
}
