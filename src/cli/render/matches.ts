/** Where a query's words occur in a line, by the rules of the index: parts of identifiers, stemmed. */
import { forEachIdentifier, identifierTerms, rawParts, stem, textTerms } from '../../model/terms.ts';

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Words that are in every query and would light up whole pages. */
const COMMON = new Set(
  'the a an of to in is are be for and or on with by at it this that how what where when which who do does from as we i you can'.split(
    ' ',
  ),
);

export function queryTerms(query: string): ReadonlySet<string> {
  const terms = textTerms(query);
  const telling = terms.filter((term) => !COMMON.has(term));
  return new Set(telling.length > 0 ? telling : terms);
}

/** Ranges of `line` that match, in order: a whole identifier when it is meant, else the parts of it that are. */
export function matchRanges(line: string, terms: ReadonlySet<string>): Range[] {
  const ranges: Range[] = [];
  if (terms.size === 0) return ranges;
  forEachIdentifier(line, (identifier, index) => {
    const { parts, whole } = identifierTerms(identifier);
    if (whole !== '' && terms.has(whole)) {
      ranges.push({ start: index, end: index + identifier.length });
      return;
    }
    if (!parts.some((part) => terms.has(part))) return;
    let from = 0;
    for (const part of rawParts(identifier)) {
      const start = identifier.toLowerCase().indexOf(part, from);
      if (start < 0) break;
      from = start + part.length;
      if (terms.has(stem(part))) ranges.push({ start: index + start, end: index + from });
    }
  });
  return ranges;
}
