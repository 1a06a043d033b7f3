/**
 * Packs a content's text. A long text is cut between lines into parts (chunked-blob.ts); the first part holds the
 * number of lines of each other part.
 */
import { linesOf } from '../../model/text/lines.ts';
import { ChunkedBlob, deflate, inflateToText, PART_BYTES, packChunkedBlob } from '../sqlite/chunked-blob.ts';
import { DamagedDataError } from '../sqlite/store-errors.ts';
import { ByteSink, ByteSource } from './byte-sink.ts';

const NEWLINE = 10;

export function packText(text: Uint8Array): Uint8Array {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const parts: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; ) {
    const to = cut(bytes, from);
    parts.push(bytes.subarray(from, to));
    from = to;
  }
  if (parts.length < 2) return deflate(bytes);
  const lines = new ByteSink(parts.length * 2);
  for (const part of parts) lines.varint(countNewlines(part));
  return packChunkedBlob([lines.take(), ...parts]);
}

export function unpackText(bytes: Uint8Array): string {
  const parts = ChunkedBlob.parse(bytes);
  if (!parts) return inflateToText(bytes);
  let text = '';
  for (let part = 1; part < parts.count; part++) text += parts.readText(part);
  return text;
}

/** A text that is unpacked part by part as its lines are read. It keeps the unpacked parts. */
export class ChunkedText {
  /** The first line of each part. */
  readonly #begins: readonly number[];
  readonly #parts: (string | undefined)[] = [];
  #length = 0;

  constructor(bytes: Uint8Array) {
    const parts = ChunkedBlob.parse(bytes);
    const begins = [1];
    if (parts) {
      const lines = new ByteSource(parts.read(0));
      for (let part = 2; part < parts.count; part++) begins.push(begins.at(-1)! + lines.varint());
    } else this.#keep(0, inflateToText(bytes));
    this.#begins = begins;
  }

  /** Characters of the unpacked parts. */
  get length(): number {
    return this.#length;
  }

  /** linesOf() the text. `read` returns the packed text again. */
  lines(startLine: number, endLine: number, read: () => Uint8Array): string {
    const begins = this.#begins;
    let first = 0;
    while (first + 1 < begins.length && begins[first + 1]! <= startLine) first++;
    let last = first;
    while (last + 1 < begins.length && begins[last + 1]! <= endLine) last++;
    let packed: ChunkedBlob | null = null;
    let text = '';
    for (let part = first; part <= last; part++) {
      if (this.#parts[part] === undefined) {
        packed ??= ChunkedBlob.parse(read());
        if (!packed) throw new DamagedDataError('a text has lost its parts');
        this.#keep(part, packed.readText(1 + part));
      }
      text += this.#parts[part]!;
    }
    const before = begins[first]! - 1;
    return linesOf(text, startLine - before, endLine - before);
  }

  #keep(part: number, text: string): void {
    this.#parts[part] = text;
    this.#length += text.length;
  }
}

/** The end of a part: after the last line that fits, or after the first line if none does. */
function cut(bytes: Buffer, from: number): number {
  const limit = from + PART_BYTES;
  if (limit + PART_BYTES / 2 >= bytes.length) return bytes.length;
  const fits = bytes.lastIndexOf(NEWLINE, limit - 1);
  if (fits >= from) return fits + 1;
  const next = bytes.indexOf(NEWLINE, limit);
  return next < 0 ? bytes.length : next + 1;
}

function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
