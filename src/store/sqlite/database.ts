/** One SQLite connection: settings, cached statements, transactions. */
import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { type AccessMode, resultCode, storeError } from './store-errors.ts';

export type SqlValue = number | string | Uint8Array | null;
export type Row = readonly SqlValue[];
type Statement = ReturnType<InstanceType<typeof DatabaseSync>['prepare']>;

/** Pages of 8 KB hold two posting blocks each (posting-block.ts) and halve the overflow chains of larger blobs. */
const PAGE_BYTES = 8192;
const BUSY_TIMEOUT_MS = 5000;
/** More makes no run quicker. */
const WRITE_CACHE_KB = 2048;
const READ_CACHE_KB = 4096;
const MAPPED_FROM_BYTES = 1 << 20;
const MAP_BYTES = 1 << 30;
/** After a checkpoint the log is cut back to this. */
const LOG_LIMIT_BYTES = 16 << 20;

export class Database {
  readonly path: string;
  readonly mode: AccessMode;
  readonly #db: InstanceType<typeof DatabaseSync>;
  readonly #statements = new Map<string, Statement>();
  /**
   * Statements that were given blobs, of which SQLite keeps a copy until it is given others; how many values each
   * takes.
   */
  readonly #fed = new Map<Statement, number>();
  readonly #probed: { row: Row | null } = { row: null };
  readonly #file: string | null;
  #probes = false;
  #failed = false;

  private constructor(path: string, mode: AccessMode, db: InstanceType<typeof DatabaseSync>) {
    this.path = path;
    this.mode = mode;
    this.#db = db;
    this.#file = identityOf(path);
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
        // A log that cannot be opened beside a read-only file: without a log the file itself is whole and can be read
        // as it is.
        if (![8, 14].includes(resultCode(error)) || hasLog(path)) break;
      }
    }
    throw storeError(failure, path, mode);
  }

  get isOpen(): boolean {
    return this.#db.isOpen;
  }

  /** Something went wrong on this connection, were it only once. */
  get failed(): boolean {
    return this.#failed;
  }

  /** False once the file is deleted or replaced: this connection then sees data that no other process sees. */
  get isInPlace(): boolean {
    return identityOf(this.path) === this.#file;
  }

  get(sql: string, ...values: SqlValue[]): Row | undefined {
    try {
      return this.#writing(sql, values).get(...values) as Row | undefined;
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

  /** Number of changed rows. */
  run(sql: string, ...values: SqlValue[]): number {
    try {
      return this.#writing(sql, values).run(...values).changes;
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
   * A transaction that takes the write lock at once, so that what it reads stays true until its end. Nested calls join
   * the outer one.
   */
  transaction<T>(work: () => T): T {
    return this.#between('BEGIN IMMEDIATE', work);
  }

  /** Everything read inside sees one state of the file, whatever other processes commit meanwhile. */
  snapshot<T>(work: () => T): T {
    return this.#between('BEGIN', work);
  }

  #between<T>(begin: string, work: () => T): T {
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
      // The error that led here is the one to tell.
      this.#failed = true;
    }
  }

  /**
   * Reads of many bytes go through a memory map, three times quicker than page by page; gone afterwards, since it
   * counts as our memory.
   */
  mapped<T>(bytes: number, work: () => T): T {
    if (bytes < MAPPED_FROM_BYTES) return work();
    this.exec(`PRAGMA mmap_size = ${MAP_BYTES}`);
    try {
      return work();
    } finally {
      this.exec('PRAGMA mmap_size = 0');
    }
  }

  /**
   * First row of `SELECT columns rest`, without a prepared statement: the driver finalizes those only when they are
   * garbage-collected and keeps a closed connection's files open until then. For connections that live for one
   * question.
   */
  probe(columns: string, rest: string): Row | null {
    const probed = this.#probed;
    // Once a connection: a function that is defined again makes every statement be prepared again.
    if (!this.#probes)
      this.#db.function('sextant_probe', { varargs: true }, (...values: SqlValue[]) => {
        probed.row ??= values;
        return null;
      });
    this.#probes = true;
    probed.row = null;
    this.exec(`SELECT sextant_probe(${columns}) ${rest}`);
    return probed.row;
  }

  /** Frees caches: pages, and copies of the blobs that were written last. */
  slim(): void {
    // Binding other values is the only way to make the driver drop the old ones; an iterator runs nothing before its
    // first row is read.
    for (const [statement, count] of this.#fed) statement.iterate(...new Array<null>(count).fill(null));
    this.#fed.clear();
    this.exec('PRAGMA shrink_memory');
  }

  /**
   * A writer leaves a whole file and an empty log behind, which closing alone does not do while statements are not yet
   * collected.
   */
  close(): void {
    if (!this.#db.isOpen) return;
    try {
      if (this.mode === 'write') this.#db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
      this.slim();
    } catch {
      // A full or failing disk: the log stays, and with it everything that was committed.
    }
    this.#statements.clear();
    this.#db.close();
  }

  #failure(error: unknown): unknown {
    this.#failed = true;
    return storeError(error, this.path, this.mode);
  }

  #writing(sql: string, values: readonly SqlValue[]): Statement {
    const statement = this.#statement(sql);
    if (this.mode === 'write' && values.some((value) => value instanceof Uint8Array))
      this.#fed.set(statement, values.length);
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
    // The first two matter only before the first table exists.
    db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${WRITE_CACHE_KB};
      PRAGMA journal_size_limit = ${LOG_LIMIT_BYTES}`);
  }
  db.exec('PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = 0');
  db.exec('SELECT count(*) FROM sqlite_schema');
}

/** While a connection is open, no other file gets its inode number. */
function identityOf(path: string): string | null {
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
