/** StoreWriter over one SQLite connection that holds the lease. */
import { EngineError } from '../model/records/engine-errors.ts';
import { type NextIds, PendingSegment } from './postings/pending-segment.ts';
import { SqliteReader } from './reader.ts';
import type { Database } from './sqlite/database.ts';
import { keepIdle } from './sqlite/idle-connection.ts';
import { recordJob, startJob } from './sqlite/jobs.ts';
import { Lease } from './sqlite/lease.ts';
import { readMeta, writeMeta } from './sqlite/schema.ts';
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
import { compactStore } from './trees/compaction.ts';
import { ContentKeys, contentKey } from './trees/content-keys.ts';
import { planTree, storeTree } from './trees/publish.ts';
import { StoredVectors } from './vectors/stored-vectors.ts';
import { VectorCoverage } from './vectors/vector-coverage.ts';

export interface WriterOptions {
  /** The name of the writer, for people: "sextant index", "watch". */
  readonly owner: string;
  /** Derives everything again, and sets a damaged file aside instead of refusing it. */
  readonly force?: boolean;
  /** findContents() finds only contents of this version. Trees with contents of another version stay unchanged. */
  readonly extractorVersion?: string;
  /** How long a content that no tree refers to any more stays for running queries. */
  readonly graceMs?: number;
  /**
   * How long the connection stays open after release(), for the next writer of this process. A caller that sets it has
   * to call closeIdleWriter().
   */
  readonly keepMs?: number;
}

/** Size at which the pending segment is committed. A commit of this size blocks the thread for less than 0.2 s. */
const SEGMENT_BYTES = 16 << 20;
const DEFAULT_GRACE_MS = 5000;

export class SqliteWriter implements StoreWriter {
  readonly reader: StoreReader;
  readonly #db: Database;
  readonly #sqlite: SqliteReader;
  readonly #options: StoreOptions;
  readonly #extractor: string;
  readonly #graceMs: number;
  readonly #keepMs: number;
  readonly #lease: Lease;
  readonly #pending: PendingSegment;
  readonly #keys: ContentKeys;
  readonly #coverage: VectorCoverage;
  #stored: StoredVectors | null = null;
  #released = false;

  constructor(db: Database, options: StoreOptions, writer: WriterOptions) {
    this.#db = db;
    this.#options = options;
    this.#extractor = writer.extractorVersion ?? '';
    this.#graceMs = writer.graceMs ?? DEFAULT_GRACE_MS;
    this.#keepMs = writer.keepMs ?? 0;
    this.#lease = new Lease(db, writer.owner, options.folder);
    const ids: NextIds = {
      content: readMeta(db, 'next_content'),
      chunk: readMeta(db, 'next_chunk'),
      symbol: readMeta(db, 'next_symbol'),
    };
    this.#keys = new ContentKeys(db, this.#extractor, writer.force ? ids.content : 0);
    this.#coverage = new VectorCoverage(db);
    this.#pending = new PendingSegment(this.#extractor, ids);
    this.#sqlite = new SqliteReader(db, options);
    this.reader = this.#sqlite;
  }

  findContents(keys: readonly ContentKey[]): Int32Array {
    this.#keys.expect(keys.length);
    return Int32Array.from(
      keys,
      ({ blobId, language }) => this.#pending.rowOf(contentKey(blobId, language)) ?? this.#keys.find(blobId, language),
    );
  }

  extentOf(contentRow: number): { readonly bytes: number; readonly lines: number } {
    const row = this.#db.get('SELECT bytes, lines FROM content WHERE id = ?', contentRow);
    if (!row) throw new EngineError('internal_error', { reason: `no content ${contentRow} to measure` });
    return { bytes: row[0] as number, lines: row[1] as number };
  }

  storedVectors(contentRow: number): readonly Int8Array[] | null {
    const { modelId, dims } = this.#options;
    this.#stored ??= new StoredVectors(this.#db, modelId, dims);
    return this.#stored.of(contentRow);
  }

  write(batch: ContentBatch): void {
    const { modelId, dims } = this.#options;
    this.#keys.expect(batch.contents.length);
    this.#pending.add(batch, modelId, dims, ({ blobId, language }) => this.#keys.find(blobId, language) >= 0);
    if (this.#pending.byteSize > SEGMENT_BYTES) this.flush();
  }

  flush(): void {
    if (this.#pending.isEmpty) return;
    this.#transaction(() => this.#pending.store(this.#db));
    for (const { blobId, language, row } of this.#pending.contents) this.#keys.add(blobId, language, row);
    for (const { model, row } of this.#pending.vectors.contents()) this.#coverage.add(model, row);
    this.#pending.clear();
  }

  publish(draft: TreeDraft): TreeInfo {
    this.flush();
    const { catalog } = this.#sqlite;
    const previous = this.reader.openTree(draft);
    const neighbour = previous ? null : this.#neighbour(draft);
    catalog.reloadSegments(this.#db);
    const plan = planTree(
      draft,
      previous,
      neighbour,
      this.#extractor,
      this.#keys,
      (row) => catalog.contents.extractor[catalog.contents.ordinal(row)],
    );
    const covered = this.#coverage.of(draft.modelId);
    return this.#transaction(() => storeTree(this.#db, draft, plan, catalog, covered));
  }

  /** An existing tree that shares most contents with a new one. */
  #neighbour({ root }: TreeKey): TreeView | null {
    const trees = [...this.reader.trees()].sort((a, b) => b.generation - a.generation);
    const nearest = trees.find((tree) => tree.root === root && tree.ref === 'live') ?? trees[0];
    return nearest ? this.reader.openTree(nearest) : null;
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
    const covered = this.#coverage.of(modelId);
    return contentRows.filter((row) => {
      if (covered.has(row)) return false;
      const found = this.#db.get('SELECT chunk_count FROM content WHERE id = ?', row);
      return found !== undefined && (found[0] as number) > 0;
    });
  }

  writeVectors(modelId: string, contentRow: number, vectors: Int8Array, dims: number): void {
    if (this.#coverage.of(modelId).has(contentRow)) return;
    const found = this.#db.get('SELECT first_chunk, chunk_count FROM content WHERE id = ?', contentRow);
    if (!found) throw new EngineError('internal_error', { reason: `no content ${contentRow} for its vectors` });
    if (vectors.length !== (found[1] as number) * dims)
      throw new EngineError('internal_error', { reason: `vectors of content ${contentRow} do not match its chunks` });
    if (vectors.length === 0) return;
    this.#pending.vectors.add(modelId, dims, contentRow, found[0] as number, vectors);
    this.#coverage.add(modelId, contentRow);
    if (this.#pending.byteSize > SEGMENT_BYTES) this.flush();
  }

  compact(options: { readonly full: boolean }): { readonly contents: number; readonly bytes: number } {
    this.flush();
    this.#stored = null;
    const freed = compactStore(this.#db, options.full, this.#graceMs, (work) => this.#transaction(work));
    this.#sqlite.reloadSegments();
    if (freed.contents > 0) {
      this.#keys.forget();
      this.#coverage.forget();
    }
    return freed;
  }

  startJob(job: JobRecord): void {
    this.#transaction(() => startJob(this.#db, job));
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
      this.#sqlite.detach();
      keepIdle(this.#db, this.#keepMs);
    }
  }

  /** A transaction that fails if this writer has lost the lease. */
  #transaction<T>(work: () => T): T {
    return this.#db.transaction(() => {
      this.#lease.require();
      return work();
    });
  }
}
