/**
 * Keeps a writer's connection open between two runs, without a lease. While files are edited, a server writes every few
 * seconds, and a new connection each time is expensive: the driver frees a closed connection only when its statements
 * are garbage-collected, a checkpoint of the log takes as long as a small run, and all statements have to be prepared
 * again. An idle connection blocks no other process. Only SQLite's own caches outlive the run, and SQLite validates
 * them against other processes' writes.
 */
import type { Database } from './database.ts';

interface IdleConnection {
  readonly db: Database;
  readonly timer: NodeJS.Timeout;
}

const idleConnections = new Map<string, IdleConnection>();

/** Keeps the connection open for `keepMs` instead of closing it, unless it has failed or its file was replaced. */
export function keepIdle(db: Database, keepMs: number): void {
  closeIdle(db.path);
  const isWanted = keepMs > 0 && db.isInPlace;
  try {
    if (isWanted && !db.failed) db.freeMemory();
  } catch {
    // `db.failed` is true now.
  }
  if (!isWanted || db.failed) {
    db.close();
    return;
  }
  const timer = setTimeout(() => closeIdle(db.path), keepMs);
  timer.unref();
  idleConnections.set(db.path, { db, timer });
}

/**
 * The idle connection of this file, which then belongs to the caller; null if there is none, or the file was replaced.
 */
export function takeIdle(path: string): Database | null {
  const found = idleConnections.get(path);
  if (!found) return null;
  if (!found.db.isInPlace) {
    closeIdle(path);
    return null;
  }
  clearTimeout(found.timer);
  idleConnections.delete(path);
  return found.db;
}

export function closeIdle(path: string): void {
  const found = idleConnections.get(path);
  if (!found) return;
  clearTimeout(found.timer);
  idleConnections.delete(path);
  found.db.close();
}
