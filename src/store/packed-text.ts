/** A content's text: in one piece, or cut between lines into parts, the first of which tells how many lines each of the others has. */
import { linesOf } from '../model/lines.ts';
import { ByteSink, ByteSource } from './byte-sink.ts';
import { deflate, inflate, PART_BYTES, Parts, packParts } from './parts.ts';

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
  return packParts([lines.take(), ...parts]);
}

export function unpackText(bytes: Uint8Array): string {
  const parts = Parts.of(bytes);
  if (!parts) return inflate(bytes).toString();
  let text = '';
  for (let part = 1; part < parts.count; part++) text += parts.read(part).toString();
  return text;
}

/** linesOf() the text, of which only what is needed is unpacked. */
export function unpackLines(bytes: Uint8Array, startLine: number, endLine: number): string {
  const parts = Parts.of(bytes);
  if (!parts) return linesOf(inflate(bytes).toString(), startLine, endLine);
  const lines = new ByteSource(parts.read(0));
  let text = '';
  let first = 1;
  let begins = 1;
  for (let part = 1; part < parts.count && begins <= endLine; part++) {
    const next = begins + lines.varint();
    // A part without a newline is the last one.
    if (next > startLine || part === parts.count - 1) {
      if (text === '') first = begins;
      text += parts.read(part).toString();
    }
    begins = next;
  }
  return linesOf(text, startLine - first + 1, endLine - first + 1);
}

/** After the last line that fits, or the first one where none does. */
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
