/** The words of a thought, for telling whether two thoughts are one. */
import { forEachIdentifier, identifierTerms } from '../../model/text/terms.ts';

export function statementWords(text: string): Set<string> {
  const words = new Set<string>();
  forEachIdentifier(text, (identifier) => {
    for (const part of identifierTerms(identifier).parts) if (part.length > 2) words.add(part);
  });
  return words;
}

/** Share of common words; of two texts of different length less. */
export function wordOverlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common / Math.max(1, Math.min(a.size, b.size) + Math.abs(a.size - b.size) / 2);
}

/**
 * A quick look whether another text may have enough of these words: without taking it apart, which for a hundred
 * thousand texts takes seconds.
 */
export function mayShareWords(words: ReadonlySet<string>): (text: string) => boolean {
  // A stem begins its word, but for a y that became an i.
  const beginnings = [...words].map((word) => (word.endsWith('i') ? word.slice(0, -1) : word));
  const least = Math.floor(words.size / 4);
  return (text) => {
    const lower = text.toLowerCase();
    let found = 0;
    for (const beginning of beginnings) if (lower.includes(beginning) && ++found >= least) return true;
    return found >= least;
  };
}
