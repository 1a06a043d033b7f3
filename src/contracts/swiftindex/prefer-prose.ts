/** Of documentation that answers alike, what people wrote comes before pages that a generator made of the code. */
import type { Hit } from '../../model/records/query.ts';

/** What a page in HTML keeps of its relevance beside prose. Generators of Swift documentation write HTML. */
const PAGE_SHARE = 0.4;
/** Results that are looked at for each one that is shown. */
export const PROSE_SPARE = 3;

export function preferProse(hits: readonly Hit[]): readonly Hit[] {
  const isPage = ({ language }: Hit) => language === 'html';
  // A project whose documents are all written in HTML has nothing else to prefer.
  if (hits.every(isPage)) return hits;
  const weighed = hits.map((hit) => (isPage(hit) ? { ...hit, score: hit.score * PAGE_SHARE } : hit));
  return weighed.sort((a, b) => b.score - a.score);
}
