/** Reads the JSON files of a chunk folder, written by somebody else: nothing in them is taken on trust. */

import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../model/runtime/is-record.ts';
import { readRepositoryFileAside } from '../../model/runtime/repository-file.ts';
import { isWithin } from '../../model/text/is-within.ts';
import { CHUNK_FILES, type CortexChunk } from './cortex-chunk.ts';

export interface EmbeddedChunk {
  readonly chunk: CortexChunk;
  readonly embedding: readonly number[];
}

export interface ChunkFile {
  readonly name: string;
  /** That made its vectors, where it says so. */
  readonly model: string | null;
  readonly chunks: readonly EmbeddedChunk[];
  /** Entries that are no chunks. */
  readonly malformed: number;
}

export interface ReadFolder {
  readonly files: readonly ChunkFile[];
  readonly broken: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * Names, sizes and times of the folder's chunk files: what tells whether anything changed. Throws where the folder
 * cannot be listed.
 */
export async function folderSignature(folder: string, within: string | null): Promise<string> {
  const parts = await Promise.all(
    (await chunkFileNames(folder, within)).map(async (name) => {
      const found = await stat(join(folder, name)).catch(() => null);
      return found ? `${name}:${found.size}:${found.mtimeMs}` : `${name}:gone`;
    }),
  );
  return parts.join('\n');
}

/** The largest text that Node can hold is twice as long. */
const MAX_BYTES = 256 << 20;

/** `within`: the folder that no link may lead out of; null where the user named this one. */
export async function readChunkFolder(folder: string, within: string | null): Promise<ReadFolder> {
  const files: ChunkFile[] = [];
  const broken: { name: string; reason: string }[] = [];
  for (const name of await chunkFileNames(folder, within)) {
    try {
      const options = { maxBytes: MAX_BYTES, links: 'inside' } as const;
      const { bytes } = await readRepositoryFileAside(within ?? folder, join(folder, name), options);
      files.push(parseChunkFile(name, bytes.toString('utf8')));
    } catch (error) {
      broken.push({ name, reason: (error as Error).message });
    }
  }
  return { files, broken };
}

async function chunkFileNames(folder: string, within: string | null): Promise<string[]> {
  if (within !== null && !isWithin(await realpath(folder), await realpath(within)))
    throw new Error('it leads out of the project; set CORTEX_CHUNKS_DIR to say that you mean it');
  return (await readdir(folder)).filter((name) => name.endsWith('.json') && !name.startsWith('.')).sort();
}

/** A list of chunks, alone or below a header with `_metadata`. Throws where the file is neither. */
function parseChunkFile(name: string, text: string): ChunkFile {
  const content: unknown = JSON.parse(text);
  const list = Array.isArray(content) ? content : isRecord(content) ? content.chunks : undefined;
  if (!Array.isArray(list)) throw new Error('it holds no list of chunks');
  const header = isRecord(content) && isRecord(content._metadata) ? content._metadata : {};
  const type = typeof header.chunk_type === 'string' ? header.chunk_type : (CHUNK_FILES[name] ?? '');
  const chunks = list.flatMap((entry) => embeddedChunk(entry, type) ?? []);
  if (list.length > 0 && chunks.length === 0) throw new Error('none of its entries is a chunk with an embedding');
  const model = typeof header.model === 'string' ? header.model : null;
  return { name, model, chunks, malformed: list.length - chunks.length };
}

function embeddedChunk(entry: unknown, type: string): EmbeddedChunk | null {
  if (!isRecord(entry) || typeof entry.id !== 'string' || entry.id === '' || typeof entry.text !== 'string')
    return null;
  const { embedding } = entry;
  if (!Array.isArray(embedding) || embedding.length === 0 || !embedding.every((value) => Number.isFinite(value)))
    return null;
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    embedding: embedding as number[],
    chunk: {
      id: entry.id,
      chunk_type: textOf(entry.chunk_type) || type,
      title: textOf(entry.title),
      text: entry.text,
      tags: Array.isArray(entry.tags) ? entry.tags.filter((tag) => typeof tag === 'string') : [],
      metadata: isRecord(entry.metadata) ? withoutEmbedding(entry.metadata) : {},
      created_at: timeOf(entry.created_at),
      updated_at: timeOf(entry.updated_at),
    },
  };
}

/** The zero time of the contract's own language where there is none: its clients read a time here and nothing else. */
function timeOf(value: unknown): string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : '0001-01-01T00:00:00Z';
}

function withoutEmbedding({ embedding: _dropped, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest;
}
