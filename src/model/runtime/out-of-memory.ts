/**
 * Tells an error for want of memory from one that says something about the data: under a limit, a sound index must not
 * be called damaged.
 */
import { pattern } from '../text/pattern.ts';

const WORDS = pattern('i')`
  could not allocate memory|cannot allocate (?:wasm )?memory|out of memory|(?:array buffer )?allocation failed
  |unable to grow instance memory
`;
const CODES: ReadonlySet<unknown> = new Set(['ENOMEM', 'ERR_MEMORY_ALLOCATION_FAILED', 'Z_MEM_ERROR']);
/** Of SQLite: NOMEM, and reads and maps that failed for the same reason (IOERR_NOMEM, IOERR_SHMMAP, IOERR_MMAP). */
const SQLITE_CODES: ReadonlySet<unknown> = new Set([7, 3082, 5386, 6154]);

/** Whether the error, or one that caused it, says that memory could not be had. */
export function isOutOfMemory(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (code === 'out_of_memory' || CODES.has(code) || SQLITE_CODES.has(errcode)) return true;
  // Other messages may quote a path.
  const isRuntimeError = error instanceof RangeError || typeof errcode === 'number';
  return (isRuntimeError && saysOutOfMemory(error.message)) || isOutOfMemory(error.cause);
}

/** Recognises the message of a process that died, where there is no error object. */
export function saysOutOfMemory(message: string): boolean {
  return WORDS.test(message);
}
