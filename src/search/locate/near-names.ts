/** Finds the names of symbols that are a few edits away from a word. */
import { editDistance } from '../../model/text/edit-distance.ts';
import { compareText } from '../../model/text/path-text.ts';
import type { IndexedTree } from '../indexed-tree.ts';

/** Allows one edit in short names, two in long ones, and none in very short ones, which would match anything. */
export function allowedEdits(key: string): number {
  return key.length < 4 ? 0 : key.length < 8 ? 1 : 2;
}

/** The symbol names nearest to a word, at most `maxDistance` edits away: suggestions for when nothing is found. */
export function nearestNames(
  { reader, view }: IndexedTree,
  key: string,
  count: number,
  maxDistance = Math.max(2, Math.ceil(key.length / 3)),
): string[] {
  const near: { term: string; distance: number }[] = [];
  for (const term of reader.allTerms('symbol')) {
    const isContained = key.length > 2 && (term.includes(key) || (term.length > 3 && key.includes(term)));
    if (!isContained && Math.abs(term.length - key.length) > maxDistance) continue;
    const distance = isContained ? 1 : editDistance(term, key, maxDistance);
    if (distance <= maxDistance) near.push({ term, distance });
  }
  near.sort(
    (a, b) =>
      a.distance - b.distance ||
      Math.abs(a.term.length - key.length) - Math.abs(b.term.length - key.length) ||
      compareText(a.term, b.term),
  );
  const names: string[] = [];
  for (const { term } of near) {
    const id = reader.postings('symbol', term).docs.find((doc) => (view.fileOfSymbol[doc] ?? -1) >= 0);
    if (id === undefined) continue;
    const file = view.fileOfSymbol[id]!;
    names.push(reader.detail(view.contentOf[file]!).symbols[id - view.firstSymbolOf[file]!]!.name);
    if (names.length === count) break;
  }
  return [...new Set(names)];
}
