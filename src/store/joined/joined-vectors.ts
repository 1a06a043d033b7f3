/** Compares one query with the vectors of several stores. */
import type { NearestChunks, TreeView } from '../store.ts';
import { nearestBySigns } from '../vectors/nearest-by-signs.ts';
import type { PlacedTree } from './joined-reader.ts';

export function scoreAll(trees: readonly PlacedTree[], { fileOfChunk }: TreeView, query: Float32Array): Float32Array {
  const scores = new Float32Array(fileOfChunk.length);
  for (const { reader, view, chunks } of trees) scores.set(reader.scoreVectors(view, query), chunks);
  return scores;
}

/** The nearest chunks over all trees, as in a single tree; null if the trees have few chunks. */
export function nearestInTrees(
  trees: readonly PlacedTree[],
  query: Float32Array,
  wanted: Int32Array,
  count: number,
): NearestChunks | null {
  const differences = addUp(trees.map(({ reader }) => reader.signDifferences(query)));
  if (!differences) return null;
  return nearestBySigns(differences, count, (maxDifferences) => {
    const chunks: number[] = [];
    const scores: number[] = [];
    for (const { reader, view, chunks: shift } of trees) {
      const own = wanted.subarray(shift, shift + view.fileOfChunk.length);
      const near = reader.chunksWithin(query, own, maxDifferences);
      near.chunks.forEach((chunk, i) => {
        chunks.push(chunk + shift);
        scores.push(near.scores[i]!);
      });
    }
    return { chunks, scores: Float32Array.from(scores) };
  });
}

/** Adds up the histograms of the trees. A tree without vectors has none. */
function addUp(each: readonly (Uint32Array | null)[]): Uint32Array | null {
  const known = each.filter((differences) => differences !== null);
  const [first] = known;
  return first ? first.map((_, i) => known.reduce((sum, differences) => sum + (differences[i] ?? 0), 0)) : null;
}
