/** Packs references as varints over a list of words, since they outnumber all other data of a content. */
import type { Reference, ReferenceKind } from '../../model/records/symbol.ts';

const REFERENCE_KINDS: readonly ReferenceKind[] = ['call', 'type', 'inherit', 'conform', 'extend', 'read'];

/**
 * Writes six varints per reference: kind, name, receiver, line, column, from + 1. Lines are not delta-coded, because
 * references are not always in the order of lines.
 */
export function packReferences(references: readonly Reference[], word: (text: string) => number): Buffer {
  let bytes = Buffer.allocUnsafe(64 + references.length * 12);
  let at = 0;
  const put = (value: number) => {
    let rest = value >>> 0;
    while (rest > 127) {
      bytes[at++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    bytes[at++] = rest;
  };
  for (const reference of references) {
    if (at + 32 > bytes.length) bytes = Buffer.concat([bytes.subarray(0, at)], bytes.length * 2);
    put(REFERENCE_KINDS.indexOf(reference.kind));
    put(word(reference.name));
    put(word(reference.receiver));
    put(reference.line);
    put(reference.column);
    put(reference.from + 1);
  }
  return bytes.subarray(0, at);
}

export function unpackReferences(bytes: Buffer, words: readonly string[]): Reference[] {
  const references: Reference[] = [];
  let at = 0;
  const take = () => {
    let value = 0;
    let shift = 0;
    let byte: number;
    do {
      byte = bytes[at++]!;
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    return value >>> 0;
  };
  while (at < bytes.length) {
    references.push({
      kind: REFERENCE_KINDS[take()]!,
      name: words[take()]!,
      receiver: words[take()]!,
      line: take(),
      column: take(),
      from: take() - 1,
    });
  }
  return references;
}
