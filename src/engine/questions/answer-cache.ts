/** Caches the last search answers about each tree. A newly published tree starts with an empty cache. */
import type { SearchAnswer } from '../../model/records/query.ts';
import type { TreeView } from '../../store/store.ts';

/** Upper bound of the hits in all cached answers together: one answer may have five or a thousand. */
const MAX_CACHED_HITS = 1_500;

interface CachedAnswer {
  readonly answer: SearchAnswer;
  readonly view: string;
}

export class AnswerCache {
  /** Least recently used first. */
  readonly #answers = new Map<string, CachedAnswer>();
  readonly #generations = new Map<string, number>();
  #hits = 0;

  get({ info }: TreeView, question: string): SearchAnswer | null {
    const view = `${info.root}\n${info.ref}`;
    if (this.#generations.get(view) !== info.generation) this.#forget(view);
    this.#generations.set(view, info.generation);
    const key = `${view}\n${question}`;
    const cached = this.#answers.get(key);
    if (!cached) return null;
    this.#answers.delete(key);
    this.#answers.set(key, cached);
    return cached.answer;
  }

  set({ info }: TreeView, question: string, answer: SearchAnswer): void {
    const view = `${info.root}\n${info.ref}`;
    // The tree was replaced while the answer was made.
    if (this.#generations.get(view) !== info.generation) return;
    const key = `${view}\n${question}`;
    this.#remove(key);
    this.#answers.set(key, { answer, view });
    this.#hits += weightOf(answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#hits <= MAX_CACHED_HITS) break;
      this.#remove(oldest);
    }
  }

  #forget(view: string): void {
    for (const [key, cached] of this.#answers) if (cached.view === view) this.#remove(key);
  }

  #remove(key: string): void {
    const cached = this.#answers.get(key);
    if (!cached) return;
    this.#answers.delete(key);
    this.#hits -= weightOf(cached.answer);
  }
}

/** An answer without hits also takes space. */
function weightOf({ hits }: SearchAnswer): number {
  return hits.length + 2;
}
