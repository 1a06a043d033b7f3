/**
 * A server writes every few seconds while files are edited. The driver frees what a closed connection held only when
 * its statements are garbage-collected, a checkpoint of the log takes as long as a small run, and what is prepared once
 * need not be prepared again: so after a run the connection may stay open, without a lease, for the next run. It blocks
 * no other process. Only SQLite's own caches outlive the run, and SQLite checks them against other processes' writes.
 * An idle connection is closed after a while.
 */
import type { Database } from './database.ts';

interface Parked {
  readonly db: Database;
  readonly timer: NodeJS.Timeout;
}

const parked = new Map<string, Parked>();

/** Keeps the connection open for this long instead of closing it, unless something went wrong on it. */
export function park(db: Database, keepMs: number): void {
  closeIdle(db.path);
  const isKept = keepMs > 0 && db.isInPlace;
  try {
    if (isKept && !db.failed) db.slim();
  } catch {
    // The connection has failed by now.
  }
  if (!isKept || db.failed) {
    db.close();
    return;
  }
  const timer = setTimeout(() => closeIdle(db.path), keepMs);
  timer.unref();
  parked.set(db.path, { db, timer });
}

/**
 * The connection that was put aside for this file, the caller's from now on; null where there is none, or the file is
 * another one.
 */
export function takeIdle(path: string): Database | null {
  const found = parked.get(path);
  if (!found) return null;
  if (!found.db.isInPlace) {
    closeIdle(path);
    return null;
  }
  clearTimeout(found.timer);
  parked.delete(path);
  return found.db;
}

export function closeIdle(path: string): void {
  const found = parked.get(path);
  if (!found) return;
  clearTimeout(found.timer);
  parked.delete(path);
  found.db.close();
}
