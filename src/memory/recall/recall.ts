/**
 * Finds remembered texts for a question: by words, weighed by their rarity, and by vectors of the model that searches
 * code. One pass over postings, one over vectors.
 */
import { idfOf, normOf, saturate } from '../../model/text/bm25.ts';
import type { TextEntry, TextVectorsCache } from './text-vectors-cache.ts';

export interface Recalled {
  /** Index of the text in the list that the recall was built from. */
  readonly index: number;
  /** Share of the question's weight that the text contains, 0..1. */
  readonly coverage: number;
  /** BM25 score, divided by the highest. */
  readonly words: number;
  /** Cosine, 0..1. */
  readonly similarity: number;
  /** The cosine, divided by the highest. */
  readonly nearness: number;
}

export interface WeighedTerm {
  readonly term: string;
  readonly weight: number;
  /** Synonyms, nearest first: `auth` for `authentication`. */
  readonly alike?: readonly { readonly term: string; readonly similarity: number }[];
}

/** BM25's parameter b: how much the length of a text lowers its score. */
const LENGTH_SHARE = 0.6;

export class Recall {
  readonly #entries: readonly TextEntry[];
  readonly #vocabulary: ReadonlyMap<string, number>;
  /** Postings: term t owns docs[starts[t]] … docs[starts[t + 1]]. */
  readonly #starts: Uint32Array;
  readonly #docs: Uint32Array;
  readonly #averageLength: number;
  /** False if the time limit ended before every text was embedded. */
  readonly isComplete: boolean;

  private constructor(entries: readonly TextEntry[], vocabulary: ReadonlyMap<string, number>) {
    this.#entries = entries;
    this.#vocabulary = vocabulary;
    const starts = new Uint32Array(vocabulary.size + 2);
    let total = 0;
    // Counts are stored at t + 2, because filling advances starts[t + 1] to its end: then starts[t] is the start of t.
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
    // By text, the last term that it was found to contain, itself or as a synonym: each term counts once.
    const lastTermOf = new Int32Array(count).fill(-1);
    let total = 0;
    for (const [i, { term, weight, alike = [] }] of terms.entries()) {
      const exact = this.#textsWith(term);
      const synonyms = alike.map((other) => ({ ...other, texts: this.#textsWith(other.term) }));
      const frequency = exact.length || Math.max(0, ...synonyms.map(({ texts }) => texts.length));
      const rarity = weight * idfOf(count, frequency);
      total += rarity;
      for (const { texts, similarity } of [{ texts: exact, similarity: 1 }, ...synonyms]) {
        const gain = similarity * Math.min(rarity, weight * idfOf(count, texts.length));
        for (const doc of texts) {
          if (lastTermOf[doc] === i) continue;
          lastTermOf[doc] = i;
          covered[doc]! += gain;
          scored[doc]! +=
            gain * saturate(1, normOf(this.#entries[doc]!.terms.length, this.#averageLength, LENGTH_SHARE));
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
    // The vocabulary may have grown since this was built; no text contains the new terms.
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
