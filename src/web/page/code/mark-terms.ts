/** Finds the parts of a text that match the query, for highlighting. */
import type { Range } from './segments.ts';

const COMMON = new Set(
  (
    'a an and are as at be by do does for from how i in is it its of on or that the this to was what when where ' +
    'which who why with'
  ).split(' '),
);

/** The query's words to highlight, and the parts of its names; longest first, so that a name is highlighted whole. */
export function termsOf(query: string): readonly string[] {
  const words = query.match(/[\p{L}\p{N}_$]+/gu) ?? [];
  const parts = words.flatMap((word) => [word, ...word.split(/_|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u)]);
  const terms = new Set(parts.map((part) => part.toLowerCase()).filter((part) => part.length > 1 && !COMMON.has(part)));
  return [...terms].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
}

/** The ranges of the terms in a text, in order. */
export function markTerms(text: string, terms: readonly string[]): Range[] {
  if (terms.length === 0 || text === '') return [];
  const pattern = new RegExp(terms.map((term) => term.replace(/[$.*+?^{}()|[\]\\]/g, '\\$&')).join('|'), 'giu');
  return [...text.matchAll(pattern)].map(({ index, 0: found }) => ({ start: index, end: index + found.length }));
}
