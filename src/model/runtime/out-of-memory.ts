/** Recognises errors for lack of memory, so that a sound index is not reported as damaged when memory is short. */
import { pattern } from '../text/pattern.ts';

const MESSAGES = pattern('i')`
  could not allocate memory|cannot allocate (?:wasm )?memory|out of memory|(?:array buffer )?allocation failed
  |unable to grow instance memory
`;
const CODES: ReadonlySet<unknown> = new Set(['ENOMEM', 'ERR_MEMORY_ALLOCATION_FAILED', 'Z_MEM_ERROR']);
/** SQLite's codes: NOMEM, and failed reads and maps for the same reason (IOERR_NOMEM, IOERR_SHMMAP, IOERR_MMAP). */
const SQLITE_CODES: ReadonlySet<unknown> = new Set([7, 3082, 5386, 6154]);

/** Whether the error, or a cause of it, is a failure to allocate memory. */
export function isOutOfMemory(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (code === 'out_of_memory' || CODES.has(code) || SQLITE_CODES.has(errcode)) return true;
  // Messages of other errors may quote a path, so they do not count.
  const isRuntimeError = error instanceof RangeError || typeof errcode === 'number';
  return (isRuntimeError && saysOutOfMemory(error.message)) || isOutOfMemory(error.cause);
}

/** Recognises the message of a process that died. */
export function saysOutOfMemory(message: string): boolean {
  return MESSAGES.test(message);
}
