/**
 * What is remembered and gives orders to a language model is kept as data of unknown intent: it is shown as that, and
 * never as a rule or a decision.
 */
import { type KnownType, UNTRUSTED_INSTRUCTION } from '../model/records/discovery.ts';
import { givesOrders, recogniseInstruction } from '../model/untrusted/instruction.ts';

interface Remembered {
  readonly type: KnownType;
  readonly content: string;
  readonly confidence: number;
}

/** Hardly anything speaks for it. */
const CONFIDENCE = 0.1;
/** In a document that gives orders, what looks a little like one belongs to them. */
const SUSPECT = 0.4;

function asUntrusted<T extends Remembered>(found: T): T {
  return { ...found, type: UNTRUSTED_INSTRUCTION, confidence: Math.min(CONFIDENCE, found.confidence) };
}

export function markUntrusted<T extends Remembered>(found: T): T {
  return givesOrders(found.content) ? asUntrusted(found) : found;
}

/** For the discoveries of one document: orders that are spread over its paragraphs count together. */
export function markUntrustedAll<T extends Remembered>(found: readonly T[]): readonly T[] {
  const judged = found.map((each) => ({ each, recognition: recogniseInstruction(each.content) }));
  const together = recogniseInstruction(
    found
      .map(({ content }) => content)
      .join('\n')
      .slice(0, SHORT),
  );
  const isSuspect =
    judged.some(({ recognition }) => recognition.isInstruction) || (isShort(found) && together.isInstruction);
  return judged.map(({ each, recognition: { isInstruction, score } }) =>
    isInstruction || (isSuspect && score >= SUSPECT) ? asUntrusted(each) : each,
  );
}

const SHORT = 1_200;

/** A long guide has a little of everything. */
function isShort(found: readonly { readonly content: string }[]): boolean {
  return found.reduce((sum, { content }) => sum + content.length, 0) <= SHORT;
}
