/**
 * NDCG@10 with binary gain. `ranks` has the rank of each relevant file, from 1 on, and 0 for one that is not among the
 * results. The value is 1 if all of them are at the top, in any order.
 */
export function ndcg(ranks: readonly number[]): number {
  const gain = (rank: number) => 1 / Math.log2(rank + 1);
  const found = [...new Set(ranks)].filter((rank) => rank > 0 && rank <= LENGTH);
  let ideal = 0;
  for (let rank = 1; rank <= Math.min(LENGTH, ranks.length); rank++) ideal += gain(rank);
  return ideal === 0 ? 0 : found.reduce((sum, rank) => sum + gain(rank), 0) / ideal;
}

const LENGTH = 10;
