/**
 * The learned part of the recogniser: a linear model over the words of a passage and the named features that hold for
 * it. It knows wordings that no feature was written for. training/injection.ts made its weights.
 */
import { piecesOf, wordFeatures } from './word-features.ts';
import learned from './word-weights.json' with { type: 'json' };

/** The threshold of the score. It was chosen by cross-validation on the open cases, as all settings here. */
const THRESHOLD = 0.5;

/** Words that address or name a reader; every learned order has one of them. */
const SPEAKS_TO_A_READER = new RegExp(
  '\\b(?:you|your|yourself|ais?|llms?|gpt|chatgpt|claude|copilot|gemini|cursor|codex|agents?|assistants?|bots?' +
    '|chatbots?|robots?|machines?|models?|crawlers?|summari[sz]ers?|reviewers?|automated)\\b',
);

let weights: ReadonlyMap<string, number> | undefined;

/** A fast check of a text in lower case: if it is false, isLearnedOrder() is false, too. */
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
