/**
 * A server writes every few seconds while somebody edits. The driver frees what a closed connection held only when its statements are
 * garbage-collected, a checkpoint of the log takes as long as a small run, and what is prepared once need not be prepared again: so after a
 * run the connection may be parked, without a lease, and the next run takes it up. Nobody keeps others waiting by it, and nothing but
 * SQLite's own caches outlives the run, which SQLite itself holds against what other processes wrote. Left alone for a while, it is closed.
 */
import { statSync } from 'node:fs';
import type { Database } from './database.ts';

interface Parked {
  readonly db: Database;
  /** The file it was opened on: somebody may set that aside and begin another one under its name. */
  readonly file: string;
  readonly timer: NodeJS.Timeout;
}

const parked = new Map<string, Parked>();

/** Instead of closing it: open for so long, unless something went wrong on it. */
export function park(db: Database, keepMs: number): void {
  const file = identityOf(db.path);
  closeParked(db.path);
  try {
    if (keepMs > 0 && file !== null && !db.failed) db.slim();
  } catch {
    // It has failed by now.
  }
  if (keepMs === 0 || file === null || db.failed) {
    db.close();
    return;
  }
  const timer = setTimeout(() => closeParked(db.path), keepMs);
  timer.unref();
  parked.set(db.path, { db, file, timer });
}

/** The connection that was put aside for this file, the caller's from now on; null where there is none, or the file is another one. */
export function takeParked(path: string): Database | null {
  const found = parked.get(path);
  if (!found) return null;
  if (found.file !== identityOf(path)) {
    closeParked(path);
    return null;
  }
  clearTimeout(found.timer);
  parked.delete(path);
  return found.db;
}

export function closeParked(path: string): void {
  const found = parked.get(path);
  if (!found) return;
  clearTimeout(found.timer);
  parked.delete(path);
  found.db.close();
}

/** As long as a connection is open, its file's number is given to no other. */
function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path);
    return `${dev} ${ino}`;
  } catch {
    return null;
  }
}
