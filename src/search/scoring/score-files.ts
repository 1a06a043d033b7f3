/**
 * Scores every file by field, in one pass over the postings of each term and one over the vector scores. Counts are
 * exact and cover the published tree only, so that old contents in the store never influence an answer.
 */
import { idfOf } from '../../model/text/bm25.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';
import type { QueryTerm } from '../query/query-terms.ts';
import type { RelatedTerm } from '../query/related/related-terms.ts';
import type { Masks } from '../query/search-filter.ts';
import { FileSet } from './file-set.ts';
import { mergePostings } from './merge-postings.ts';
import { type ScoredChunk, scoreChunks, scoreChunksOf } from './score-chunks.ts';
import { scoreVectors } from './score-vectors.ts';
import { type TermTally, tallyOf } from './term-tally.ts';
import { topK } from './top-k.ts';
import { type TreeStats, treeStats } from './tree-stats.ts';

/** In a large tree, chunks are scored only in this many files: those with the best score as a whole. */
const MAX_LIKELY_FILES = 200;
/**
 * A term in at least MIN_COMMON_CHUNKS chunks that carries less than MIN_COMMON_SHARE of the question's weight is left
 * out: half of the work was for such terms, which hardly change the order.
 */
const MIN_COMMON_CHUNKS = 2000;
const MIN_COMMON_SHARE = 0.04;

/**
 * Scores of all files for one question, in one column per field. In a large tree they take a megabyte, so the next
 * question reuses them. They are a class because V8 drops the shape of a one-off object at a garbage collection, and
 * with it the compiled code of every function that reads it.
 */
export class FileScores {
  /** BM25 over body, names and docs together: of the file's best chunk, the second and the third. */
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
  /** Share of the query's weight (idf × term weight) that the file contains. */
  readonly coverage: Float32Array;
  /** The largest share that a single chunk contains, and that chunk. */
  readonly chunkCoverage: Float32Array;
  readonly coveringChunk: Int32Array;
  readonly nameCoverage: Float32Array;
  readonly stemCoverage: Float32Array;
  readonly vector: Float32Array;
  readonly vectorSecond: Float32Array;
  readonly vectorThird: Float32Array;
  readonly vectorChunk: Int32Array;
  readonly touched: FileSet;
  /** Files whose chunks were scored, because they contain words of the question. */
  byWords: ArrayLike<number> = [];
  /** Files that a vector comparison found. */
  byMeaning: number[] = [];
  /** Files with words of the question in their path. */
  byPath: number[] = [];
  /** Computes all similarities of the given files: in a large tree, the first pass fills in those of likely chunks. */
  completeVectors: (files: readonly number[]) => void = doNothing;
  /** Scores every chunk of the given files that contains a word of the question. */
  chunksOf: (files: readonly number[]) => readonly ScoredChunk[] = noChunks;
  /** Each term's share of the question's weight; related terms on the same scale. */
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
   * Resets all scores. Columns that few files use are reset file by file: filling them whole takes a twentieth of a
   * question's time. `completed`: the files given to completeVectors.
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
    this.completeVectors = doNothing;
    this.chunksOf = noChunks;
    this.wordShares = [];
  }
}

export interface WordShare {
  readonly term: string;
  /** Other forms of the word that the repository uses; each counts as the word. */
  readonly forms: readonly string[];
  readonly share: number;
  readonly isRelated: boolean;
}

function doNothing(): void {}

function noChunks(): readonly ScoredChunk[] {
  return [];
}

let pooled: FileScores | null = null;

function acquireScores(files: number): FileScores {
  const free = pooled;
  pooled = null;
  return free?.best.length === files ? free : new FileScores(files);
}

/** Hands the scores to the next question. `completed`: the files given to completeVectors. */
export function releaseScores(scores: FileScores, completed: readonly number[]): void {
  scores.clear(completed);
  pooled = scores;
}

export interface ScoreInput {
  readonly reader: StoreReader;
  readonly view: TreeView;
  readonly terms: readonly QueryTerm[];
  /** Terms added to the question's own: they raise scores but do not count as a share of the question. */
  readonly related?: readonly RelatedTerm[];
  readonly vector: Float32Array | null;
  readonly masks: Masks;
}

