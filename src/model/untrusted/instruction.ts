/**
 * Recognises text that gives orders to a language model that reads it: text of a repository is data, and such a text must never pass for a rule of the
 * project. A sum of named features decides (instruction-features.ts); docs/security.md has its precision and recall.
 */
import { INSTRUCTION_FEATURES } from './instruction-features.ts';
import { plainForms } from './plain-forms.ts';

export interface Recognition {
  readonly isInstruction: boolean;
  readonly score: number;
  /** Features that hold, as named in the table. */
  readonly features: readonly string[];
}

const THRESHOLD = 0.9;
/** Longer passages are read by their beginning. */
const MAX_LENGTH = 4_000;

const NEEDED = INSTRUCTION_FEATURES.map(({ needs = [] }) => needs.map((words) => words.split(' ')));

export function recogniseInstruction(text: string, isCode = false): Recognition {
  const forms = plainForms(text.slice(0, MAX_LENGTH), isCode);
  const said = new Set(forms.words.match(/[a-z]+/g));
  const mayHold = (i: number) =>
    forms.sentences.length > 0 || NEEDED[i]!.every((words) => words.some((word) => said.has(word)));
  const held = INSTRUCTION_FEATURES.filter(({ holds }, i) => mayHold(i) && holds(forms));
  const score = held.reduce((sum, { weight }) => sum + weight, 0);
  return { isInstruction: score >= THRESHOLD - 1e-9, score, features: held.map(({ name }) => name) };
}
