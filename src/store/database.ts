/** One SQLite connection: settings, cached statements, transactions, and the translation of SQLite's errors into the engine's. */
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { EngineError } from '../model/errors.ts';

export type SqlValue = number | string | Uint8Array | null;
export type Row = readonly SqlValue[];
type Statement = ReturnType<InstanceType<typeof DatabaseSync>['prepare']>;

export type AccessMode = 'read' | 'write';

/** Pages of 8 KB hold two posting blocks each (posting-block.ts) and halve the overflow chains of larger blobs. */
const PAGE_BYTES = 8192;
const BUSY_TIMEOUT_MS = 5000;
const WRITE_CACHE_KB = 8192;
const READ_CACHE_KB = 4096;
/** After a checkpoint the log is cut back to this. */
const LOG_LIMIT_BYTES = 16 << 20;

export class Database {
  readonly path: string;
  readonly mode: AccessMode;
  readonly #db: InstanceType<typeof DatabaseSync>;
  readonly #statements = new Map<string, Statement>();

  private constructor(path: string, mode: AccessMode, db: InstanceType<typeof DatabaseSync>) {
    this.path = path;
    this.mode = mode;
    this.#db = db;
  }

  /** Throws store_corrupt, store_unwritable, permission_denied. The schema is not looked at. */
  static open(path: string, mode: AccessMode): Database {
    const locations = mode === 'write' ? [path] : [path, immutableUrl(path)];
    let failure: unknown;
    for (const location of locations) {
      let db: InstanceType<typeof DatabaseSync> | undefined;
      try {
        db = new DatabaseSync(location, { readOnly: mode === 'read', timeout: BUSY_TIMEOUT_MS, returnArrays: true });
        configure(db, mode);
        return new Database(path, mode, db);
      } catch (error) {
        db?.close();
        failure = error;
        // A log that cannot be opened beside a read-only file: without a log the file itself is whole and can be read as it is.
        if (![8, 14].includes(resultCode(error)) || hasLog(path)) break;
      }
    }
    throw storeError(failure, path, mode);
  }

  get(sql: string, ...values: SqlValue[]): Row | undefined {
    try {
      return this.#statement(sql).get(...values) as Row | undefined;
    } catch (error) {
      throw storeError(error, this.path, this.mode);
    }
  }

  all(sql: string, ...values: SqlValue[]): readonly Row[] {
    try {
      return this.#statement(sql).all(...values) as Row[];
    } catch (error) {
      throw storeError(error, this.path, this.mode);
    }
  }

  *each(sql: string, ...values: SqlValue[]): Generator<Row> {
    try {
      for (const row of this.#statement(sql).iterate(...values)) yield row as Row;
    } catch (error) {
      throw storeError(error, this.path, this.mode);
    }
  }

  /** Number of changed rows. */
  run(sql: string, ...values: SqlValue[]): number {
    try {
      return this.#statement(sql).run(...values).changes;
    } catch (error) {
      throw storeError(error, this.path, this.mode);
    }
  }

  exec(sql: string): void {
    try {
      this.#db.exec(sql);
    } catch (error) {
      throw storeError(error, this.path, this.mode);
    }
  }

  /** All or nothing; takes the write lock at once, so that what is read inside stays true until the end. */
  transaction<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite has already rolled back after a full disk; the first error is the one that matters.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  /** Everything read inside sees one state of the file, whatever other processes commit meanwhile. */
  snapshot<T>(work: () => T): T {
    if (this.#db.isTransaction) return work();
    this.exec('BEGIN');
    try {
      return work();
    } finally {
      if (this.#db.isTransaction) this.#db.exec('COMMIT');
    }
  }

  close(): void {
    this.#statements.clear();
    if (this.#db.isOpen) this.#db.close();
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      statement.setReturnArrays(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function configure(db: InstanceType<typeof DatabaseSync>, mode: AccessMode): void {
  if (mode === 'read') {
    db.exec(`PRAGMA cache_size = -${READ_CACHE_KB}; PRAGMA query_only = 1`);
  } else {
    // The first two matter only before the first table exists.
    db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${WRITE_CACHE_KB}; PRAGMA journal_size_limit = ${LOG_LIMIT_BYTES}`);
  }
  db.exec('PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = 0');
  db.prepare('SELECT count(*) FROM sqlite_schema').get();
}

function immutableUrl(path: string): string {
  return `${pathToFileURL(path).href}?immutable=1`;
}

function hasLog(path: string): boolean {
  return existsSync(`${path}-wal`);
}

function resultCode(error: unknown): number {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code & 0xff : 0;
}

/** SQLite's primary result codes, as far as they mean something to a user. */
export function storeError(error: unknown, path: string, mode: AccessMode): unknown {
  if (error instanceof EngineError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  switch (resultCode(error)) {
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
