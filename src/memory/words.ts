/** The words of a thought, for telling whether two thoughts are one. */
import { forEachIdentifier, identifierTerms } from '../model/terms.ts';

export function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  forEachIdentifier(text, (identifier) => {
    for (const part of identifierTerms(identifier).parts) if (part.length > 2) words.add(part);
  });
  return words;
}

/** Share of common words; of two texts of different length less. */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common / Math.max(1, Math.min(a.size, b.size) + Math.abs(a.size - b.size) / 2);
}
