/**
 * Requests vectors from a provider for contents that have none of its model. Contents are sent together, so that many
 * small files need few requests. Written vectors stay if a later request fails; the next run requests only the rest.
 */
import type { Embedder } from '../../embed/embedder.ts';
import { quantise } from '../../embed/index.ts';
import { EngineError, toEngineError } from '../../model/records/engine-errors.ts';
import type { FileEntry } from '../../model/records/source-file.ts';
import type { StoreWriter } from '../../store/store.ts';
import { findLineStarts } from './lined-text.ts';

/** Texts per call of the provider, which splits them into requests of its own size. */
const TEXTS_PER_CALL = 128;
/** Providers cut or refuse longer inputs; the beginning of a chunk tells most about it. */
const MAX_CHARACTERS = 6_000;
/** Interval of commits and heartbeats: a killed run loses no more than this. */
const FLUSH_MS = 5_000;

export interface Embedded {
  /** The number of contents that got their vectors in this run. */
  readonly contents: number;
  /** Why the other contents have no vectors; null if all have. */
  readonly error: EngineError | null;
}

export async function embedMissing(
  provider: Embedder,
  writer: StoreWriter,
  files: readonly FileEntry[],
  onProgress: (done: number, total: number) => void,
  signal?: AbortSignal,
): Promise<Embedded> {
  const rows = writer.findContents(files).filter((row) => row >= 0);
  const missing = writer.missingVectors(provider.id, Int32Array.from(new Set(rows)));
  let done = 0;
  let flushed = Date.now();
  try {
    for (const group of groupsOf(writer, missing)) {
      if (signal?.aborted) throw new EngineError('cancelled');
      const made = await provider.embed(
        group.flatMap(({ texts }) => texts),
        'passage',
        signal,
      );
      let at = 0;
      for (const { row, texts } of group) {
        const vectors = new Int8Array(texts.length * provider.dims);
        for (let i = 0; i < texts.length; i++) quantise(made[at++]!, vectors, i * provider.dims);
        writer.writeVectors(provider.id, row, vectors, provider.dims);
      }
      done += group.length;
      onProgress(done, missing.length);
      if (Date.now() - flushed > FLUSH_MS) {
        writer.flush();
        writer.heartbeat();
        flushed = Date.now();
      }
    }
    return { contents: done, error: null };
  } catch (thrown) {
    writer.flush();
    const error = toEngineError(thrown);
    // A failure of the provider is returned, not thrown: keyword search works without vectors.
    if (error.code === 'provider_unavailable' || error.code === 'provider_misconfigured')
      return { contents: done, error };
    throw error;
  }
}

interface ContentTexts {
  readonly row: number;
  readonly texts: readonly string[];
}

function* groupsOf(writer: StoreWriter, rows: Iterable<number>): Generator<ContentTexts[]> {
  let group: ContentTexts[] = [];
  let count = 0;
  for (const row of rows) {
    const texts = textsOf(writer, row);
    if (count > 0 && count + texts.length > TEXTS_PER_CALL) {
      yield group;
      group = [];
      count = 0;
    }
    group.push({ row, texts });
    count += texts.length;
  }
  if (group.length > 0) yield group;
}

function textsOf({ reader }: StoreWriter, row: number): string[] {
  const text = reader.text(row);
  const starts = findLineStarts(text);
  return reader
    .detail(row)
    .chunks.map((chunk) =>
      `${chunk.title}\n${text.slice(starts[chunk.startLine - 1] ?? 0, starts[chunk.endLine] ?? text.length)}`.slice(
        0,
        MAX_CHARACTERS,
      ),
    );
}
