/** The parts of BM25, which ranks code and memory: rarity of a term times its saturated count, less in long texts. */
const K1 = 1.2;

/** The weight of a term that occurs in `live` of `total` texts. */
export function idfOf(total: number, live: number): number {
  return Math.log(1 + (total - live + 0.5) / (live + 0.5));
}

/** The length norm of a text. `share` (BM25's b) sets how strongly a long text is penalised. */
export function normOf(length: number, average: number, share: number): number {
  return K1 * (1 - share + (share * length) / average);
}

/** The saturated count of a term that occurs `tf` times in a text with this length norm. */
export function saturate(tf: number, norm: number): number {
  return (tf * (K1 + 1)) / (tf + norm);
}
