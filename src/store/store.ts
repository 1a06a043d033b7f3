/**
 * The store port: what the rings above see of the index. One SQLite file per repository stands behind it (index.ts);
 * nothing outside this room knows SQL. A reader sees a whole published tree or the one before it, never half of one.
 *
 * Numbers that name things inside one store (never shown to users except where a contract demands a number):
 *   content row: one content (blob id + language + extractor version); chunk id, symbol id: ordinals over all contents,
 *   valid with the reader that gave them. A content's chunks and symbols have consecutive ids (firstChunk + ordinal,
 *   firstSymbol + ordinal).
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

/** One content, fully derived, as a worker hands it over. */
export interface ContentRecord extends ContentKey {
  readonly byteSize: number;
  readonly lineCount: number;
  /** Packed by packText(). */
  readonly text: Uint8Array;
  /** Encoded by encodeDetail(). */
  readonly detail: Uint8Array;
  /** CHUNK_STRIDE numbers a chunk, see CHUNK_COLUMNS. */
  readonly chunks: Int32Array;
  readonly symbolCount: number;
  /** chunk count × dims, int8; null when vectors come later (HTTP providers). */
  readonly vectors: Int8Array | null;
  readonly problems: readonly ParseProblem[];
}

/**
 * Columns of the packed chunk table. `type` indexes CHUNK_TYPES, `kind` SYMBOL_KINDS or is -1, `ddd` is a bit per
 * DDD_ROLES; lengths count terms a field.
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
/** Where each column stands in a row. */
export const CHUNK_AT = Object.fromEntries(CHUNK_COLUMNS.map((name, at) => [name, at])) as Readonly<
  Record<ChunkColumn, number>
>;

/** Writes one row of the packed chunk table. */
export function writeChunkRow(table: Int32Array, ordinal: number, row: Readonly<Record<ChunkColumn, number>>): void {
  for (const [at, name] of CHUNK_COLUMNS.entries()) table[ordinal * CHUNK_STRIDE + at] = row[name];
}

/** A symbol's value in its name's list: of the PROMINENT_KINDS or not. */
export const PROMINENT = 1;
export const ORDINARY = 2;
/**
 * Posting spaces. `text`: terms → chunks, value = packed field counts (packFields). `symbol`: nameKey → symbols, value
 * = PROMINENT or ORDINARY. `reference`: nameKey → contents, value = count.
 */
export const SPACES = ['text', 'symbol', 'reference'] as const;
/** In the reference space, imported modules stand behind this mark, beside the names of calls and types. */
export const IMPORT_MARK = '>';
/** Behind that mark: a module whose source names nothing, only folders above (`../`). */
export const NAMELESS = '.';
/**
 * And behind this one, as written, the package that a content declares: who belongs to `com.acme.auth` is one lookup
 * away.
 */
export const PACKAGE_MARK = '@';
export type Space = (typeof SPACES)[number];

/**
 * Postings of a batch grouped by term: term t owns the next counts[t] entries of docs and values; docs ascend and are
 * ordinals within the batch.
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

/** Field counts of one posting in the text space, saturating at 15 each: body | docs << 4 | names << 8. */
export function packFields(names: number, docs: number, body: number): number {
  return Math.min(body, 15) | (Math.min(docs, 15) << 4) | (Math.min(names, 15) << 8);
}

export interface TreeKey {
  /** Real path of the indexed folder. */
  readonly root: string;
  /** 'live' for the work tree, else the ref's name as the user gave it. */
  readonly ref: string;
}

export interface TreeDraft extends TreeKey {
  readonly branch: string | null;
  readonly commit: string | null;
  /** Sorted by path (UTF-16 order). Every (blobId, language) has been written. */
  readonly files: readonly FileEntry[];
  readonly skipped: readonly SkippedFile[];
  /** Options the tree was built with, so that a later run with others is not taken for up to date. */
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
   * Ascending global ids, dead ones included: check `fileOfChunk[doc]! >= 0` (a view opened earlier may also be
   * shorter).
   */
  readonly docs: Uint32Array;
  readonly values: Uint16Array;
}

