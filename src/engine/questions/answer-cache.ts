/**
 * The last answers about each tree, for questions that are asked again. A tree that is published anew begins with none.
 */
import type { SearchAnswer } from '../../model/records/query.ts';
import type { TreeView } from '../../store/store.ts';

/** Hits kept in all: an answer may have five or a thousand. */
const KEPT_HITS = 1_500;

interface Kept {
  readonly answer: SearchAnswer;
  readonly view: string;
}

export class AnswerCache {
  /** The least recently given first. */
  readonly #answers = new Map<string, Kept>();
  readonly #generations = new Map<string, number>();
  #hits = 0;

  get({ info }: TreeView, question: string): SearchAnswer | null {
    const view = `${info.root}\n${info.ref}`;
    if (this.#generations.get(view) !== info.generation) this.#forget(view);
    this.#generations.set(view, info.generation);
    const key = `${view}\n${question}`;
    const kept = this.#answers.get(key);
    if (!kept) return null;
    this.#answers.delete(key);
    this.#answers.set(key, kept);
    return kept.answer;
  }

  set({ info }: TreeView, question: string, answer: SearchAnswer): void {
    const view = `${info.root}\n${info.ref}`;
    // Made from a tree that has been replaced meanwhile.
    if (this.#generations.get(view) !== info.generation) return;
    const key = `${view}\n${question}`;
    this.#remove(key);
    this.#answers.set(key, { answer, view });
    this.#hits += weightOf(answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#hits <= KEPT_HITS) break;
      this.#remove(oldest);
    }
  }

  #forget(view: string): void {
    for (const [key, kept] of this.#answers) if (kept.view === view) this.#remove(key);
  }

  #remove(key: string): void {
    const kept = this.#answers.get(key);
    if (!kept) return;
    this.#answers.delete(key);
    this.#hits -= weightOf(kept.answer);
  }
}

/** An answer without hits takes room, too. */
function weightOf({ hits }: SearchAnswer): number {
  return hits.length + 2;
}
