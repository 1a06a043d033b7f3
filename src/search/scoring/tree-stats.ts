/** Statistics of a tree that ranking needs, computed once per published tree. */

import { CHUNK_TYPES } from '../../model/records/chunk.ts';
import type { CorpusStatistics } from '../../model/records/corpus-statistics.ts';
import { normOf } from '../../model/text/bm25.ts';
import type { TreeView } from '../../store/store.ts';
import { type PathStats, pathStats } from './path-stats.ts';

export interface TreeStats extends PathStats {
  /** Counts of the corpus that the tree is ranked in: `TreeView.corpus`, or the tree itself. */
  readonly counts: Omit<CorpusStatistics, 'chunksWith' | 'pathsWith' | 'contentsReferring'>;
  /** LIVE or OVERVIEW by chunk; 0 for a chunk outside this tree. */
  readonly state: Uint8Array;
  /** BM25's length norm by field length, so that scoring a chunk is a table lookup. */
  readonly norms: Readonly<Record<'body' | 'names' | 'docs' | 'overview', Float32Array>>;
  /** Number of terms in all chunks of a file, and BM25's norm of it. */
  readonly fileLength: Float32Array;
  readonly fileNorms: Float32Array;
  /** Depth of the median file: a file's depth is a feature relative to it. */
  readonly medianDepth: number;
  /** 1 for content rows of this tree. */
  readonly liveContents: Uint8Array;
}

const cache = new WeakMap<TreeView, TreeStats>();
export const LIVE = 1;
export const OVERVIEW = 2;
const OVERVIEW_TYPE = CHUNK_TYPES.indexOf('symbols');
/** BM25's parameter b by field: how much the field's length lowers its score. */
const LENGTH_SHARE = { body: 0.7, names: 0.5, docs: 0.5, overview: 0.6, file: 0.6 };
/** An overview holds about this many times the names of another chunk. */
const NAMES_PER_OVERVIEW = 8;

export function treeStats(view: TreeView): TreeStats {
  const known = cache.get(view);
  if (known) return known;
  const computed = computeStats(view);
  cache.set(view, computed);
  return computed;
}

/** Written as plain loops: a cold search runs them once, before V8 optimises anything. */
function computeStats(view: TreeView): TreeStats {
  const { fileOfChunk, chunkType, namesLength, docsLength, bodyLength } = view;
  const chunks = fileOfChunk.length;
  const fileLength = new Float32Array(view.files.length);
  const state = new Uint8Array(chunks);
  let liveChunks = 0;
  let names = 0;
  let docs = 0;
  let body = 0;
  let longestNames = 0;
  let longestDocs = 0;
  let longestBody = 0;
  for (let id = 0; id < chunks; id++) {
    const file = fileOfChunk[id]!;
    if (file < 0) continue;
    const inNames = namesLength[id]!;
    if (inNames > longestNames) longestNames = inNames;
    if (chunkType[id] === OVERVIEW_TYPE) {
      state[id] = OVERVIEW;
      continue;
    }
    state[id] = LIVE;
    const inDocs = docsLength[id]!;
    const inBody = bodyLength[id]!;
    if (inDocs > longestDocs) longestDocs = inDocs;
    if (inBody > longestBody) longestBody = inBody;
    liveChunks++;
    names += inNames;
    docs += inDocs;
    body += inBody;
    fileLength[file]! += inBody;
  }
  const total = Math.max(1, liveChunks);
  const counts = view.corpus ?? {
    files: view.files.length,
    chunks: liveChunks,
    averageTerms: {
      names: names / total || 1,
      docs: docs / total || 1,
      body: body / total || 1,
      file: fileLength.reduce((sum, length) => sum + length, 0) / Math.max(1, view.files.length) || 1,
    },
    filesByDepth: countByDepth(view),
  };
  const { averageTerms } = counts;
  return {
    counts,
    state,
    norms: {
      body: normsByLength(longestBody, averageTerms.body, LENGTH_SHARE.body),
      names: normsByLength(longestNames, averageTerms.names, LENGTH_SHARE.names),
      docs: normsByLength(longestDocs, averageTerms.docs, LENGTH_SHARE.docs),
      overview: normsByLength(longestNames, averageTerms.names * NAMES_PER_OVERVIEW, LENGTH_SHARE.overview),
    },
    fileLength,
    fileNorms: fileLength.map((length) => normOf(length, averageTerms.file, LENGTH_SHARE.file)),
    ...pathStats(view),
    medianDepth: medianDepth(counts.filesByDepth, counts.files),
    liveContents: markLiveContents(view),
  };
}

function normsByLength(longest: number, average: number, share: number): Float32Array {
  const norms = new Float32Array(longest + 1);
  for (let length = 0; length <= longest; length++) norms[length] = normOf(length, average, share);
  return norms;
}

function markLiveContents(view: TreeView): Uint8Array {
  const { contentOf } = view;
  let highest = 0;
  for (let file = 0; file < contentOf.length; file++) if (contentOf[file]! > highest) highest = contentOf[file]!;
  const live = new Uint8Array(highest + 1);
  for (let file = 0; file < contentOf.length; file++) live[contentOf[file]!] = 1;
  return live;
}

function countByDepth({ files }: TreeView): number[] {
  const counts: number[] = [];
  for (let file = 0; file < files.length; file++) {
    const depth = depthOf(files[file]!.path);
    while (counts.length <= depth) counts.push(0);
    counts[depth]!++;
  }
  return counts;
}

function medianDepth(byDepth: readonly number[], files: number): number {
  let above = files >> 1;
  return Math.max(
    0,
    byDepth.findIndex((count) => {
      above -= count;
      return above < 0;
    }),
  );
}

/** Number of folders above a path. */
export function depthOf(path: string): number {
  let depth = 0;
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) depth++;
  return depth;
}
