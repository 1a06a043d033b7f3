/** Vectors from a provider, for contents that have none of its model yet. Resumable: what is written stays, the rest is asked for next time. */
import type { Embedder } from '../embed/embedder.ts';
import { quantise } from '../embed/index.ts';
import { EngineError } from '../model/errors.ts';
import type { FileEntry } from '../model/source-file.ts';
import type { StoreWriter } from '../store/store.ts';
import { findLineStarts } from './batch-builder.ts';

const TEXTS_PER_CALL = 64;
/** Providers cut or refuse longer inputs; the head of a chunk says what it is. */
const MAX_CHARACTERS = 6_000;

export async function embedMissing(
  provider: Embedder,
  writer: StoreWriter,
  files: readonly FileEntry[],
  onProgress: (done: number, total: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  const rows = writer.findContents(files).filter((row) => row >= 0);
  const missing = writer.missingVectors(provider.id, Int32Array.from(new Set(rows)));
  let done = 0;
  for (const row of missing) {
    if (signal?.aborted) throw new EngineError('cancelled');
    const { chunks } = writer.reader.detail(row);
    const text = writer.reader.text(row);
    const starts = findLineStarts(text);
    const texts = chunks.map((chunk) =>
      `${chunk.title}\n${text.slice(starts[chunk.startLine - 1] ?? 0, starts[chunk.endLine] ?? text.length)}`.slice(
        0,
        MAX_CHARACTERS,
      ),
    );
    const vectors = new Int8Array(chunks.length * provider.dims);
    for (let at = 0; at < texts.length; at += TEXTS_PER_CALL) {
      const made = await provider.embed(texts.slice(at, at + TEXTS_PER_CALL), 'passage', signal);
      made.forEach((vector, i) => {
        quantise(vector, vectors, (at + i) * provider.dims);
      });
    }
    writer.writeVectors(provider.id, row, vectors, provider.dims);
    onProgress(++done, missing.length);
  }
}
