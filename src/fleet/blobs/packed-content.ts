/**
 * Serialises a derived content as the fleet stores it. The format has a version of its own; a reader rejects unknown
 * versions, and the content is derived again. Layout: magic, version, length of the head, head (JSON, with the length
 * of every part), then the parts. Numbers are little-endian. Text and detail are compressed already; postings and
 * columns are deflated here.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { ParseProblem } from '../../model/records/symbol.ts';
import { type BatchPostings, type ContentBatch, SPACES } from '../../store/store.ts';

const MAGIC = 0x53585443;
const CONTENT_FORMAT = 1;
const PREFIX_BYTES = 12;

interface Head {
  readonly blobId: string;
  readonly language: string;
  readonly byteSize: number;
  readonly lineCount: number;
  readonly symbolCount: number;
  readonly problems: readonly ParseProblem[];
  readonly hasVectors: boolean;
  /** Bytes of text, detail, vectors, and of the deflated rest. */
  readonly parts: readonly number[];
  /**
   * Layout of the deflated part: the numbers of chunk columns, then per space the bytes of its terms, the terms, the
   * postings.
   */
  readonly columns: number;
  readonly spaces: readonly (readonly [termBytes: number, terms: number, postings: number])[];
}

/** Packs a batch of exactly one content. */
export function packContent(batch: ContentBatch): Buffer {
  const content = batch.contents[0]!;
  const terms = SPACES.map((space) => Buffer.from(JSON.stringify(batch.postings[space].terms)));
  const rest = Buffer.concat([
    bytesOf(content.chunks),
    ...SPACES.flatMap((space, s) => {
      const { counts, docs, values } = batch.postings[space];
      return [terms[s]!, bytesOf(counts), bytesOf(docs), bytesOf(values)];
    }),
  ]);
  const packedRest = deflateRawSync(rest, { level: 6 });
  const vectors = content.vectors ? bytesOf(content.vectors) : Buffer.alloc(0);
  const head: Head = {
    blobId: content.blobId,
    language: content.language,
    byteSize: content.byteSize,
    lineCount: content.lineCount,
    symbolCount: content.symbolCount,
    problems: content.problems,
    hasVectors: content.vectors !== null,
    parts: [content.text.length, content.detail.length, vectors.length, packedRest.length],
    columns: content.chunks.length,
    spaces: SPACES.map((space, s) => [
      terms[s]!.length,
      batch.postings[space].terms.length,
      batch.postings[space].docs.length,
    ]),
  };
  const headBytes = Buffer.from(JSON.stringify(head));
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32LE(MAGIC, 0);
  prefix.writeUInt32LE(CONTENT_FORMAT, 4);
  prefix.writeUInt32LE(headBytes.length, 8);
  return Buffer.concat([prefix, headBytes, content.text, content.detail, vectors, packedRest]);
}

/** Throws store_corrupt for bytes that are not in this format. */
export function unpackContent(bytes: Buffer): ContentBatch {
  try {
    return unpack(bytes);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw corrupt((error as Error).message, error);
  }
}

function unpack(bytes: Buffer): ContentBatch {
  if (bytes.length < PREFIX_BYTES || bytes.readUInt32LE(0) !== MAGIC) throw corrupt('it is no derived content');
  if (bytes.readUInt32LE(4) !== CONTENT_FORMAT) throw corrupt(`its format is ${bytes.readUInt32LE(4)}`);
  const headEnd = PREFIX_BYTES + bytes.readUInt32LE(8);
  const head = JSON.parse(bytes.toString('utf8', PREFIX_BYTES, headEnd)) as Head;
  if (headEnd + head.parts.reduce((sum, part) => sum + part, 0) !== bytes.length) throw corrupt('it is cut');
  let at = headEnd;
  const [text, detail, vectors, packedRest] = head.parts.map((length) => {
    at += length;
    return bytes.subarray(at - length, at);
  });
  const rest = new Cursor(inflateRawSync(packedRest!));
  const chunks = rest.take(Int32Array, head.columns);
  const postings = head.spaces.map(([termBytes, terms, count]): BatchPostings => {
    const names = JSON.parse(rest.take(Uint8Array, termBytes).toString()) as string[];
    return {
      terms: names,
      counts: rest.take(Uint32Array, terms),
      docs: rest.take(Uint32Array, count),
      values: rest.take(Uint16Array, count),
    };
  });
  const { blobId, language, byteSize, lineCount, symbolCount, problems } = head;
  const own = head.hasVectors ? new Int8Array(vectors!.buffer, vectors!.byteOffset, vectors!.length) : null;
  return {
    contents: [
      {
        blobId,
        language,
        byteSize,
        lineCount,
        symbolCount,
        problems,
        text: text!,
        detail: detail!,
        chunks,
        vectors: own,
      },
    ],
    postings: { text: postings[0]!, symbol: postings[1]!, reference: postings[2]! },
  };
}

type Numbers = Int32Array | Uint32Array | Uint16Array | Int8Array;

function bytesOf(numbers: Numbers): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** Reads typed arrays in sequence; each is copied, because a view must begin at a multiple of its element size. */
class Cursor {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  take(type: typeof Uint8Array, count: number): Buffer;
  take<T extends Numbers>(type: new (buffer: ArrayBuffer) => T, count: number): T;
  take(type: (new (buffer: ArrayBuffer) => Numbers) | typeof Uint8Array, count: number): Numbers | Buffer {
    const size = count * (type as unknown as { readonly BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT;
    const piece = this.#bytes.subarray(this.#at, this.#at + size);
    if (piece.length !== size) throw corrupt('it is cut');
    this.#at += size;
    if (type === Uint8Array) return piece;
    const copy = new ArrayBuffer(size);
    new Uint8Array(copy).set(piece);
    return new (type as new (buffer: ArrayBuffer) => Numbers)(copy);
  }
}

function corrupt(reason: string, cause?: unknown): EngineError {
  return new EngineError('store_corrupt', { path: 'a blob of the fleet', reason }, cause);
}
