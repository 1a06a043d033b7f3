/**
 * Caches answers that depend on a published tree only: a reloaded page, and the next step of an agent, ask the same.
 * The cache is dropped with its tree.
 */
import type { TreeView } from '../../store/store.ts';

/** Upper bound of cached answers per tree: one may list a thousand uses with their lines. */
const MAX_CACHED = 20;

export class TreeAnswers<T> {
  readonly #answers = new WeakMap<TreeView, Map<string, T>>();

  get(view: TreeView, question: string, make: () => T): T {
    const answers = this.#answers.get(view) ?? new Map<string, T>();
    this.#answers.set(view, answers);
    const answer = answers.has(question) ? answers.get(question)! : make();
    // Least recently used first.
    answers.delete(question);
    answers.set(question, answer);
    if (answers.size > MAX_CACHED) answers.delete(answers.keys().next().value!);
    return answer;
  }
}
