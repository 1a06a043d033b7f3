/**
 * Builds a ContentBatch from chunks: term counts per field, postings grouped by term, quantised vectors. It runs in the
 * workers, so that the single writing process only copies. Terms are interned per worker. Counts of a chunk are in
 * arrays indexed by term number, so a posting takes a few array writes.
 */

import type { TermEmbedder } from '../../embed/embedder.ts';
import { quantise } from '../../embed/index.ts';
import type { Chunk, DddMark } from '../../model/records/chunk.ts';
import { CHUNK_TYPES } from '../../model/records/chunk.ts';
import type { ParsedFile } from '../../model/records/symbol.ts';
import { PROMINENT_KINDS, SYMBOL_KINDS } from '../../model/records/symbol.ts';
import { nameKey, splitIdentifier } from '../../model/text/terms.ts';
import type { ContentBatch, ContentRecord } from '../../store/store.ts';
import { CHUNK_STRIDE, ORDINARY, PROMINENT, packFields, writeChunkRow } from '../../store/store.ts';
import { encodeDetail } from '../../store/text/packed-detail.ts';
import { packText } from '../../store/text/packed-text.ts';
import { countNames, dddBits, importKeys } from './content-marks.ts';
import { IdentifierTable } from './identifier-table.ts';
import type { LinedText } from './lined-text.ts';
import { grow, NamePostings, PostingLog } from './posting-log.ts';

/** With more terms, a worker clears its table: 10,000 terms take about 3 MB, and interning them again costs little. */
const MAX_INTERNED = 40_000;
const NAMES = 0;
const DOCS = 1;
const BODY = 2;
/** The weight of a term in the vector, by field. Names tell most about a chunk. */
const NAME_WEIGHT = 4;
const DOC_WEIGHT = 1;
/** Exponent of all weights. Measured on the open half of the benchmark, best chunk per file: 0.738 -> 0.749. */
const EMPHASIS = 1.3;
/** Precomputed weights of terms that occur in the body only, by count: nearly all terms, with low counts. */
const BODY_WEIGHTS = Float32Array.from({ length: 64 }, (_, count) => (count > 0 ? 1 + Math.log(count) : 0) ** EMPHASIS);
/** In the pool of terms, the lowest bit marks a whole identifier, and END ends each run. */
const WHOLE = 1;
const END = -1;
const NOT_ASKED = -2;

export interface DerivedContent {
  readonly blobId: string;
  readonly language: string;
  readonly source: LinedText;
  readonly parsed: ParsedFile;
  readonly chunks: readonly Chunk[];
  readonly ddd: readonly DddMark[];
}

export class BatchBuilder {
  readonly #embedder: TermEmbedder | null;
  #interned = new Map<string, number>();
  #terms: string[] = [];
  /** The row of each term in the model, by term number. */
  #rows = new Int32Array(4096);
  readonly #identifiers = new IdentifierTable();
  /**
   * The start of each identifier's terms in #termPool, by entry; -1 if it is not split yet. The last term of a run may
   * be the whole identifier, with the mark WHOLE.
   */
  #termsAt = new Int32Array(4096).fill(-1);
  #termPool: number[] = [];
  /** The number of occurrences of each identifier in the current text; 0 between texts. */
  #occurrences = new Int32Array(4096);
  /** Counts of the current chunk, three fields per term, and the weights of terms in the vector. */
  #counts = new Uint16Array(3 * 4096);
  #weights = new Float32Array(4096);
  #partsInBody = new Uint16Array(4096);
  #touched = new Int32Array(1024);
  #touchedCount = 0;
  #contents: ContentRecord[] = [];
  #text = new PostingLog();
  #symbols = new NamePostings();
  #references = new NamePostings();
  #chunkBase = 0;
  #symbolBase = 0;
  readonly #vector: Float32Array;
  /** The embedder's input for the current chunk. */
  #passageRows = new Int32Array(1024);
  #passageWeights = new Float32Array(1024);
  readonly #passageTerms: string[] = [];

  constructor(embedder: TermEmbedder | null) {
    this.#embedder = embedder;
    this.#vector = new Float32Array(embedder?.dims ?? 0);
  }

