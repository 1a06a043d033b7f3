/**
 * The port of the store: all that other rooms see of an index. index.ts implements it over one SQLite file per
 * repository. A reader sees a whole published tree or the one before it, never half of one.
 *
 * Numbers inside one store, which users see only where a contract demands a number:
 *  - a content row identifies one content (blob id, language and extractor version);
 *  - a chunk id or symbol id is an ordinal over all contents, valid with the reader that returned it. The chunks and
 *    symbols of a content have consecutive ids (firstChunk + ordinal, firstSymbol + ordinal).
 */
import type { ContentDetail } from '../model/records/chunk.ts';
import type { CorpusStatistics } from '../model/records/corpus-statistics.ts';
import type { FileEntry, SkippedFile } from '../model/records/source-file.ts';
import type { ParseProblem, SymbolRecord } from '../model/records/symbol.ts';
import type { TermFilter } from './postings/term-filter.ts';

/** The key of a content's derived data. */
export interface ContentKey {
  readonly blobId: string;
  readonly language: string;
}

/** All data derived from one content, as a worker returns it. */
export interface ContentRecord extends ContentKey {
  readonly byteSize: number;
  readonly lineCount: number;
  /** Packed by packText(). */
  readonly text: Uint8Array;
  /** Encoded by encodeDetail(). */
  readonly detail: Uint8Array;
  /** CHUNK_STRIDE numbers per chunk, in the order of CHUNK_COLUMNS. */
  readonly chunks: Int32Array;
  readonly symbolCount: number;
  /** int8, chunk count × dims numbers; null if the vectors are written later (HTTP providers). */
  readonly vectors: Int8Array | null;
  readonly problems: readonly ParseProblem[];
}

/**
 * Columns of the packed chunk table. `type` is an index of CHUNK_TYPES, `kind` one of SYMBOL_KINDS or -1, `ddd` has a
 * bit per role of DDD_ROLES, and the lengths count the terms of each field.
 */
const CHUNK_COLUMNS = [
  'type',
  'startLine',
  'endLine',
  'symbol',
  'kind',
  'ddd',
  'namesLength',
  'docsLength',
  'bodyLength',
] as const;
export const CHUNK_STRIDE = CHUNK_COLUMNS.length;
export type ChunkColumn = (typeof CHUNK_COLUMNS)[number];
/** The position of each column in a row. */
export const CHUNK_AT = Object.fromEntries(CHUNK_COLUMNS.map((name, at) => [name, at])) as Readonly<
  Record<ChunkColumn, number>
>;

/** Writes one row of the packed chunk table. */
export function writeChunkRow(table: Int32Array, ordinal: number, row: Readonly<Record<ChunkColumn, number>>): void {
  for (const [at, name] of CHUNK_COLUMNS.entries()) table[ordinal * CHUNK_STRIDE + at] = row[name];
}

/** Values in the symbol space: whether the symbol is of one of the PROMINENT_KINDS. */
export const PROMINENT = 1;
export const ORDINARY = 2;
/**
 * Posting spaces:
 *  - `text`: term → chunks; the value has the field counts (packFields);
 *  - `symbol`: nameKey → symbols; the value is PROMINENT or ORDINARY;
 *  - `reference`: nameKey → contents; the value is a count.
 */
export const SPACES = ['text', 'symbol', 'reference'] as const;
/** Prefix of imported modules in the reference space, which also has the names of calls and types. */
export const IMPORT_MARK = '>';
/** Follows IMPORT_MARK for an import that names only folders above (`../`). */
export const NAMELESS = '.';
/** Prefix of the package that a content declares: one lookup finds all contents of `com.acme.auth`. */
export const PACKAGE_MARK = '@';
export type Space = (typeof SPACES)[number];

/**
 * Postings of a batch, grouped by term: the next counts[t] entries of docs and values belong to term t. Docs are
 * ordinals within the batch and ascend.
 */
export interface BatchPostings {
  readonly terms: readonly string[];
  readonly counts: Uint32Array;
  readonly docs: Uint32Array;
  readonly values: Uint16Array;
}

export interface ContentBatch {
  readonly contents: readonly ContentRecord[];
  readonly postings: Readonly<Record<Space, BatchPostings>>;
}

/** The value of a posting in the text space: counts per field, at most 15 each, as body | docs << 4 | names << 8. */
export function packFields(names: number, docs: number, body: number): number {
  return Math.min(body, 15) | (Math.min(docs, 15) << 4) | (Math.min(names, 15) << 8);
}

export interface TreeKey {
  /** Real path of the indexed folder. */
  readonly root: string;
  /** 'live' for the work tree, else the ref's name as the user typed it. */
  readonly ref: string;
}

