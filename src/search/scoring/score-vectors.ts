/**
 * Compares chunks with the question by their vectors. A small tree is compared whole; in a large one, a comparison of
 * sign bits selects likely chunks, and the chunks of the candidates are completed later.
 */
import type { StoreReader, TreeView } from '../../store/store.ts';
import type { Masks } from '../query/search-filter.ts';
import type { FileScores } from './score-files.ts';
import { OVERVIEW, treeStats } from './tree-stats.ts';

interface VectorInput {
  readonly reader: StoreReader;
  readonly view: TreeView;
  readonly vector: Float32Array;
  readonly masks: Masks;
  readonly scores: FileScores;
  readonly fileOf: Int32Array;
}

const MIN_LIKELY_CHUNKS = 200;

/** Fills in the similarities. Returns a function that completes them for given files. */
export function scoreVectors(input: VectorInput): FileScores['completeVectors'] {
  const { reader, view, vector, scores } = input;
  const note = noteInto(input, (file) => {
    scores.touched.add(file);
    scores.byMeaning.push(file);
  });
  const likely = nearestAllowed(input);
  if (!likely) {
    const similarity = reader.scoreVectors(view, vector);
    for (let id = 0; id < similarity.length; id++) if (similarity[id]! > 0) note(id, similarity[id]!);
    return () => {};
  }
  likely.chunks.forEach((id, i) => {
    if (likely.scores[i]! > 0) note(id, likely.scores[i]!);
  });
  return (files) => completeVectors(input, files);
}

/**
 * The chunks of a large tree nearest to the question, in growing numbers until enough of them pass the filter. Testing
 * a chunk may read its content; testing all of them took a hundred times as long as the question.
 */
function nearestAllowed({
  reader,
  view,
  vector,
  masks,
  fileOf,
}: VectorInput): ReturnType<StoreReader['nearestChunks']> {
  for (let count = MIN_LIKELY_CHUNKS; ; count *= 4) {
    const likely = reader.nearestChunks(vector, fileOf, count);
    if (!likely || !masks.chunk) return likely;
    let passing = 0;
    for (const id of likely.chunks) if (masks.chunk(id)) passing++;
    if (passing >= MIN_LIKELY_CHUNKS || count >= view.fileOfChunk.length) return likely;
  }
}

/** Compares all chunks of the given files, replacing what the first pass noted for some of them. */
function completeVectors({ reader, view, vector, masks, scores, fileOf }: VectorInput, files: readonly number[]): void {
  const allowed = masks.chunk;
  const { state } = treeStats(view);
  const contents = files.map((file) => ({ row: view.contentOf[file]!, chunks: view.chunkCountOf[file]! }));
  reader.scoreContents(vector, contents, (index, similarity, from) => {
    const file = files[index]!;
    const shift = view.firstChunkOf[file]! - from;
    // A content with several paths counts for one of them.
    if (fileOf[from + shift] !== file) return;
    let best = 0;
    let second = 0;
    let third = 0;
    let nearest = -1;
    for (let i = from, end = from + contents[index]!.chunks; i < end; i++) {
      const value = similarity[i]!;
      if (value <= third || (allowed !== null && !allowed(i + shift))) continue;
      if (value > best) {
        third = second;
        second = best;
        best = value;
        if (state[i + shift] !== OVERVIEW || nearest < 0) nearest = i + shift;
      } else if (value > second) {
        third = second;
        second = value;
      } else third = value;
    }
    scores.vector[file] = best;
    scores.vectorSecond[file] = second;
    scores.vectorThird[file] = third;
    scores.vectorChunk[file] = nearest;
    if (best > 0) scores.touched.add(file);
  });
}

function noteInto({ view, masks, scores, fileOf }: VectorInput, found: (file: number) => void) {
  const { vector, vectorSecond, vectorThird, vectorChunk } = scores;
  const { state } = treeStats(view);
  const allowed = masks.chunk;
  return (id: number, value: number): void => {
    const file = fileOf[id]!;
    if (file < 0 || value <= vectorThird[file]! || (allowed !== null && !allowed(id))) return;
    if (value > vector[file]!) {
      if (vector[file] === 0) found(file);
      vectorThird[file] = vectorSecond[file]!;
      vectorSecond[file] = vector[file]!;
      vector[file] = value;
      if (state[id] !== OVERVIEW || vectorChunk[file]! < 0) vectorChunk[file] = id;
    } else if (value > vectorSecond[file]!) {
      vectorThird[file] = vectorSecond[file]!;
      vectorSecond[file] = value;
    } else vectorThird[file] = value;
  };
}
