/** Scores the chunks of likely files by the words that they contain. */
import { saturate } from '../../model/text/bm25.ts';
import type { Postings, TreeView } from '../../store/store.ts';
import type { Masks } from '../query/search-filter.ts';
import type { FileScores } from './score-files.ts';
import type { TermTally } from './term-tally.ts';
import { LIVE, type TreeStats, treeStats } from './tree-stats.ts';

/** Weights of names and doc comments in a chunk's score; the body's weight is 1. */
const NAMES_WEIGHT = 0.9;
const DOCS_WEIGHT = 0.6;

interface ChunkInput {
  readonly view: TreeView;
  /** File by chunk: the view's map, or a copy in which a filter excluded files. */
  readonly fileOf: Int32Array;
  /** Files whose chunks are scored; null for all. */
  readonly likely: readonly number[] | null;
  readonly totalWeight: number;
  readonly allowed: Masks['chunk'];
}

interface FoundTerm {
  readonly postings: Postings;
  readonly tally: TermTally;
  /** Rarity times weight. */
  readonly gain: number;
  /** 1 for a term of the question, 0 for a related term. */
  readonly share: number;
}

export function scoreChunks(input: ChunkInput, terms: readonly FoundTerm[], scores: FileScores): void {
  const { view, fileOf, likely, totalWeight } = input;
  const stats = treeStats(view);
  const marks = likely && markFiles(likely, view.files.length);
  const sums = acquireSums(fileOf.length);
  for (const term of terms) addTerm(sums, input, stats, marks, term, (term.gain * term.share) / totalWeight);
  collectChunks(scores, sums, fileOf);
  pooled = sums;
}

/** A chunk's BM25 by field; `covered` is the share of the question that the chunk contains. */
export interface ScoredChunk {
  readonly chunk: number;
  readonly score: number;
  readonly body: number;
  readonly names: number;
  readonly docs: number;
  readonly covered: number;
}

/** All chunks of the given files that contain a word of the question, unordered. */
export function scoreChunksOf(
  input: ChunkInput,
  terms: readonly FoundTerm[],
  files: readonly number[],
): readonly ScoredChunk[] {
  const stats = treeStats(input.view);
  const marks = markFiles(files, input.view.files.length);
  const sums = acquireSums(input.fileOf.length);
  for (const term of terms) addTerm(sums, input, stats, marks, term, (term.gain * term.share) / input.totalWeight);
  const scored: ScoredChunk[] = [];
  for (let place = 1; place <= sums.count; place++) {
    const chunk = sums.chunks[place]!;
    const at = place * LANES;
    scored.push({
      chunk,
      score: scoreOf(sums.values, at),
      body: sums.values[at + BODY]!,
      names: sums.values[at + NAMES]!,
      docs: sums.values[at + DOCS]!,
      covered: sums.values[at + COVERED]!,
    });
    sums.places[chunk] = 0;
  }
  clearSums(sums);
  pooled = sums;
  return scored;
}

function markFiles(files: readonly number[], count: number): Uint8Array {
  const marks = new Uint8Array(count);
  for (const file of files) marks[file] = 1;
  return marks;
}

