/**
 * Packs a published tree into two blobs: the paths, which seldom change, and one column for each number of a file. Data
 * of a content (blob id, language, chunks) is reached through the content row and not repeated. The blobs of the work
 * tree, which every command opens, are stored unpacked. Those of a ref are deflated; unpacked, the list of files would
 * be more than half of the space of a second branch.
 */
import { EngineError } from '../../model/records/engine-errors.ts';
import type { FileEntry } from '../../model/records/source-file.ts';
import { deflate, inflate } from '../sqlite/chunked-blob.ts';

export interface FileColumns {
  readonly mtimeMs: Float64Array;
  readonly contentRow: Int32Array;
  readonly size: Uint32Array;
  readonly lines: Uint32Array;
  readonly flags: Uint16Array;
}

const FILE_BYTES = 8 + 4 + 4 + 4 + 2;

export interface StoredBytes {
  readonly bytes: Uint8Array;
  /** 1 if the bytes are deflated, else 0. */
  readonly packed: number;
}

export function toStored(bytes: Uint8Array, ref: string): StoredBytes {
  return ref === 'live' ? { bytes, packed: 0 } : { bytes: deflate(bytes), packed: 1 };
}

export function fromStored(bytes: unknown, packed: unknown): Uint8Array {
  return packed === 1 ? inflate(bytes as Uint8Array) : (bytes as Uint8Array);
}

export function packPaths(files: readonly FileEntry[]): Uint8Array {
  return Buffer.from(files.map((file) => file.path).join('\0'), 'utf8');
}

export function unpackPaths(bytes: Uint8Array, count: number): string[] {
  if (count === 0) return [];
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8').split('\0');
}

/** Throws invalid_input for a path that unpacking would not return unchanged. */
export function requireStorablePath(path: string): void {
  if (path === '' || path.includes('\0') || Buffer.from(path).toString() !== path)
    throw new EngineError('invalid_input', { reason: `The path ${JSON.stringify(path)} cannot be stored.` });
}

function layFiles(buffer: ArrayBuffer, offset: number, n: number): FileColumns {
  return {
    mtimeMs: new Float64Array(buffer, offset, n),
    contentRow: new Int32Array(buffer, offset + n * 8, n),
    size: new Uint32Array(buffer, offset + n * 12, n),
    lines: new Uint32Array(buffer, offset + n * 16, n),
    flags: new Uint16Array(buffer, offset + n * 20, n),
  };
}

export function packFiles(files: readonly FileEntry[], contentRows: Int32Array): Uint8Array {
  const bytes = new Uint8Array(files.length * FILE_BYTES);
  const columns = layFiles(bytes.buffer, 0, files.length);
  columns.contentRow.set(contentRows);
  for (let i = 0; i < files.length; i++) {
    const file = files[i]!;
    columns.mtimeMs[i] = file.mtimeMs;
    columns.size[i] = file.size;
    columns.lines[i] = file.lines;
    columns.flags[i] = file.flags;
  }
  return bytes;
}

export function unpackFiles(source: Uint8Array): FileColumns {
  // Columns need aligned bytes. `new Uint8Array` makes an aligned copy; slice() of a Buffer does not copy.
  const bytes = source.byteOffset % 8 === 0 ? source : new Uint8Array(source);
  return layFiles(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength / FILE_BYTES);
}
