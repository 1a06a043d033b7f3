/**
 * Marks discoveries that give orders to a language model as untrusted instructions, so that answers never show them as
 * a rule or a decision.
 */
import { type KnownType, UNTRUSTED_INSTRUCTION } from '../model/records/discovery.ts';
import { givesOrders, recogniseInstruction } from '../model/untrusted/instruction.ts';

interface Remembered {
  readonly type: KnownType;
  readonly content: string;
  readonly confidence: number;
}

const MAX_UNTRUSTED_CONFIDENCE = 0.1;
/** Minimum score of a discovery to be marked in a document that gives orders elsewhere. */
const MIN_SUSPECT_SCORE = 0.4;

function asUntrusted<T extends Remembered>(found: T): T {
  return { ...found, type: UNTRUSTED_INSTRUCTION, confidence: Math.min(MAX_UNTRUSTED_CONFIDENCE, found.confidence) };
}

export function markUntrusted<T extends Remembered>(found: T): T {
  return givesOrders(found.content) ? asUntrusted(found) : found;
}

/** Marks the discoveries of one document: orders may be spread over its paragraphs. */
export function markUntrustedAll<T extends Remembered>(found: readonly T[]): readonly T[] {
  const judged = found.map((each) => ({ each, recognition: recogniseInstruction(each.content) }));
  const together = recogniseInstruction(
    found
      .map(({ content }) => content)
      .join('\n')
      .slice(0, MAX_SHORT_CHARACTERS),
  );
  const isSuspect =
    judged.some(({ recognition }) => recognition.isInstruction) || (isShort(found) && together.isInstruction);
  return judged.map(({ each, recognition: { isInstruction, score } }) =>
    isInstruction || (isSuspect && score >= MIN_SUSPECT_SCORE) ? asUntrusted(each) : each,
  );
}

/** Only short documents are judged as a whole: a long guide contains a little of everything. */
const MAX_SHORT_CHARACTERS = 1_200;

function isShort(found: readonly { readonly content: string }[]): boolean {
  return found.reduce((sum, { content }) => sum + content.length, 0) <= MAX_SHORT_CHARACTERS;
}
