/**
 * The store: owns one SQLite file per repository (`index.sqlite` in the folder it is given) and everything that is
 * written there. The only room that knows SQL. It must not know where contents come from, what terms mean or how
 * answers are ranked.
 *
 * Invariants: a reader sees a whole published tree or the one before it. What flush() returned from survives a kill.
 * Ids of contents, chunks and symbols never change their meaning. A process writes only while it holds the lease. A
 * file that cannot be read is set aside, never deleted.
 */
import { existsSync, readdirSync, renameSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../model/records/engine-errors.ts';
import { SqlitePreview } from './preview.ts';
import { SqliteReader } from './reader.ts';
import { checkStore } from './sqlite/check-store.ts';
import { Database } from './sqlite/database.ts';
import { closeIdle, takeIdle } from './sqlite/idle-connection.ts';
import { type LeaseHolder, readHolder } from './sqlite/lease.ts';
import { makeFolder } from './sqlite/make-folder.ts';
import { isMigratable, migrate, requireSchema, SCHEMA_VERSION, schemaVersion } from './sqlite/schema.ts';
import type { StoreOptions, StorePreview, StoreReader, StoreWriter } from './store.ts';
import { SqliteWriter, type WriterOptions } from './writer.ts';

export { joinTrees } from './joined/joined-reader.ts';
export { subtreeOf } from './joined/subtree-view.ts';
export { contentTree, type MemoryFile } from './memory/content-tree.ts';
export { toFailedJob } from './sqlite/jobs.ts';
export { isProcessRunning, type LeaseHolder } from './sqlite/lease.ts';
export { makeFolder } from './sqlite/make-folder.ts';
export { VectorRows } from './vectors/vector-rows.ts';
export { SCHEMA_VERSION };

const FILE_NAME = 'index.sqlite';

export function openReader(options: StoreOptions): StoreReader {
  const path = join(options.folder, FILE_NAME);
  if (!hasFile(path)) throw new EngineError('not_indexed', { path: options.folder });
  const db = openCurrent(path);
  try {
    requireSchema(db, options.folder);
    return new SqliteReader(db, options);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Errors of a store that a forced run sets aside: it is damaged, or too old to migrate. */
const REPLACEABLE: ReadonlySet<string> = new Set(['store_corrupt', 'reindex_required']);

export function openWriter(options: StoreOptions, writer: WriterOptions): StoreWriter {
  const path = join(options.folder, FILE_NAME);
  try {
    makeFolder(options.folder);
  } catch (error) {
    throw new EngineError('store_unwritable', { path: options.folder, reason: (error as Error).message }, error);
  }
  try {
    return connect(path, options, writer);
  } catch (error) {
    if (!writer.force || !(error instanceof EngineError) || !REPLACEABLE.has(error.code)) throw error;
    setAside(path);
    return connect(path, options, writer);
  }
}

/** Creates an empty index. An existing one stays unchanged. */
export function createStore(folder: string): void {
  const path = join(folder, FILE_NAME);
  if (existsSync(path)) return;
  const db = Database.open(path, 'write');
  try {
    migrate(db);
  } finally {
    db.close();
  }
}

/** Throws not_indexed where there is no store. `extractor`: of the contents that the run makes. */
export function openPreview(options: StoreOptions, extractor: string): StorePreview {
  const path = join(options.folder, FILE_NAME);
  if (!hasFile(path)) throw new EngineError('not_indexed', { path: options.folder });
  return new SqlitePreview(openCurrent(path), options, extractor);
}

/** Closes what a writer left open for the next one (`keepMs`). */
export function closeIdleWriter(folder: string): void {
  closeIdle(join(folder, FILE_NAME));
}

function connect(path: string, options: StoreOptions, writer: WriterOptions): StoreWriter {
  const db = connection(path, writer.force ?? false);
  try {
    const isNew = schemaVersion(db) === 0;
    migrate(db);
    if (writer.force && !isNew) {
      const [reason] = checkStore(db, true);
      if (reason) throw new EngineError('store_corrupt', { path, reason });
    }
    return new SqliteWriter(db, options, writer);
  } catch (error) {
    db.close();
    throw error;
  }
}

function connection(path: string, force: boolean): Database {
  // To a forced run the file itself must show what it holds, not what is remembered of it.
  if (force) closeIdle(path);
  const parked = takeIdle(path);
  if (parked) return parked;
  if (hasFile(path)) refuseNewer(path);
  return Database.open(path, 'write');
}

/** Looked at through a connection that cannot write: even opening for writing may touch the file. */
function refuseNewer(path: string): void {
  const db = Database.open(path, 'read');
  try {
    const found = schemaVersion(db);
    if (found > SCHEMA_VERSION) throw new EngineError('store_newer', { found, required: SCHEMA_VERSION });
  } finally {
    db.close();
  }
}

/** For reading; a file of an older Sextant is first carried forward, so that answers continue after an upgrade. */
function openCurrent(path: string): Database {
  const db = Database.open(path, 'read');
  let migratable = false;
  try {
    migratable = isMigratable(schemaVersion(db));
    // The older Sextant may be at it right now; it must not find other tables than it knows.
    const holder = migratable ? readHolder(db) : null;
    if (holder?.alive) throw new EngineError('index_in_progress', { path, pid: holder.pid, owner: holder.owner });
  } catch (error) {
    db.close();
    throw error;
  }
  if (!migratable) return db;
  db.close();
  const writer = Database.open(path, 'write');
  try {
    migrate(writer);
  } finally {
    writer.close();
  }
  return Database.open(path, 'read');
}

/** A folder that cannot be read is not reported as empty; a folder in place of the file is damage. */
function hasFile(path: string): boolean {
  let found: Stats | undefined;
  try {
    found = statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw new EngineError('permission_denied', { path }, error);
  }
  if (found && !found.isFile()) throw new EngineError('store_corrupt', { path, reason: 'it is not a file' });
  return found !== undefined;
}

/** Files that were damaged and set aside, by name. */
export function damagedFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /\.damaged-\d+$/.test(name));
  } catch {
    return [];
  }
}

