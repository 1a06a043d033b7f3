/**
 * How near a file's chunks are in meaning. In a small tree every chunk is compared with the question; in a large one those that a look at
 * the signs finds likely, with the rest of their files, and later the files that words brought in.
 */
import type { StoreReader, TreeView } from '../store/store.ts';
import type { Masks } from './filter.ts';
import type { FileScores } from './score.ts';
import { OVERVIEW, treeStats } from './tree-stats.ts';

interface VectorInput {
  readonly reader: StoreReader;
  readonly view: TreeView;
  readonly vector: Float32Array;
  readonly masks: Masks;
  readonly scores: FileScores;
  readonly fileOf: Int32Array;
}

const LIKELY_CHUNKS = 1000;

/** Fills in the similarities. Returns what does the same for further files. */
export function scoreVectors(input: VectorInput, touch: (file: number) => void): FileScores['completeVectors'] {
  const { reader, view, vector, masks, fileOf } = input;
  const note = noteInto(input, touch);
  const likely = masks.chunk ? null : reader.nearestChunks(vector, fileOf, LIKELY_CHUNKS);
  if (!likely) {
    const similarity = reader.scoreVectors(view, vector);
    for (let id = 0; id < similarity.length; id++) if (similarity[id]! > 0) note(id, similarity[id]!);
    return () => {};
  }
  const known = new Set<number>();
  const complete = (files: readonly number[]) => {
    const missing: { file: number; row: number; chunks: number }[] = [];
    for (const file of files) {
      if (known.has(file)) continue;
      known.add(file);
      missing.push({ file, row: view.contentOf[file]!, chunks: view.chunkCountOf[file]! });
    }
    reader.scoreContents(vector, missing, (index, similarity) => {
      const { file } = missing[index]!;
      const first = view.firstChunkOf[file]!;
      // One content at several paths counts for one of them.
      if (fileOf[first] !== file) return;
      for (let i = 0; i < similarity.length; i++) if (similarity[i]! > 0) note(first + i, similarity[i]!);
    });
  };
  complete(likely.map((id) => fileOf[id]!));
  return complete;
}

function noteInto({ view, masks, scores, fileOf }: VectorInput, touch: (file: number) => void) {
  const { vector, vectorSecond, vectorThird, vectorChunk } = scores;
  const { state } = treeStats(view);
  const allowed = masks.chunk;
  return (id: number, value: number): void => {
    const file = fileOf[id]!;
    if (file < 0 || value <= vectorThird[file]! || (allowed !== null && !allowed(id))) return;
    if (value > vector[file]!) {
      vectorThird[file] = vectorSecond[file]!;
      vectorSecond[file] = vector[file]!;
      vector[file] = value;
      if (state[id] !== OVERVIEW || vectorChunk[file]! < 0) vectorChunk[file] = id;
      touch(file);
    } else if (value > vectorSecond[file]!) {
      vectorThird[file] = vectorSecond[file]!;
      vectorSecond[file] = value;
    } else vectorThird[file] = value;
  };
}
