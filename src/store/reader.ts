/** StoreReader over one SQLite connection. */
import { statSync } from 'node:fs';
import { EngineError } from '../model/records/engine-errors.ts';
import { PostingReader } from './postings/posting-reader.ts';
import type { TermFilter } from './postings/term-filter.ts';
import { checkStore } from './sqlite/check-store.ts';
import { readBody } from './sqlite/checked-blobs.ts';
import type { Database } from './sqlite/database.ts';
import { listJobs } from './sqlite/jobs.ts';
import { readMeta } from './sqlite/schema.ts';
import { decodeStored } from './sqlite/store-errors.ts';
import type {
  JobRecord,
  NearestChunks,
  Postings,
  Space,
  StoredDetail,
  StoreOptions,
  StoreReader,
  TreeInfo,
  TreeKey,
  TreeView,
} from './store.ts';
import { decodeDetail } from './text/packed-detail.ts';
import { unpackText } from './text/packed-text.ts';
import { RecentContents } from './text/recent-contents.ts';
import { acquireCatalog, type Catalog, releaseCatalog, sharedCatalog, treeInfo } from './trees/catalog.ts';
import { dumpTree } from './trees/dump-tree.ts';
import { referencedContents } from './trees/unreferenced-contents.ts';
import type { VectorSet } from './vectors/vector-set.ts';

export class SqliteReader implements StoreReader {
  readonly #recent: RecentContents;
  readonly path: string;
  readonly #name: string;
  readonly catalog: Catalog;
  readonly #db: Database;
  readonly #options: StoreOptions;
  readonly #postings: PostingReader;

