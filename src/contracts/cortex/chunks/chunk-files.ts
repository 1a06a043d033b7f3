/** Reads the JSON files of a chunk folder. Another program wrote them, so every field is checked. */

import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../../model/runtime/is-record.ts';
import { readRepositoryFilePieces } from '../../../model/runtime/repository-file.ts';
import { isWithin } from '../../../model/text/is-within.ts';
import { CHUNK_FILES, chunkOf, headOf } from '../cortex-chunk.ts';
import { ChunkScanner, type ScannedEntry } from './chunk-scanner.ts';
import { ChunkSet } from './chunk-set.ts';

/** A chunk file that was read. */
export interface ChunkFile {
  readonly name: string;
  /** The model that made the vectors, if the file names it. */
  readonly model: string | null;
  readonly chunks: number;
  /** Entries that are not valid chunks. */
  readonly malformed: number;
}

export interface ReadFolder {
  readonly files: readonly ChunkFile[];
  readonly broken: readonly { readonly name: string; readonly reason: string }[];
  /** Chunks whose vectors have the length of the first one; null if there are none. */
  readonly set: ChunkSet | null;
  /** One example chunk for each vector length. */
  readonly lengths: ReadonlyMap<number, { readonly id: string; readonly name: string }>;
}

/**
 * Names, sizes and times of the folder's chunk files, compared to detect a change. Throws if the folder cannot be
 * listed.
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

const MAX_BYTES = 1 << 30;

/** `within`: links must not lead out of this folder; null when the user configured the chunk folder. */
export async function readChunkFolder(folder: string, within: string | null): Promise<ReadFolder> {
  const broken: { name: string; reason: string }[] = [];
  for (;;) {
    const isBroken = new Set(broken.map(({ name }) => name));
    const gathering = new Gathering();
    let foundBroken = false;
    for (const name of await chunkFileNames(folder, within)) {
      if (isBroken.has(name)) continue;
      const before = gathering.count;
      try {
        const options = { maxBytes: MAX_BYTES, links: 'inside' } as const;
        await gathering.read(name, (onPiece) =>
          readRepositoryFilePieces(within ?? folder, join(folder, name), options, onPiece),
        );
      } catch (error) {
        broken.push({ name, reason: (error as Error).message });
        // A broken file contributes nothing: the other files are read again without it.
        foundBroken ||= gathering.count > before;
      }
    }
    if (!foundBroken) return { ...gathering.result(), broken };
  }
}

/** Collects the chunks of several files while they are read. */
class Gathering {
  readonly #files: ChunkFile[] = [];
  readonly #lengths = new Map<number, { id: string; name: string }>();
  #set: ChunkSet | null = null;
  count = 0;

  result(): Omit<ReadFolder, 'broken'> {
    return { files: this.#files, set: this.#set, lengths: this.#lengths };
  }

  /** Throws if the file is not a chunk file or has no chunk. */
  async read(name: string, readPieces: (onPiece: (piece: Buffer) => void) => Promise<void>): Promise<void> {
    let entries = 0;
    const before = this.count;
    const scanner = new ChunkScanner((entry) => {
      entries++;
      const { chunk_type: named } = scanner.header;
      this.#add(name, entry, typeof named === 'string' ? named : (CHUNK_FILES[name] ?? ''));
    });
    await readPieces((piece) => scanner.push(piece));
    scanner.finish();
    const chunks = this.count - before;
    if (entries > 0 && chunks === 0) throw new Error('none of its entries is a chunk with an embedding');
    const { model } = scanner.header;
    this.#files.push({ name, model: typeof model === 'string' ? model : null, chunks, malformed: entries - chunks });
  }

  #add(name: string, { value, embedding, parts }: ScannedEntry, type: string): void {
    const head = headOf(value, type);
    const vector = embedding ?? listedEmbedding(value);
    if (!head || !vector || vector.length === 0) return;
    this.count++;
    if (!this.#lengths.has(vector.length)) this.#lengths.set(vector.length, { id: head.id, name });
    this.#set ??= new ChunkSet(vector.length);
    // Drops the list that the scanner left in the entry, because the vector already holds it.
    const json = embedding ? parts : [Buffer.from(JSON.stringify(chunkOf(value, type)))];
    if (vector.length === this.#set.dims) this.#set.add(head, json, vector);
  }
}

async function chunkFileNames(folder: string, within: string | null): Promise<string[]> {
  if (within !== null && !isWithin(await realpath(folder), await realpath(within)))
    throw new Error('it leads out of the project; set CORTEX_CHUNKS_DIR to use it nevertheless');
  return (await readdir(folder)).filter((name) => name.endsWith('.json') && !name.startsWith('.')).sort();
}

function listedEmbedding(entry: unknown): readonly number[] | null {
  const embedding = isRecord(entry) ? entry.embedding : null;
  return Array.isArray(embedding) && embedding.every((value) => Number.isFinite(value)) ? embedding : null;
}
