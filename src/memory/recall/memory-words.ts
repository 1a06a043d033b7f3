/** Words of statements, and how many of them two statements share. */
import { forEachIdentifier, identifierTerms } from '../../model/text/terms.ts';

export function statementWords(text: string): Set<string> {
  const words = new Set<string>();
  forEachIdentifier(text, (identifier) => {
    for (const part of identifierTerms(identifier).parts) if (part.length > 2) words.add(part);
  });
  return words;
}

/** Share of common words, 0..1; a difference in length lowers it. */
export function wordOverlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common / Math.max(1, Math.min(a.size, b.size) + Math.abs(a.size - b.size) / 2);
}

/**
 * Returns a fast test whether another text may contain a quarter of these words. Splitting a hundred thousand texts
 * into words takes seconds.
 */
export function mayShareWords(words: ReadonlySet<string>): (text: string) => boolean {
  // A stem is the beginning of its word, except that a final y became i.
  const beginnings = [...words].map((word) => (word.endsWith('i') ? word.slice(0, -1) : word));
  const minCommon = Math.floor(words.size / 4);
  return (text) => {
    const lower = text.toLowerCase();
    let found = 0;
    for (const beginning of beginnings) if (lower.includes(beginning) && ++found >= minCommon) return true;
    return found >= minCommon;
  };
}
