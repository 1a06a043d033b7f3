/**
 * Finds what is remembered about a question: by its words, each weighed by its rarity, and by meaning, with the model
 * that searches code. One pass over postings, one over vectors.
 */
import { idfOf, normOf, saturate } from '../../model/text/bm25.ts';
import type { TextEntry, TextVectorsCache } from './text-vectors-cache.ts';

export interface Recalled {
  /** Position of the text in what the recall was built from. */
  readonly index: number;
  /** Share of the question's words, by their rarity, 0..1. */
  readonly coverage: number;
  /** Word score as BM25 counts it, divided by the best. */
  readonly words: number;
  /** Cosine, 0..1. */
  readonly similarity: number;
  /** The cosine, divided by the best. */
  readonly nearness: number;
}

export interface WeighedTerm {
  readonly term: string;
  readonly weight: number;
  /** Words that may stand for it, the nearest first: `auth` for `authentication`. */
  readonly alike?: readonly { readonly term: string; readonly similarity: number }[];
}

/** How strongly a long text is held to contain words by chance. */
const LENGTH_SHARE = 0.6;

export class Recall {
  readonly #entries: readonly TextEntry[];
  readonly #vocabulary: ReadonlyMap<string, number>;
  /** Postings: term t owns docs[starts[t]] … docs[starts[t + 1]]. */
  readonly #starts: Uint32Array;
  readonly #docs: Uint32Array;
  readonly #averageLength: number;
  /** False while there was no time to embed every text. */
  readonly isComplete: boolean;

  private constructor(entries: readonly TextEntry[], vocabulary: ReadonlyMap<string, number>) {
    this.#entries = entries;
    this.#vocabulary = vocabulary;
    const starts = new Uint32Array(vocabulary.size + 2);
    let total = 0;
    // Counted two places up, so that filling moves each start to its own end: starts[t] … starts[t + 1] are t's.
    for (const { terms } of entries) {
      total += terms.length;
      for (const term of terms) starts[term + 2]!++;
    }
    for (let i = 2; i < starts.length; i++) starts[i]! += starts[i - 1]!;
    this.#docs = new Uint32Array(total);
    entries.forEach(({ terms }, doc) => {
      for (const term of terms) this.#docs[starts[term + 1]!++] = doc;
    });
    this.#starts = starts;
    this.#averageLength = total / Math.max(1, entries.length);
    this.isComplete = entries.every(({ vector }) => vector !== null);
  }

  static async build(
    texts: readonly string[],
    memo: TextVectorsCache,
    budgetMs: number,
    signal?: AbortSignal,
    wanted: readonly string[] = [],
  ): Promise<Recall> {
    return new Recall(await memo.entries(texts, budgetMs, signal, wanted), memo.vocabulary);
  }

  find(terms: readonly WeighedTerm[], vector: Float32Array | null, accepts: (index: number) => boolean): Recalled[] {
    const count = this.#entries.length;
    const covered = new Float32Array(count);
    const scored = new Float32Array(count);
    // The last term of the question that a text was found to have, by itself or by a word that stands for it.
    const has = new Int32Array(count).fill(-1);
    let total = 0;
    for (const [i, { term, weight, alike = [] }] of terms.entries()) {
      const own = this.#textsWith(term);
      const others = alike.map((other) => ({ ...other, texts: this.#textsWith(other.term) }));
      const frequency = own.length || Math.max(0, ...others.map(({ texts }) => texts.length));
      const rarity = weight * idfOf(count, frequency);
      total += rarity;
      for (const { texts, similarity } of [{ texts: own, similarity: 1 }, ...others]) {
        const worth = similarity * Math.min(rarity, weight * idfOf(count, texts.length));
        for (const doc of texts) {
          if (has[doc] === i) continue;
          has[doc] = i;
          covered[doc]! += worth;
          scored[doc]! +=
            worth * saturate(1, normOf(this.#entries[doc]!.terms.length, this.#averageLength, LENGTH_SHARE));
        }
      }
    }
    let best = 0;
    let nearest = 0;
    const found: { -readonly [K in keyof Recalled]: Recalled[K] }[] = [];
    for (let index = 0; index < count; index++) {
      const similarity = vector ? cosine(vector, this.#entries[index]!.vector) : 0;
      if ((covered[index] === 0 && similarity < MIN_SIMILARITY) || !accepts(index)) continue;
      best = Math.max(best, scored[index]!);
      nearest = Math.max(nearest, similarity);
      found.push({ index, coverage: covered[index]! / (total || 1), words: scored[index]!, similarity, nearness: 0 });
    }
    for (const each of found) {
      each.words /= best || 1;
      each.nearness = each.similarity / (nearest || 1);
    }
    return found;
  }

  #textsWith(term: string): Uint32Array {
    // Terms that came into the vocabulary after this was built stand in none of its texts.
    const number = this.#vocabulary.get(term) ?? this.#starts.length;
    return this.#docs.subarray(this.#starts[number] ?? 0, this.#starts[number + 1] ?? 0);
  }
}

const MIN_SIMILARITY = 0.25;

function cosine(query: Float32Array, vector: Int8Array | null): number {
  if (!vector) return 0;
  let sum = 0;
  for (let i = 0; i < query.length; i++) sum += query[i]! * vector[i]!;
  return Math.max(0, sum / 127);
}
