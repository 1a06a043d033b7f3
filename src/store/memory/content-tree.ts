/**
 * Makes a tree and a reader from derived contents in memory: files of several repositories that are ranked together for
 * one question. Nothing is stored.
 */
import type { CorpusStatistics } from '../../model/records/corpus-statistics.ts';
import type { FileEntry } from '../../model/records/source-file.ts';
import {
  CHUNK_AT,
  CHUNK_STRIDE,
  type ChunkColumn,
  type ContentBatch,
  type ContentRecord,
  type StoreReader,
  type TreeInfo,
  type TreeView,
} from '../store.ts';
import { mapToFiles } from '../trees/tree-view.ts';
import { MemoryReader } from './memory-reader.ts';

/** A file, and a batch that has only the file's content. */
export interface MemoryFile {
  readonly entry: FileEntry;
  readonly batch: ContentBatch;
}

/** A content with the ids of its first chunk and symbol. */
export interface MemoryContent {
  readonly content: ContentRecord;
  readonly batch: ContentBatch;
  readonly firstChunk: number;
  readonly chunkCount: number;
  readonly firstSymbol: number;
}

export interface ContentTreeOptions {
  /** Names the tree in `info`. */
  readonly root: string;
  readonly modelId: string;
  readonly dims: number;
  readonly publishedAtMs: number;
  /** The counts of the whole corpus that is searched, of which these files are a part. */
  readonly corpus?: CorpusStatistics;
}

export function contentTree(
  files: readonly MemoryFile[],
  options: ContentTreeOptions,
): { readonly reader: StoreReader; readonly view: TreeView } {
  const sorted = [...files].sort((a, b) => (a.entry.path < b.entry.path ? -1 : 1));
  const { contents, rowOf, chunks, symbols } = placeContents(sorted);
  const entries = sorted.map(({ entry }) => entry);
  const contentOf = Int32Array.from(entries, (file) => rowOf.get(keyOf(file))!);
  const perFile = (of: (content: MemoryContent) => number) => contentOf.map((row) => of(contents[row]!));
  const firstChunkOf = perFile(({ firstChunk }) => firstChunk);
  const chunkCountOf = perFile(({ chunkCount }) => chunkCount);
  const firstSymbolOf = perFile(({ firstSymbol }) => firstSymbol);
  const symbolCountOf = perFile(({ content }) => content.symbolCount);
  const indexOf = new Map(entries.map(({ path }, i) => [path, i]));
  const view: TreeView = {
    info: infoOf(options, entries, contents, chunks, symbols),
    ...(options.corpus ? { corpus: options.corpus } : {}),
    files: entries,
    contentOf,
    firstChunkOf,
    storedChunkOf: firstChunkOf,
    chunkCountOf,
    firstSymbolOf,
    symbolCountOf,
    fileOfChunk: mapToFiles(firstChunkOf, chunkCountOf, chunks),
    fileOfSymbol: mapToFiles(firstSymbolOf, symbolCountOf, symbols),
    ...chunkColumns(contents, chunks),
    indexOfPath: (path) => indexOf.get(path) ?? -1,
    filesOfContent: (row) => files.flatMap((_, i) => (contentOf[i] === row ? [i] : [])),
    skipped: () => [],
    problems: () => [],
  };
  return { reader: new MemoryReader(contents, view, options), view };
}

function keyOf({ blobId, language }: { readonly blobId: string; readonly language: string }): string {
  return `${blobId} ${language}`;
}

/** Assigns rows, chunk ids and symbol ids to the distinct contents. */
function placeContents(files: readonly MemoryFile[]) {
  const contents: MemoryContent[] = [];
  const rowOf = new Map<string, number>();
  let [chunks, symbols] = [0, 0];
  for (const { batch } of files) {
    const content = batch.contents[0]!;
    if (rowOf.has(keyOf(content))) continue;
    const chunkCount = content.chunks.length / CHUNK_STRIDE;
    rowOf.set(keyOf(content), contents.length);
    contents.push({ content, batch, firstChunk: chunks, chunkCount, firstSymbol: symbols });
    chunks += chunkCount;
    symbols += content.symbolCount;
  }
  return { contents, rowOf, chunks, symbols };
}

function chunkColumns(contents: readonly MemoryContent[], count: number) {
  const fill = <T extends Uint8Array | Int8Array | Uint16Array | Int32Array>(column: T, name: ChunkColumn): T => {
    for (const { content, firstChunk, chunkCount } of contents)
      for (let i = 0; i < chunkCount; i++) column[firstChunk + i] = content.chunks[i * CHUNK_STRIDE + CHUNK_AT[name]]!;
    return column;
  };
  return {
    chunkType: fill(new Uint8Array(count), 'type'),
    chunkStart: fill(new Int32Array(count), 'startLine'),
    chunkEnd: fill(new Int32Array(count), 'endLine'),
    chunkSymbol: fill(new Int32Array(count), 'symbol'),
    chunkKind: fill(new Int8Array(count), 'kind'),
    chunkDdd: fill(new Uint8Array(count), 'ddd'),
    namesLength: fill(new Uint16Array(count), 'namesLength'),
    docsLength: fill(new Uint16Array(count), 'docsLength'),
    bodyLength: fill(new Uint16Array(count), 'bodyLength'),
  };
}

function infoOf(
  { root, modelId, publishedAtMs }: ContentTreeOptions,
  files: readonly FileEntry[],
  contents: readonly MemoryContent[],
  chunkCount: number,
  symbolCount: number,
): TreeInfo {
  return {
    root,
    ref: 'live',
    id: 0,
    generation: 0,
    branch: null,
    commit: null,
    publishedAtMs,
    durationMs: 0,
    modelId,
    options: {},
    fileCount: files.length,
    chunkCount,
    symbolCount,
    lineCount: files.reduce((sum, { lines }) => sum + lines, 0),
    vectorCount: contents.reduce((sum, { content, chunkCount: own }) => sum + (content.vectors ? own : 0), 0),
  };
}
