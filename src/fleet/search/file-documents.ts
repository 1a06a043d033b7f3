/**
 * Builds a file's documents in the index `chunks`: one for the file (path, names that it defines and refers to,
 * lengths) and one per chunk (terms by field, and the vector). Pure.
 */
import { createHash } from 'node:crypto';
import { extname } from 'node:path/posix';
import { CHUNK_TYPES } from '../../model/records/chunk.ts';
import { type FileEntry, FileFlag } from '../../model/records/source-file.ts';
import { SYMBOL_KINDS } from '../../model/records/symbol.ts';
import { nameOf } from '../../model/text/path-text.ts';
import { textTerms } from '../../model/text/terms.ts';
import { CHUNK_AT, CHUNK_STRIDE, type ChunkColumn, type ContentBatch } from '../../store/store.ts';

export interface FileDocument {
  readonly id: string;
  readonly source: Readonly<Record<string, unknown>>;
  /** Approximate bytes, to split requests. */
  readonly size: number;
}

/** Everything beside the content that decides a file's documents. */
export interface Written {
  readonly repository: string;
  /** The repository's number in the catalogue. */
  readonly number: number;
  readonly extractor: string;
  /** True for the first file, by path, with this content: contents are counted by it. */
  readonly isFirst: boolean;
}

/** The document id: equal for equal content at an equal path, from any writer, so that a document is written once. */
export function fileId({ path, blobId, language }: FileEntry, written: Written): string {
  const { repository, number, extractor, isFirst } = written;
  const named = [repository, number, path, blobId, language, extractor, isFirst ? 'first' : 'again'].join('\0');
  return createHash('sha256').update(named).digest('hex').slice(0, 32);
}

/** `batch` holds the file's one content. */
export function fileDocuments(entry: FileEntry, batch: ContentBatch, written: Written, dims: number): FileDocument[] {
  const { repository, number, isFirst } = written;
  const id = fileId(entry, written);
  const path = `${repository}/${entry.path}`;
  const shared = {
    file: id,
    repository,
    number,
    path,
    language: entry.language,
    extension: extname(entry.path).toLowerCase(),
    isTest: (entry.flags & FileFlag.Test) !== 0,
  };
  const { chunks, vectors } = batch.contents[0]!;
  const count = chunks.length / CHUNK_STRIDE;
  const at = (ordinal: number, column: ChunkColumn) => chunks[ordinal * CHUNK_STRIDE + CHUNK_AT[column]]!;
  const fields = fieldsOf(batch, count);
  const documents = fields.map(({ names, docs, body }, ordinal): FileDocument => {
    const kind = at(ordinal, 'kind');
    const vector = vectors && vectorAt(vectors, ordinal, dims);
    const source = {
      kind: 'chunk',
      ...shared,
      type: CHUNK_TYPES[at(ordinal, 'type')],
      ...(kind >= 0 ? { symbolKind: SYMBOL_KINDS[kind] } : {}),
      names: names.join(' '),
      docs: docs.join(' '),
      body: body.join(' '),
      ...(vector ? { vector } : {}),
    };
    return {
      id: `${id}.${ordinal}`,
      source,
      size: source.names.length + source.docs.length + source.body.length + 1500,
    };
  });
  const counted = [...fields.keys()].filter((ordinal) => CHUNK_TYPES[at(ordinal, 'type')] !== 'symbols');
  const sum = (column: ChunkColumn) => counted.reduce((total, ordinal) => total + at(ordinal, column), 0);
  const source = {
    kind: 'file',
    ...shared,
    isFirst,
    blob: `${entry.blobId}.${entry.language}`,
    name: nameOf(entry.path).toLowerCase(),
    pathTerms: textTerms(path.replace(/\.\w+$/, '')).join(' '),
    symbols: batch.postings.symbol.terms,
    references: batch.postings.reference.terms,
    depth: path.split('/').length - 1,
    chunks: counted.length,
    namesTerms: sum('namesLength'),
    docsTerms: sum('docsLength'),
    bodyTerms: sum('bodyLength'),
  };
  const names = source.symbols.length + source.references.length;
  // The file's own document is written last: if it exists, all others do.
  return [...documents, { id, source, size: 500 + path.length * 2 + names * 20 }];
}

interface Fields {
  readonly names: string[];
  readonly docs: string[];
  readonly body: string[];
}

/** Repeats each term as often as it occurs in the chunk's field. */
function fieldsOf({ postings: { text } }: ContentBatch, count: number): Fields[] {
  const fields = Array.from({ length: count }, (): Fields => ({ names: [], docs: [], body: [] }));
  const add = (into: string[], term: string, times: number) => {
    for (let i = 0; i < times; i++) into.push(term);
  };
  let at = 0;
  text.terms.forEach((term, t) => {
    for (const end = at + text.counts[t]!; at < end; at++) {
      const { names, docs, body } = fields[text.docs[at]!]!;
      const value = text.values[at]!;
      add(body, term, value & 15);
      add(docs, term, (value >> 4) & 15);
      add(names, term, (value >> 8) & 15);
    }
  });
  return fields;
}

/** Null for a zero vector, whose cosine is undefined. */
function vectorAt(vectors: Int8Array, ordinal: number, dims: number): number[] | null {
  const own = vectors.subarray(ordinal * dims, (ordinal + 1) * dims);
  return own.some((value) => value !== 0) ? [...own] : null;
}
