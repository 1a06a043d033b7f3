/**
 * Locks a folder for milliseconds by creating a file exclusively. A lock file that a dead process left is removed after
 * STALE_MS.
 */
import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../store/sqlite/make-folder.ts';

const STALE_MS = 5_000;
const WAIT_MS = 3_000;
const STEP_MS = 5;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * Runs the work while no other process does. If the folder cannot be locked (it is read-only, or busy for WAIT_MS), the
 * work runs without a lock and reports its own errors.
 */
export function withLock<T>(folder: string, work: () => T): T {
  const file = join(folder, '.lock');
  const isLocked = acquire(folder, file);
  try {
    return work();
  } finally {
    if (isLocked) rmSync(file, { force: true });
  }
}

function acquire(folder: string, file: string): boolean {
  const deadlineMs = Date.now() + WAIT_MS;
  while (Date.now() < deadlineMs) {
    try {
      makeFolder(folder);
      closeSync(openSync(file, 'wx'));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
    const lockedAtMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (lockedAtMs !== undefined && Date.now() - lockedAtMs > STALE_MS) rmSync(file, { force: true });
    else Atomics.wait(sleeper, 0, 0, STEP_MS);
  }
  return false;
}
