/**
 * The learned part of the recogniser: a linear model over the words of a passage and the named features that hold for
 * it. It knows wordings that no feature was written for. training/injection.ts made its weights.
 */
import { piecesOf, wordFeatures } from './word-features.ts';
import learned from './word-weights.json' with { type: 'json' };

/** Where a passage is taken for an order. Chosen by cross-validation on the open cases, as is everything here. */
const THRESHOLD = 0.5;

/** An order speaks to its reader. */
const SPEAKS_TO_A_READER = new RegExp(
  '\\b(?:you|your|yourself|ais?|llms?|gpt|chatgpt|claude|copilot|gemini|cursor|codex|agents?|assistants?|bots?' +
    '|chatbots?|robots?|machines?|models?|crawlers?|summari[sz]ers?|reviewers?|automated)\\b',
);

let weights: ReadonlyMap<string, number> | undefined;

/** `lower`: in lower case. Quick, and true for all that isLearnedOrder() can be true for. */
export function maySpeakToReader(lower: string): boolean {
  return SPEAKS_TO_A_READER.test(lower);
}

export function isLearnedOrder(unquoted: string, held: readonly string[]): boolean {
  if (!maySpeakToReader(unquoted)) return false;
  weights ??= new Map(Object.entries(learned.weights));
  return piecesOf(unquoted).some((piece) => {
    const features = [...held.map((name) => `@${name}`), ...wordFeatures(piece)];
    const sum = features.reduce((total, feature) => total + (weights!.get(feature) ?? 0), 0);
    return learned.bias + sum / Math.sqrt(features.length) >= THRESHOLD;
  });
}