/**
 * A published tree, immutable. Arrays are indexed by chunk id (or symbol id). `fileOfChunk` and `fileOfSymbol` tell
 * which ids are in this tree; the other columns are shared by all trees of the store and say something about ids of
 * others, too.
 */
export interface TreeView {
  readonly info: TreeInfo;
  /** The counts that words are weighed by where this tree is a part of something larger; absent, its own. */
  readonly corpus?: CorpusStatistics;
  readonly files: readonly FileEntry[];
  /** Which of several joined trees a file is of; absent where there is one. */
  readonly partOf?: (file: number) => number;
  /** Content row of each file. */
  readonly contentOf: Int32Array;
  /** First chunk and first symbol id of each file's content. */
  readonly firstChunkOf: Int32Array;
  /** The chunk's number in the store, equal in every process, for contracts that show one. */
  readonly storedChunkOf: Int32Array;
  readonly chunkCountOf: Int32Array;
  readonly firstSymbolOf: Int32Array;
  readonly symbolCountOf: Int32Array;
  /**
   * Length: highest chunk id + 1. File index of the chunk (the first by path where one content has several), -1 when
   * not in this tree.
   */
  readonly fileOfChunk: Int32Array;
  readonly chunkType: Uint8Array;
  readonly chunkStart: Int32Array;
  readonly chunkEnd: Int32Array;
  /** Ordinal within the content (add firstSymbolOf for the id), -1 for none. */
  readonly chunkSymbol: Int32Array;
  readonly chunkKind: Int8Array;
  readonly chunkDdd: Uint8Array;
  readonly namesLength: Uint16Array;
  readonly docsLength: Uint16Array;
  readonly bodyLength: Uint16Array;
  /** Length: highest symbol id + 1; -1 when not in this tree. */
  readonly fileOfSymbol: Int32Array;
  /** Index of a path in `files`, -1 when absent. */
  indexOfPath(path: string): number;
  /** Files with the same content as the given one, itself included, in path order. */
  filesOfContent(contentRow: number): readonly number[];
  skipped(): readonly SkippedFile[];
  problems(): readonly { readonly path: string; readonly line: number; readonly message: string }[];
}

/** The decoded detail. For a symbol or a few, reading them one by one spares the others. */
export interface StoredDetail extends ContentDetail {
  symbol(ordinal: number): SymbolRecord | undefined;
}

export interface NearestChunks {
  readonly chunks: readonly number[];
  /** To be read at once: the next question writes over them. */
  readonly scores: Float32Array;
}

