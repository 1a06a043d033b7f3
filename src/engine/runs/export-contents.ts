/** Every content of a published tree, each once, in the order of paths. */
import type { StoreReader, TreeView } from '../../store/store.ts';
import type { IndexedContent } from '../engine.ts';

const PORTION = 100;

export function* contentsOf(reader: StoreReader, view: TreeView): Generator<readonly IndexedContent[]> {
  const seen = new Set<number>();
  let portion: IndexedContent[] = [];
  for (const [file, { blobId, language }] of view.files.entries()) {
    const row = view.contentOf[file]!;
    if (seen.has(row)) continue;
    seen.add(row);
    portion.push({ blobId, language, text: () => reader.text(row) });
    if (portion.length < PORTION) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
}