export interface TreeDraft extends TreeKey {
  readonly branch: string | null;
  readonly commit: string | null;
  /** Sorted by path (UTF-16 order). The content of every file has been written before. */
  readonly files: readonly FileEntry[];
  readonly skipped: readonly SkippedFile[];
  /** The options of the run: a tree that was made with other options is not up to date. */
  readonly options: Readonly<Record<string, boolean | string>>;
  readonly modelId: string;
  readonly durationMs: number;
}

export interface TreeInfo extends TreeKey {
  readonly id: number;
  /** Grows with every publication of any tree of this store. */
  readonly generation: number;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly publishedAtMs: number;
  readonly durationMs: number;
  readonly modelId: string;
  readonly options: Readonly<Record<string, boolean | string>>;
  readonly fileCount: number;
  readonly chunkCount: number;
  readonly symbolCount: number;
  readonly lineCount: number;
  readonly vectorCount: number;
}

export interface Postings {
  /**
   * Ascending ids over the whole store, including those of other trees: check `fileOfChunk[doc]! >= 0`. They may exceed
   * the length of a view that was opened earlier.
   */
  readonly docs: Uint32Array;
  readonly values: Uint16Array;
}

/**
 * A published tree, immutable. Arrays are indexed by chunk id or symbol id. `fileOfChunk` and `fileOfSymbol` tell which
 * ids belong to this tree; all trees of the store share the other columns, which have values for other trees' ids, too.
 */
export interface TreeView {
  readonly info: TreeInfo;
  /** The counts by which terms are weighed if this tree is part of a larger corpus; without it, the tree's own. */
  readonly corpus?: CorpusStatistics;
  readonly files: readonly FileEntry[];
  /** The index of the joined tree that a file belongs to; absent for a single tree. */
  readonly partOf?: (file: number) => number;
  /** The content row of each file. */
  readonly contentOf: Int32Array;
  /** The first chunk id of each file's content. */
  readonly firstChunkOf: Int32Array;
  /** The first chunk's id in the store's file, equal in every process, for contracts that show one. */
  readonly storedChunkOf: Int32Array;
  readonly chunkCountOf: Int32Array;
  readonly firstSymbolOf: Int32Array;
  readonly symbolCountOf: Int32Array;
  /**
   * The file of each chunk, -1 if the chunk is not in this tree. If several files share a content, the first by path.
   * Length: highest chunk id + 1.
   */
  readonly fileOfChunk: Int32Array;
  readonly chunkType: Uint8Array;
  readonly chunkStart: Int32Array;
  readonly chunkEnd: Int32Array;
  /** The symbol's ordinal within the content (add firstSymbolOf for the id), -1 for none. */
  readonly chunkSymbol: Int32Array;
  readonly chunkKind: Int8Array;
  readonly chunkDdd: Uint8Array;
  readonly namesLength: Uint16Array;
  readonly docsLength: Uint16Array;
  readonly bodyLength: Uint16Array;
  /** The file of each symbol, -1 if the symbol is not in this tree. Length: highest symbol id + 1. */
  readonly fileOfSymbol: Int32Array;
  /** The index of a path in `files`, -1 if it is absent. */
  indexOfPath(path: string): number;
  /** The files that have this content, in the order of their paths. */
  filesOfContent(contentRow: number): readonly number[];
  skipped(): readonly SkippedFile[];
  problems(): readonly { readonly path: string; readonly line: number; readonly message: string }[];
}

/** A decoded detail. symbol() decodes single symbols, which is faster than `symbols` for a few of them. */
export interface StoredDetail extends ContentDetail {
  symbol(ordinal: number): SymbolRecord | undefined;
}

export interface NearestChunks {
  readonly chunks: readonly number[];
  /** Valid until the next call: it overwrites them. */
  readonly scores: Float32Array;
}

