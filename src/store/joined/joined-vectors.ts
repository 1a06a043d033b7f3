/** The vectors of several stores, compared with one question. */
import type { NearestChunks, TreeView } from '../store.ts';
import type { Member } from './joined-reader.ts';

export function scoreAll(trees: readonly Member[], { fileOfChunk }: TreeView, query: Float32Array): Float32Array {
  const scores = new Float32Array(fileOfChunk.length);
  for (const { reader, view, chunks } of trees) scores.set(reader.scoreVectors(view, query), chunks);
  return scores;
}

/** The nearest of each tree, and of those the nearest; null where all trees together have few chunks. */
export function nearestOf(
  trees: readonly Member[],
  query: Float32Array,
  wanted: Int32Array,
  count: number,
): NearestChunks | null {
  const chunks: number[] = [];
  const scores: number[] = [];
  let isLarge = false;
  for (const { reader, view, chunks: shift } of trees) {
    const own = wanted.subarray(shift, shift + view.fileOfChunk.length);
    const near = reader.nearestChunks(query, own, count, wanted.length);
    if (!near) continue;
    isLarge = true;
    near.chunks.forEach((chunk, i) => {
      chunks.push(chunk + shift);
      scores.push(near.scores[i]!);
    });
  }
  if (!isLarge) return null;
  const order = [...chunks.keys()].sort((a, b) => scores[b]! - scores[a]! || chunks[a]! - chunks[b]!).slice(0, count);
  return { chunks: order.map((i) => chunks[i]!), scores: Float32Array.from(order, (i) => scores[i]!) };
}
