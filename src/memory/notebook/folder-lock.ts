/**
 * One process at a time in a folder, for moments: a file that only one can create. Who died holding it is waited for
 * briefly.
 */
import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../store/sqlite/make-folder.ts';

const STALE_MS = 5_000;
const WAIT_MS = 3_000;
const STEP_MS = 5;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * Runs the work alone; where the folder cannot be locked (read-only, or busy for seconds), it runs all the same:
 * recording says itself what fails.
 */
export function withLock<T>(folder: string, work: () => T): T {
  const file = join(folder, '.lock');
  const held = acquire(folder, file);
  try {
    return work();
  } finally {
    if (held) rmSync(file, { force: true });
  }
}

function acquire(folder: string, file: string): boolean {
  const until = Date.now() + WAIT_MS;
  while (Date.now() < until) {
    try {
      makeFolder(folder);
      closeSync(openSync(file, 'wx'));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
    const since = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (since !== undefined && Date.now() - since > STALE_MS) rmSync(file, { force: true });
    else Atomics.wait(sleeper, 0, 0, STEP_MS);
  }
  return false;
}
