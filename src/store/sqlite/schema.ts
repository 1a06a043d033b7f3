/**
 * The schema as an ordered list of migrations. `PRAGMA user_version` holds the schema's version. A released migration
 * never changes.
 */
import { EngineError } from '../../model/records/engine-errors.ts';
import { checksum } from './blob-checksum.ts';
import type { Database } from './database.ts';

interface Migration {
  readonly version: number;
  readonly sql: string;
  /** Runs after the SQL, in the same transaction, for what SQL alone cannot do. */
  readonly fill?: (db: Database) => void;
}

const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
      CREATE TABLE content(
        id INTEGER PRIMARY KEY, blob BLOB NOT NULL, language TEXT NOT NULL, extractor TEXT NOT NULL,
        first_chunk INTEGER NOT NULL, chunk_count INTEGER NOT NULL,
        first_symbol INTEGER NOT NULL, symbol_count INTEGER NOT NULL,
        bytes INTEGER NOT NULL, lines INTEGER NOT NULL, seen_ms INTEGER NOT NULL, problems TEXT);
      CREATE INDEX content_key ON content(blob, language);
      CREATE INDEX content_problems ON content(id) WHERE problems IS NOT NULL;
      CREATE TABLE body(content INTEGER PRIMARY KEY, text BLOB NOT NULL, detail BLOB NOT NULL);
      CREATE TABLE segment(
        id INTEGER PRIMARY KEY, first_content INTEGER NOT NULL, end_content INTEGER NOT NULL, chunks INTEGER NOT NULL,
        first_post INTEGER NOT NULL, end_post INTEGER NOT NULL, bytes INTEGER NOT NULL,
        terms BLOB NOT NULL, docs BLOB NOT NULL);
      CREATE TABLE post(id INTEGER PRIMARY KEY, data BLOB NOT NULL);
      CREATE TABLE model(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
      CREATE TABLE vec(
        id INTEGER PRIMARY KEY, segment INTEGER NOT NULL, model INTEGER NOT NULL, dims INTEGER NOT NULL,
        contents BLOB NOT NULL, data BLOB NOT NULL);
      CREATE INDEX vec_segment ON vec(segment);
      CREATE TABLE tree(
        id INTEGER PRIMARY KEY, root TEXT NOT NULL, ref TEXT NOT NULL, generation INTEGER NOT NULL, info TEXT NOT NULL,
        files BLOB NOT NULL, UNIQUE(root, ref));
      CREATE TABLE tree_paths(tree INTEGER PRIMARY KEY, data BLOB NOT NULL);
      CREATE TABLE tree_skipped(tree INTEGER PRIMARY KEY, digest TEXT NOT NULL, data BLOB NOT NULL);
      CREATE TABLE job(
        id TEXT PRIMARY KEY, root TEXT NOT NULL, ref TEXT NOT NULL, mode TEXT NOT NULL, status TEXT NOT NULL,
        changed_files INTEGER, duration_ms INTEGER, created_at_ms INTEGER NOT NULL, error TEXT, pid INTEGER NOT NULL,
        done INTEGER NOT NULL, total INTEGER NOT NULL);
      CREATE TABLE lease(
        id INTEGER PRIMARY KEY CHECK (id = 1), token TEXT NOT NULL, owner TEXT NOT NULL, pid INTEGER NOT NULL,
        started TEXT NOT NULL, host TEXT NOT NULL, taken_at_ms INTEGER NOT NULL, heartbeat_ms INTEGER NOT NULL);
      INSERT INTO meta VALUES
        ('store_id', lower(hex(randomblob(8)))), ('generation', 0),
        ('next_content', 1), ('next_chunk', 0), ('next_symbol', 0), ('next_segment', 1), ('next_post', 1),
        ('idle_checked', 0), ('live_content', 1), ('live_chunk', 0), ('live_symbol', 0);`,
  },
  {
    // Checksums (blob-checksum.ts), so that damage inside a blob is reported instead of changing answers.
    version: 2,
    sql: `
      ALTER TABLE body ADD COLUMN text_sum INTEGER;
      ALTER TABLE body ADD COLUMN detail_sum INTEGER;
      ALTER TABLE post ADD COLUMN sum INTEGER;
      ALTER TABLE vec ADD COLUMN sum INTEGER;
      ALTER TABLE segment ADD COLUMN terms_sum INTEGER;
      ALTER TABLE segment ADD COLUMN docs_sum INTEGER;
      ALTER TABLE tree ADD COLUMN sum INTEGER;
      ALTER TABLE tree_paths ADD COLUMN sum INTEGER;`,
    fill: fillChecksums,
  },
  {
    // Long texts and details are chunked (chunked-blob.ts). Old rows stay valid, but an older program cannot read
    // chunked ones.
    version: 3,
    sql: '',
  },
  {
    // The file lists of refs are deflated (packed-tree.ts).
    version: 4,
    sql: `
      ALTER TABLE tree ADD COLUMN packed INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE tree_paths ADD COLUMN packed INTEGER NOT NULL DEFAULT 0;`,
  },
  {
    // New checksums are CRC-32. Stored ones stay valid (legacy-checksum.ts), but an older program would report the new
    // ones as damage.
    version: 5,
    sql: '',
  },
];

function fillChecksums(db: Database): void {
  for (const [table, key, column, sum] of [
    ['body', 'content', 'text', 'text_sum'],
    ['body', 'content', 'detail', 'detail_sum'],
    ['post', 'id', 'data', 'sum'],
    ['vec', 'id', 'contents, data', 'sum'],
    ['segment', 'id', 'terms', 'terms_sum'],
    ['segment', 'id', 'docs', 'docs_sum'],
    ['tree', 'id', 'files', 'sum'],
    ['tree_paths', 'tree', 'data', 'sum'],
  ] as const)
    for (const [id] of db.all(`SELECT ${key} FROM ${table}`)) {
      const blobs = db.get(`SELECT ${column} FROM ${table} WHERE ${key} = ?`, id!) as readonly Uint8Array[];
      db.run(`UPDATE ${table} SET ${sum} = ? WHERE ${key} = ?`, checksum(...blobs), id!);
    }
}

export const SCHEMA_VERSION = MIGRATIONS[MIGRATIONS.length - 1]!.version;
/** Older schemas cannot be migrated; a forced run replaces their store. */
const OLDEST_MIGRATABLE = MIGRATIONS[0]!.version;

/** Whether the schema is an older one that can be migrated without deriving contents again. */
export function isMigratable(version: number): boolean {
  return version >= OLDEST_MIGRATABLE && version < SCHEMA_VERSION;
}

export function schemaVersion(db: Database): number {
  return db.probe('user_version', 'FROM pragma_user_version')![0] as number;
}

/** Throws unless the schema is the current one. For readers, which do not migrate. */
export function requireSchema(db: Database, folder: string): void {
  const found = schemaVersion(db);
  if (found === 0 && isEmpty(db)) throw new EngineError('not_indexed', { path: folder });
  if (found > SCHEMA_VERSION) throw new EngineError('store_newer', { found, required: SCHEMA_VERSION });
  if (found < SCHEMA_VERSION) throw new EngineError('reindex_required', { found, required: SCHEMA_VERSION });
}

/** Creates the tables or migrates them, in one transaction per version. For writers. */
export function migrate(db: Database): void {
  const found = schemaVersion(db);
  if (found > SCHEMA_VERSION) throw new EngineError('store_newer', { found, required: SCHEMA_VERSION });
  if (found < OLDEST_MIGRATABLE && !isEmpty(db))
    throw new EngineError('reindex_required', { found, required: SCHEMA_VERSION });
  for (const { version, sql, fill } of MIGRATIONS) {
    if (version <= found) continue;
    db.transaction(() => {
      // Another process may have migrated while this one waited for the lock.
      const before = schemaVersion(db);
      if (before >= version) return;
      try {
        db.exec(sql);
        fill?.(db);
      } catch (error) {
        // A full disk and the like keep their error code. A migration that does not fit the tables means damage.
        if (error instanceof EngineError && error.code !== 'internal_error') throw error;
        const reason = error instanceof EngineError ? error.data.reason : (error as Error).message;
        throw wrongTables(db, before, String(reason), error);
      }
      db.exec(`PRAGMA user_version = ${version}`);
    });
  }
}

/** Whether the file has no tables: its writer was killed before it created them. */
function isEmpty(db: Database): boolean {
  return !db.probe('name', 'FROM sqlite_schema');
}

function wrongTables(db: Database, version: number, reason: string, cause?: unknown): EngineError {
  return new EngineError(
    'store_corrupt',
    { path: db.path, reason: `it is not what schema ${version} says (${reason})` },
    cause,
  );
}

export function readMeta(db: Database, key: string): SqlNumber {
  const row = db.get('SELECT value FROM meta WHERE key = ?', key);
  if (!row) throw new EngineError('store_corrupt', { path: db.path, reason: `the entry "${key}" is missing` });
  return row[0] as SqlNumber;
}
type SqlNumber = number;

export function writeMeta(db: Database, key: string, value: number | string): void {
  db.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', key, value);
}
