/** A memory over discoveries that the caller passes in; nothing is stored. */
import type { Embedder } from '../../embed/embedder.ts';
import { Recall, TextVectorsCache } from '../../memory/index.ts';
import type { ContextMemory } from './context-search.ts';
import { searchedText } from './project-memory.ts';

/** Time limit for embedding in one call; the remaining texts are compared by words. */
const EMBED_MS = 800;

export function transientMemory(embedder: Embedder): ContextMemory {
  const memo = new TextVectorsCache(null, embedder);
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
