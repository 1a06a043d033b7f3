/**
 * A blob in parts that are deflated separately, so that showing ten lines of a long file does not unpack all of it.
 * Small parts also deflate faster than large ones, because they fit into the processor's cache.
 *
 * Layout: mark, number of parts, packed length of each part, parts. A blob without the mark is one deflated stream.
 */
import { ByteSink, ByteSource } from '../text/byte-sink.ts';
import { deflateRaw } from '../text/deflater.ts';
import { inflateBytes, inflateText } from '../text/inflater.ts';
import { DamagedDataError } from './store-errors.ts';

/** No deflated stream begins with this byte: its bits name a block type that does not exist. */
const MARK = 7;
/** The approximate length of a part; a shorter blob is one stream. */
export const PART_BYTES = 8192;

/** Shorter parts become a stored block: calling zlib would cost more than it saves, for packing and unpacking. */
const MAX_STORED_BYTES = 64;
/** First byte of a stream that is one stored block. The length follows, then the length with all bits inverted. */
const STORED_BLOCK = 1;
const STORED_BLOCK_HEAD = 5;

export function deflate(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_STORED_BYTES) return deflateRaw(bytes);
  const block = new Uint8Array(STORED_BLOCK_HEAD + bytes.length);
  block.set([STORED_BLOCK, bytes.length, 0, bytes.length ^ 0xff, 0xff]);
  block.set(bytes, STORED_BLOCK_HEAD);
  return block;
}

export function inflate(bytes: Uint8Array): Buffer {
  return readStoredBlock(bytes) ?? inflateBytes(bytes);
}

export function inflateToText(bytes: Uint8Array): string {
  return readStoredBlock(bytes)?.toString() ?? inflateText(bytes);
}

/** The bytes of a stream that is one short stored block; null for any other stream. */
function readStoredBlock(bytes: Uint8Array): Buffer | null {
  const length = bytes.length - STORED_BLOCK_HEAD;
  if (bytes[0] !== STORED_BLOCK || length > MAX_STORED_BYTES || bytes[1] !== length || bytes[2] !== 0) return null;
  if (bytes[3] !== (length ^ 0xff) || bytes[4] !== 0xff) return null;
  return Buffer.from(bytes.buffer, bytes.byteOffset + STORED_BLOCK_HEAD, length);
}

export function packChunkedBlob(parts: readonly Uint8Array[]): Uint8Array {
  const packed = parts.map(deflate);
  const sink = new ByteSink(16 + packed.reduce((sum, part) => sum + part.length + 4, 0));
  sink.varint(MARK);
  sink.varint(packed.length);
  for (const { length } of packed) sink.varint(length);
  for (const part of packed) sink.copy(part, 0, part.length);
  return sink.take();
}

export class ChunkedBlob {
  readonly #bytes: Uint8Array;
  /** The start of each part, and the end of the last one. */
  readonly #borders: number[] = [];

  private constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    const source = new ByteSource(bytes);
    source.varint();
    const lengths = Array.from({ length: source.count() }, () => source.varint());
    let at = source.position;
    for (const length of [...lengths, 0]) {
      this.#borders.push(at);
      at += length;
    }
    if (at !== bytes.length) throw new DamagedDataError('the parts of a blob do not add up');
  }

  /** Null if the bytes are a single deflated stream. */
  static parse(bytes: Uint8Array): ChunkedBlob | null {
    return bytes[0] === MARK ? new ChunkedBlob(bytes) : null;
  }

  get count(): number {
    return this.#borders.length - 1;
  }

  read(part: number): Buffer {
    return inflate(this.#packed(part));
  }

  readText(part: number): string {
    return inflateToText(this.#packed(part));
  }

  #packed(part: number): Uint8Array {
    return this.#bytes.subarray(this.#borders[part], this.#borders[part + 1]);
  }
}
