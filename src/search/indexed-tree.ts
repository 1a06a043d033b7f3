/** A published tree with the reader of its store: what every step of a search works on. */
import type { StoreReader, TreeView } from '../store/store.ts';

export interface IndexedTree {
  readonly reader: StoreReader;
  readonly view: TreeView;
}
