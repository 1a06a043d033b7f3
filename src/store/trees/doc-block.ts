/**
 * Packs the contents of one segment into one columnar blob: the directory of contents (row, first ids, counts, blob id,
 * language) and their chunk tables. A tree of 10,000 files is read from a few such blobs instead of 10,000 rows.
 */
import { CHUNK_AT, CHUNK_STRIDE } from '../store.ts';

/** The entry of a content in the directory. */
export interface ContentPlace {
  readonly row: number;
  readonly blobId: string;
  readonly language: string;
  readonly extractor: string;
  readonly firstChunk: number;
  readonly chunkCount: number;
  readonly firstSymbol: number;
  readonly symbolCount: number;
}

/** The chunk table by column, in the order of CHUNK_COLUMNS, with one entry per chunk. */
export interface ChunkColumns {
  readonly type: Uint8Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly symbol: Int32Array;
  readonly kind: Int8Array;
  readonly ddd: Uint8Array;
  readonly names: Uint16Array;
  readonly docs: Uint16Array;
  readonly body: Uint16Array;
}

export interface DocBlock {
  /** The number of contents. In `columns`, the chunks of each content follow those of the content before. */
  readonly count: number;
  readonly rows: Int32Array;
  /** PLACE_INTS numbers per content: first chunk, chunk count, first symbol, symbol count. */
  readonly places: Int32Array;
  readonly columns: ChunkColumns;
  blobId(i: number): string;
  language(i: number): string;
  extractor(i: number): string;
}

export const PLACE_INTS = 4;

/** Bytes per chunk over all columns: three of 4, three of 2, three of 1. */
const CHUNK_BYTES = 21;
const HEADER_INTS = 4;
/** Numbers per content: row, place, and the indexes of its language's and extractor's names. */
const CONTENT_INTS = 1 + PLACE_INTS + 2;

export function allocateColumns(chunks: number): ChunkColumns {
  return layColumns(new ArrayBuffer(chunks * CHUNK_BYTES), 0, chunks);
}

/** Lays the widest columns first, so that each is aligned. */
function layColumns(buffer: ArrayBuffer, offset: number, n: number): ChunkColumns {
  const words = offset + n * 12;
  const bytes = words + n * 6;
  return {
    start: new Int32Array(buffer, offset, n),
    end: new Int32Array(buffer, offset + n * 4, n),
    symbol: new Int32Array(buffer, offset + n * 8, n),
    names: new Uint16Array(buffer, words, n),
    docs: new Uint16Array(buffer, words + n * 2, n),
    body: new Uint16Array(buffer, words + n * 4, n),
    type: new Uint8Array(buffer, bytes, n),
    kind: new Int8Array(buffer, bytes + n, n),
    ddd: new Uint8Array(buffer, bytes + n * 2, n),
  };
}

/** Copies rows of the packed chunk table into the columns, from `at` on. Lengths are at most 65535. */
export function fillColumns(columns: ChunkColumns, at: number, packed: Int32Array): void {
  const count = packed.length / CHUNK_STRIDE;
  for (let i = 0, p = 0; i < count; i++, p += CHUNK_STRIDE) {
    const to = at + i;
    columns.type[to] = packed[p + CHUNK_AT.type]!;
    columns.start[to] = packed[p + CHUNK_AT.startLine]!;
    columns.end[to] = packed[p + CHUNK_AT.endLine]!;
    columns.symbol[to] = packed[p + CHUNK_AT.symbol]!;
    columns.kind[to] = packed[p + CHUNK_AT.kind]!;
    columns.ddd[to] = packed[p + CHUNK_AT.ddd]!;
    columns.names[to] = Math.min(packed[p + CHUNK_AT.namesLength]!, 0xffff);
    columns.docs[to] = Math.min(packed[p + CHUNK_AT.docsLength]!, 0xffff);
    columns.body[to] = Math.min(packed[p + CHUNK_AT.bodyLength]!, 0xffff);
  }
}

export function copyColumns(from: ChunkColumns, fromAt: number, to: ChunkColumns, toAt: number, count: number): void {
  for (const key of COLUMN_KEYS) to[key].set(from[key].subarray(fromAt, fromAt + count), toAt);
}

export const COLUMN_KEYS = ['type', 'start', 'end', 'symbol', 'kind', 'ddd', 'names', 'docs', 'body'] as const;

/** Layout: header, numbers per content, chunk columns, blob ids, names of languages and extractors. */
export function packDocBlock(contents: readonly ContentPlace[], columns: ChunkColumns): Uint8Array {
  const chunks = columns.type.length;
  const names = new Map<string, number>();
  const nameOf = (name: string): number => {
    if (!names.has(name)) names.set(name, names.size);
    return names.get(name)!;
  };
  const n = contents.length;
  const numbers = new Int32Array(n * CONTENT_INTS);
  contents.forEach((c, i) => {
    numbers[i] = c.row;
    numbers.set([c.firstChunk, c.chunkCount, c.firstSymbol, c.symbolCount], n + i * PLACE_INTS);
    numbers[n * (1 + PLACE_INTS) + i] = nameOf(c.language);
    numbers[n * (2 + PLACE_INTS) + i] = nameOf(c.extractor);
  });
  const ids = Buffer.from(contents.map((c) => c.blobId).join(''), 'hex');
  const nameBytes = Buffer.from(JSON.stringify([...names.keys()]));
  const columnsAt = HEADER_INTS * 4 + numbers.byteLength;
  const idsAt = columnsAt + chunks * CHUNK_BYTES;
  const block = new Uint8Array(idsAt + ids.length + nameBytes.length);
  new Int32Array(block.buffer, 0, HEADER_INTS).set([n, chunks, ids.length, nameBytes.length]);
  block.set(new Uint8Array(numbers.buffer), HEADER_INTS * 4);
  copyColumns(columns, 0, layColumns(block.buffer, columnsAt, chunks), 0, chunks);
  block.set(ids, idsAt);
  block.set(nameBytes, idsAt + ids.length);
  return block;
}

export function unpackDocBlock(source: Uint8Array): DocBlock {
  const block = source.byteOffset % 4 === 0 ? source : source.slice();
  const buffer = block.buffer as ArrayBuffer;
  const header = new Int32Array(buffer, block.byteOffset, HEADER_INTS);
  const count = header[0]!;
  const chunks = header[1]!;
  const numbers = new Int32Array(buffer, block.byteOffset + HEADER_INTS * 4, count * CONTENT_INTS);
  const columnsAt = numbers.byteOffset + numbers.byteLength;
  const idsAt = columnsAt + chunks * CHUNK_BYTES;
  const hex = Buffer.from(buffer, idsAt, header[2]!).toString('hex');
  const names = JSON.parse(Buffer.from(buffer, idsAt + header[2]!, header[3]!).toString()) as string[];
  const digits = count === 0 ? 0 : hex.length / count;
  return {
    count,
    rows: numbers.subarray(0, count),
    places: numbers.subarray(count, count * (1 + PLACE_INTS)),
    columns: layColumns(buffer, columnsAt, chunks),
    blobId: (i) => hex.slice(i * digits, (i + 1) * digits),
    language: (i) => names[numbers[count * (1 + PLACE_INTS) + i]!]!,
    extractor: (i) => names[numbers[count * (2 + PLACE_INTS) + i]!]!,
  };
}
