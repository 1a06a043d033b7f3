/** Whether a text has a search term, without tokenizing the whole text. */
import { identifierTerms, isIdentifierAt } from '../../model/text/terms.ts';

/**
 * Whether the term is among textTerms() of the text. A stem begins like its word except for the last letter, so most
 * words are ruled out without tokenizing them.
 */
export function hasTerm(text: string, lower: string, term: string): boolean {
  const beginning = term.length > 2 ? term.slice(0, -1) : term;
  for (let at = lower.indexOf(beginning); at >= 0; ) {
    let start = at;
    while (start > 0 && isIdentifierAt(text, start - 1)) start--;
    let end = at + beginning.length;
    while (end < text.length && isIdentifierAt(text, end)) end++;
    const { parts, whole } = identifierTerms(text.slice(start, end));
    if (whole === term || parts.includes(term)) return true;
    at = lower.indexOf(beginning, end);
  }
  return false;
}
