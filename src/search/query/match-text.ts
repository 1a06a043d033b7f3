/** How much of a query the text of a definition contains: which words, how often, and which adjacent pairs. */
import { forEachIdentifier, identifierTerms, isIdentifierAt } from '../../model/text/terms.ts';
import type { WordShare } from '../scoring/score-files.ts';
import { isStopWord } from './query-terms.ts';

/** Indices of two words of the question that stand side by side in it. */
export type WordPair = readonly [first: number, second: number];

export interface TextMatch {
  /** Indices of the words that the text has. */
  readonly found: readonly number[];
  /** Share of the question that the text contains. */
  readonly coverage: number;
  /** The coverage with frequent words weighed by the text's length (BM25). */
  readonly words: number;
  /** Shares of the question's pairs: within one identifier, and within NEAR_CHARACTERS characters. */
  readonly pairsInName: number;
  readonly pairsNear: number;
}

const MAX_PAIRS = 24;
/** Words at the beginning of a report count most. */
const PAIRED_CHARACTERS = 300;
const NEAR_CHARACTERS = 30;
/** Further occurrences of a word add almost nothing. */
const MAX_OCCURRENCES = 24;
/** Characters of a text of average length. */
const AVERAGE_LENGTH = 900;

/** The question's neighbouring words, stop words aside, as far as both are among its terms. */
export function wordPairs(question: string, words: readonly WordShare[]): WordPair[] {
  const indexOf = new Map(words.flatMap(({ term, isRelated }, i) => (isRelated ? [] : [[term, i] as const])));
  const found: WordPair[] = [];
  let previous: number | undefined;
  forEachIdentifier(question.slice(0, PAIRED_CHARACTERS), (identifier) => {
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
  const places = words.map(({ term, isRelated }) => (isRelated ? [] : occurrences(text, lower, term)));
  const halfSaturation = 1.5 * (0.4 + (0.6 * text.length) / AVERAGE_LENGTH);
  let covered = 0;
  let often = 0;
  const found: number[] = [];
  for (const [i, { share }] of words.entries()) {
    const count = places[i]!.length;
    if (count === 0) continue;
    found.push(i);
    covered += share;
    often += (share * count) / (count + halfSaturation);
  }
  let inName = 0;
  let near = 0;
  for (const [first, second] of pairs) {
    const distance = minDistance(places[first]!, places[second]!);
    if (distance === 0) inName++;
    if (distance <= NEAR_CHARACTERS) near++;
  }
  const all = pairs.length || 1;
  return { found, coverage: covered, words: often, pairsInName: inName / all, pairsNear: near / all };
}

/** Where the identifiers begin that have the term, ascending. */
function occurrences(text: string, lower: string, term: string): number[] {
  const beginning = term.length > 2 ? term.slice(0, -1) : term;
  const found: number[] = [];
  for (let at = lower.indexOf(beginning); at >= 0 && found.length < MAX_OCCURRENCES; ) {
    let start = at;
    while (start > 0 && isIdentifierAt(text, start - 1)) start--;
    let end = at + beginning.length;
    while (end < text.length && isIdentifierAt(text, end)) end++;
    const { parts, whole } = identifierTerms(text.slice(start, end));
    if (whole === term || parts.includes(term)) found.push(start);
    at = lower.indexOf(beginning, end);
  }
  return found;
}

/** Between two ascending lists; infinite where one is empty. */
function minDistance(a: readonly number[], b: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    least = Math.min(least, Math.abs(a[i]! - b[j]!));
    if (a[i]! < b[j]!) i++;
    else j++;
  }
  return least;
}
