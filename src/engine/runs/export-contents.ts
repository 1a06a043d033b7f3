/** Exports every blob of a published tree, each once, in the order of paths. */
import type { StoreReader, TreeView } from '../../store/store.ts';
import type { IndexedContent } from '../engine.ts';

const BATCH_SIZE = 100;

export function* contentsOf(reader: StoreReader, view: TreeView): Generator<readonly IndexedContent[]> {
  const seen = new Set<number>();
  let batch: IndexedContent[] = [];
  for (const [file, { blobId, language }] of view.files.entries()) {
    const row = view.contentOf[file]!;
    if (seen.has(row)) continue;
    seen.add(row);
    batch.push({ blobId, language, text: () => reader.text(row) });
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
