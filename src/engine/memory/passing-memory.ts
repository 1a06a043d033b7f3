/** A memory of discoveries that come with the question: nothing of it is kept. */
import type { Embedder } from '../../embed/embedder.ts';
import { Recall, TextMemo } from '../../memory/index.ts';
import type { ContextMemory } from './context-search.ts';
import { searchedText } from './project-memory.ts';

/** Time that one call spends on embedding; the rest is compared by words. */
const EMBED_MS = 800;

export function passingMemory(embedder: Embedder): ContextMemory {
  const memo = new TextMemo(null, embedder);
  let isEmbedded = true;
  const recallOf: ContextMemory['recallOf'] = async (texts, signal) => {
    const recall = await Recall.build(texts, memo, EMBED_MS, signal);
    isEmbedded = recall.isComplete;
    return recall;
  };
  return {
    recallOf,
    recall: (discoveries, _wanted, signal) => recallOf(discoveries.map(searchedText), signal),
    sessions: { list: () => [] },
    isHistoryRead: true,
    get isEmbedded() {
      return isEmbedded;
    },
  };
}
