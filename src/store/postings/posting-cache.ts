/** Decoded postings of a generation, or of several joined trees. */
import type { Postings } from '../store.ts';

/** What an entry weighs beside its postings. */
const ENTRY_WEIGHT = 20;

/**
 * Two halves: what was not used while the newer one filled up is dropped. A list in the order of the last use, which a
 * map is when entries are taken out and put back, took a twentieth of a question's time.
 */
export class PostingCache {
  #newer = new Map<string, Postings>();
  #older = new Map<string, Postings>();
  #weight = 0;
  readonly #capacity: number;

  /** `capacity`: postings over all terms, six bytes each. */
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
