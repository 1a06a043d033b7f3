/**
 * The store: owns one SQLite file per repository (`index.sqlite` in `StoreOptions.folder`) and is the only room that
 * knows SQL. It does not know where contents come from, what terms mean or how answers are ranked.
 *
 * Invariants:
 *  - a reader sees a whole published tree or the one before it;
 *  - data that flush() has committed survives a kill;
 *  - ids of contents, chunks and symbols never change their meaning;
 *  - a process writes only while it holds the lease;
 *  - a damaged file is set aside, never deleted.
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

/** A forced run sets a store aside after one of these errors: it is damaged, or too old to migrate. */
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

/** Creates an empty store; an existing one stays unchanged. */
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

/** Throws not_indexed if there is no store. `extractor` is the extractor version of the run. */
export function openPreview(options: StoreOptions, extractor: string): StorePreview {
  const path = join(options.folder, FILE_NAME);
  if (!hasFile(path)) throw new EngineError('not_indexed', { path: options.folder });
  return new SqlitePreview(openCurrent(path), options, extractor);
}

/** Closes the idle connection that a writer left open (`WriterOptions.keepMs`). */
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
  // A forced run reads the file itself, not the caches of an idle connection.
  if (force) closeIdle(path);
  const idle = takeIdle(path);
  if (idle) return idle;
  if (hasFile(path)) refuseNewer(path);
  return Database.open(path, 'write');
}

/** Throws store_newer. It opens the file for reading, since opening it for writing may already change it. */
function refuseNewer(path: string): void {
  const db = Database.open(path, 'read');
  try {
    const found = schemaVersion(db);
    if (found > SCHEMA_VERSION) throw new EngineError('store_newer', { found, required: SCHEMA_VERSION });
  } finally {
    db.close();
  }
}

/** Opens the file for reading. Migrates a file of an older version first, so that answers continue after an upgrade. */
function openCurrent(path: string): Database {
  const db = Database.open(path, 'read');
  let migratable = false;
  try {
    migratable = isMigratable(schemaVersion(db));
    // A writer of the older version may be running; its tables must not change under it.
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

/** Throws permission_denied if the folder cannot be read, and store_corrupt if the path is not a file. */
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

/** The names of the damaged files that were set aside. */
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

/** The state of a store's schema. `found` is 0 if there is no store. */
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

/** The process that holds the lease of a store; null if none does, or there is no store. */
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

/** The version of SQLite, from a database in memory; throws if the binding cannot be loaded. */
export function checkSqlite(): string {
  const db = Database.open(':memory:', 'write');
  try {
    return `SQLite ${db.get('SELECT sqlite_version()')?.[0]}`;
  } finally {
    db.close();
  }
}