/** Adds a term's scores. The tally's offsets lead to each likely file's postings, which skips most of a common term. */
function addTerm(
  into: Sums,
  { fileOf, allowed, view: { bodyLength, namesLength, docsLength } }: ChunkInput,
  { state, norms }: TreeStats,
  likely: Uint8Array | null,
  { postings: { docs, values }, tally: { files, starts, postings }, gain }: FoundTerm,
  covered: number,
): void {
  const { places, chunks, values: sums } = into;
  for (let f = 0; f < files.length; f++) {
    const file = files[f]!;
    if (likely !== null && likely[file] !== 1) continue;
    const end = f + 1 < files.length ? starts[f + 1]! : postings;
    for (let i = starts[f]!; i < end; i++) {
      const id = docs[i]!;
      // Postings of chunks outside this tree may follow a file's postings.
      if (fileOf[id] !== file) break;
      let place = places[id]!;
      if (place === 0) {
        if (state[id] !== LIVE || (allowed !== null && !allowed(id))) continue;
        place = ++into.count;
        places[id] = place;
        chunks[place] = id;
      }
      const at = place * LANES;
      const value = values[i]!;
      const bodyTf = value & 15;
      const docsTf = (value >> 4) & 15;
      const namesTf = value >> 8;
      sums[at + COVERED]! += covered;
      if (bodyTf !== 0) sums[at + BODY]! += gain * saturate(bodyTf, norms.body[bodyLength[id]!]!);
      if (namesTf !== 0) sums[at + NAMES]! += gain * saturate(namesTf, norms.names[namesLength[id]!]!);
      if (docsTf !== 0) sums[at + DOCS]! += gain * saturate(docsTf, norms.docs[docsLength[id]!]!);
    }
  }
}

/** Notes each file's best chunks and resets the sums to zero. */
function collectChunks(scores: FileScores, from: Sums, fileOf: Int32Array): void {
  const { places, chunks, values: sums } = from;
  const { best, second, third, bestChunk, secondChunk, body, names, docs, chunkCoverage, coveringChunk } = scores;
  for (let place = 1; place <= from.count; place++) {
    const id = chunks[place]!;
    const file = fileOf[id]!;
    const at = place * LANES;
    const ofBody = sums[at + BODY]!;
    const ofNames = sums[at + NAMES]!;
    const ofDocs = sums[at + DOCS]!;
    const covered = sums[at + COVERED]!;
    const score = scoreOf(sums, at);
    if (score > best[file]!) {
      third[file] = second[file]!;
      second[file] = best[file]!;
      secondChunk[file] = bestChunk[file]!;
      best[file] = score;
      bestChunk[file] = id;
    } else if (score > second[file]!) {
      third[file] = second[file]!;
      second[file] = score;
      secondChunk[file] = id;
    } else if (score > third[file]!) third[file] = score;
    if (ofBody > body[file]!) body[file] = ofBody;
    if (ofNames > names[file]!) names[file] = ofNames;
    if (ofDocs > docs[file]!) docs[file] = ofDocs;
    if (covered > chunkCoverage[file]!) {
      chunkCoverage[file] = covered;
      coveringChunk[file] = id;
    }
    places[id] = 0;
  }
  clearSums(from);
}

function scoreOf(sums: Float32Array, at: number): number {
  return sums[at + BODY]! + NAMES_WEIGHT * sums[at + NAMES]! + DOCS_WEIGHT * sums[at + DOCS]!;
}

function clearSums(sums: Sums): void {
  sums.values.fill(0, 0, (sums.count + 1) * LANES);
  sums.count = 0;
}

/**
 * Sums of the chunks that contain a term, in the order of their first match. Few of a tree's chunks match, so their
 * numbers lie close together in memory.
 */
interface Sums {
  /** LANES numbers per place; zero in places that are not in use. */
  readonly values: Float32Array;
  /** The chunk at each place, from place 1 on. */
  readonly chunks: Int32Array;
  /** The place of each chunk; 0 for a chunk without matches. */
  readonly places: Int32Array;
  count: number;
}
const BODY = 0;
const NAMES = 1;
const DOCS = 2;
const COVERED = 3;
const LANES = 4;
let pooled: Sums | null = null;

/**
 * Returns sums that are all zero. New arrays for each question would be megabytes of garbage, so each caller resets the
 * sums and returns them to `pooled`; after an exception they are dropped.
 */
function acquireSums(chunks: number): Sums {
  const free = pooled;
  pooled = null;
  if (free && free.places.length >= chunks) return free;
  return {
    values: new Float32Array((chunks + 1) * LANES),
    chunks: new Int32Array(chunks + 1),
    places: new Int32Array(chunks),
    count: 0,
  };
}
