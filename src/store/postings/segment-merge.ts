/** Merges neighbouring segments into one, without the data of deleted contents. */
import { EngineError } from '../../model/records/engine-errors.ts';
import { checksum } from '../sqlite/blob-checksum.ts';
import { readPost, readSegmentPart, readVectorBlob } from '../sqlite/checked-blobs.ts';
import type { Database } from '../sqlite/database.ts';
import { readMeta, writeMeta } from '../sqlite/schema.ts';
import { SPACES } from '../store.ts';
import { ByteSink } from '../text/byte-sink.ts';
import type { Transact } from '../trees/compaction.ts';
import {
  allocateColumns,
  type ContentPlace,
  copyColumns,
  PLACE_INTS,
  packDocBlock,
  unpackDocBlock,
} from '../trees/doc-block.ts';
import { VectorBlobs } from '../vectors/vector-blobs.ts';
import { readVectorEntries, VECTOR_ENTRY } from '../vectors/vector-entries.ts';
import { type BlockIndex, BlockWriter, packBlockIndexes, readBlock, unpackBlockIndexes } from './posting-block.ts';
import { decodeLists, encodeList } from './posting-list.ts';
import { ProcessIds } from './process-ids.ts';

export interface SegmentRow {
  readonly id: number;
  readonly firstContent: number;
  readonly endContent: number;
  readonly chunks: number;
  readonly bytes: number;
  readonly firstPost: number;
  readonly endPost: number;
}

/** Bytes written in one transaction. */
const STEP_BYTES = 1 << 20;

export function mergeSegments(db: Database, window: readonly SegmentRow[], transact: Transact): void {
  const id = transact(() => {
    const next = readMeta(db, 'next_segment');
    writeMeta(db, 'next_segment', next + 1);
    return next;
  });
  const docs = mergeDocs(db, window);
  const postings = mergePostings(db, window, docs, transact);
  mergeVectors(db, window, id, docs.contents, transact);
  const marks = window.map(() => '?').join();
  const terms = packBlockIndexes(postings.indexes);
  transact(() => {
    db.run(`DELETE FROM segment WHERE id IN (${marks})`, ...window.map((segment) => segment.id));
    db.run(
      'INSERT INTO segment VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      id,
      window[0]!.firstContent,
      window[window.length - 1]!.endContent,
      docs.chunks,
      postings.first,
      postings.end,
      postings.bytes,
      terms,
      docs.block,
      checksum(terms),
      checksum(docs.block),
    );
  });
}

type Place = readonly [firstChunk: number, chunkCount: number, firstSymbol: number, symbolCount: number];

interface MergedDocs {
  readonly block: Uint8Array;
  readonly chunks: number;
  readonly contents: ReadonlySet<number>;
  /** The chunk, symbol and content ids that stay, in the order of SPACES. */
  readonly alive: readonly ProcessIds[];
}

function mergeDocs(db: Database, window: readonly SegmentRow[]): MergedDocs {
  const alive = SPACES.map(() => new ProcessIds());
  const blocks = window.map((segment) => unpackDocBlock(readSegmentPart(db, segment.id, 'docs')!));
  const stored = new Set<number>();
  for (const segment of window)
    for (const [row] of db.all(
      'SELECT id FROM content WHERE id >= ? AND id < ?',
      segment.firstContent,
      segment.endContent,
    ))
      stored.add(row as number);
  const places: ContentPlace[] = [];
  const copies: (readonly [block: number, from: number, count: number])[] = [];
  let chunks = 0;
  blocks.forEach((block, b) => {
    let from = 0;
    for (let i = 0; i < block.count; i++) {
      const row = block.rows[i]!;
      const [firstChunk, chunkCount, firstSymbol, symbolCount] = block.places.subarray(
        i * PLACE_INTS,
      ) as unknown as Place;
      if (stored.has(row)) {
        const names = { blobId: block.blobId(i), language: block.language(i), extractor: block.extractor(i) };
        places.push({ row, ...names, firstChunk, chunkCount, firstSymbol, symbolCount });
        copies.push([b, from, chunkCount]);
        chunks += chunkCount;
        alive[0]!.add(firstChunk, chunkCount);
        alive[1]!.add(firstSymbol, symbolCount);
        alive[2]!.add(row, 1);
      }
      from += chunkCount;
    }
  });
  const columns = allocateColumns(chunks);
  let at = 0;
  for (const [b, from, count] of copies) {
    copyColumns(blocks[b]!.columns, from, columns, at, count);
    at += count;
  }
  return { block: packDocBlock(places, columns), chunks, contents: new Set(places.map((place) => place.row)), alive };
}

