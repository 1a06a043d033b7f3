/**
 * Candidates with per-field scores: one pass over the postings of each term and one over the vector scores. Everything is exact and counts
 * the live tree only, so that a store's history never shows in an answer.
 */
import type { StoreReader, TreeView } from '../store/store.ts';
import type { Masks } from './filter.ts';
import type { RelatedTerm } from './related-terms.ts';
import { type TreeStats, treeStats } from './tree-stats.ts';
import type { QueryTerm } from './understand.ts';

const K1 = 1.2;
const OVERVIEW = 1;
/** What names and doc comments add to a chunk's score beside its text. */
const NAMES_SHARE = 0.9;
const DOCS_SHARE = 0.6;

export interface FileScores {
  /** Best chunk's BM25 over body, names and docs together, and the sum of the best three. */
  readonly best: Float32Array;
  readonly second: Float32Array;
  readonly third: Float32Array;
  readonly bestChunk: Int32Array;
  readonly secondChunk: Int32Array;
  readonly body: Float32Array;
  readonly names: Float32Array;
  readonly docs: Float32Array;
  readonly overview: Float32Array;
  readonly file: Float32Array;
  readonly path: Float32Array;
  /** Share of the query's weight (idf × term weight) that the file contains, and that its best chunk contains. */
  readonly coverage: Float32Array;
  readonly chunkCoverage: Float32Array;
  readonly nameCoverage: Float32Array;
  readonly stemCoverage: Float32Array;
  readonly vector: Float32Array;
  readonly vectorSecond: Float32Array;
  readonly vectorThird: Float32Array;
  readonly vectorChunk: Int32Array;
  readonly touched: readonly number[];
  readonly idf: ReadonlyMap<string, number>;
}

export interface ScoreInput {
  readonly reader: StoreReader;
  readonly view: TreeView;
  readonly terms: readonly QueryTerm[];
  /** Words beside the question's own: they add to scores and count as no share of the question. */
  readonly related?: readonly RelatedTerm[];
  readonly vector: Float32Array | null;
  readonly masks: Masks;
}

export function scoreFiles({ reader, view, terms, related = [], vector, masks }: ScoreInput): FileScores {
  const stats = treeStats(view);
  const files = view.files.length;
  const chunks = view.fileOfChunk.length;
  const scores = emptyScores(files);
  const fileOf = masks.files ? remapDuplicates(view, masks.files) : view.fileOfChunk;
  const scratch = takeScratch(chunks);
  const { bodyScore, namesScore, docsScore, chunkCovered, chunkSeen } = scratch;
  const touchedChunks: number[] = [];
  const seen = new Uint8Array(files);
  const touch = (file: number) => {
    if (seen[file]) return;
    seen[file] = 1;
    (scores.touched as number[]).push(file);
  };
  const idf = new Map<string, number>();
  let totalWeight = 0;
  const fileTf = new Float32Array(files);
  const fileName = new Uint8Array(files);
  const own = terms.length;
  for (const [number, { term, weight, standsIn }] of [...(terms as readonly RelatedTerm[]), ...related].entries()) {
    const share = number < own || standsIn ? 1 : 0;
    const { docs, values } = reader.postings('text', term);
    let live = 0;
    for (let i = 0; i < docs.length; i++) {
      const id = docs[i]!;
      if (id < chunks && view.fileOfChunk[id]! >= 0 && view.chunkType[id] !== OVERVIEW) live++;
    }
    const inPath = stats.pathTerms.get(term);
    const rarity = idfOf(stats.liveChunks, live);
    idf.set(term, rarity);
    const gain = rarity * weight;
    totalWeight += gain * share;
    const matched: number[] = [];
    for (let i = 0; i < docs.length; i++) {
      const id = docs[i]!;
      if (id >= chunks) continue;
      const file = fileOf[id]!;
      if (file < 0) continue;
      const value = values[i]!;
      const bodyTf = value & 15;
      const docsTf = (value >> 4) & 15;
      const namesTf = value >> 8;
      if (fileTf[file] === 0 && fileName[file] === 0) matched.push(file);
      if (view.chunkType[id] === OVERVIEW) {
        fileName[file] = 1;
        scores.overview[file]! += gain * saturate(namesTf, view.namesLength[id]!, stats.averageNames * 8, 0.6);
        continue;
      }
      fileTf[file]! += Math.max(bodyTf, docsTf, namesTf);
      if (masks.chunk && !masks.chunk(id)) continue;
      if (chunkSeen[id] === 0) touchedChunks.push(id);
      chunkSeen[id] = 1;
      chunkCovered[id]! += gain * share;
      if (bodyTf) bodyScore[id]! += gain * saturate(bodyTf, view.bodyLength[id]!, stats.averageBody, 0.7);
      if (namesTf) namesScore[id]! += gain * saturate(namesTf, view.namesLength[id]!, stats.averageNames, 0.5);
      if (docsTf) docsScore[id]! += gain * saturate(docsTf, view.docsLength[id]!, stats.averageDocs, 0.5);
    }
    for (const file of matched) {
      touch(file);
      scores.file[file]! += gain * saturate(fileTf[file]!, stats.fileLength[file]!, stats.averageFile, 0.6);
      scores.coverage[file]! += gain * share;
      if (fileName[file]) scores.nameCoverage[file]! += gain * share;
      fileTf[file] = 0;
      fileName[file] = 0;
    }
    if (inPath) scorePath(scores, view, stats, inPath, term, weight, share, masks, touch);
  }
  if (totalWeight > 0) {
    for (const file of scores.touched) {
      scores.coverage[file]! /= totalWeight;
      scores.nameCoverage[file]! /= totalWeight;
    }
  }
  for (const id of touchedChunks) {
    const file = fileOf[id]!;
    keepBest(scores, file, id, bodyScore[id]! + NAMES_SHARE * namesScore[id]! + DOCS_SHARE * docsScore[id]!);
    if (bodyScore[id]! > scores.body[file]!) scores.body[file] = bodyScore[id]!;
    if (namesScore[id]! > scores.names[file]!) scores.names[file] = namesScore[id]!;
    if (docsScore[id]! > scores.docs[file]!) scores.docs[file] = docsScore[id]!;
    const covered = totalWeight > 0 ? chunkCovered[id]! / totalWeight : 0;
    if (covered > scores.chunkCoverage[file]!) scores.chunkCoverage[file] = covered;
    bodyScore[id] = namesScore[id] = docsScore[id] = chunkCovered[id] = chunkSeen[id] = 0;
  }
  spare = scratch;
  if (vector) scoreVectors(scores, reader.scoreVectors(view, vector), fileOf, view, masks, touch);
  return { ...scores, idf };
}

