import { editDistance } from './edit-distance.ts';

/** The known word that is nearest to a mistyped one; null if none is near enough. */
export function nearestWord(word: string, known: Iterable<string>): string | null {
  if (word.length > 40) return null;
  const lower = word.toLowerCase();
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(lower.length / 3)) + 1;
  for (const candidate of known) {
    const isBegun = candidate.startsWith(lower) && lower.length > 1;
    const distance = isBegun ? 1 : editDistance(lower, candidate.toLowerCase(), bestDistance - 1);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
