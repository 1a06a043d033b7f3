/**
 * Counts a term's postings by file. Tallies of common terms are cached per tree, because terms that many chunks contain
 * are part of many questions too.
 */
import { saturate } from '../../model/text/bm25.ts';
import type { Postings, TreeView } from '../../store/store.ts';
import { LIVE, OVERVIEW, treeStats } from './tree-stats.ts';

export interface TermTally {
  /** Number of the tree's chunks that contain the term. */
  readonly live: number;
  /** Length of the posting list that was counted. */
  readonly postings: number;
  /** Where each file's postings begin in that list. */
  readonly starts: Int32Array;
  /** Files that contain the term, and its saturated BM25 frequency in each file as a whole. */
  readonly files: Int32Array;
  readonly inFile: Float32Array;
  /** Saturated BM25 frequency in the names that each file defines; -1 for a file whose names lack the term. */
  readonly inNames: Float32Array;
}

const MIN_CACHED_POSTINGS = 500;
/** Sixteen bytes per file and term; only a large tree reaches this limit. */
const MAX_CACHED_FILES = 1_000_000;

interface TallyCache {
  /** The least recently used term first. */
  readonly tallies: Map<string, TermTally>;
  files: number;
}
const caches = new WeakMap<TreeView, TallyCache>();

/** `fileOf`: file by chunk, the view's map or a copy in which a filter excluded files. Only the former is cached. */
export function tallyOf(view: TreeView, term: string, postings: Postings, fileOf: Int32Array): TermTally {
  if (postings.docs.length < MIN_CACHED_POSTINGS || fileOf !== view.fileOfChunk)
    return countTerm(view, postings, fileOf);
  const cache = caches.get(view) ?? { tallies: new Map<string, TermTally>(), files: 0 };
  caches.set(view, cache);
  const cached = cache.tallies.get(term);
  // A list of another length was read before a newer tree was published, so its offsets may be wrong.
  const isCurrent = cached?.postings === postings.docs.length;
  const tally = isCurrent ? cached : countTerm(view, postings, fileOf);
  cache.tallies.delete(term);
  cache.tallies.set(term, tally);
  cache.files += tally.files.length - (cached?.files.length ?? 0);
  for (const [oldest, { files }] of cache.tallies) {
    if (cache.files <= MAX_CACHED_FILES) break;
    cache.tallies.delete(oldest);
    cache.files -= files.length;
  }
  return tally;
}

let scratch = {
  files: new Int32Array(0),
  starts: new Int32Array(0),
  counts: new Float32Array(0),
  names: new Float32Array(0),
};

/** Grows to the longest list so far: allocating zeroed arrays for each list took most of the time. */
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

function countTerm(view: TreeView, { docs, values }: Postings, fileOf: Int32Array): TermTally {
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
    // A file's chunks have consecutive ids.
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
