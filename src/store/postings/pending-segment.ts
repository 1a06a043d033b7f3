/** The next segment: contents, postings and vectors that are written but not yet committed. */
import { EngineError } from '../../model/records/engine-errors.ts';
import type { ParseProblem } from '../../model/records/symbol.ts';
import { checksum } from '../sqlite/blob-checksum.ts';
import type { Database } from '../sqlite/database.ts';
import { readMeta, writeMeta } from '../sqlite/schema.ts';
import { CHUNK_STRIDE, type ContentBatch, type ContentRecord, SPACES } from '../store.ts';
import { ByteSink } from '../text/byte-sink.ts';
import { contentKey } from '../trees/content-keys.ts';
import { allocateColumns, type ContentPlace, fillColumns, packDocBlock } from '../trees/doc-block.ts';
import { VectorBlobs } from '../vectors/vector-blobs.ts';
import { type BlockIndex, BlockWriter, packBlockIndexes } from './posting-block.ts';
import { PostingBuffer } from './posting-buffer.ts';

export interface NextIds {
  content: number;
  chunk: number;
  symbol: number;
}

interface PendingContent extends ContentPlace {
  readonly bytes: number;
  readonly lines: number;
  readonly problems: readonly ParseProblem[];
  readonly text: Uint8Array;
  readonly detail: Uint8Array;
  readonly chunks: Int32Array;
}

export class PendingSegment {
  readonly vectors = new VectorBlobs();
  readonly #extractor: string;
  readonly #ids: NextIds;
  readonly #postings = SPACES.map(() => new PostingBuffer());
  #contents: PendingContent[] = [];
  readonly #rows = new Map<string, number>();
  #contentBytes = 0;

  constructor(extractor: string, ids: NextIds) {
    this.#extractor = extractor;
    this.#ids = ids;
  }

  get byteSize(): number {
    return (
      this.#contentBytes + this.vectors.byteSize + this.#postings.reduce((sum, buffer) => sum + buffer.byteSize, 0)
    );
  }

  get isEmpty(): boolean {
    return this.#contents.length === 0 && this.vectors.byteSize === 0;
  }

  rowOf(key: string): number | undefined {
    return this.#rows.get(key);
  }

  /**
   * Adds a batch. A content that `isStored` already gets ids, too, because the batch's postings count it, but those ids
   * are never used.
   */
  add(batch: ContentBatch, model: string, dims: number, isStored: (content: ContentRecord) => boolean): void {
    for (const content of batch.contents) requireConsistent(content, dims);
    const base = { ...this.#ids };
    for (const content of batch.contents) {
      const chunkCount = content.chunks.length / CHUNK_STRIDE;
      const row = this.#ids.content++;
      const firstChunk = this.#ids.chunk;
      const firstSymbol = this.#ids.symbol;
      this.#ids.chunk += chunkCount;
      this.#ids.symbol += content.symbolCount;
      const key = contentKey(content.blobId, content.language);
      if (this.#rows.has(key) || isStored(content)) continue;
      this.#rows.set(key, row);
      this.#contents.push({
        row,
        blobId: content.blobId,
        language: content.language,
        extractor: this.#extractor,
        firstChunk,
        chunkCount,
        firstSymbol,
        symbolCount: content.symbolCount,
        bytes: content.byteSize,
        lines: content.lineCount,
        problems: content.problems,
        text: content.text,
        detail: content.detail,
        chunks: content.chunks,
      });
      this.#contentBytes += content.text.length + content.detail.length + content.chunks.byteLength + 300;
      if (content.vectors && chunkCount > 0) this.vectors.add(model, dims, row, firstChunk, content.vectors);
    }
    const bases = [base.chunk, base.symbol, base.content];
    SPACES.forEach((space, s) => {
      const { terms, counts, docs, values } = batch.postings[space];
      let from = 0;
      for (let t = 0; t < terms.length; t++) {
        const to = from + counts[t]!;
        if (to > from) this.#postings[s]!.append(terms[t]!, docs, values, from, to, bases[s]!);
        from = to;
      }
    });
  }

