/** A published tree with the reader of its store: what every step of a search works on. */
import type { StoreReader, TreeView } from '../store/store.ts';

export interface IndexedTree {
  readonly reader: StoreReader;
  readonly view: TreeView;
}

/** The first chunk of this tree that has the term; the store's postings list the chunks of its other trees, too. */
export function findLiveChunk({ reader, view }: IndexedTree, term: string): number | undefined {
  return reader.postings('text', term).docs.find((id) => (view.fileOfChunk[id] ?? -1) >= 0);
}
