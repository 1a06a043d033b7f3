/** Exports the index as the four files of a chunk folder, for servers that read such folders. */
import { createWriteStream, type WriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Engine, ExportedChunk } from '../../engine/engine.ts';
import { makeFolder } from '../../engine/index.ts';
import { EngineError, unwritable } from '../../model/records/engine-errors.ts';
import { randomId } from '../../model/runtime/random-id.ts';
import { CHUNK_FILES, type CortexChunk, metadataOf } from './cortex-chunk.ts';

const FORMAT_VERSION = '2.0.0';
/** Rounded to four digits: the stored bytes hold no more. */
const DIGITS = 1e5;

export interface WrittenFiles {
  readonly files: readonly { readonly name: string; readonly chunks: number }[];
  readonly modelId: string;
  readonly dims: number;
  readonly ref: string;
  /** Chunks without a vector, which a vector search cannot find. */
  readonly withoutVector: number;
}

/**
 * Writes each file to a temporary name and renames it, so that a reader sees a whole one. Throws not_indexed,
 * path_unwritable, and invalid_input for fewer dimensions than the index has.
 */
export async function writeCortexFiles(
  engine: Engine,
  path: string,
  folder: string,
  options: { readonly ref?: string; readonly dimensions?: number; readonly signal?: AbortSignal } = {},
): Promise<WrittenFiles> {
  const { chunks, modelId, dims: ownDims, indexedAtMs, ref } = await engine.exportChunks(path, options.ref);
  const dims = options.dimensions ?? ownDims;
  if (dims < ownDims)
    throw new EngineError('invalid_input', {
      reason: `The index has vectors of ${ownDims} dimensions (${modelId}): they cannot be written with ${dims}.`,
    });
  const generated = new Date(indexedAtMs).toISOString();
  const outputs = new Map<string, Output>();
  let withoutVector = 0;
  try {
    makeFolder(folder, 0o777);
    for (const [name, type] of Object.entries(CHUNK_FILES)) {
      const header = { model: modelId, dimensions: dims, chunk_type: type, generated, version: FORMAT_VERSION };
      outputs.set(type, new Output(folder, name, JSON.stringify(header)));
    }
    const ids = new Map<string, number>();
    for (const chunk of chunks) {
      if (options.signal?.aborted) throw new EngineError('cancelled');
      if (!chunk.vector) {
        withoutVector++;
        continue;
      }
      // Padding with zeros does not change a cosine.
      const embedding = Array.from({ length: dims }, (_, i) => Math.round((chunk.vector![i] ?? 0) * DIGITS) / DIGITS);
      await outputs.get(chunk.type)!.add(JSON.stringify({ ...presentChunk(chunk, ids), embedding }));
    }
    for (const output of outputs.values()) await output.close();
    for (const output of outputs.values()) await output.moveIntoPlace();
  } catch (error) {
    await Promise.all([...outputs.values()].map((output) => output.discard()));
    throw error instanceof EngineError ? error : unwritable('path_unwritable', folder, error);
  }
  const files = [...outputs.values()].map(({ name, count }) => ({ name, chunks: count }));
  return { files, modelId, dims, ref, withoutVector };
}

/** "code-symbols-internal-auth-handler-go", with a number appended if several chunks would have the same id. */
function presentChunk(chunk: ExportedChunk, ids: Map<string, number>): CortexChunk {
  const kind = chunk.type === 'documentation' ? 'doc' : `code-${chunk.type}`;
  const base = `${kind}-${chunk.path.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')}`.toLowerCase();
  const before = ids.get(base) ?? 0;
  ids.set(base, before + 1);
  const modified = new Date(chunk.modifiedMs).toISOString();
  return {
    id: before === 0 ? base : `${base}-${before + 1}`,
    chunk_type: chunk.type,
    title: chunk.title,
    text: chunk.text,
    tags: chunk.tags,
    metadata: metadataOf(chunk, chunk.type),
    created_at: modified,
    updated_at: modified,
  };
}

class Output {
  readonly name: string;
  count = 0;
  readonly #folder: string;
  readonly #aside: string;
  readonly #stream: WriteStream;
  #failure: Error | undefined;

  constructor(folder: string, name: string, header: string) {
    this.name = name;
    this.#folder = folder;
    // Does not write through a symbolic link of that name, which a repository may contain.
    this.#aside = join(folder, `.${name}.${randomId(4)}`);
    this.#stream = createWriteStream(this.#aside, { flags: 'wx' });
    this.#stream.on('error', (error) => {
      this.#failure = error;
    });
    this.#stream.write(`{"_metadata":${header},\n"chunks":[`);
  }

  async add(json: string): Promise<void> {
    if (this.#failure) throw this.#failure;
    const room = this.#stream.write(`${this.count++ === 0 ? '\n' : ',\n'}${json}`);
    if (!room)
      await new Promise<void>((resolve) => {
        const go = () => {
          this.#stream.off('drain', go).off('close', go);
          resolve();
        };
        this.#stream.on('drain', go).on('close', go);
      });
  }

  async close(): Promise<void> {
    this.#stream.end('\n]}\n');
    await finished(this.#stream);
  }

  moveIntoPlace(): Promise<void> {
    return rename(this.#aside, join(this.#folder, this.name));
  }

  async discard(): Promise<void> {
    this.#stream.destroy();
    await rm(this.#aside, { force: true }).catch(() => {});
  }
}