interface Scratch {
  readonly bodyScore: Float32Array;
  readonly namesScore: Float32Array;
  readonly docsScore: Float32Array;
  readonly chunkCovered: Float32Array;
  readonly chunkSeen: Uint8Array;
}
let spare: Scratch | null = null;

/**
 * Room for a number per chunk, all zero. Made anew for each question it would be megabytes of waste: who takes it sets back what it touched and
 * gives it back, unless it failed on the way.
 */
function takeScratch(chunks: number): Scratch {
  const found = spare;
  spare = null;
  if (found && found.chunkSeen.length >= chunks) return found;
  const floats = () => new Float32Array(chunks);
  return {
    bodyScore: floats(),
    namesScore: floats(),
    docsScore: floats(),
    chunkCovered: floats(),
    chunkSeen: new Uint8Array(chunks),
  };
}

export function idfOf(total: number, live: number): number {
  return Math.log(1 + (total - live + 0.5) / (live + 0.5));
}

function saturate(tf: number, length: number, average: number, b: number): number {
  return tf === 0 ? 0 : (tf * (K1 + 1)) / (tf + K1 * (1 - b + (b * length) / average));
}

function scorePath(
  scores: FileScores,
  view: TreeView,
  stats: TreeStats,
  inPath: readonly number[],
  term: string,
  weight: number,
  share: number,
  masks: Masks,
  touch: (file: number) => void,
): void {
  const rarity = idfOf(view.files.length, inPath.length) * weight;
  for (const file of inPath) {
    if (masks.files && masks.files[file] === 0) continue;
    touch(file);
    const stem = stats.stems[file]!;
    const inStem = stem.includes(term);
    scores.path[file]! += rarity * (inStem ? 1 : 0.5) * (1.5 / (0.5 + stats.pathLength[file]! / 6));
    if (inStem) scores.stemCoverage[file]! += share / stem.length;
  }
}

function keepBest(scores: FileScores, file: number, chunk: number, score: number): void {
  if (score > scores.best[file]!) {
    scores.third[file] = scores.second[file]!;
    scores.second[file] = scores.best[file]!;
    scores.secondChunk[file] = scores.bestChunk[file]!;
    scores.best[file] = score;
    scores.bestChunk[file] = chunk;
  } else if (score > scores.second[file]!) {
    scores.third[file] = scores.second[file]!;
    scores.second[file] = score;
    scores.secondChunk[file] = chunk;
  } else if (score > scores.third[file]!) scores.third[file] = score;
}

function scoreVectors(
  scores: FileScores,
  similarity: Float32Array,
  fileOf: Int32Array,
  view: TreeView,
  masks: Masks,
  touch: (file: number) => void,
): void {
  for (let id = 0; id < similarity.length; id++) {
    const value = similarity[id]!;
    if (value <= 0) continue;
    const file = fileOf[id]!;
    if (file < 0 || (masks.chunk && !masks.chunk(id))) continue;
    if (value > scores.vector[file]!) {
      scores.vectorThird[file] = scores.vectorSecond[file]!;
      scores.vectorSecond[file] = scores.vector[file]!;
      scores.vector[file] = value;
      if (view.chunkType[id] !== OVERVIEW || scores.vectorChunk[file]! < 0) scores.vectorChunk[file] = id;
      touch(file);
    } else if (value > scores.vectorSecond[file]!) {
      scores.vectorThird[file] = scores.vectorSecond[file]!;
      scores.vectorSecond[file] = value;
    } else if (value > scores.vectorThird[file]!) scores.vectorThird[file] = value;
  }
}

/** Where one content stands at several paths, a filter may exclude the first of them: the chunk then belongs to the first allowed one. */
function remapDuplicates(view: TreeView, allowed: Uint8Array): Int32Array {
  const fileOf = view.fileOfChunk.slice();
  for (let id = 0; id < fileOf.length; id++) {
    const file = fileOf[id]!;
    if (file < 0 || allowed[file]) continue;
    fileOf[id] = view.filesOfContent(view.contentOf[file]!).find((other) => allowed[other]) ?? -1;
  }
  return fileOf;
}

function emptyScores(files: number): FileScores {
  const floats = () => new Float32Array(files);
  return {
    best: floats(),
    second: floats(),
    third: floats(),
    bestChunk: new Int32Array(files).fill(-1),
    secondChunk: new Int32Array(files).fill(-1),
    body: floats(),
    names: floats(),
    docs: floats(),
    overview: floats(),
    file: floats(),
    path: floats(),
    coverage: floats(),
    chunkCoverage: floats(),
    nameCoverage: floats(),
    stemCoverage: floats(),
    vector: floats(),
    vectorSecond: floats(),
    vectorThird: floats(),
    vectorChunk: new Int32Array(files).fill(-1),
    touched: [],
    idf: new Map(),
  };
}
