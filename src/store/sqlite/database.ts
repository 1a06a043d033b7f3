/** One SQLite connection with its settings, cached statements and transactions. */
import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { type AccessMode, resultCode, storeError } from './store-errors.ts';

export type SqlValue = number | string | Uint8Array | null;
export type Row = readonly SqlValue[];
type Statement = ReturnType<InstanceType<typeof DatabaseSync>['prepare']>;

/** A page of 8 KB holds two posting blocks (posting-block.ts) and halves the overflow chains of larger blobs. */
const PAGE_BYTES = 8192;
const BUSY_TIMEOUT_MS = 5000;
/** A larger cache made no run faster. */
const WRITE_CACHE_KB = 2048;
const READ_CACHE_KB = 4096;
/** Reads of fewer bytes are not worth a memory map. */
const MIN_MAPPED_BYTES = 1 << 20;
const MAP_BYTES = 1 << 30;
/** A checkpoint truncates the log to this size. */
const LOG_LIMIT_BYTES = 16 << 20;

export class Database {
  readonly path: string;
  readonly mode: AccessMode;
  readonly #db: InstanceType<typeof DatabaseSync>;
  readonly #statements = new Map<string, Statement>();
  /** Statements with bound blobs, of which SQLite keeps copies, and the number of values that each takes. */
  readonly #blobStatements = new Map<Statement, number>();
  readonly #probed: { row: Row | null } = { row: null };
  readonly #fileId: string | null;
  #hasProbeFunction = false;
  #failed = false;

  private constructor(path: string, mode: AccessMode, db: InstanceType<typeof DatabaseSync>) {
    this.path = path;
    this.mode = mode;
    this.#db = db;
    this.#fileId = fileIdOf(path);
  }

  /** Throws store_corrupt, store_unwritable, permission_denied. Does not check the schema. */
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
        // In a read-only folder SQLite cannot open a log. Without one the file itself is complete and can be read.
        if (![8, 14].includes(resultCode(error)) || hasLog(path)) break;
      }
    }
    throw storeError(failure, path, mode);
  }

  get isOpen(): boolean {
    return this.#db.isOpen;
  }

  /** Whether any call on this connection has failed. */
  get failed(): boolean {
    return this.#failed;
  }

  /** False once the file is deleted or replaced: this connection then sees data that no other process sees. */
  get isInPlace(): boolean {
    return fileIdOf(this.path) === this.#fileId;
  }

  get(sql: string, ...values: SqlValue[]): Row | undefined {
    try {
      return this.#prepare(sql, values).get(...values) as Row | undefined;
    } catch (error) {
      throw this.#failure(error);
    }
  }

  all(sql: string, ...values: SqlValue[]): readonly Row[] {
    try {
      return this.#statement(sql).all(...values) as Row[];
    } catch (error) {
      throw this.#failure(error);
    }
  }

  *each(sql: string, ...values: SqlValue[]): Generator<Row> {
    try {
      for (const row of this.#statement(sql).iterate(...values)) yield row as Row;
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** Returns the number of changed rows. */
  run(sql: string, ...values: SqlValue[]): number {
    try {
      return this.#prepare(sql, values).run(...values).changes;
    } catch (error) {
      throw this.#failure(error);
    }
  }

  exec(sql: string): void {
    try {
      this.#db.exec(sql);
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /**
   * Runs `work` in a transaction that takes the write lock at once, so that no other process changes what it has read.
   * A nested call joins the outer transaction.
   */
  transaction<T>(work: () => T): T {
    return this.#inTransaction('BEGIN IMMEDIATE', work);
  }

  /** Runs `work` on one state of the file, whatever other processes commit meanwhile. */
  snapshot<T>(work: () => T): T {
    return this.#inTransaction('BEGIN', work);
  }

  #inTransaction<T>(begin: string, work: () => T): T {
    if (this.#db.isTransaction) return work();
    this.exec(begin);
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  #rollBack(): void {
    try {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    } catch {
      // The caller throws the error that led to the rollback.
      this.#failed = true;
    }
  }

  /**
   * Runs `work` with a memory map of the file, which reads many bytes three times as fast as page by page. The map is
   * removed afterwards, because it counts as memory of this process.
   */
  mapped<T>(bytes: number, work: () => T): T {
    if (bytes < MIN_MAPPED_BYTES) return work();
    this.exec(`PRAGMA mmap_size = ${MAP_BYTES}`);
    try {
      return work();
    } finally {
      this.exec('PRAGMA mmap_size = 0');
    }
  }

  /**
   * The first row of `SELECT columns rest`, read without a prepared statement. The driver finalizes statements only
   * when they are garbage-collected, and keeps a closed connection's files open until then. For short-lived
   * connections.
   */
  probe(columns: string, rest: string): Row | null {
    const probed = this.#probed;
    // Once per connection: SQLite prepares all statements again after a function is defined.
    if (!this.#hasProbeFunction)
      this.#db.function('sextant_probe', { varargs: true }, (...values: SqlValue[]) => {
        probed.row ??= values;
        return null;
      });
    this.#hasProbeFunction = true;
    probed.row = null;
    this.exec(`SELECT sextant_probe(${columns}) ${rest}`);
    return probed.row;
  }

  /** Frees SQLite's page cache and its copies of the blobs that were written last. */
  freeMemory(): void {
    // The driver drops bound values only when others are bound. An iterator binds, but runs nothing before its first
    // row is read.
    for (const [statement, count] of this.#blobStatements) statement.iterate(...new Array<null>(count).fill(null));
    this.#blobStatements.clear();
    this.exec('PRAGMA shrink_memory');
  }

  /**
   * Closes the connection. A writer first moves the log into the file: SQLite itself does that only after all
   * statements were garbage-collected.
   */
  close(): void {
    if (!this.#db.isOpen) return;
    try {
      if (this.mode === 'write') this.#db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
      this.freeMemory();
    } catch {
      // On a full or failing disk the log stays, and with it all committed data.
    }
    this.#statements.clear();
    this.#db.close();
  }

  #failure(error: unknown): unknown {
    this.#failed = true;
    return storeError(error, this.path, this.mode);
  }

  #prepare(sql: string, values: readonly SqlValue[]): Statement {
    const statement = this.#statement(sql);
    if (this.mode === 'write' && values.some((value) => value instanceof Uint8Array))
      this.#blobStatements.set(statement, values.length);
    return statement;
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
    // SQLite ignores the first two once a table exists.
    db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${WRITE_CACHE_KB};
      PRAGMA journal_size_limit = ${LOG_LIMIT_BYTES}`);
  }
  db.exec('PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = 0');
  db.exec('SELECT count(*) FROM sqlite_schema');
}

/** Device and inode number: no other file gets them while a connection is open. */
function fileIdOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path);
    return `${dev} ${ino}`;
  } catch {
    return null;
  }
}

function immutableUrl(path: string): string {
  return `${pathToFileURL(path).href}?immutable=1`;
}

function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
