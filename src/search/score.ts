/**
 * Candidates with per-field scores: one pass over the postings of each term and one over the vector scores. Everything is exact and counts
 * the live tree only, so that a store's history never shows in an answer.
 */
import { idfOf, saturate } from '../model/bm25.ts';
import type { Postings, StoreReader, TreeView } from '../store/store.ts';
import { FileSet } from './file-set.ts';
import type { Masks } from './filter.ts';
import { highestBy } from './highest.ts';
import type { RelatedTerm } from './related-terms.ts';
import { scoreVectors } from './score-vectors.ts';
import { type Tally, tallyOf } from './term-tally.ts';
import { LIVE, type TreeStats, treeStats } from './tree-stats.ts';
import type { QueryTerm } from './understand.ts';

/** What names and doc comments add to a chunk's score beside its text. */
const NAMES_SHARE = 0.9;
const DOCS_SHARE = 0.6;
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
  const likely = likelyOnes ? marked(likelyOnes, view.files.length) : null;
  const byWords = likelyOnes ?? scores.touched.list;
  const sums = takeSums(view.fileOfChunk.length);
  for (const { postings, tally, gain, share } of found)
    scoreChunks(sums, view, stats, postings, tally, fileOf, likely, masks.chunk, gain, (gain * share) / totalWeight);
  collectChunks(scores, sums, fileOf);
  spare = sums;
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

function marked(files: readonly number[], count: number): Uint8Array {
  const marks = new Uint8Array(count);
  for (const file of files) marks[file] = 1;
  return marks;
}

/** Of likely files only, whose postings are gone to directly: a common word is in ten times as many chunks. */
function scoreChunks(
  into: Sums,
  { bodyLength, namesLength, docsLength }: TreeView,
  { state, norms }: TreeStats,
  { docs, values }: Postings,
  { files, starts, postings }: Tally,
  fileOf: Int32Array,
  likely: Uint8Array | null,
  allowed: Masks['chunk'],
  gain: number,
  covered: number,
): void {
  const { places, chunks, values: sums } = into;
  for (let f = 0; f < files.length; f++) {
    const file = files[f]!;
    if (likely !== null && likely[file] !== 1) continue;
    const end = f + 1 < files.length ? starts[f + 1]! : postings;
    for (let i = starts[f]!; i < end; i++) {
      const id = docs[i]!;
      // Behind a file's own there may be some that no file of this tree has.
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

/** Every file's best from its chunks' sums, which are set back to zero. */
function collectChunks(scores: FileScores, from: Sums, fileOf: Int32Array): void {
  const { places, chunks, values: sums } = from;
  const { best, second, third, bestChunk, secondChunk, body, names, docs, chunkCoverage } = scores;
  for (let place = 1; place <= from.count; place++) {
    const id = chunks[place]!;
    const file = fileOf[id]!;
    const at = place * LANES;
    const ofBody = sums[at + BODY]!;
    const ofNames = sums[at + NAMES]!;
    const ofDocs = sums[at + DOCS]!;
    const covered = sums[at + COVERED]!;
    const score = ofBody + NAMES_SHARE * ofNames + DOCS_SHARE * ofDocs;
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
    if (covered > chunkCoverage[file]!) chunkCoverage[file] = covered;
    places[id] = 0;
  }
  sums.fill(0, 0, (from.count + 1) * LANES);
  from.count = 0;
}

/** Of the chunks that have any, side by side in the order in which they were come upon: few of many, and near each other in memory. */
interface Sums {
  /** LANES numbers a place, all zero but for those in use. */
  readonly values: Float32Array;
  /** Which chunk has a place, from 1 on, and which place a chunk has, 0 where it has none. */
  readonly chunks: Int32Array;
  readonly places: Int32Array;
  count: number;
}
const BODY = 0;
const NAMES = 1;
const DOCS = 2;
const COVERED = 3;
const LANES = 4;
let spare: Sums | null = null;

/** All zero. Made anew for each question it would be megabytes of waste: who takes it sets back what it touched and gives it back, unless it failed on the way. */
function takeSums(chunks: number): Sums {
  const found = spare;
  spare = null;
  if (found && found.places.length >= chunks) return found;
  return {
    values: new Float32Array((chunks + 1) * LANES),
    chunks: new Int32Array(chunks + 1),
    places: new Int32Array(chunks),
    count: 0,
  };
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

/** Done with: the next question takes them. In a large tree they are a megabyte, a tenth of a question's time if made anew. */
export function giveBack(scores: FileScores): void {
  spareScores = scores;
}

function emptyScores(files: number): FileScores {
  const found = spareScores;
  spareScores = null;
  const { buffer } =
    found?.best.length === files ? new Float32Array(found.best.buffer).fill(0) : new Float32Array(COLUMNS * files);
  // One column too many has no place in it, and says so.
  let column = 0;
  const floats = () => new Float32Array(buffer, column++ * files * 4, files);
  const chunks = () => new Int32Array(buffer, column++ * files * 4, files).fill(-1);
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
    byWords: [],
    byMeaning: [],
    byPath: [],
    idf: new Map(),
    completeVectors() {},
  };
}
/** Of a number a file, above. */
const COLUMNS = 19;