  /** The contents that wait to be committed. */
  get contents(): readonly ContentPlace[] {
    return this.#contents;
  }

  /** Stores the segment. The caller opens the transaction, and calls clear() after the commit. */
  store(db: Database): void {
    const now = Date.now();
    for (const content of this.#contents) {
      db.run(
        'INSERT INTO content VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        content.row,
        Buffer.from(content.blobId, 'hex'),
        content.language,
        content.extractor,
        content.firstChunk,
        content.chunkCount,
        content.firstSymbol,
        content.symbolCount,
        content.bytes,
        content.lines,
        now,
        content.problems.length > 0 ? JSON.stringify(content.problems) : null,
      );
      db.run(
        'INSERT INTO body VALUES (?, ?, ?, ?, ?)',
        content.row,
        content.text,
        content.detail,
        checksum(content.text),
        checksum(content.detail),
      );
    }
    const segment = readMeta(db, 'next_segment');
    writeMeta(db, 'next_segment', segment + 1);
    const firstPost = readMeta(db, 'next_post');
    const { indexes, end, bytes } = this.#storePostings(db, firstPost);
    writeMeta(db, 'next_post', end);
    const chunks = this.#contents.reduce((sum, content) => sum + content.chunkCount, 0);
    const terms = packBlockIndexes(indexes);
    const docs = this.#docBlock(chunks);
    db.run(
      'INSERT INTO segment VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      segment,
      this.#contents[0]?.row ?? this.#ids.content,
      this.#contents.length > 0 ? this.#contents[this.#contents.length - 1]!.row + 1 : this.#ids.content,
      chunks,
      firstPost,
      end,
      bytes,
      terms,
      docs,
      checksum(terms),
      checksum(docs),
    );
    this.vectors.store(db, segment);
    writeMeta(db, 'next_content', this.#ids.content);
    writeMeta(db, 'next_chunk', this.#ids.chunk);
    writeMeta(db, 'next_symbol', this.#ids.symbol);
  }

  clear(): void {
    this.#contents = [];
    this.#contentBytes = 0;
    this.#rows.clear();
    for (const buffer of this.#postings) buffer.clear();
    this.vectors.clear();
  }

  #storePostings(db: Database, first: number): { indexes: BlockIndex[]; end: number; bytes: number } {
    let next = first;
    let bytes = 0;
    const list = new ByteSink(1 << 12);
    const indexes = this.#postings.map((buffer) => {
      const firstBlock = next;
      const writer = new BlockWriter((block) => {
        db.run('INSERT INTO post VALUES (?, ?, ?)', next++, block, checksum(block));
      });
      for (const term of buffer.sortedTerms()) {
        list.length = 0;
        buffer.writeList(term, list);
        writer.add(term, list);
      }
      writer.end();
      bytes += writer.byteSize;
      return { firstBlock, firstTerms: writer.firstTerms };
    });
    return { indexes, end: next, bytes };
  }

  #docBlock(chunks: number): Uint8Array {
    const columns = allocateColumns(chunks);
    let at = 0;
    for (const content of this.#contents) {
      fillColumns(columns, at, content.chunks);
      at += content.chunkCount;
    }
    return packDocBlock(this.#contents, columns);
  }
}

/** Throws if the parts of a record do not match. Called for all records of a batch before any is added. */
function requireConsistent(content: ContentRecord, dims: number): void {
  const chunkCount = content.chunks.length / CHUNK_STRIDE;
  if (!Number.isInteger(chunkCount)) throw inconsistent(content, 'its chunk table is cut');
  if (content.vectors && content.vectors.length !== chunkCount * dims)
    throw inconsistent(content, 'its vectors do not match its chunks');
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(content.blobId))
    throw inconsistent(content, 'its id is not a git blob id');
}

function inconsistent(content: ContentRecord, reason: string): EngineError {
  return new EngineError('internal_error', { reason: `content ${content.blobId} (${content.language}): ${reason}` });
}