function setAside(path: string): void {
  let n = 1;
  while (existsSync(`${path}.damaged-${n}`)) n++;
  for (const suffix of ['-wal', '-shm', ''])
    if (existsSync(path + suffix)) renameSync(path + suffix, `${path}.damaged-${n}${suffix}`);
}

export type StoreSchemaStatus = 'compatible' | 'not_indexed' | 'reindex_required' | 'store_newer' | 'store_corrupt';

/** The state of a store without keeping it open. Version 0 where there is none. */
export function readSchemaStatus(folder: string): { status: StoreSchemaStatus; found: number; required: number } {
  const path = join(folder, FILE_NAME);
  let found = 0;
  let status: StoreSchemaStatus = 'not_indexed';
  if (existsSync(path)) {
    let db: Database | undefined;
    try {
      hasFile(path);
      db = Database.open(path, 'read');
      found = schemaVersion(db);
      requireSchema(db, folder);
      status = 'compatible';
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      if (!isSchemaStatus(error.code)) throw error;
      status = error.code;
    } finally {
      db?.close();
    }
  }
  return { status, found, required: SCHEMA_VERSION };
}

function isSchemaStatus(code: string): code is StoreSchemaStatus {
  return ['not_indexed', 'reindex_required', 'store_newer', 'store_corrupt'].includes(code);
}

/** The process that writes to the store now; null without one, or without a store. */
export function leaseHolder(folder: string): LeaseHolder | null {
  const path = join(folder, FILE_NAME);
  if (!hasFile(path)) return null;
  const db = Database.open(path, 'read');
  try {
    if (schemaVersion(db) !== SCHEMA_VERSION) return null;
    const holder = readHolder(db);
    return holder?.alive ? holder : null;
  } finally {
    db.close();
  }
}

/** Uses the SQLite binding once, in memory, and says which version it is; throws where the binding cannot be loaded. */
export function checkSqlite(): string {
  const db = Database.open(':memory:', 'write');
  try {
    return `SQLite ${db.get('SELECT sqlite_version()')?.[0]}`;
  } finally {
    db.close();
  }
}
