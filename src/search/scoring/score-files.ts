/**
 * Candidates with per-field scores: one pass over the postings of each term and one over the vector scores. Everything
 * is exact and counts the live tree only, so that a store's history never shows in an answer.
 */
import { idfOf } from '../../model/text/bm25.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';
import type { QueryTerm } from '../query/query-terms.ts';
import type { RelatedTerm } from '../query/related/related-terms.ts';
import type { Masks } from '../query/search-filter.ts';
import { FileSet } from './file-set.ts';
import { type ScoredChunk, scoreChunks, scoreChunksOf } from './score-chunks.ts';
import { scoreVectors } from './score-vectors.ts';
import { type Tally, tallyOf } from './term-tally.ts';
import { topK } from './top-k.ts';
import { type TreeStats, treeStats } from './tree-stats.ts';

/** In a large tree, the chunks of so many files are looked at: those that promise most as a whole. */
const LIKELY_FILES = 200;
/**
 * A word of so many chunks that is less than this share of the question tells next to nothing: half of the work was for
 * such words.
 */
const COMMON_FROM = 2000;
const TELLING = 0.04;

/**
 * What each file has of the question. Made once and used again: in a large tree it is a megabyte. A class, since an
 * object that is put together anew for each question loses its shape when garbage is collected, and with it the machine
 * code of all that reads it.
 */
export class FileScores {
  /** Best chunk's BM25 over body, names and docs together, and the next two. */
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
  /**
   * Share of the query's weight (idf × term weight) that the file contains, and that one of its chunks contains at
   * most.
   */
  readonly coverage: Float32Array;
  readonly chunkCoverage: Float32Array;
  /** The chunk that contains so much. */
  readonly coveringChunk: Int32Array;
  readonly nameCoverage: Float32Array;
  readonly stemCoverage: Float32Array;
  readonly vector: Float32Array;
  readonly vectorSecond: Float32Array;
  readonly vectorThird: Float32Array;
  readonly vectorChunk: Int32Array;
  readonly touched: FileSet;
  /**
   * Those that words brought in and whose chunks were looked at; those that vectors, and those that words of their path
   * brought in.
   */
  byWords: ArrayLike<number> = [];
  byMeaning: number[] = [];
  byPath: number[] = [];
  /** In a large tree only likely files have their similarities; this adds those of the given ones. */
  completeVectors: (files: readonly number[]) => void = nothing;
  /**
   * Every chunk of the given files that has a word of the question: of all files at once they would be too many to
   * keep.
   */
  chunksOf: (files: readonly number[]) => readonly ScoredChunk[] = none;
  /** The share of the question that each of its words is, by rarity; related words beside them, on the same scale. */
  wordShares: readonly WordShare[] = [];

  constructor(files: number) {
    const floats = () => new Float32Array(files);
    const chunks = () => new Int32Array(files).fill(-1);
    this.best = floats();
    this.second = floats();
    this.third = floats();
    this.bestChunk = chunks();
    this.secondChunk = chunks();
    this.body = floats();
    this.names = floats();
    this.docs = floats();
    this.overview = floats();
    this.file = floats();
    this.path = floats();
    this.coverage = floats();
    this.chunkCoverage = floats();
    this.coveringChunk = chunks();
    this.nameCoverage = floats();
    this.stemCoverage = floats();
    this.vector = floats();
    this.vectorSecond = floats();
    this.vectorThird = floats();
    this.vectorChunk = chunks();
    this.touched = new FileSet(files);
  }

  /**
   * As if nothing had been asked. What few files have is set back file by file: all of it would be a twentieth of a
   * question's time.
   */
  clear(completed: readonly number[]): void {
    const { byWords, byMeaning } = this;
    for (let i = 0; i < byWords.length; i++) {
      const file = byWords[i]!;
      this.bestChunk[file] = this.secondChunk[file] = this.coveringChunk[file] = -1;
      this.best[file] = this.second[file] = this.third[file] = this.chunkCoverage[file] = 0;
      this.body[file] = this.names[file] = this.docs[file] = 0;
    }
    for (const files of [byMeaning, completed])
      for (const file of files) {
        this.vector[file] = this.vectorSecond[file] = this.vectorThird[file] = 0;
        this.vectorChunk[file] = -1;
      }
    for (const column of [this.overview, this.file, this.path, this.coverage, this.nameCoverage, this.stemCoverage])
      column.fill(0);
    this.touched.clear();
    this.byWords = [];
    this.byMeaning = [];
    this.byPath = [];
    this.completeVectors = nothing;
    this.chunksOf = none;
    this.wordShares = [];
  }
}

export interface WordShare {
  readonly term: string;
  readonly share: number;
  readonly isRelated: boolean;
}

function nothing(): void {}

