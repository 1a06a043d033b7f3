/** The word score that ranks code and memory alike: rarity times a count that saturates, less in a long text. */
const K1 = 1.2;

/** How much a word tells that stands in `live` of `total` texts. */
export function idfOf(total: number, live: number): number {
  return Math.log(1 + (total - live + 0.5) / (live + 0.5));
}

/** How a text's length tells against it; `share` says how strongly a long one is held to contain words by chance. */
export function normOf(length: number, average: number, share: number): number {
  return K1 * (1 - share + (share * length) / average);
}

/** The share of a term that stands there so many times, in what has the given norm. */
export function saturate(tf: number, norm: number): number {
  return (tf * (K1 + 1)) / (tf + norm);
}
