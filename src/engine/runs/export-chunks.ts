/** Exports every chunk of a published tree with its vector, lazily. */
import { EngineError } from '../../model/records/engine-errors.ts';
import { type Presenter, presentChunk } from '../../search/index.ts';
import type { ChunkExport, ExportedChunk } from '../engine.ts';

/** Throws unsupported if the tree was made with another model. */
export function exportTree(
  presenter: Presenter,
  ref: string,
  { id, dims }: { readonly id: string; readonly dims: number },
): ChunkExport {
  const { modelId, vectorCount, publishedAtMs } = presenter.view.info;
  // A store may hold some older vectors of this model, so the tree's model decides.
  if (modelId !== id || vectorCount === 0) {
    const reason = `the index holds no vectors of ${id}; index again first.`;
    throw new EngineError('unsupported', { what: 'An export', reason });
  }
  return { ref, modelId, dims, indexedAtMs: publishedAtMs, chunks: chunksOf(presenter, dims) };
}

function* chunksOf(presenter: Presenter, dims: number): Generator<ExportedChunk> {
  const { reader, view } = presenter;
  for (let file = 0; file < view.files.length; file++) {
    const row = view.contentOf[file]!;
    const { chunks } = reader.detail(row);
    const vectors = reader.vectors(row, chunks.length);
    for (let ordinal = 0; ordinal < chunks.length; ordinal++) {
      const hit = presentChunk(presenter, { file, first: ordinal, last: ordinal }, 0);
      yield {
        path: hit.path,
        type: hit.chunkType,
        title: hit.title,
        text: hit.content,
        tags: hit.tags,
        language: hit.language,
        package: hit.package,
        startLine: hit.startLine,
        endLine: hit.endLine,
        modifiedMs: hit.modifiedMs,
        ...(hit.counts && { counts: hit.counts }),
        vector: vectors && unitVector(vectors.subarray(ordinal * dims, (ordinal + 1) * dims)),
      };
    }
  }
}

/** Null for a zero vector: the model knows no term of that chunk. */
function unitVector(quantised: Int8Array): Float32Array | null {
  let square = 0;
  for (const value of quantised) square += value * value;
  return square === 0 ? null : Float32Array.from(quantised, (value) => value / Math.sqrt(square));
}
