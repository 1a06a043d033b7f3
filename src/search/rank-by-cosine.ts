/**
 * Ranks chunks by the cosine of their vectors with the question's vector alone, for profiles whose contract defines
 * that score. It uses no words and no trained ranking, and drops scores of zero and less. Filters apply before the
 * limit.
 */
import type { SearchRequest } from '../model/records/query.ts';
import { type Presenter, presentChunk } from './places/present-hits.ts';
import { compileFilters } from './query/search-filter.ts';
import { DEFAULT_LIMIT } from './scoring/collect-candidates.ts';
import { topK } from './scoring/top-k.ts';
import type { SearchResult } from './search.ts';

/** Orders equal scores by path and line. */
export function rankByCosine(presenter: Presenter, request: SearchRequest, vector: Float32Array): SearchResult {
  const { view, reader } = presenter;
  const masks = compileFilters(request.filters ?? {}, presenter);
  const cosines = reader.scoreVectors(view, vector);
  const found: { readonly file: number; readonly ordinal: number }[] = [];
  const scores: number[] = [];
  for (let file = 0; file < view.files.length; file++) {
    if (masks.files && !masks.files[file]) continue;
    const first = view.firstChunkOf[file]!;
    for (let ordinal = 0; ordinal < view.chunkCountOf[file]!; ordinal++) {
      const score = cosines[first + ordinal]!;
      if (!(score > 0) || (masks.chunk && !masks.chunk(first + ordinal))) continue;
      found.push({ file, ordinal });
      scores.push(score);
    }
  }
  const values = Float32Array.from(scores);
  const best = topK(Uint32Array.from(values.keys()), values, request.limit ?? DEFAULT_LIMIT);
  best.sort((a, b) => values[b]! - values[a]! || a - b);
  return {
    hits: best.map((i) => {
      const { file, ordinal } = found[i]!;
      return presentChunk(presenter, { file, first: ordinal, last: ordinal }, Math.min(1, values[i]!));
    }),
    totalCandidates: found.length,
    nearestNames: [],
  };
}
