import type { Test } from './sentence-patterns.ts';

/** A property of texts that give instructions to a language model. */
export interface InstructionFeature {
  readonly name: string;
  readonly weight: number;
  /** An English text needs a word of each list, which rules out most features. Absent for a feature of signs. */
  readonly needs?: readonly string[];
  /** For a feature of signs: a text that every matching text contains. */
  readonly mayHold?: RegExp;
  readonly holds: Test;
}
