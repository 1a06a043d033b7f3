/**
 * Packs a content's detail: a JSON head with the chunks, symbols as rows, references as varints. A short detail is one
 * deflated stream. A long one is in parts (chunked-blob.ts): head, references, groups of symbols. A hit needs a few of
 * hundreds of symbols, and only the graph reads references.
 */
import type { Chunk, ContentDetail } from '../../model/records/chunk.ts';
import { CHUNK_TYPES } from '../../model/records/chunk.ts';
import type { Reference, SymbolRecord, Visibility } from '../../model/records/symbol.ts';
import { SYMBOL_KINDS } from '../../model/records/symbol.ts';
import { ChunkedBlob, deflate, inflate, PART_BYTES, packChunkedBlob } from '../sqlite/chunked-blob.ts';
import type { StoredDetail } from '../store.ts';
import { packReferences, unpackReferences } from './packed-references.ts';

const VISIBILITIES: readonly Visibility[] = ['public', 'protected', 'internal', 'private'];
const HEAD_BYTES = 4;
/** Reading a symbol unpacks its whole group. */
const SYMBOLS_PER_GROUP = 16;

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
  readonly chunks: readonly ChunkRow[];
  /** The distinct tag lists; a chunk has the index of one. */
  readonly tagLists: readonly (readonly string[])[];
}
interface WholeHead extends Head {
  readonly symbols: readonly SymbolRow[];
  /** The names of the references. */
  readonly words: readonly string[];
}
interface PartsHead extends Head {
  readonly symbolCount: number;
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
  const { symbols, references: _packed, ...plain } = detail;
  const head: Head = { ...plain, ...packChunks(detail.chunks) };
  const rows = symbols.map((symbol) => JSON.stringify(symbolRow(symbol)));
  const length = rows.reduce((sum, row) => sum + row.length, packed.length);
  if (length < PART_BYTES) {
    const json = JSON.stringify({ ...head, words: [...words.keys()] } satisfies Omit<WholeHead, 'symbols'>);
    return deflate(joinSized(`{"symbols":[${rows.join()}],${json.slice(1)}`, packed));
  }
  const groups = Array.from({ length: Math.ceil(rows.length / SYMBOLS_PER_GROUP) }, (_, i) =>
    Buffer.from(`[${rows.slice(i * SYMBOLS_PER_GROUP, (i + 1) * SYMBOLS_PER_GROUP).join()}]`),
  );
  const parts = { ...head, symbolCount: symbols.length } satisfies PartsHead;
  return packChunkedBlob([
    Buffer.from(JSON.stringify(parts)),
    joinSized(JSON.stringify([...words.keys()]), packed),
    ...groups,
  ]);
}

export function decodeDetail(bytes: Uint8Array): StoredDetail {
  const parts = ChunkedBlob.parse(bytes);
  if (parts) {
    const head = JSON.parse(parts.readText(0)) as PartsHead;
    const groups: (readonly SymbolRow[])[] = [];
    const rowAt = (ordinal: number) => {
      const group = Math.floor(ordinal / SYMBOLS_PER_GROUP);
      groups[group] ??= JSON.parse(parts.readText(2 + group)) as SymbolRow[];
      return groups[group]![ordinal % SYMBOLS_PER_GROUP]!;
    };
    const references = () => {
      const { json, rest } = splitSized(parts.read(1));
      return unpackReferences(rest, JSON.parse(json) as string[]);
    };
    return lazyDetail(head, head.symbolCount, rowAt, references);
  }
  const { json, rest } = splitSized(inflate(bytes));
  const head = JSON.parse(json) as WholeHead;
  return lazyDetail(
    head,
    head.symbols.length,
    (ordinal) => head.symbols[ordinal]!,
    () => unpackReferences(rest, head.words),
  );
}

/** Decodes symbols and references when they are first used. */
function lazyDetail(
  { chunks, tagLists, ...head }: Head,
  symbolCount: number,
  rowAt: (ordinal: number) => SymbolRow,
  readReferences: () => readonly Reference[],
): StoredDetail {
  const made = new Array<SymbolRecord | undefined>(symbolCount);
  const symbol = (ordinal: number): SymbolRecord | undefined => {
    if (!(ordinal >= 0 && ordinal < symbolCount)) return undefined;
    made[ordinal] ??= symbolOf(rowAt(ordinal));
    return made[ordinal];
  };
  let symbols: readonly SymbolRecord[] | undefined;
  let references: readonly Reference[] | undefined;
  return {
    language: head.language,
    package: head.package,
    lineCount: head.lineCount,
    imports: head.imports,
    sections: head.sections,
    problems: head.problems,
    ddd: head.ddd,
    chunks: chunks.map((row) => chunkOf(row, tagLists)),
    symbol,
    get symbols() {
      symbols ??= Array.from(made, (_, ordinal) => symbol(ordinal)!);
      return symbols;
    },
    get references() {
      references ??= readReferences();
      return references;
    },
  };
}

function packChunks(chunks: readonly Chunk[]): Pick<Head, 'chunks' | 'tagLists'> {
  const tagLists: (readonly string[])[] = [];
  const tagIndex = new Map<string, number>();
  const rows = chunks.map((chunk): ChunkRow => {
    const key = chunk.tags.join('\n');
    let tags = tagIndex.get(key);
    if (tags === undefined) {
      tags = tagLists.push(chunk.tags) - 1;
      tagIndex.set(key, tags);
    }
    const { type, startLine, endLine, symbol, symbolCount, part, title } = chunk;
    return [CHUNK_TYPES.indexOf(type), startLine, endLine, symbol, symbolCount, part, title, tags];
  });
  return { chunks: rows, tagLists };
}

/** Joins the length of the JSON in bytes, the JSON, and the bytes that follow it. */
function joinSized(json: string, rest: Uint8Array): Uint8Array {
  const bytes = Buffer.from(json);
  const length = Buffer.allocUnsafe(HEAD_BYTES);
  length.writeUInt32LE(bytes.length, 0);
  return Buffer.concat([length, bytes, rest]);
}

function splitSized(bytes: Buffer): { readonly json: string; readonly rest: Buffer } {
  const end = HEAD_BYTES + bytes.readUInt32LE(0);
  return { json: bytes.toString('utf8', HEAD_BYTES, end), rest: bytes.subarray(end) };
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
