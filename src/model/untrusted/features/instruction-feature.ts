import type { Test } from './sentence-patterns.ts';

/** A property that texts with instructions to a language model have. */
export interface InstructionFeature {
  readonly name: string;
  readonly weight: number;
  /** In English it needs a word of each list: most features are never looked for. None where it goes by signs. */
  readonly needs?: readonly string[];
  /** For one that goes by signs: what any text has that it holds for. */
  readonly mayHold?: RegExp;
  readonly holds: Test;
}
