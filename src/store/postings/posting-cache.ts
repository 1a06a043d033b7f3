/** Decoded postings of a generation. */
import type { Postings } from '../store.ts';

/** Cached postings over all terms, six bytes each. */
const CACHED_POSTINGS = 1_000_000;

/** Least recently used goes first, by weight. */
export class PostingCache {
  readonly #entries = new Map<string, { readonly postings: Postings; readonly weight: number }>();
  #weight = 0;

  get(key: string): Postings | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.postings;
  }

  set(key: string, postings: Postings): void {
    const weight = postings.docs.length + 20;
    this.#entries.set(key, { postings, weight });
    this.#weight += weight;
    for (const [oldest, entry] of this.#entries) {
      if (this.#weight <= CACHED_POSTINGS || oldest === key) break;
      this.#entries.delete(oldest);
      this.#weight -= entry.weight;
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }
}
