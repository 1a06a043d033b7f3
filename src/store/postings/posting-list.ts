/** Decodes and encodes posting lists. posting-buffer.ts describes their format. */

import type { Postings } from '../store.ts';
import { type ByteSink, ByteSource } from '../text/byte-sink.ts';

export const NO_POSTINGS: Postings = { docs: new Uint32Array(0), values: new Uint16Array(0) };

/** Decodes and joins lists whose doc ranges ascend. Leaves out docs from `limit` on. */
export function decodeLists(lists: readonly Uint8Array[], limit: number): Postings {
  let total = 0;
  const sources = lists.map((list) => {
    const source = new ByteSource(list);
    total += source.count();
    return source;
  });
  let docs = new Uint32Array(total);
  let values = new Uint16Array(total);
  let n = 0;
  for (const source of sources) {
    const bytes = source.bytes;
    const end = bytes.length;
    let at = source.position;
    let doc = 0;
    while (at < end) {
      let byte = bytes[at++]!;
      let head = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = bytes[at++]!;
        head |= (byte & 0x7f) << shift;
      }
      doc += head >>> 1;
      let value = 1;
      if ((head & 1) === 0) {
        byte = bytes[at++]!;
        value = byte & 0x7f;
        for (let shift = 7; byte > 0x7f; shift += 7) {
          byte = bytes[at++]!;
          value |= (byte & 0x7f) << shift;
        }
      }
      if (doc >= limit) break;
      docs[n] = doc;
      values[n++] = value;
    }
  }
  if (n < total) {
    docs = docs.slice(0, n);
    values = values.slice(0, n);
  }
  return { docs, values };
}

/** Encodes one list. */
export function encodeList(sink: ByteSink, { docs, values }: Postings): void {
  sink.varint(docs.length);
  let last = 0;
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i]!;
    const value = values[i]!;
    sink.varint((doc - last) * 2 + (value === 1 ? 1 : 0));
    if (value !== 1) sink.varint(value);
    last = doc;
  }
}