  /** `catalog` is used instead of the one that all connections of the process share. */
  constructor(
    db: Database,
    options: StoreOptions,
    shown: RecentContents = new RecentContents(),
    catalog: Catalog | null = null,
  ) {
    this.path = db.path;
    this.#db = db;
    this.#recent = shown;
    this.#options = options;
    this.#name = `${readMeta(db, 'store_id')} ${db.path}`;
    this.catalog = catalog ?? acquireCatalog(this.#name, db);
    this.#postings = new PostingReader(db, this.catalog);
  }

  trees(): readonly TreeInfo[] {
    const rows = this.#db.all('SELECT id, root, ref, generation, info FROM tree ORDER BY root, ref');
    return decodeStored(this.#db, () =>
      rows.map(([id, root, ref, generation, info]) =>
        treeInfo(id as number, { root: root as string, ref: ref as string }, generation as number, info as string),
      ),
    );
  }

  openTree(key: TreeKey): TreeView | null {
    const view = decodeStored(this.#db, () => this.catalog.openTree(this.#db, key));
    if (view) this.#recent.dropReplaced(view);
    return view;
  }

  postings(space: Space, term: string): Postings {
    return decodeStored(this.#db, () => this.#postings.find(space, term));
  }

  termFilters(space: Space, make: boolean): readonly TermFilter[] | null {
    return decodeStored(this.#db, () => this.#postings.filters(space, make));
  }

  termsWithPrefix(space: Space, prefix: string): readonly string[] {
    return decodeStored(this.#db, () => this.#postings.withPrefix(space, prefix));
  }

  frequentTerms(space: Space, minDocs: number): readonly string[] {
    return decodeStored(this.#db, () => this.#postings.frequent(space, minDocs));
  }

  allTerms(space: Space): readonly string[] {
    this.catalog.load(this.#db);
    let terms = this.catalog.terms.get(space);
    if (!terms) {
      terms = this.termsWithPrefix(space, '');
      this.catalog.terms.set(space, terms);
    }
    return terms;
  }

  scoreVectors(view: TreeView, query: Float32Array): Float32Array {
    const scores = new Float32Array(view.fileOfChunk.length);
    this.#vectors(query).score(query, view.fileOfChunk, scores);
    return scores;
  }

  nearestChunks(query: Float32Array, wanted: Int32Array, count: number): NearestChunks | null {
    return this.#vectors(query).nearest(query, wanted, count);
  }

  signDifferences(query: Float32Array): Uint32Array | null {
    return this.#vectors(query).signDifferences(query);
  }

  chunksWithin(query: Float32Array, wanted: Int32Array, maxDifferences: number): NearestChunks {
    return this.#vectors(query).within(query, wanted, maxDifferences);
  }

  scoreContents(
    query: Float32Array,
    contents: readonly { readonly row: number; readonly chunks: number }[],
    take: (index: number, scores: Float32Array, from: number) => void,
  ): void {
    this.#vectors(query).scoreContents(query, contents, take);
  }

  vectors(contentRow: number, chunkCount: number): Int8Array | null {
    const { dims } = this.#options;
    if (chunkCount === 0) return null;
    const rows = this.#vectors().vectorsOf(contentRow, chunkCount);
    if (!rows) return null;
    // In memory, rows are padded to whole SIMD registers.
    const stride = rows.length / chunkCount;
    const packed = new Int8Array(chunkCount * dims);
    for (let i = 0; i < chunkCount; i++) packed.set(rows.subarray(i * stride, i * stride + dims), i * dims);
    return packed;
  }

  #vectors(query?: Float32Array): VectorSet {
    const { modelId, dims } = this.#options;
    if (query && query.length !== dims)
      throw new EngineError('internal_error', {
        reason: `a query of ${query.length} dimensions for a model of ${dims}`,
      });
    this.catalog.load(this.#db);
    return decodeStored(this.#db, () => this.catalog.vectors(this.#db, modelId, dims));
  }

  text(contentRow: number): string {
    const body = this.#body('text', contentRow);
    return decodeStored(this.#db, () => unpackText(body));
  }

  lines(contentRow: number, startLine: number, endLine: number): string {
    const read = () => this.#body('text', contentRow);
    return decodeStored(this.#db, () => this.#recent.lines(contentRow, startLine, endLine, read));
  }

  detail(contentRow: number): StoredDetail {
    return this.#recent.detail(contentRow, () => {
      const body = this.#body('detail', contentRow);
      return decodeStored(this.#db, () => decodeDetail(body));
    });
  }

  jobs(limit: number): readonly JobRecord[] {
    return listJobs(this.#db, limit);
  }

  /** The size of the file and its write-ahead log. */
  sizeBytes(): number {
    return [this.path, `${this.path}-wal`].reduce(
      (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  }

  check(full: boolean): readonly string[] {
    return checkStore(this.#db, full);
  }

  dump(key: TreeKey): Iterable<string> {
    const view = this.openTree(key);
    return view ? dumpTree(this, view, this.catalog.vectors(this.#db, this.#options.modelId, this.#options.dims)) : [];
  }

  /** To be called after a merge: the catalogs of this process must forget segments that the merge deleted. */
  reloadSegments(): void {
    for (const catalog of new Set([this.catalog, sharedCatalog(this.#name)])) catalog?.reloadSegments(this.#db);
  }

  renewed(): StoreReader {
    return this.catalog.isOversized ? new SqliteReader(this.#db, this.#options, this.#recent) : this;
  }

  get isInPlace(): boolean {
    return this.#db.isInPlace;
  }

  close(): void {
    this.detach();
    this.#db.close();
  }

  /** Releases the catalog but leaves the connection open, because the writer owns it. */
  detach(): void {
    releaseCatalog(this.catalog, this.#db);
  }

  #body(column: 'text' | 'detail', contentRow: number): Uint8Array {
    const bytes = readBody(this.#db, column, contentRow) ?? this.#successor(column, contentRow);
    if (bytes) return bytes;
    // A tree refers to the content: the store is damaged. Otherwise the caller's view was replaced and its content
    // deleted meanwhile.
    if (referencedContents(this.#db).has(contentRow))
      throw new EngineError('store_corrupt', { path: this.path, reason: `content ${contentRow} is missing` });
    throw new EngineError('index_in_progress', { path: this.path });
  }

  /** The body of the same content in a newer row: a view may be older than a run that derived the content again. */
  #successor(column: 'text' | 'detail', contentRow: number): Uint8Array | null {
    const { contents } = this.catalog;
    const content = contents.ordinal(contentRow);
    if (content < 0) return null;
    const row = this.#db.get(
      'SELECT c.id FROM content c JOIN body b ON b.content = c.id WHERE c.blob = ? AND c.language = ? ' +
        'ORDER BY c.id DESC LIMIT 1',
      Buffer.from(contents.blobId[content]!, 'hex'),
      contents.language[content]!,
    );
    return row ? readBody(this.#db, column, row[0] as number) : null;
  }
}
