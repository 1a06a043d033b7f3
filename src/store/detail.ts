/**
 * How a content's detail is packed: a JSON head with symbols as rows instead of objects, then references as varints, deflated together.
 * References outnumber everything else and only the graph reads them, so they are decoded when first asked for.
 */
import { deflateRawSync } from 'node:zlib';
import type { Chunk, ContentDetail } from '../model/chunk.ts';
import { CHUNK_TYPES } from '../model/chunk.ts';
import type { Reference, ReferenceKind, SymbolRecord, Visibility } from '../model/symbol.ts';
import { SYMBOL_KINDS } from '../model/symbol.ts';
import { inflate } from './inflate.ts';

const REFERENCE_KINDS: readonly ReferenceKind[] = ['call', 'type', 'inherit', 'conform', 'extend', 'read'];
const VISIBILITIES: readonly Visibility[] = ['public', 'protected', 'internal', 'private'];
const HEAD_BYTES = 4;

type SymbolRow = [
  string,
  number,
  number,
  string,
  string,
  string,
  number,
  number,
  number,
  number,
  number,
  number,
  (readonly number[])?,
];
type ChunkRow = [number, number, number, number, number, number, string, number];

interface Head extends Omit<ContentDetail, 'symbols' | 'references' | 'chunks'> {
  readonly symbols: readonly SymbolRow[];
  readonly chunks: readonly ChunkRow[];
  /** Distinct tag lists; a chunk names one by index. */
  readonly tagLists: readonly (readonly string[])[];
  readonly words: readonly string[];
}

export function encodeDetail(detail: ContentDetail): Uint8Array {
  const words = new Map<string, number>();
  const word = (text: string) => {
    let index = words.get(text);
    if (index === undefined) {
      index = words.size;
      words.set(text, index);
    }
    return index;
  };
  const packed = packReferences(detail.references, word);
  const tagLists: (readonly string[])[] = [];
  const tagIndex = new Map<string, number>();
  const chunks = detail.chunks.map((chunk): ChunkRow => {
    const key = chunk.tags.join('\n');
    let tags = tagIndex.get(key);
    if (tags === undefined) {
      tags = tagLists.push(chunk.tags) - 1;
      tagIndex.set(key, tags);
    }
    return [
      CHUNK_TYPES.indexOf(chunk.type),
      chunk.startLine,
      chunk.endLine,
      chunk.symbol,
      chunk.symbolCount,
      chunk.part,
      chunk.title,
      tags,
    ];
  });
  const head: Head = { ...detail, symbols: detail.symbols.map(symbolRow), chunks, tagLists, words: [...words.keys()] };
  const { references: _dropped, ...plain } = head as Head & { references?: unknown };
  const json = Buffer.from(JSON.stringify(plain));
  const raw = Buffer.allocUnsafe(HEAD_BYTES + json.length + packed.length);
  raw.writeUInt32LE(json.length, 0);
  json.copy(raw, HEAD_BYTES);
  packed.copy(raw, HEAD_BYTES + json.length);
  return deflateRawSync(raw, { level: 1 });
}

export function decodeDetail(bytes: Uint8Array): ContentDetail {
  const raw = inflate(bytes);
  const jsonLength = raw.readUInt32LE(0);
  const head = JSON.parse(raw.toString('utf8', HEAD_BYTES, HEAD_BYTES + jsonLength)) as Head;
  const packed = raw.subarray(HEAD_BYTES + jsonLength);
  let references: readonly Reference[] | undefined;
  return {
    language: head.language,
    package: head.package,
    lineCount: head.lineCount,
    imports: head.imports,
    sections: head.sections,
    problems: head.problems,
    ddd: head.ddd,
    symbols: head.symbols.map(symbolOf),
    chunks: head.chunks.map((row) => chunkOf(row, head.tagLists)),
    get references() {
      references ??= unpackReferences(packed, head.words);
      return references;
    },
  };
}

function symbolRow(s: SymbolRecord): SymbolRow {
  const qualified = s.qualifiedName === s.name ? '' : s.qualifiedName;
  const row: SymbolRow = [
    s.name,
    SYMBOL_KINDS.indexOf(s.kind),
    s.parent,
    qualified,
    s.signature,
    s.doc,
    VISIBILITIES.indexOf(s.visibility),
    s.fullStartLine,
    s.startLine,
    s.endLine,
    s.nameLine,
    s.nameColumn,
  ];
  if (s.borders) row.push(s.borders);
  return row;
}

function symbolOf(row: SymbolRow): SymbolRecord {
  const [
    name,
    kind,
    parent,
    qualified,
    signature,
    doc,
    visibility,
    fullStartLine,
    startLine,
    endLine,
    nameLine,
    nameColumn,
    borders,
  ] = row;
  return {
    name,
    kind: SYMBOL_KINDS[kind]!,
    parent,
    qualifiedName: qualified || name,
    signature,
    doc,
    visibility: VISIBILITIES[visibility]!,
    fullStartLine,
    startLine,
    endLine,
    nameLine,
    nameColumn,
    ...(borders ? { borders } : {}),
  };
}

function chunkOf(
  [type, startLine, endLine, symbol, symbolCount, part, title, tags]: ChunkRow,
  tagLists: readonly (readonly string[])[],
): Chunk {
  return { type: CHUNK_TYPES[type]!, startLine, endLine, symbol, symbolCount, part, title, tags: tagLists[tags] ?? [] };
}

/** Six varints a reference: kind, name, receiver, line, column, from + 1. Lines are not delta-coded: sources order them only mostly. */
function packReferences(references: readonly Reference[], word: (text: string) => number): Buffer {
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

function unpackReferences(bytes: Buffer, words: readonly string[]): Reference[] {
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
