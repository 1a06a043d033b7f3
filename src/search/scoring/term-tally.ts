/**
 * What a term means to each file of a tree: derived from its postings, and kept where there are many, since the words
 * that are in many chunks are in many questions too.
 */
import { saturate } from '../../model/text/bm25.ts';
import type { Postings, TreeView } from '../../store/store.ts';
import { LIVE, OVERVIEW, treeStats } from './tree-stats.ts';

export interface Tally {
  /** Chunks of the tree that have the term. */
  readonly live: number;
  /** Of how many postings this was made, and where among them those of each file begin. */
  readonly postings: number;
  readonly starts: Int32Array;
  /** Files that have it, and BM25's share for each file as a whole. */
  readonly files: Int32Array;
  readonly inFile: Float32Array;
  /** BM25's share of the names that the file defines; -1 where they do not have the term. */
  readonly inNames: Float32Array;
}

const MIN_CACHED_POSTINGS = 500;
/** Sixteen bytes each; only in a large tree are there so many. */
const MAX_CACHED_FILES = 1_000_000;

interface TallyCache {
  readonly tallies: Map<string, Tally>;
  files: number;
}
const caches = new WeakMap<TreeView, TallyCache>();

/** `fileOf` is the view's own, or one in which a filter left less. */
export function tallyOf(view: TreeView, term: string, postings: Postings, fileOf: Int32Array): Tally {
  if (postings.docs.length < MIN_CACHED_POSTINGS || fileOf !== view.fileOfChunk) return count(view, postings, fileOf);
  const known = caches.get(view) ?? { tallies: new Map<string, Tally>(), files: 0 };
  caches.set(view, known);
  const found = known.tallies.get(term);
  // Made of postings that were read before another tree was published: where a file's begin may have changed.
  const isKnown = found?.postings === postings.docs.length;
  const tally = isKnown ? found : count(view, postings, fileOf);
  // Behind those that no question had since.
  known.tallies.delete(term);
  known.tallies.set(term, tally);
  known.files += tally.files.length - (found?.files.length ?? 0);
  for (const [oldest, { files }] of known.tallies) {
    if (known.files <= MAX_CACHED_FILES) break;
    known.tallies.delete(oldest);
    known.files -= files.length;
  }
  return tally;
}

let scratch = {
  files: new Int32Array(0),
  starts: new Int32Array(0),
  counts: new Float32Array(0),
  names: new Float32Array(0),
};

/** As long as the longest list so far: a new one for each list would cost most of the time to clear. */
function scratchFor(postings: number): typeof scratch {
  if (scratch.files.length < postings)
    scratch = {
      files: new Int32Array(postings),
      starts: new Int32Array(postings),
      counts: new Float32Array(postings),
      names: new Float32Array(postings),
    };
  return scratch;
}

function count(view: TreeView, { docs, values }: Postings, fileOf: Int32Array): Tally {
  const { state, norms, fileNorms } = treeStats(view);
  const { namesLength } = view;
  const { files, starts, counts: inFile, names: inNames } = scratchFor(docs.length);
  let live = 0;
  let found = 0;
  let last = -1;
  for (let i = 0; i < docs.length; i++) {
    const id = docs[i]!;
    if (id >= state.length) break;
    if (state[id] === LIVE) live++;
    const file = fileOf[id]!;
    if (file < 0) continue;
    // A file's chunks follow each other.
    if (file !== last) {
      last = file;
      files[found] = file;
      starts[found] = i;
      inFile[found] = 0;
      inNames[found++] = -1;
    }
    const value = values[i]!;
    if (state[id] === OVERVIEW) inNames[found - 1] = saturate(value >> 8, norms.overview[namesLength[id]!]!);
    else inFile[found - 1]! += Math.max(value & 15, (value >> 4) & 15, value >> 8);
  }
  for (let at = 0; at < found; at++) inFile[at] = saturate(inFile[at]!, fileNorms[files[at]!]!);
  return {
    live,
    postings: docs.length,
    starts: starts.slice(0, found),
    files: files.slice(0, found),
    inFile: inFile.slice(0, found),
    inNames: inNames.slice(0, found),
  };
}