  add(content: DerivedContent): void {
    const { parsed, chunks, source } = content;
    const table = new Int32Array(chunks.length * CHUNK_STRIDE);
    const dims = this.#embedder?.dims ?? 0;
    const vectors = this.#embedder ? new Int8Array(chunks.length * dims) : null;
    const ddd = new Map(content.ddd.map((mark) => [mark.symbol, mark.role]));
    chunks.forEach((chunk, ordinal) => {
      const lengths = this.#countChunk(chunk, parsed, source);
      this.#emitChunk(this.#chunkBase + ordinal);
      if (vectors) {
        this.#embedChunk();
        quantise(this.#vector, vectors, ordinal * dims);
      }
      this.#clearChunk();
      const symbol = chunk.symbol >= 0 ? parsed.symbols[chunk.symbol] : undefined;
      writeChunkRow(table, ordinal, {
        type: CHUNK_TYPES.indexOf(chunk.type),
        startLine: chunk.startLine,
        endLine: chunk.endLine,
        symbol: chunk.symbol,
        kind: symbol ? SYMBOL_KINDS.indexOf(symbol.kind) : -1,
        ddd: dddBits(chunk, parsed, ddd),
        namesLength: lengths[NAMES],
        docsLength: lengths[DOCS],
        bodyLength: lengths[BODY],
      });
    });
    parsed.symbols.forEach((symbol, ordinal) => {
      const prominence = PROMINENT_KINDS.has(symbol.kind) ? PROMINENT : ORDINARY;
      this.#symbols.add(nameKey(symbol.name) || symbol.name, this.#symbolBase + ordinal, prominence);
    });
    for (const [name, times] of countNames(parsed.references))
      this.#references.add(nameKey(name) || name, this.#contents.length, times);
    for (const key of importKeys(parsed)) this.#references.add(key, this.#contents.length);
    this.#contents.push({
      blobId: content.blobId,
      language: content.language,
      byteSize: source.bytes.length,
      lineCount: parsed.lineCount,
      text: packText(source.bytes),
      detail: encodeDetail({ ...parsed, chunks, ddd: content.ddd }),
      chunks: table,
      symbolCount: parsed.symbols.length,
      vectors,
      problems: parsed.problems,
    });
    this.#chunkBase += chunks.length;
    this.#symbolBase += parsed.symbols.length;
  }

  /** Returns the batch and empties the builder, which can be used again. */
  finish(): ContentBatch {
    const batch = {
      contents: this.#contents,
      postings: {
        text: this.#text.group(this.#terms),
        symbol: this.#symbols.group(),
        reference: this.#references.group(),
      },
    };
    this.#contents = [];
    this.#text = new PostingLog();
    this.#symbols = new NamePostings();
    this.#references = new NamePostings();
    this.#chunkBase = 0;
    this.#symbolBase = 0;
    if (this.#terms.length > MAX_INTERNED) {
      this.#interned.clear();
      this.#identifiers.clear();
      this.#termsAt.fill(-1);
      this.#termPool = [];
      this.#terms = [];
    }
    return batch;
  }

  #countChunk(chunk: Chunk, parsed: ParsedFile, source: LinedText): [number, number, number] {
    let names = 0;
    let docs = 0;
    const last = chunk.symbol < 0 ? 0 : Math.min(parsed.symbols.length, chunk.symbol + chunk.symbolCount);
    if (chunk.type === 'symbols') {
      for (const symbol of parsed.symbols) names += this.#countText(symbol.name, NAMES);
    } else {
      for (let i = chunk.symbol; i >= 0 && i < last; i++) {
        const symbol = parsed.symbols[i]!;
        names += this.#countText(symbol.name, NAMES);
        if (symbol.doc) docs += this.#countText(symbol.doc, DOCS);
      }
      if (chunk.symbol >= 0) {
        const parent = parsed.symbols[parsed.symbols[chunk.symbol]!.parent];
        if (parent) names += this.#countText(parent.name, NAMES);
      } else if (chunk.title) names += this.#countText(chunk.title, NAMES);
    }
    if (chunk.type === 'symbols') return [names, docs, 0];
    return [names, docs, this.#countLines(source, chunk.startLine, chunk.endLine)];
  }

  #countLines(source: LinedText, startLine: number, endLine: number): number {
    const { bytes, byteStarts } = source;
    const from = byteStarts[startLine - 1] ?? 0;
    const identifiers = this.#identifiers.scanBytes(bytes, from, byteStarts[endLine] ?? bytes.length);
    if (identifiers >= 0) return this.#countFound(identifiers, BODY);
    const { text, textStarts } = source;
    return this.#countText(text, BODY, textStarts[startLine - 1] ?? 0, textStarts[endLine] ?? text.length);
  }

  #countText(text: string, field: number, from = 0, to = text.length): number {
    return this.#countFound(this.#identifiers.scan(text, from, to), field);
  }

  /** Splits each distinct identifier of a text once: most identifiers of a chunk are repetitions. */
  #countFound(identifiers: number, field: number): number {
    const { found } = this.#identifiers;
    while (this.#identifiers.size > this.#occurrences.length) this.#growEntries();
    const occurrences = this.#occurrences;
    let distinct = 0;
    for (let n = 0; n < identifiers; n++) {
      const entry = found[n]!;
      if (occurrences[entry]!++ === 0) found[distinct++] = entry;
    }
    const weight = field === NAMES ? NAME_WEIGHT : DOC_WEIGHT;
    let count = 0;
    for (let n = 0; n < distinct; n++) {
      const entry = found[n]!;
      const times = occurrences[entry]!;
      occurrences[entry] = 0;
      let at = this.#termsAt[entry]!;
      if (at < 0) at = this.#split(entry);
      for (let marked = this.#termPool[at++]!; marked !== END; marked = this.#termPool[at++]!) {
        const term = marked >> 1;
        const place = term * 3;
        const counts = this.#counts;
        if (counts[place] === 0 && counts[place + 1] === 0 && counts[place + 2] === 0) this.#touch(term);
        counts[place + field]! += times;
        count += times;
        // The vector leaves out whole identifiers: the model knows words, and the parts of the identifier are counted.
        if ((marked & WHOLE) !== 0) continue;
        if (field === BODY) this.#partsInBody[term]! += times;
        else this.#weights[term]! += weight * times;
      }
    }
    return count;
  }

  #emitChunk(doc: number): void {
    for (let i = 0; i < this.#touchedCount; i++) {
      const term = this.#touched[i]!;
      const at = term * 3;
      this.#text.add(term, doc, packFields(this.#counts[at]!, this.#counts[at + 1]!, this.#counts[at + 2]!));
    }
  }

  #embedChunk(): void {
    const embedder = this.#embedder!;
    const touched = this.#touchedCount;
    if (this.#passageRows.length < touched) {
      this.#passageRows = new Int32Array(touched * 2);
      this.#passageWeights = new Float32Array(touched * 2);
    }
    let count = 0;
    for (let i = 0; i < touched; i++) {
      const term = this.#touched[i]!;
      const body = this.#partsInBody[term]!;
      const named = this.#weights[term]!;
      if (named === 0 && body === 0) continue;
      this.#passageWeights[count] =
        named === 0 && body < BODY_WEIGHTS.length
          ? BODY_WEIGHTS[body]!
          : (named + (body > 0 ? 1 + Math.log(body) : 0)) ** EMPHASIS;
      let row = this.#rows[term]!;
      if (row === NOT_ASKED) {
        row = embedder.rowOf(this.#terms[term]!);
        this.#rows[term] = row;
      }
      if (row < 0) this.#passageTerms[count] = this.#terms[term]!;
      this.#passageRows[count++] = row;
    }
    embedder.embedRows(this.#passageRows, this.#passageTerms, this.#passageWeights, count, this.#vector);
  }

  #clearChunk(): void {
    for (let i = 0; i < this.#touchedCount; i++) {
      const term = this.#touched[i]!;
      const at = term * 3;
      this.#counts[at] = 0;
      this.#counts[at + 1] = 0;
      this.#counts[at + 2] = 0;
      this.#weights[term] = 0;
      this.#partsInBody[term] = 0;
    }
    this.#touchedCount = 0;
  }

  #touch(term: number): void {
    if (this.#touchedCount === this.#touched.length)
      this.#touched = grow(this.#touched, new Int32Array(this.#touchedCount * 2));
    this.#touched[this.#touchedCount++] = term;
  }

  /** Adds the terms of an identifier to the pool and returns their start. */
  #split(entry: number): number {
    const { parts, whole } = splitIdentifier(this.#identifiers.name(entry));
    const at = this.#termPool.length;
    for (const part of parts) this.#termPool.push(this.#intern(part) << 1);
    if (whole) this.#termPool.push((this.#intern(whole) << 1) | WHOLE);
    this.#termPool.push(END);
    this.#termsAt[entry] = at;
    return at;
  }

  #growEntries(): void {
    const size = this.#termsAt.length;
    this.#termsAt = grow(this.#termsAt, new Int32Array(size * 2).fill(-1));
    this.#occurrences = grow(this.#occurrences, new Int32Array(size * 2));
  }

  #intern(term: string): number {
    const known = this.#interned.get(term);
    if (known !== undefined) return known;
    const number = this.#terms.length;
    this.#terms.push(term);
    this.#interned.set(term, number);
    if (number >= this.#rows.length) {
      const size = this.#rows.length * 2;
      this.#counts = grow(this.#counts, new Uint16Array(size * 3));
      this.#weights = grow(this.#weights, new Float32Array(size));
      this.#partsInBody = grow(this.#partsInBody, new Uint16Array(size));
      this.#rows = grow(this.#rows, new Int32Array(size));
    }
    this.#rows[number] = NOT_ASKED;
    return number;
  }
}
