/**
 * How well a remembered thought answers: words and meaning, a little more for what was recorded, for the kind that the question asks for, less for what was replaced.
 * Weights of its own: those that were learned for files of code answer fewer of bench:memory's questions within the first five (0.74 of the half
 * that these were tuned on, against 0.91).
 */
import type { Discovery, DiscoveryType } from '../model/discovery.ts';
import { textTerms } from '../model/terms.ts';
import type { Recalled, WeighedTerm } from './recall.ts';

const COVERAGE_SHARE = 0.25;
const WORDS_SHARE = 0.25;
const MEANING_SHARE = 0.5;
const SUPERSEDED = 0.8;
const ASKED_KIND = 1.2;

/** What a question begins with tells which kind of answer it wants. */
const CUES: readonly (readonly [RegExp, readonly DiscoveryType[]])[] = [
  [/\b(?:why|reason|rationale|decided?|decision|chose|choose|instead of)\b/i, ['decision']],
  [
    /\b(?:allowed|permitted|fine to|ok(?:ay)? to|may (?:i|we|a)|must|should|can i|can we|have to|rule|convention|forbidden|required|need to)\b/i,
    ['rule'],
  ],
  [
    /\b(?:bug|issue|crash\w*|fail\w*|broken|deadlock\w*|race|leak\w*|hang\w*|stuck|error|wrong|seen before|regression)\b/i,
    ['issue'],
  ],
];

/** Words that frame a question and stand in no answer. */
const FRAME = new Set(
  textTerms(
    'allowed permitted fine okay ok reason rationale decided decide happened seen before made made am ever anybody somebody know known',
  ),
);
const FRAME_SHARE = 0.15;

export function withoutFrame(terms: readonly WeighedTerm[]): WeighedTerm[] {
  return terms.map(({ term, weight }) => ({ term, weight: FRAME.has(term) ? weight * FRAME_SHARE : weight }));
}

export function rankRecalled(
  discovery: Discovery,
  { coverage, words, similarity }: Recalled,
  question: string,
): number {
  const match = COVERAGE_SHARE * coverage + WORDS_SHARE * words + MEANING_SHARE * similarity;
  const standing = (0.5 + 0.5 * discovery.confidence) * (discovery.supersededBy ? SUPERSEDED : 1);
  const asked = CUES.some(([cue, types]) => types.includes(discovery.type) && cue.test(question)) ? ASKED_KIND : 1;
  return Math.min(1, match * standing * asked);
}