export function scoreFiles({ reader, view, terms, related = [], vector, masks }: ScoreInput): FileScores {
  const stats = treeStats(view);
  const scores = acquireScores(view.files.length);
  const fileOf = masks.files ? remapDuplicates(view, masks.files) : view.fileOfChunk;
  const { corpus } = view;
  const all = [...(terms as readonly RelatedTerm[]), ...related].map((each, number) => {
    const { term, weight, forms = [], standsIn } = each;
    const written = [term, ...forms];
    const postings = mergePostings(written.map((form) => reader.postings('text', form)));
    const tally = tallyOf(view, written.join('|'), postings, fileOf);
    const live = corpus ? Math.max(...written.map((form) => corpus.chunksWith(form))) : tally.live;
    const rarity = idfOf(stats.counts.chunks, live);
    const share = number < terms.length || standsIn ? 1 : 0;
    return { term, forms, weight, postings, tally, live, gain: rarity * weight, share };
  });
  const minGain = MIN_COMMON_SHARE * weightOf(all);
  const found = all.filter(({ gain, live }) => live < MIN_COMMON_CHUNKS || gain >= minGain);
  const totalWeight = weightOf(found);
  for (const { term, forms, weight, tally, gain, share } of found) {
    scoreTally(scores, tally, gain, (gain * share) / totalWeight);
    scorePath(scores, view, stats, [term, ...forms], weight, share, masks);
  }
  const likely = chooseLikelyFiles(scores, totalWeight);
  scores.byWords = likely ?? scores.touched.list;
  const chunks = { view, fileOf, likely, totalWeight, allowed: masks.chunk };
  scoreChunks(chunks, found, scores);
  scores.chunksOf = (files) => scoreChunksOf(chunks, found, files);
  scores.wordShares = found.map(({ term, forms, gain, share }) => ({
    term,
    forms,
    share: gain / totalWeight,
    isRelated: share === 0,
  }));
  if (vector) scores.completeVectors = scoreVectors({ reader, view, vector, masks, scores, fileOf });
  return scores;
}

function weightOf(terms: readonly { readonly gain: number; readonly share: number }[]): number {
  return terms.reduce((sum, { gain, share }) => sum + gain * share, 0) || 1;
}

function scoreTally(scores: FileScores, { files, inFile, inNames }: TermTally, gain: number, covered: number): void {
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

/** The files that score best as a whole and contain most of the question's words; null if no file must be left out. */
function chooseLikelyFiles({ touched, file, coverage }: FileScores, totalWeight: number): number[] | null {
  const { list } = touched;
  if (list.length <= MAX_LIKELY_FILES) return null;
  const estimates = new Float32Array(list.length);
  for (let i = 0; i < list.length; i++) estimates[i] = file[list[i]!]! + coverage[list[i]!]! * totalWeight;
  return topK(list, estimates, MAX_LIKELY_FILES);
}

function scorePath(
  scores: FileScores,
  view: TreeView,
  stats: TreeStats,
  written: readonly string[],
  weight: number,
  share: number,
  masks: Masks,
): void {
  const inPath = filesNamed(stats, written);
  if (inPath.length === 0) return;
  const { corpus } = view;
  const having = corpus ? Math.max(...written.map((form) => corpus.pathsWith(form))) : inPath.length;
  const rarity = idfOf(stats.counts.files, having) * weight;
  for (const file of inPath) {
    if (masks.files && masks.files[file] === 0) continue;
    scores.touched.add(file);
    if (scores.path[file] === 0) scores.byPath.push(file);
    const stem = stats.stemOf(file);
    const inStem = written.some((form) => stem.includes(form));
    scores.path[file]! += rarity * (inStem ? 1 : 0.5) * (1.5 / (0.5 + stats.pathLength[file]! / 6));
    if (inStem) scores.stemCoverage[file]! += share / stem.length;
  }
}

/** Files whose path contains one of the forms of a word, ascending. */
function filesNamed({ pathTerms }: TreeStats, written: readonly string[]): readonly number[] {
  if (written.length === 1) return pathTerms.get(written[0]!) ?? [];
  return [...new Set(written.flatMap((form) => [...(pathTerms.get(form) ?? [])]))].sort((a, b) => a - b);
}

/** Maps each chunk to the first allowed path of its content: one content may have several paths. */
function remapDuplicates(view: TreeView, allowed: Uint8Array): Int32Array {
  const fileOf = view.fileOfChunk.slice();
  for (let id = 0; id < fileOf.length; id++) {
    const file = fileOf[id]!;
    if (file < 0 || allowed[file]) continue;
    fileOf[id] = view.filesOfContent(view.contentOf[file]!).find((other) => allowed[other]) ?? -1;
  }
  return fileOf;
}
