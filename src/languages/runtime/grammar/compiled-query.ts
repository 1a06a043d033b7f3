/**
 * Compiled queries as bytes. Compiling a query walks the whole grammar and takes up to half a second, in every process
 * that loads the language. The build compiles once and saves the runtime's data structure; loading copies it back into
 * the runtime's memory. The layout is that of the pinned version, described below; compiled-query.test.ts compares what
 * a loaded and a compiled query find. If anything differs (the source, the grammar, the runtime), the query is compiled
 * as usual.
 */
import { type Language, Query } from 'web-tree-sitter';
import type { Runtime } from './syntax-node.ts';
import { addressOf } from './syntax-node.ts';

/**
 * A query in the runtime's memory: growing arrays (address, count, capacity), each with elements of this many bytes.
 */
const ELEMENT_BYTES = [1, 8, 1, 8, 12, 20, 6, 8, 28, 8, 2, 1, 2] as const;
/** The index of the array whose elements are arrays of bytes. */
const NESTED = 4;
const ARRAY_WORDS = 3;
const LANGUAGE_WORD = ELEMENT_BYTES.length * ARRAY_WORDS;
/** The arrays, the language, and a number. */
const QUERY_WORDS = LANGUAGE_WORD + 2;
const FORMAT = 2;

/** What a query was compiled from; a saved query is valid for nothing else. */
export interface QueryOrigin {
  readonly source: string;
  readonly grammarBytes: number;
  readonly runtimeBytes: number;
}

/** A text and the checksum of the query's matches in it: a loaded query must find the same (self-check.ts). */
export interface QuerySample {
  readonly sample: string;
  readonly sampleSum: number;
}

interface SavedQuery extends QuerySample {
  readonly arrays: readonly { readonly count: number; readonly bytes: Buffer }[];
  /** The contents of the nested arrays. */
  readonly nested: readonly Buffer[];
  readonly last: number;
}

export function saveQuery(runtime: Runtime, query: Query, origin: QueryOrigin, sample: QuerySample): Buffer {
  const { arrays, nested, last } = readQuery(runtime, addressOf(query));
  const counts = arrays.map(({ count }) => count);
  const head = Buffer.from(
    JSON.stringify({ format: FORMAT, ...origin, ...sample, counts, nested: nested.map(({ length }) => length), last }),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, ...arrays.map(({ bytes }) => bytes), ...nested]);
}

/** Restores a saved query; null if it was compiled from anything else. */
export function loadQuery(
  runtime: Runtime,
  language: Language,
  file: Buffer,
  origin: QueryOrigin,
): (QuerySample & { readonly query: Query }) | null {
  const saved = parse(file, origin);
  if (!saved) return null;
  const compile = runtime._ts_query_new;
  // The package's constructor calls the runtime to compile and then reads captures and predicates from the result.
  runtime._ts_query_new = () => writeQuery(runtime, addressOf(language), saved);
  try {
    return { query: new Query(language, ''), sample: saved.sample, sampleSum: saved.sampleSum };
  } finally {
    runtime._ts_query_new = compile;
  }
}

function readQuery(runtime: Runtime, address: number): Omit<SavedQuery, keyof QuerySample> {
  const words = runtime.HEAP32.slice(address >> 2, (address >> 2) + QUERY_WORDS);
  const bytesAt = (at: number, length: number) => Buffer.from(new Uint8Array(runtime.HEAP32.buffer, at, length));
  const arrays = ELEMENT_BYTES.map((size, i) => {
    const count = words[i * ARRAY_WORDS + 1]!;
    return { count, bytes: count === 0 ? Buffer.alloc(0) : bytesAt(words[i * ARRAY_WORDS]!, count * size) };
  });
  const inner = arrays[NESTED]!;
  const nested = Array.from({ length: inner.count }, (_, i) => {
    const at = i * ARRAY_WORDS * 4;
    const count = inner.bytes.readInt32LE(at + 4);
    return count === 0 ? Buffer.alloc(0) : bytesAt(inner.bytes.readInt32LE(at), count);
  });
  // Addresses are not valid in another process.
  inner.bytes.fill(0);
  return { arrays, nested, last: words[LANGUAGE_WORD + 1]! };
}

function writeQuery(runtime: Runtime, language: number, { arrays, nested, last }: SavedQuery): number {
  const put = (bytes: Buffer): number => {
    if (bytes.length === 0) return 0;
    const at = runtime._malloc(bytes.length);
    new Uint8Array(runtime.HEAP32.buffer, at, bytes.length).set(bytes);
    return at;
  };
  const words = new Int32Array(QUERY_WORDS);
  arrays.forEach(({ count, bytes }, i) => {
    let contents = bytes;
    if (i === NESTED) {
      contents = Buffer.from(bytes);
      nested.forEach((inner, n) => {
        const at = n * ARRAY_WORDS * 4;
        contents.writeInt32LE(put(inner), at);
        contents.writeInt32LE(inner.length, at + 4);
        contents.writeInt32LE(inner.length, at + 8);
      });
    }
    words.set([put(contents), count, count], i * ARRAY_WORDS);
  });
  words[LANGUAGE_WORD] = language;
  words[LANGUAGE_WORD + 1] = last;
  return put(Buffer.from(words.buffer));
}

interface Head extends QueryOrigin, QuerySample {
  readonly format: number;
  readonly counts: readonly number[];
  readonly nested: readonly number[];
  readonly last: number;
}

function parse(file: Buffer, origin: QueryOrigin): SavedQuery | null {
  try {
    const length = file.readUInt32LE(0);
    const head = JSON.parse(file.toString('utf8', 4, 4 + length)) as Head;
    if (
      head.format !== FORMAT ||
      head.source !== origin.source ||
      head.grammarBytes !== origin.grammarBytes ||
      head.runtimeBytes !== origin.runtimeBytes
    )
      return null;
    let at = 4 + length;
    const take = (bytes: number) => {
      at += bytes;
      return file.subarray(at - bytes, at);
    };
    const arrays = head.counts.map((count, i) => ({ count, bytes: take(count * ELEMENT_BYTES[i]!) }));
    const nested = head.nested.map(take);
    return at === file.length
      ? { arrays, nested, last: head.last, sample: head.sample, sampleSum: head.sampleSum }
      : null;
  } catch {
    // The saved file is truncated or damaged, so the query is compiled from its source.
    return null;
  }
}
