/**
 * Answers that hang on nothing but a published tree, kept with it: a page that is loaded again, and the next step of an
 * agent, ask the same. They go with the tree.
 */
import type { TreeView } from '../../store/store.ts';

/** One may be as long as a thousand uses with their lines. */
const KEPT = 20;

export class TreeAnswers<T> {
  readonly #answers = new WeakMap<TreeView, Map<string, T>>();

  get(view: TreeView, question: string, make: () => T): T {
    const answers = this.#answers.get(view) ?? new Map<string, T>();
    this.#answers.set(view, answers);
    const answer = answers.has(question) ? answers.get(question)! : make();
    // The least recently given first.
    answers.delete(question);
    answers.set(question, answer);
    if (answers.size > KEPT) answers.delete(answers.keys().next().value!);
    return answer;
  }
}