export interface StoreReader {
  readonly path: string;
  trees(): readonly TreeInfo[];
  /**
   * The newest publication of this tree, null when there is none. Cheap when unchanged: views are cached by generation.
   */
  openTree(key: TreeKey): TreeView | null;
  /** Merged over all segments, as of the last openTree(); empty when the term is unknown. Cached. */
  postings(space: Space, term: string): Postings;
  /**
   * Each tells what a part of the store does not have: where none may have a term, `postings` finds nothing. Null where
   * they are not made, or not needed. With `make` they are made, which reads all terms of the space.
   */
  termFilters(space: Space, make: boolean): readonly TermFilter[] | null;
  /** Terms of a space that start with the prefix, in order. */
  termsWithPrefix(space: Space, prefix: string): readonly string[];
  /**
   * Terms that stand in at least so many documents, those of other trees counted too. Reads the terms of a whole space.
   */
  frequentTerms(space: Space, least: number): readonly string[];
  /** Every term of a space (the symbol names, for typo-tolerant lookup). Cached. */
  allTerms(space: Space): readonly string[];
  /**
   * Cosine similarity of the query with every chunk of the view; length = highest chunk id + 1, 0 where there is no
   * vector. `query` has the model's dims.
   */
  scoreVectors(view: TreeView, query: Float32Array): Float32Array;
  /**
   * About `count` of the chunks for which `wanted` is not negative, the likeliest ones to be near the query, with their
   * cosines. Null where there are so few that all had better be scored.
   */
  nearestChunks(query: Float32Array, wanted: Int32Array, count: number): NearestChunks | null;
  /** The two steps of it, for stores that are asked together. */
  signDifferences(query: Float32Array): Uint32Array | null;
  chunksWithin(query: Float32Array, wanted: Int32Array, most: number): NearestChunks;
  /**
   * Hands the cosines with a content's chunks to `take`, from a place on, to be read before it returns; contents
   * without vectors are left out.
   */
  scoreContents(
    query: Float32Array,
    contents: readonly { readonly row: number; readonly chunks: number }[],
    take: (index: number, scores: Float32Array, from: number) => void,
  ): void;
  /**
   * The stored vectors of a content's chunks, `dims` numbers each, of no particular length; null where there are none.
   * For export.
   */
  vectors(contentRow: number, chunkCount: number): Int8Array | null;
  text(contentRow: number): string;
  /** linesOf() the text, without reading all of a long one. */
  lines(contentRow: number, startLine: number, endLine: number): string;
  detail(contentRow: number): StoredDetail;
  jobs(limit: number): readonly JobRecord[];
  sizeBytes(): number;
  /** Quick or full check of the file; empty when sound. */
  check(full: boolean): readonly string[];
  /**
   * Everything that the index says, in a canonical order independent of ids and history: two stores of the same tree
   * give the same lines.
   */
  dump(key: TreeKey): Iterable<string>;
  /**
   * This reader; or, where most of what it knows is gone from the file, a fresh one over the same connection. Ids of
   * the one mean nothing to the other: a view goes with the reader that opened it, which answers on until the
   * connection is closed.
   */
  renewed(): StoreReader;
  /** False once its file is deleted, or another one begun under its name: what it tells is old, and stays so. */
  readonly isInPlace: boolean;
  close(): void;
}

/**
 * The tree of a run that goes on, over what it has committed by now: in memory, for those who ask meanwhile. Nothing of
 * it is written, and no other process sees it.
 */
export interface StorePreview {
  /** For everything that is asked about the views of this preview. */
  readonly reader: StoreReader;
  /** The files in any order; those whose contents are not committed are left out. Earlier views stay readable. */
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

/** Exclusive right to write, held by one process at a time and taken over when its holder is gone. */
export interface StoreWriter {
  readonly reader: StoreReader;
  /** Which of the keys are already derived, as content rows; -1 for those that are not. */
  findContents(keys: readonly ContentKey[]): Int32Array;
  /** Of a content that is already committed. */
  extentOf(contentRow: number): { readonly bytes: number; readonly lines: number };
  /** One vector a chunk, of a content that was there when this writer was first asked; null for one without. */
  storedVectors(contentRow: number): readonly Int8Array[] | null;
  /**
   * Takes contents, postings and vectors over. They are committed together by flush(), which this calls itself when
   * about 16 MB wait.
   */
  write(batch: ContentBatch): void;
  /**
   * Ends the current segment: everything written so far is committed, in one transaction. Called by the pipeline every
   * few seconds; publish() does it too.
   */
  flush(): void;
  publish(draft: TreeDraft): TreeInfo;
  dropTree(key: TreeKey): boolean;
  /** Contents of the given rows that have no vector of this model yet. */
  missingVectors(modelId: string, contentRows: Int32Array): Int32Array;
  writeVectors(modelId: string, contentRow: number, vectors: Int8Array, dims: number): void;
  /**
   * Merges segments and collects contents that no tree names; bounded steps, so that readers never wait. Returns what
   * was freed.
   */
  compact(options: { readonly full: boolean }): { readonly contents: number; readonly bytes: number };
  /** Records a new job. Jobs recorded as running, which cannot be since this writer holds the lease, become failed. */
  startJob(job: JobRecord): void;
  recordJob(job: JobRecord): void;
  /** Proves the lease is still ours; throws index_in_progress when it was taken over. */
  heartbeat(): void;
  release(): void;
}

export interface StoreOptions {
  /** Folder of this repository's store; created when a writer is opened. */
  readonly folder: string;
  readonly modelId: string;
  readonly dims: number;
}
