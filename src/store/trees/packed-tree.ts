/**
 * A published tree as two blobs: the paths, which seldom change, and a column per number of a file. What hangs on the
 * content (blob id, language, chunks) is not repeated here: the content row leads to it. The work tree's, which every
 * command opens, are stored as they are; those of a ref are deflated, or more than half of what a second branch takes
 * would be the list of its files once more.
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
  /** 1 where it is deflated. */
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

/** A path that the packing cannot give back unchanged must not get in. */
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
  // A copy begins where words do; slice() of a buffer is none.
  const bytes = source.byteOffset % 8 === 0 ? source : new Uint8Array(source);
  return layFiles(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength / FILE_BYTES);
}
