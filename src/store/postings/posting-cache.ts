/** A cache of decoded postings, of one generation or of several joined trees. */
import type { Postings } from '../store.ts';

/** The fixed cost of an entry, in postings. */
const ENTRY_WEIGHT = 20;

/**
 * Two generations: entries that were not used while the newer one filled up are dropped. A cache in the order of last
 * use (a Map whose entries are deleted and set again) took a twentieth of a question's time.
 */
export class PostingCache {
  #newer = new Map<string, Postings>();
  #older = new Map<string, Postings>();
  #weight = 0;
  readonly #capacity: number;

  /** `capacity` is the number of postings over all terms, six bytes each. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): Postings | undefined {
    const recent = this.#newer.get(key);
    if (recent) return recent;
    const postings = this.#older.get(key);
    if (postings) this.set(key, postings);
    return postings;
  }

  set(key: string, postings: Postings): void {
    const weight = postings.docs.length + ENTRY_WEIGHT;
    if (this.#weight > 0 && this.#weight + weight > this.#capacity / 2) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#weight = 0;
    }
    this.#newer.set(key, postings);
    this.#weight += weight;
  }

  clear(): void {
    this.#newer.clear();
    this.#older.clear();
    this.#weight = 0;
  }
}
