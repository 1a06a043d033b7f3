/** Finds the terms of a query in a line as the index does: as stemmed parts of identifiers. */
import { forEachIdentifier, identifierTerms, rawParts, stem, textTerms } from './terms.ts';

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Frequent words of queries, which would match in most lines. */
const COMMON = new Set(
  (
    'the a an of to in is are be for and or on with by at it this that how what where when which who do does from ' +
    'as we i you can'
  ).split(' '),
);

export function queryTerms(query: string): ReadonlySet<string> {
  const terms = textTerms(query);
  const rare = terms.filter((term) => !COMMON.has(term));
  return new Set(rare.length > 0 ? rare : terms);
}

/** The matching ranges of a line, in order: a whole identifier if it matches, else its matching parts. */
export function matchRanges(line: string, terms: ReadonlySet<string>): Range[] {
  const ranges: Range[] = [];
  if (terms.size === 0) return ranges;
  // Most lines of a text have the same few names, so their matches are cached.
  const seen = known.get(terms) ?? new Map<string, readonly Range[]>();
  known.set(terms, seen);
  forEachIdentifier(line, (identifier, index) => {
    let found = seen.get(identifier);
    if (!found) {
      found = rangesWithin(identifier, terms);
      seen.set(identifier, found);
    }
    for (const { start, end } of found) ranges.push({ start: index + start, end: index + end });
  });
  return ranges;
}

const known = new WeakMap<ReadonlySet<string>, Map<string, readonly Range[]>>();

function rangesWithin(identifier: string, terms: ReadonlySet<string>): Range[] {
  const { parts, whole } = identifierTerms(identifier);
  if (whole !== '' && terms.has(whole)) return [{ start: 0, end: identifier.length }];
  const ranges: Range[] = [];
  if (!parts.some((part) => terms.has(part))) return ranges;
  let from = 0;
  for (const part of rawParts(identifier)) {
    const start = identifier.toLowerCase().indexOf(part, from);
    if (start < 0) break;
    from = start + part.length;
    if (terms.has(stem(part))) ranges.push({ start, end: from });
  }
  return ranges;
}
