/**
 * Caches terms and vectors of remembered texts by a hash of the text, in a file beside the index: computing them for a
 * hundred thousand discoveries takes seconds. Embedding has a time limit; words find the texts without a vector until
 * the next call embeds them.
 */
import type { Embedder } from '../../embed/embedder.ts';
import { textTerms } from '../../model/text/terms.ts';
import { readDerived, writeDerived } from '../notebook/derived-file.ts';

/** Increment it when a text gives other terms than before. */
const VERSION = 1;
/** Texts embedded between two checks of the time. */
const BATCH_TEXTS = 64;
/** A batch that takes longer is aborted: words can answer the question without vectors. */
const MAX_BATCH_MS = 5_000;
/** The file is rewritten after this many additions. */
const MIN_ADDED_TO_SAVE = 200;
const HAS_VECTOR = 1;

export interface TextEntry {
  /** Distinct term numbers, see `vocabulary`. */
  readonly terms: Uint32Array;
  /** `dims` numbers; null until the text is embedded. */
  readonly vector: Int8Array | null;
}

export class TextVectorsCache {
  readonly #file: string | null;
  readonly #embedder: Embedder;
  readonly #maxBatchMs: number;
  readonly vocabulary = new Map<string, number>();
  readonly #entries = new Map<number, TextEntry>();
  #loaded = false;
  #added = 0;

  /** Without a file, the cache lives in memory only. */
  constructor(file: string | null, embedder: Embedder, maxBatchMs = MAX_BATCH_MS) {
    this.#maxBatchMs = maxBatchMs;
    this.#file = file;
    this.#embedder = embedder;
  }

  /**
   * Entries of the texts, in their order. Texts with `wanted` terms, those of the question, are embedded first, because
   * the time limit may leave out the others.
   */
  async entries(
    texts: readonly string[],
    budgetMs: number,
    signal?: AbortSignal,
    wanted: readonly string[] = [],
  ): Promise<TextEntry[]> {
    this.#load();
    const keys = texts.map(hashText);
    const missing: number[] = [];
    keys.forEach((key, i) => {
      const known = this.#entries.get(key);
      if (!known) {
        this.#entries.set(key, { terms: this.#termsOf(texts[i]!), vector: null });
        this.#added++;
      }
      if (!known?.vector) missing.push(i);
    });
    await this.#embed(texts, keys, this.#wantedFirst(keys, missing, wanted), budgetMs, signal);
    if (this.#file !== null && this.#added >= MIN_ADDED_TO_SAVE) this.#save(this.#file, new Set(keys));
    return keys.map((key) => this.#entries.get(key)!);
  }

  #wantedFirst(keys: readonly number[], missing: readonly number[], wanted: readonly string[]): readonly number[] {
    const numbers = new Set(wanted.map((term) => this.vocabulary.get(term)).filter((number) => number !== undefined));
    if (numbers.size === 0) return missing;
    const shared = (i: number) => {
      let count = 0;
      for (const term of this.#entries.get(keys[i]!)!.terms) if (numbers.has(term)) count++;
      return count;
    };
    return missing
      .map((i) => ({ i, count: shared(i) }))
      .sort((a, b) => b.count - a.count || a.i - b.i)
      .map(({ i }) => i);
  }

  async #embed(
    texts: readonly string[],
    keys: readonly number[],
    missing: readonly number[],
    budgetMs: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const until = performance.now() + budgetMs;
    for (let at = 0; at < missing.length && performance.now() < until; at += BATCH_TEXTS) {
      const slice = missing.slice(at, at + BATCH_TEXTS);
      let vectors: Float32Array[];
      const timeLimit = new AbortController();
      const giveUp = () => timeLimit.abort();
      const timer = setTimeout(giveUp, this.#maxBatchMs);
      signal?.addEventListener('abort', giveUp, { once: true });
      try {
        vectors = await this.#embedder.embed(
          slice.map((i) => texts[i]!),
          'passage',
          timeLimit.signal,
        );
      } catch (error) {
        // The provider failed or is too slow: words alone find the remaining texts.
        if (signal?.aborted) throw error;
        return;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      }
      slice.forEach((i, n) => {
        const { terms } = this.#entries.get(keys[i]!)!;
        this.#entries.set(keys[i]!, { terms, vector: quantise(vectors[n]!) });
      });
      this.#added += slice.length;
    }
  }

  #termsOf(text: string): Uint32Array {
    const numbers = new Set<number>();
    for (const term of textTerms(text)) {
      let number = this.vocabulary.get(term);
      if (number === undefined) {
        number = this.vocabulary.size;
        this.vocabulary.set(term, number);
      }
      numbers.add(number);
    }
    return Uint32Array.from(numbers);
  }

