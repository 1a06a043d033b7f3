/** Finds a search term in a text without tokenizing the whole text. */
import { identifierTerms, isIdentifierAt } from '../../model/text/terms.ts';

/** Whether the term is among textTerms() of the text; `lower` is the text in lower case. */
export function hasTerm(text: string, lower: string, term: string): boolean {
  return findTerm(text, lower, term, 1).length > 0;
}

/** Whether the text has a word of the query in one of its forms. */
export function hasWord(
  text: string,
  lower: string,
  { term, forms }: { readonly term: string; readonly forms: readonly string[] },
): boolean {
  return hasTerm(text, lower, term) || forms.some((form) => hasTerm(text, lower, form));
}

/**
 * Offsets of the identifiers that contain the term, ascending, at most `limit`. A stem begins like its word except for
 * the last letter, so searching for its beginning skips most identifiers.
 */
export function findTerm(text: string, lower: string, term: string, limit: number): number[] {
  const beginning = term.length > 2 ? term.slice(0, -1) : term;
  const found: number[] = [];
  for (let at = lower.indexOf(beginning); at >= 0 && found.length < limit; ) {
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
