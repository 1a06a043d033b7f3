/** Answers in cortex's form from this program's own index, for projects without a chunk folder. */
import { CHUNK_TYPES, type ChunkType } from '../../model/records/chunk.ts';
import type { Hit } from '../../model/records/query.ts';
import type { CallContext } from '../contract.ts';
import { type CortexChunk, type CortexQuery, type CortexResult, metadataOf } from './cortex-chunk.ts';

export async function searchOwnIndex(
  ctx: CallContext,
  path: string,
  { query, limit, tags, chunkTypes }: CortexQuery,
): Promise<CortexResult[]> {
  const known = chunkTypes.filter((type): type is ChunkType => (CHUNK_TYPES as readonly string[]).includes(type));
  if (chunkTypes.length > 0 && known.length === 0) return [];
  // Stateless: earlier questions and reads do not change the answer.
  const { hits } = await ctx.engine.search(path, {
    query,
    limit,
    filters: { ...(known.length > 0 && { chunkTypes: known }), ...(tags.length > 0 && { tags }) },
    stateless: true,
    plainChunks: true,
    // Ranked as in a chunk folder: an exported index gives the same answers as the index itself.
    cosineOnly: true,
    // The contract has no field that could say that keywords answered instead of vectors.
    requireVector: true,
    signal: ctx.signal,
  });
  return hits.map((hit) => ({ chunk: chunkOf(hit), combined_score: hit.score }));
}

function chunkOf(hit: Hit): CortexChunk {
  const modified = new Date(hit.modifiedMs).toISOString();
  return {
    id: hit.resultId,
    chunk_type: hit.chunkType,
    title: hit.title,
    text: hit.content,
    tags: hit.tags,
    metadata: {
      ...metadataOf(hit, hit.chunkType),
      ...(hit.symbol && { symbol: hit.symbol.qualifiedName, kind: hit.symbol.kind }),
    },
    created_at: modified,
    updated_at: modified,
  };
}
