/** Maps failures of a store to EngineError: errors of SQLite, and stored data that cannot be decoded. */
import { EngineError, outOfFiles, outOfMemory } from '../../model/records/engine-errors.ts';
import { canOpen } from '../../model/runtime/open-files.ts';
import { isOutOfMemory } from '../../model/runtime/out-of-memory.ts';

export type AccessMode = 'read' | 'write';

/** SQLite's messages, for errors to which the driver attaches no code (those of stepping to the next row). */
const MESSAGES: readonly (readonly [code: number, message: string])[] = [
  [11, 'database disk image is malformed'],
  [26, 'file is not a database'],
  [13, 'database or disk is full'],
  [10, 'disk I/O error'],
  [8, 'attempt to write a readonly database'],
  [5, 'database is locked'],
  [6, 'database table is locked'],
  [14, 'unable to open database file'],
  [7, 'out of memory'],
];

export function resultCode(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  const code = (error as { errcode?: unknown }).errcode;
  if (typeof code === 'number') return code & 0xff;
  return MESSAGES.find(([, message]) => error.message.includes(message))?.[0] ?? 0;
}

/** Maps an error by SQLite's primary result code. */
export function storeError(error: unknown, path: string, mode: AccessMode): unknown {
  if (error instanceof EngineError) return error;
  if (isOutOfMemory(error)) return outOfMemory(error);
  const reason = error instanceof Error ? error.message : String(error);
  const code = resultCode(error);
  // A store needs four file descriptors, which are closed again by now: test whether so many can be opened.
  if (code === 14 && !canOpen(4)) return outOfFiles(error);
  switch (code) {
    case 5: // BUSY
    case 6: // LOCKED
      return new EngineError('index_in_progress', { path }, error);
    case 8: // READONLY
      return new EngineError('store_unwritable', { path, reason }, error);
    case 10: // IOERR
      return mode === 'write'
        ? new EngineError('store_unwritable', { path, reason }, error)
        : new EngineError('store_corrupt', { path, reason }, error);
    case 11: // CORRUPT
    case 26: // NOTADB
      return new EngineError('store_corrupt', { path, reason }, error);
    case 13: // FULL
      return new EngineError('disk_full', {}, error);
    case 14: // CANTOPEN
    case 23: // AUTH
    case 3: // PERM
      return mode === 'write'
        ? new EngineError('store_unwritable', { path, reason }, error)
        : new EngineError('permission_denied', { path }, error);
    case 0:
      return error;
    default:
      return new EngineError('internal_error', { reason }, error);
  }
}

/** A stored value cannot be decoded. */
export class DamagedDataError extends Error {}

/** Runs code that decodes stored bytes, and turns errors that only damaged bytes can cause into store_corrupt. */
export function decodeStored<T>({ path }: { readonly path: string }, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isOutOfMemory(error)) throw outOfMemory(error);
    const { code } = error as { code?: unknown };
    const isDamage =
      error instanceof DamagedDataError ||
      error instanceof RangeError ||
      error instanceof SyntaxError ||
      (typeof code === 'string' && code.startsWith('Z_'));
    if (!isDamage) throw error;
    throw new EngineError('store_corrupt', { path, reason: (error as Error).message }, error);
  }
}
