/** Which parts of a text a question is about, for marking them. */

const COMMON = new Set(
  'a an and are as at be by do does for from how i in is it its of on or that the this to was what when where which who why with'.split(
    ' ',
  ),
);

/** The words of a question that are worth marking, and the parts of its names; longest first, so that a name is marked whole. */
export function termsOf(query: string): readonly string[] {
  const words = query.match(/[\p{L}\p{N}_$]+/gu) ?? [];
  const parts = words.flatMap((word) => [word, ...word.split(/_|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u)]);
  const terms = new Set(parts.map((part) => part.toLowerCase()).filter((part) => part.length > 1 && !COMMON.has(part)));
  return [...terms].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
}

export interface Part {
  readonly text: string;
  readonly marked: boolean;
}

/** The text cut where a term begins and ends; joined again, the parts are the text. */
export function markTerms(text: string, terms: readonly string[]): readonly Part[] {
  if (terms.length === 0 || text === '') return [{ text, marked: false }];
  const pattern = new RegExp(terms.map((term) => term.replace(/[$.*+?^{}()|[\]\\]/g, '\\$&')).join('|'), 'giu');
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), marked: false });
    parts.push({ text: match[0], marked: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), marked: false });
  return parts;
}
