/** The writing half of the port: one connection that holds the lease. */
import { EngineError } from '../model/errors.ts';
import { compactStore } from './compaction.ts';
import type { Database } from './database.ts';
import { recordJob } from './jobs.ts';
import { Lease } from './lease.ts';
import { contentKey, type NextIds, PendingSegment } from './pending-segment.ts';
import { requireSorted, storeTree } from './publish.ts';
import { SqliteReader } from './reader.ts';
import { readMeta, writeMeta } from './schema.ts';
import type {
  ContentBatch,
  ContentKey,
  JobRecord,
  StoreOptions,
  StoreReader,
  StoreWriter,
  TreeDraft,
  TreeInfo,
  TreeKey,
  TreeView,
} from './store.ts';
import { directory, VECTOR_ENTRY } from './vector-set.ts';

export interface WriterOptions {
  /** Who writes, for people: "sextant index", "watch". */
  readonly owner: string;
  /** Derive everything again, and set a damaged file aside instead of refusing it. */
  readonly force?: boolean;
  /** Contents made by another version are not found by findContents; trees that name them stay as they are. */
  readonly extractorVersion?: string;
  /** How long a content that left its last tree is still kept for queries under way. */
  readonly graceMs?: number;
}

/** Memory that the next segment may take before it is committed. */
const SEGMENT_BYTES = 24 << 20;
/** From so many keys on, reading the whole directory is cheaper than a lookup each. */
const MANY_KEYS = 500;
const DEFAULT_GRACE_MS = 5000;

export class SqliteWriter implements StoreWriter {
  readonly reader: StoreReader;
  readonly #db: Database;
  readonly #sqlite: SqliteReader;
  readonly #options: StoreOptions;
  readonly #extractor: string;
  readonly #graceMs: number;
  readonly #lease: Lease;
  readonly #pending: PendingSegment;
  /** Contents before this row are not taken for derived: everything, in a forced run. */
  readonly #oldest: number;
  readonly #covered = new Map<string, Set<number>>();
  #released = false;

  constructor(db: Database, options: StoreOptions, writer: WriterOptions) {
    this.#db = db;
    this.#options = options;
    this.#extractor = writer.extractorVersion ?? '';
    this.#graceMs = writer.graceMs ?? DEFAULT_GRACE_MS;
    this.#lease = new Lease(db, writer.owner, options.folder);
    const ids: NextIds = {
      content: readMeta(db, 'next_content'),
      chunk: readMeta(db, 'next_chunk'),
      symbol: readMeta(db, 'next_symbol'),
    };
    this.#oldest = writer.force ? ids.content : 0;
    this.#pending = new PendingSegment(this.#extractor, ids);
    this.#sqlite = new SqliteReader(db, options);
    this.reader = this.#sqlite;
  }

  findContents(keys: readonly ContentKey[]): Int32Array {
    const rows = new Int32Array(keys.length).fill(-1);
    const all = keys.length >= MANY_KEYS ? this.#allContents() : null;
    for (let i = 0; i < keys.length; i++) {
      const { blobId, language } = keys[i]!;
      const key = contentKey(blobId, language);
      rows[i] = this.#pending.rowOf(key) ?? (all ? (all.get(key) ?? -1) : this.#storedRow(blobId, language));
    }
    return rows;
  }