function none(): readonly ScoredChunk[] {
  return [];
}

let spare: FileScores | null = null;

function acquireScores(files: number): FileScores {
  const found = spare;
  spare = null;
  return found?.best.length === files ? found : new FileScores(files);
}

/** Done with: the next question takes them. `completed`: files whose similarities were completed. */
export function releaseScores(scores: FileScores, completed: readonly number[]): void {
  scores.clear(completed);
  spare = scores;
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
  const scores = acquireScores(view.files.length);
  const fileOf = masks.files ? remapDuplicates(view, masks.files) : view.fileOfChunk;
  const all = [...(terms as readonly RelatedTerm[]), ...related].map(({ term, weight, standsIn }, number) => {
    const postings = reader.postings('text', term);
    const tally = tallyOf(view, term, postings, fileOf);
    const live = view.corpus?.chunksWith(term) ?? tally.live;
    const rarity = idfOf(stats.counts.chunks, live);
    const share = number < terms.length || standsIn ? 1 : 0;
    return { term, weight, postings, tally, live, gain: rarity * weight, share };
  });
  const least = TELLING * weightOf(all);
  const found = all.filter(({ gain, live }) => live < COMMON_FROM || gain >= least);
  const totalWeight = weightOf(found);
  for (const { term, weight, tally, gain, share } of found) {
    scoreTally(scores, tally, gain, (gain * share) / totalWeight);
    scorePath(scores, view, stats, term, weight, share, masks);
  }
  const likelyOnes = likelyFiles(scores, totalWeight);
  scores.byWords = likelyOnes ?? scores.touched.list;
  const chunks = { view, fileOf, likely: likelyOnes, totalWeight, allowed: masks.chunk };
  scoreChunks(chunks, found, scores);
  scores.chunksOf = (files) => scoreChunksOf(chunks, found, files);
  scores.wordShares = found.map(({ term, gain, share }) => ({
    term,
    share: gain / totalWeight,
    isRelated: share === 0,
  }));
  if (vector) scores.completeVectors = scoreVectors({ reader, view, vector, masks, scores, fileOf });
  return scores;
}

function weightOf(terms: readonly { readonly gain: number; readonly share: number }[]): number {
  return terms.reduce((sum, { gain, share }) => sum + gain * share, 0) || 1;
}

function scoreTally(scores: FileScores, { files, inFile, inNames }: Tally, gain: number, covered: number): void {
  const { touched, file: whole, overview, coverage, nameCoverage } = scores;
  for (let i = 0; i < files.length; i++) {
    const file = files[i]!;
    touched.add(file);
    whole[file]! += gain * inFile[i]!;
    coverage[file]! += covered;
    if (inNames[i]! < 0) continue;
    overview[file]! += gain * inNames[i]!;
    nameCoverage[file]! += covered;
  }
}

/**
 * Files that have many of the question's words, by their rarity, or much of them; null where there are so few that all
 * are.
 */
function likelyFiles({ touched, file, coverage }: FileScores, totalWeight: number): number[] | null {
  const { list } = touched;
  if (list.length <= LIKELY_FILES) return null;
  const promise = new Float32Array(list.length);
  for (let i = 0; i < list.length; i++) promise[i] = file[list[i]!]! + coverage[list[i]!]! * totalWeight;
  return topK(list, promise, LIKELY_FILES);
}

function scorePath(
  scores: FileScores,
  view: TreeView,
  stats: TreeStats,
  term: string,
  weight: number,
  share: number,
  masks: Masks,
): void {
  const inPath = stats.pathTerms.get(term);
  if (!inPath) return;
  const rarity = idfOf(stats.counts.files, view.corpus?.pathsWith(term) ?? inPath.length) * weight;
  for (const file of inPath) {
    if (masks.files && masks.files[file] === 0) continue;
    scores.touched.add(file);
    if (scores.path[file] === 0) scores.byPath.push(file);
    const stem = stats.stemOf(file);
    const inStem = stem.includes(term);
    scores.path[file]! += rarity * (inStem ? 1 : 0.5) * (1.5 / (0.5 + stats.pathLength[file]! / 6));
    if (inStem) scores.stemCoverage[file]! += share / stem.length;
  }
}

/**
 * Where one content stands at several paths, a filter may exclude the first of them: the chunk then belongs to the
 * first allowed one.
 */
function remapDuplicates(view: TreeView, allowed: Uint8Array): Int32Array {
  const fileOf = view.fileOfChunk.slice();
  for (let id = 0; id < fileOf.length; id++) {
    const file = fileOf[id]!;
    if (file < 0 || allowed[file]) continue;
    fileOf[id] = view.filesOfContent(view.contentOf[file]!).find((other) => allowed[other]) ?? -1;
  }
  return fileOf;
}
