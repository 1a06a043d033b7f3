import type { ChunkType } from '../../model/records/chunk.ts';
import type { Hit } from '../../model/records/query.ts';
import { isRecord } from '../../model/runtime/is-record.ts';

/** A chunk as the contract shows it. The embedding is stored elsewhere, so no answer can contain it. */
export interface CortexChunk {
  readonly id: string;
  readonly chunk_type: string;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface CortexResult {
  readonly chunk: CortexChunk;
  readonly combined_score: number;
}

export interface CortexQuery {
  readonly query: string;
  readonly limit: number;
  readonly tags: readonly string[];
  readonly chunkTypes: readonly string[];
}

/** The four files of a chunk folder and what each holds. */
export const CHUNK_FILES: Readonly<Record<string, string>> = {
  'doc-chunks.json': 'documentation',
  'code-symbols.json': 'symbols',
  'code-definitions.json': 'definitions',
  'code-data.json': 'data',
};

/** The contract's fields of a chunk from our own index; the format of a document is that of its file. */
export function metadataOf(
  {
    path,
    language,
    package: name,
    startLine,
    endLine,
    counts,
  }: Pick<Hit, 'path' | 'language' | 'package' | 'startLine' | 'endLine' | 'counts'>,
  type: ChunkType,
): Record<string, unknown> {
  return {
    source: type === 'documentation' ? language : 'code',
    file_path: path,
    language,
    ...(name && { package: name }),
    start_line: startLine,
    end_line: endLine,
    ...(counts && {
      imports_count: counts.imports,
      types_count: counts.types,
      functions_count: counts.functions,
    }),
  };
}

/** The fields of a chunk that a set keeps parsed; the rest of its entry is parsed when it is shown. */
export type ChunkHead = Pick<CortexChunk, 'id' | 'chunk_type' | 'tags'>;

/** The head of an entry of a chunk file, or null if it is not a chunk. `type` applies if the entry has none. */
export function headOf(entry: unknown, type: string): ChunkHead | null {
  if (!isRecord(entry) || typeof entry.id !== 'string' || entry.id === '' || typeof entry.text !== 'string')
    return null;
  return { id: entry.id, chunk_type: textOf(entry.chunk_type) || type, tags: tagsOf(entry.tags) };
}

/** An entry in the contract's form, or null if it is not a chunk. */
export function chunkOf(entry: unknown, type: string): CortexChunk | null {
  const head = headOf(entry, type);
  if (!head) return null;
  const { text, title, metadata, created_at, updated_at } = entry as Record<string, unknown>;
  return {
    id: head.id,
    chunk_type: head.chunk_type,
    title: textOf(title),
    text: textOf(text),
    tags: head.tags,
    metadata: isRecord(metadata) ? withoutEmbedding(metadata) : {},
    created_at: timeOf(created_at),
    updated_at: timeOf(updated_at),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function tagsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.every((tag) => typeof tag === 'string') ? value : value.filter((tag) => typeof tag === 'string');
}

/** Go's zero time if the chunk has no time, because clients of the contract parse this field as a time. */
function timeOf(value: unknown): string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : '0001-01-01T00:00:00Z';
}

function withoutEmbedding({ embedding: _dropped, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest;
}