interface MergedPostings {
  readonly first: number;
  readonly end: number;
  readonly bytes: number;
  readonly indexes: readonly BlockIndex[];
}

function mergePostings(
  db: Database,
  window: readonly SegmentRow[],
  docs: MergedDocs,
  transact: Transact,
): MergedPostings {
  const sources = window.map((segment) => unpackBlockIndexes(readSegmentPart(db, segment.id, 'terms')!, SPACES.length));
  const first = readMeta(db, 'next_post');
  let next = first;
  let bytes = 0;
  let step: Uint8Array[] = [];
  let stepBytes = 0;
  const commit = () => {
    if (step.length === 0) return;
    transact(() => {
      for (const block of step) db.run('INSERT INTO post VALUES (?, ?, ?)', next++, block, checksum(block));
      writeMeta(db, 'next_post', next);
    });
    step = [];
    stepBytes = 0;
  };
  const list = new ByteSink(1 << 12);
  const indexes = SPACES.map((_, space) => {
    const firstBlock = next + step.length;
    const writer = new BlockWriter((block) => {
      step.push(block);
      stepBytes += block.length;
      if (stepBytes > STEP_BYTES) commit();
    });
    for (const { term, lists } of mergeTerms(sources.map((spaces) => eachTerm(db, spaces[space]!)))) {
      list.length = 0;
      const kept = docs.alive[space]!.retain(decodeLists(lists, Number.POSITIVE_INFINITY));
      if (kept.docs.length === 0) continue;
      encodeList(list, kept);
      writer.add(term, list);
    }
    writer.end();
    bytes += writer.byteSize;
    return { firstBlock, firstTerms: writer.firstTerms };
  });
  commit();
  return { first, end: next, bytes, indexes };
}

type TermList = { readonly term: string; readonly list: Uint8Array };

function* eachTerm(db: Database, index: BlockIndex): Generator<TermList> {
  for (let i = 0; i < index.firstTerms.length; i++) yield* readBlock(presentBlock(db, index.firstBlock + i));
}

function presentBlock(db: Database, id: number): Uint8Array {
  const block = readPost(db, id);
  if (!block) throw new EngineError('store_corrupt', { path: db.path, reason: `posting block ${id} is missing` });
  return block;
}

/** The distinct terms of all sources, sorted, each with its lists in the order of the sources. */
export function* mergeTerms(
  sources: readonly Iterator<TermList>[],
): Generator<{ readonly term: string; readonly lists: readonly Uint8Array[] }> {
  const heads = sources.map((source) => source.next());
  for (;;) {
    let term: string | null = null;
    for (const head of heads) if (!head.done && (term === null || head.value.term < term)) term = head.value.term;
    if (term === null) return;
    const lists: Uint8Array[] = [];
    for (let i = 0; i < heads.length; i++) {
      const head = heads[i]!;
      if (head.done || head.value.term !== term) continue;
      lists.push(head.value.list);
      heads[i] = sources[i]!.next();
    }
    yield { term, lists };
  }
}

/**
 * Copies the vectors of contents that stay into blobs of the usual size. A segment may hold vectors of another
 * segment's contents, which stay as long as those contents exist.
 */
function mergeVectors(
  db: Database,
  window: readonly SegmentRow[],
  id: number,
  contents: ReadonlySet<number>,
  transact: Transact,
): void {
  const copied = new VectorBlobs();
  const commit = () => {
    transact(() => copied.store(db, id));
    copied.clear();
  };
  for (const segment of window) {
    const blobs = db.all(
      'SELECT v.id, m.name, v.dims, v.contents FROM vec v JOIN model m ON m.id = v.model WHERE v.segment = ? ' +
        'ORDER BY v.id',
      segment.id,
    );
    for (const [blob, model, dims, bytes] of blobs) {
      const data = readVectorBlob(db, blob as number)!;
      const entries = readVectorEntries(bytes as Uint8Array);
      let at = 0;
      for (let e = 0; e < entries.length; e += VECTOR_ENTRY) {
        const row = entries[e]!;
        const size = entries[e + 2]! * (dims as number);
        if (contents.has(row) || (!within(window, row) && db.get('SELECT 1 FROM content WHERE id = ?', row)))
          copied.add(
            model as string,
            dims as number,
            row,
            entries[e + 1]!,
            new Int8Array(data.buffer, data.byteOffset + at, size),
          );
        at += size;
      }
      if (copied.byteSize > STEP_BYTES) commit();
    }
  }
  if (copied.byteSize > 0) commit();
}

function within(window: readonly SegmentRow[], row: number): boolean {
  return window.some((segment) => row >= segment.firstContent && row < segment.endContent);
}
