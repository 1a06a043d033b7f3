/**
 * Candidates with per-field scores: one pass over the postings of each term and one over the vector scores. Everything is exact and counts
 * the live tree only, so that a store's history never shows in an answer.
 */
import { idfOf } from '../model/bm25.ts';
import type { StoreReader, TreeView } from '../store/store.ts';
import { FileSet } from './file-set.ts';
import type { Masks } from './filter.ts';
import { highestBy } from './highest.ts';
import type { RelatedTerm } from './related-terms.ts';
import { scoreChunks } from './score-chunks.ts';
import { scoreVectors } from './score-vectors.ts';
import { type Tally, tallyOf } from './term-tally.ts';
import { type TreeStats, treeStats } from './tree-stats.ts';
import type { QueryTerm } from './understand.ts';

/** In a large tree, the chunks of so many files are looked at: those that promise most as a whole. */
const LIKELY_FILES = 400;

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
  readonly touched: FileSet;
  /** Those that words brought in and whose chunks were looked at; those that vectors, and those that words of their path brought in. */
  readonly byWords: ArrayLike<number>;
  readonly byMeaning: readonly number[];
  readonly byPath: readonly number[];
  readonly idf: ReadonlyMap<string, number>;
  /** In a large tree only likely files have their similarities; this adds those of the given ones. */
  completeVectors(files: readonly number[]): void;
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
  const scores = emptyScores(view.files.length);
  const fileOf = masks.files ? remapDuplicates(view, masks.files) : view.fileOfChunk;
  const idf = new Map<string, number>();
  const found = [...(terms as readonly RelatedTerm[]), ...related].map(({ term, weight, standsIn }, number) => {
    const postings = reader.postings('text', term);
    const tally = tallyOf(view, term, postings, fileOf);
    const rarity = idfOf(stats.liveChunks, tally.live);
    idf.set(term, rarity);
    const share = number < terms.length || standsIn ? 1 : 0;
    return { term, weight, postings, tally, gain: rarity * weight, share };
  });
  const totalWeight = found.reduce((sum, { gain, share }) => sum + gain * share, 0) || 1;
  for (const { term, weight, tally, gain, share } of found) {
    scoreTally(scores, tally, gain, (gain * share) / totalWeight);
    scorePath(scores, view, stats, term, weight, share, masks);
  }
  const likelyOnes = likelyFiles(scores, totalWeight);
  const byWords = likelyOnes ?? scores.touched.list;
  scoreChunks({ view, fileOf, likely: likelyOnes, totalWeight, allowed: masks.chunk }, found, scores);
  const scored = { ...scores, byWords, idf };
  if (!vector) return scored;
  return { ...scored, completeVectors: scoreVectors({ reader, view, vector, masks, scores, fileOf }) };
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

/** Files that have many of the question's words, by their rarity, or much of them; null where there are so few that all are. */
function likelyFiles({ touched, file, coverage }: FileScores, totalWeight: number): number[] | null {
  const { list } = touched;
  if (list.length <= LIKELY_FILES) return null;
  const promise = new Float32Array(list.length);
  for (let i = 0; i < list.length; i++) promise[i] = file[list[i]!]! + coverage[list[i]!]! * totalWeight;
  return highestBy(list, promise, LIKELY_FILES);
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
  const rarity = idfOf(view.files.length, inPath.length) * weight;
  for (const file of inPath) {
    if (masks.files && masks.files[file] === 0) continue;
    scores.touched.add(file);
    if (scores.path[file] === 0) (scores.byPath as number[]).push(file);
    const stem = stats.stems[file]!;
    const inStem = stem.includes(term);
    scores.path[file]! += rarity * (inStem ? 1 : 0.5) * (1.5 / (0.5 + stats.pathLength[file]! / 6));
    if (inStem) scores.stemCoverage[file]! += share / stem.length;
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

let spareScores: FileScores | null = null;

/**
 * Done with: the next question takes them, in a large tree a megabyte. What few files have is set back file by file, all of it would be a
 * twentieth of a question's time. `candidates`: those whose similarities were completed.
 */
export function giveBack(scores: FileScores, candidates: readonly number[]): void {
  const { byWords, byMeaning, touched } = scores;
  for (let i = 0; i < byWords.length; i++) {
    const file = byWords[i]!;
    scores.bestChunk[file] = scores.secondChunk[file] = -1;
    scores.best[file] = scores.second[file] = scores.third[file] = scores.chunkCoverage[file] = 0;
    scores.body[file] = scores.names[file] = scores.docs[file] = 0;
  }
  for (const files of [byMeaning, candidates])
    for (const file of files) {
      scores.vector[file] = scores.vectorSecond[file] = scores.vectorThird[file] = 0;
      scores.vectorChunk[file] = -1;
    }
  for (const column of MANY) scores[column].fill(0);
  touched.clear();
  spareScores = scores;
}

/** Of what many files have. */
const MANY = ['overview', 'file', 'path', 'coverage', 'nameCoverage', 'stemCoverage'] as const;

function emptyScores(files: number): FileScores {
  const found = spareScores;
  spareScores = null;
  const lists = { byWords: [], byMeaning: [], byPath: [], idf: new Map<string, number>(), completeVectors() {} };
  if (found?.best.length === files) return { ...found, ...lists };
  const floats = () => new Float32Array(files);
  const chunks = () => new Int32Array(files).fill(-1);
  return {
    best: floats(),
    second: floats(),
    third: floats(),
    bestChunk: chunks(),
    secondChunk: chunks(),
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
    vectorChunk: chunks(),
    touched: new FileSet(files),
    ...lists,
  };
}