export interface StoreReader {
  readonly path: string;
  trees(): readonly TreeInfo[];
  /** The newest publication of this tree; null if there is none. Cheap if nothing changed: views are cached. */
  openTree(key: TreeKey): TreeView | null;
  /** The postings of a term over all segments, as of the last openTree(); empty for an unknown term. Cached. */
  postings(space: Space, term: string): Postings;
  /**
   * Filters, each over a part of the store: if none of them may have a term, the store does not have it. Null if they
   * are not made yet, or not worth making. With `make` the store makes them, which reads all terms of the space.
   */
  termFilters(space: Space, make: boolean): readonly TermFilter[] | null;
  /** The terms of a space that start with the prefix, sorted. */
  termsWithPrefix(space: Space, prefix: string): readonly string[];
  /** The terms in at least `minDocs` documents, including those of other trees. Reads all terms of the space. */
  frequentTerms(space: Space, minDocs: number): readonly string[];
  /** Every term of a space (such as all symbol names, for typo-tolerant lookup). Cached. */
  allTerms(space: Space): readonly string[];
  /**
   * The cosine similarity of the query with every chunk of the view, 0 for a chunk without a vector. The length is the
   * highest chunk id + 1. `query` has the model's dims.
   */
  scoreVectors(view: TreeView, query: Float32Array): Float32Array;
  /**
   * About `count` of the chunks for which `wanted` is not negative, most likely the nearest ones to the query, with
   * their cosines. Null if the store has so few chunks that scoring all of them is faster.
   */
  nearestChunks(query: Float32Array, wanted: Int32Array, count: number): NearestChunks | null;
  /**
   * The first step of nearestChunks(): a histogram of the vectors by the number of signs that differ from the query.
   */
  signDifferences(query: Float32Array): Uint32Array | null;
  /** The second step: the wanted chunks that differ in at most `maxDifferences` signs, with their cosines. */
  chunksWithin(query: Float32Array, wanted: Int32Array, maxDifferences: number): NearestChunks;
  /**
   * Calls `take` with the cosines of each content's chunks, which begin at `from` and are valid until `take` returns.
   * Leaves out contents without vectors.
   */
  scoreContents(
    query: Float32Array,
    contents: readonly { readonly row: number; readonly chunks: number }[],
    take: (index: number, scores: Float32Array, from: number) => void,
  ): void;
  /** The stored vectors of a content's chunks, `dims` numbers each, not normalized; null if there are none. */
  vectors(contentRow: number, chunkCount: number): Int8Array | null;
  text(contentRow: number): string;
  /** linesOf() the text; unpacks only the needed parts of a long text. */
  lines(contentRow: number, startLine: number, endLine: number): string;
  detail(contentRow: number): StoredDetail;
  jobs(limit: number): readonly JobRecord[];
  sizeBytes(): number;
  /** The faults that a quick or full check of the file finds. */
  check(full: boolean): readonly string[];
  /**
   * The whole index of a tree as lines, in an order that does not depend on ids or history: two stores of the same tree
   * give the same lines.
   */
  dump(key: TreeKey): Iterable<string>;
  /**
   * A new reader over the same connection if this one holds much that the file no longer has; else this reader. Their
   * ids differ, so a view is used with the reader that opened it, which works until the connection is closed.
   */
  renewed(): StoreReader;
  /** False once the file is deleted or replaced: the reader then keeps answering from the old file. */
  readonly isInPlace: boolean;
  close(): void;
}

/**
 * Trees over the contents that an unfinished run has committed so far, for questions during the run. They exist in
 * memory only; no other process sees them.
 */
export interface StorePreview {
  /** The reader of this preview's views. */
  readonly reader: StoreReader;
  /** Leaves out files whose contents are not committed yet. The files need no order. Earlier views stay readable. */
  open(draft: TreeDraft): TreeView;
  close(): void;
}

export interface JobRecord {
  readonly jobId: string;
  readonly root: string;
  readonly ref: string;
  readonly mode: 'full' | 'incremental';
  readonly status: 'queued' | 'running' | 'published' | 'failed' | 'cancelled';
  readonly changedFiles: number | null;
  readonly durationMs: number | null;
  readonly createdAtMs: number;
  readonly error: string | null;
  readonly pid: number;
  readonly done: number;
  readonly total: number;
}

/** Writes a store. One process at a time holds its lease; another takes over when that process is gone. */
export interface StoreWriter {
  readonly reader: StoreReader;
  /** The content row of each key, -1 if its content is not derived yet. */
  findContents(keys: readonly ContentKey[]): Int32Array;
  /** The size of a committed content. */
  extentOf(contentRow: number): { readonly bytes: number; readonly lines: number };
  /** One vector per chunk; null for a content without vectors, or one added after the first call. */
  storedVectors(contentRow: number): readonly Int8Array[] | null;
  /** Adds contents, postings and vectors to the pending segment, and calls flush() once it has about 16 MB. */
  write(batch: ContentBatch): void;
  /**
   * Commits the pending segment in one transaction. The pipeline calls it every few seconds; publish() calls it, too.
   */
  flush(): void;
  publish(draft: TreeDraft): TreeInfo;
  dropTree(key: TreeKey): boolean;
  /** The given rows whose contents have no vectors of this model yet. */
  missingVectors(modelId: string, contentRows: Int32Array): Int32Array;
  writeVectors(modelId: string, contentRow: number, vectors: Int8Array, dims: number): void;
  /**
   * Merges segments and deletes contents that no tree refers to, in short steps, so that readers never wait. Returns
   * the number of freed contents and bytes.
   */
  compact(options: { readonly full: boolean }): { readonly contents: number; readonly bytes: number };
  /** Records a new job. Other jobs recorded as running become failed: this writer holds the lease, so none runs. */
  startJob(job: JobRecord): void;
  recordJob(job: JobRecord): void;
  /** Renews the lease; throws index_in_progress if another process took it over. */
  heartbeat(): void;
  release(): void;
}

export interface StoreOptions {
  /** The folder of this repository's store. Opening a writer creates it. */
  readonly folder: string;
  readonly modelId: string;
  readonly dims: number;
}