  write(batch: ContentBatch): void {
    const { modelId, dims } = this.#options;
    this.#pending.add(batch, modelId, dims, (content) => this.#storedRow(content.blobId, content.language) >= 0);
    if (this.#pending.byteSize > SEGMENT_BYTES) this.flush();
  }

  flush(): void {
    if (this.#pending.empty) return;
    this.#transaction(() => this.#pending.store(this.#db));
    this.#pending.clear();
    this.#covered.clear();
  }

  publish(draft: TreeDraft): TreeInfo {
    requireSorted(draft.files);
    this.flush();
    const { catalog } = this.#sqlite;
    const previous = this.reader.openTree(draft);
    catalog.reloadSegments(this.#db);
    const rows = this.#resolve(draft, previous);
    const covered = this.#coveredBy(draft.modelId);
    return this.#transaction(() => storeTree(this.#db, draft, rows, catalog, (row) => covered.has(row), previous));
  }

  dropTree(key: TreeKey): boolean {
    return this.#transaction(() => {
      const row = this.#db.get('SELECT id FROM tree WHERE root = ? AND ref = ?', key.root, key.ref);
      if (!row) return false;
      this.#db.run('DELETE FROM tree WHERE id = ?', row[0]!);
      this.#db.run('DELETE FROM tree_paths WHERE tree = ?', row[0]!);
      this.#db.run('DELETE FROM tree_skipped WHERE tree = ?', row[0]!);
      writeMeta(this.#db, 'generation', readMeta(this.#db, 'generation') + 1);
      return true;
    });
  }

  missingVectors(modelId: string, contentRows: Int32Array): Int32Array {
    this.flush();
    const covered = this.#coveredBy(modelId);
    return contentRows.filter((row) => {
      if (covered.has(row)) return false;
      const found = this.#db.get('SELECT chunk_count FROM content WHERE id = ?', row);
      return found !== undefined && (found[0] as number) > 0;
    });
  }

  writeVectors(modelId: string, contentRow: number, vectors: Int8Array, dims: number): void {
    if (this.#coveredBy(modelId).has(contentRow)) return;
    const found = this.#db.get('SELECT first_chunk, chunk_count FROM content WHERE id = ?', contentRow);
    if (!found) throw new EngineError('internal_error', { reason: `no content ${contentRow} for its vectors` });
    if (vectors.length !== (found[1] as number) * dims)
      throw new EngineError('internal_error', { reason: `vectors of content ${contentRow} do not match its chunks` });
    if (vectors.length === 0) return;
    this.#pending.vectors.add(modelId, dims, contentRow, found[0] as number, vectors);
    this.#coveredBy(modelId).add(contentRow);
    if (this.#pending.byteSize > SEGMENT_BYTES) this.flush();
  }

  compact(options: { readonly full: boolean }): { readonly contents: number; readonly bytes: number } {
    this.flush();
    this.#covered.clear();
    return compactStore(this.#db, options.full, this.#graceMs, (work) => this.#transaction(work));
  }

  recordJob(job: JobRecord): void {
    recordJob(this.#db, job);
  }

  heartbeat(): void {
    this.#lease.beat();
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    try {
      this.#lease.release();
    } finally {
      this.reader.close();
    }
  }

  /** Whoever lost the lease must not write any more. */
  #transaction<T>(work: () => T): T {
    return this.#db.transaction(() => {
      this.#lease.require();
      return work();
    });
  }

  #storedRow(blobId: string, language: string): number {
    const row = this.#db.get(
      'SELECT max(id) FROM content WHERE blob = ? AND language = ? AND extractor = ? AND id >= ?',
      Buffer.from(blobId, 'hex'),
      language,
      this.#extractor,
      this.#oldest,
    );
    return (row?.[0] as number | null) ?? -1;
  }

  #allContents(): Map<string, number> {
    const found = new Map<string, number>();
    for (const [blob, language, id] of this.#db.each(
      'SELECT lower(hex(blob)), language, id FROM content WHERE extractor = ? AND id >= ? ORDER BY id',
      this.#extractor,
      this.#oldest,
    ))
      found.set(contentKey(blob as string, language as string), id as number);
    return found;
  }

  /** Content row of every file. What did not change since the last publication is taken from there. */
  #resolve(draft: TreeDraft, previous: TreeView | null): Int32Array {
    const { extractor } = this.#sqlite.catalog.contents;
    const rows = new Int32Array(draft.files.length);
    const open: number[] = [];
    let p = 0;
    draft.files.forEach((file, i) => {
      while (previous && p < previous.files.length && previous.files[p]!.path < file.path) p++;
      const old = previous?.files[p];
      const row = previous?.contentOf[p] ?? -1;
      const same =
        old?.path === file.path &&
        old.blobId === file.blobId &&
        old.language === file.language &&
        row >= this.#oldest &&
        extractor[row] === this.#extractor;
      if (same) rows[i] = row;
      else open.push(i);
    });
    const found = this.findContents(open.map((i) => draft.files[i]!));
    open.forEach((i, k) => {
      const file = draft.files[i]!;
      if (found[k]! < 0)
        throw new EngineError('internal_error', { reason: `${file.path} was not written before publishing` });
      rows[i] = found[k]!;
    });
    return rows;
  }

  #coveredBy(modelId: string): Set<number> {
    let rows = this.#covered.get(modelId);
    if (rows) return rows;
    rows = new Set();
    const blobs = this.#db.all(
      'SELECT v.contents FROM vec v JOIN model m ON m.id = v.model JOIN segment s ON s.id = v.segment WHERE m.name = ?',
      modelId,
    );
    for (const [bytes] of blobs) {
      const entries = directory(bytes as Uint8Array);
      for (let e = 0; e < entries.length; e += VECTOR_ENTRY) rows.add(entries[e]!);
    }
    this.#covered.set(modelId, rows);
    return rows;
  }
}
