/** Counts the symbols, chunks and new vectors that a run makes. */
import { CHUNK_STRIDE, type ContentBatch, type StoreWriter } from '../../store/store.ts';
import type { KnownTree } from '../plan-changes.ts';

export interface MadeCounts {
  symbols: number;
  chunks: number;
  /** Vectors that the replaced contents did not have. Vectors of a provider are not counted; they are made later. */
  vectors: number;
}

/** The part of a writer that reads the contents which a run replaces. */
export type ReplacedContents = Pick<StoreWriter, 'findContents'> & Partial<Pick<StoreWriter, 'storedVectors'>>;

interface MadeFile {
  readonly path: string;
  readonly blobId: string;
  readonly language: string;
}

export function countMade(
  counts: MadeCounts,
  batch: ContentBatch,
  files: readonly MadeFile[],
  previous: KnownTree | null,
  replaced: ReplacedContents,
): void {
  // Without a previous tree every vector is new. If several files share a content, the first one counts.
  const pathOf = previous ? new Map([...files].reverse().map((file) => [keyOfContent(file), file.path])) : null;
  for (const content of batch.contents) {
    const chunks = content.chunks.length / CHUNK_STRIDE;
    counts.symbols += content.symbolCount;
    counts.chunks += chunks;
    if (!content.vectors || chunks === 0) continue;
    const path = pathOf?.get(keyOfContent(content));
    const before = path === undefined ? [] : vectorsBefore(path, previous, replaced);
    counts.vectors += countNew(content.vectors, chunks, before);
  }
}

function keyOfContent({ blobId, language }: Pick<MadeFile, 'blobId' | 'language'>): string {
  return `${blobId} ${language}`;
}

/** The vectors of the path's content in the previous tree. */
function vectorsBefore(path: string, previous: KnownTree | null, replaced: ReplacedContents): readonly Int8Array[] {
  const entry = previous?.files[previous.indexOfPath(path)];
  if (!entry || !replaced.storedVectors) return [];
  const row = replaced.findContents([entry])[0]!;
  return row < 0 ? [] : (replaced.storedVectors(row) ?? []);
}

function countNew(vectors: Int8Array, chunks: number, before: readonly Int8Array[]): number {
  if (before.length === 0) return chunks;
  const left = new Map<string, number>();
  for (const vector of before) {
    const key = keyOf(vector);
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  const dims = vectors.length / chunks;
  let fresh = 0;
  for (let i = 0; i < chunks; i++) {
    const key = keyOf(vectors.subarray(i * dims, (i + 1) * dims));
    const there = left.get(key) ?? 0;
    if (there > 0) left.set(key, there - 1);
    else fresh++;
  }
  return fresh;
}

function keyOf(vector: Int8Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('latin1');
}
