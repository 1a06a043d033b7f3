import type { Test } from './sentence-patterns.ts';

/** One thing that an instruction to a language model does. */
export interface InstructionFeature {
  readonly name: string;
  readonly weight: number;
  /** In English it needs a word of each list: most features are never looked for. None where it goes by signs. */
  readonly needs?: readonly string[];
  /** For one that goes by signs: what any text has that it holds for. */
  readonly mayHold?: RegExp;
  readonly holds: Test;
}
