/** Measures how much of a query the text of a definition contains: words, their frequency, and neighbouring pairs. */
import { forEachIdentifier, identifierTerms } from '../../model/text/terms.ts';
import type { WordShare } from '../scoring/score-files.ts';
import { findTerm } from './find-term.ts';
import { isStopWord } from './query-terms.ts';

/** Indices of two neighbouring words of the question. */
export type WordPair = readonly [first: number, second: number];

export interface TextMatch {
  /** Indices of the words that the text contains. */
  readonly found: readonly number[];
  /** Share of the question that the text contains. */
  readonly coverage: number;
  /** The coverage with each word's frequency saturated by the text's length (BM25). */
  readonly words: number;
  /** Share of the question's pairs that occur within one identifier, and within NEAR_CHARACTERS. */
  readonly pairsInName: number;
  readonly pairsNear: number;
}

const MAX_PAIRS = 24;
/** Pairs are taken from the beginning of a question, which holds the title of a report. */
const MAX_PAIRED_CHARACTERS = 300;
const NEAR_CHARACTERS = 30;
/** Further occurrences of a word add almost nothing. */
const MAX_OCCURRENCES = 24;
const AVERAGE_CHARACTERS = 900;

/** Neighbouring words of the question that are both among its terms; stop words between them are skipped. */
export function wordPairs(question: string, words: readonly WordShare[]): WordPair[] {
  const indexOf = new Map(words.flatMap(({ term, isRelated }, i) => (isRelated ? [] : [[term, i] as const])));
  const found: WordPair[] = [];
  let previous: number | undefined;
  forEachIdentifier(question.slice(0, MAX_PAIRED_CHARACTERS), (identifier) => {
    if (isStopWord(identifier.toLowerCase())) return;
    for (const part of identifierTerms(identifier).parts) {
      const index = indexOf.get(part);
      if (previous !== undefined && index !== undefined && index !== previous) found.push([previous, index]);
      previous = index;
    }
  });
  return found.slice(0, MAX_PAIRS);
}

export function matchText(text: string, words: readonly WordShare[], pairs: readonly WordPair[]): TextMatch {
  const lower = text.toLowerCase();
  const places = words.map(({ term, forms, isRelated }) => {
    if (isRelated) return [];
    const offsets = [term, ...forms].map((form) => findTerm(text, lower, form, MAX_OCCURRENCES));
    return forms.length === 0 ? offsets[0]! : offsets.flat().sort((a, b) => a - b);
  });
  const halfSaturation = 1.5 * (0.4 + (0.6 * text.length) / AVERAGE_CHARACTERS);
  let coverage = 0;
  let saturated = 0;
  const found: number[] = [];
  for (const [i, { share }] of words.entries()) {
    const count = places[i]!.length;
    if (count === 0) continue;
    found.push(i);
    coverage += share;
    saturated += (share * count) / (count + halfSaturation);
  }
  let inName = 0;
  let near = 0;
  for (const [first, second] of pairs) {
    const distance = minDistance(places[first]!, places[second]!);
    if (distance === 0) inName++;
    if (distance <= NEAR_CHARACTERS) near++;
  }
  const all = pairs.length || 1;
  return { found, coverage, words: saturated, pairsInName: inName / all, pairsNear: near / all };
}

/** The smallest distance between two ascending lists of offsets; infinite if one is empty. */
function minDistance(a: readonly number[], b: readonly number[]): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    smallest = Math.min(smallest, Math.abs(a[i]! - b[j]!));
    if (a[i]! < b[j]!) i++;
    else j++;
  }
  return smallest;
}
