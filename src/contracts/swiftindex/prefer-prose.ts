/** Ranks prose before generated pages among documents of similar relevance. */
import type { Hit } from '../../model/records/query.ts';

/** Factor on the relevance of an HTML page beside prose. Generators of Swift documentation write HTML. */
const PAGE_SHARE = 0.4;
/** Results considered for each one shown. */
export const PROSE_SPARE = 3;

export function preferProse(hits: readonly Hit[]): readonly Hit[] {
  const isPage = ({ language }: Hit) => language === 'html';
  // A project whose documents are all HTML has no prose to prefer.
  if (hits.every(isPage)) return hits;
  const weighed = hits.map((hit) => (isPage(hit) ? { ...hit, score: hit.score * PAGE_SHARE } : hit));
  return weighed.sort((a, b) => b.score - a.score);
}