  /** Layout: a line of JSON; the vocabulary, one term per line; keys, term counts, marks; terms; vectors. */
  #save(file: string, wanted: ReadonlySet<number>): void {
    // Drops texts that are no longer used; the vocabulary stays unchanged.
    const entries = [...this.#entries].filter(([key]) => wanted.has(key));
    const { dims, id } = this.#embedder;
    const words = Buffer.from([...this.vocabulary.keys()].join('\n'));
    const termCount = entries.reduce((sum, [, { terms }]) => sum + terms.length, 0);
    const sizes = { dims, count: entries.length, termCount, wordBytes: words.length };
    const head = Buffer.from(`${JSON.stringify({ version: VERSION, model: id, ...sizes })}\n`);
    const keys = new Float64Array(entries.length);
    const counts = new Uint32Array(entries.length);
    const marks = new Uint8Array(entries.length);
    const terms = new Uint32Array(termCount);
    const vectors = new Int8Array(entries.length * dims);
    let at = 0;
    entries.forEach(([key, entry], i) => {
      keys[i] = key;
      counts[i] = entry.terms.length;
      terms.set(entry.terms, at);
      at += entry.terms.length;
      if (!entry.vector) return;
      marks[i] = HAS_VECTOR;
      vectors.set(entry.vector, i * dims);
    });
    const bytes = (array: Float64Array | Uint32Array | Uint8Array | Int8Array) =>
      Buffer.from(array.buffer, array.byteOffset, array.byteLength);
    if (writeDerived(file, Buffer.concat([head, words, ...[keys, counts, terms, marks, vectors].map(bytes)])))
      this.#added = 0;
  }

  #load(): void {
    if (this.#loaded || this.#file === null) return;
    this.#loaded = true;
    try {
      const kept = readDerived(this.#file);
      if (kept) this.#read(kept);
    } catch {
      // The cache does not exist yet or is broken: start empty.
      this.vocabulary.clear();
      this.#entries.clear();
    }
  }

  #read(data: Buffer): void {
    const line = data.indexOf(10);
    const head = JSON.parse(data.toString('utf8', 0, line)) as Record<string, unknown>;
    const { dims, id } = this.#embedder;
    if (head.version !== VERSION || head.model !== id || head.dims !== dims) return;
    const [count, termCount, wordBytes] = [head.count, head.termCount, head.wordBytes] as [number, number, number];
    let at = line + 1;
    // Copied, because a typed array must begin at an aligned address.
    const take = (bytes: number): ArrayBuffer => {
      if (!(bytes >= 0) || at + bytes > data.length) throw new RangeError('cut short');
      const copy = data.buffer.slice(data.byteOffset + at, data.byteOffset + at + bytes) as ArrayBuffer;
      at += bytes;
      return copy;
    };
    const words = Buffer.from(take(wordBytes)).toString('utf8');
    const keys = new Float64Array(take(count * 8));
    const counts = new Uint32Array(take(count * 4));
    const terms = new Uint32Array(take(termCount * 4));
    const marks = new Uint8Array(take(count));
    const vectors = new Int8Array(take(count * dims));
    words.split('\n').forEach((word, number) => {
      this.vocabulary.set(word, number);
    });
    let from = 0;
    for (let i = 0; i < count; i++) {
      const entryTerms = terms.subarray(from, from + counts[i]!);
      from += counts[i]!;
      this.#entries.set(keys[i]!, {
        terms: entryTerms,
        vector: marks[i] === HAS_VECTOR ? vectors.subarray(i * dims, (i + 1) * dims) : null,
      });
    }
  }
}

function quantise(vector: Float32Array): Int8Array {
  return Int8Array.from(vector, (value) => Math.round(Math.max(-1, Math.min(1, value)) * 127));
}

/** A hash of 53 bits. Texts with equal hashes would share an entry, in one of a hundred thousand notebooks. */
export function hashText(text: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}
