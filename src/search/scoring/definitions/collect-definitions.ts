/**
 * Collects the definitions of the best files that may answer a query: those in the best chunks, and those that the
 * query names.
 */
import { CHUNK_TYPES } from '../../../model/records/chunk.ts';
import type { StoredDetail } from '../../../store/store.ts';
import { frameOf, linkedLines, nameInReport } from '../../report/report-features.ts';
import type { Candidates, SearchInput } from '../collect-candidates.ts';
import { meansSymbol } from '../name-match.ts';
import {
  BODY,
  COVERED,
  type Definition,
  DOCS,
  type Evidence,
  LANES,
  NAMES,
  VECTOR,
  WORDS,
} from './definition-features.ts';

/**
 * Chunks whose definitions are collected: the best of all files, and at least MIN_CHUNKS_PER_FILE of each. They hold
 * the right definition for 391 of 410 questions; a fixed four chunks per file, in the same time, for 362.
 */
const MAX_CHUNKS = 48;
const MIN_CHUNKS_PER_FILE = 2;
/** Limits for a pasted issue, whose fix often changes several definitions, few of which the issue names. */
const MAX_REPORT_CHUNKS = 200;
const MIN_REPORT_CHUNKS_PER_FILE = 4;
/** A chunk with more small definitions is a list of values; the first ones represent it. */
const MAX_SYMBOLS_PER_CHUNK = 16;
const LIMITS = { total: MAX_CHUNKS, minPerFile: MIN_CHUNKS_PER_FILE };
const REPORT_LIMITS = { total: MAX_REPORT_CHUNKS, minPerFile: MIN_REPORT_CHUNKS_PER_FILE };
const OVERVIEW = CHUNK_TYPES.indexOf('symbols');

export interface FoundDefinitions {
  readonly definitions: readonly Definition[];
  readonly evidence: Evidence;
}

export function collectDefinitions(
  input: SearchInput,
  found: Pick<Candidates, 'scores' | 'masks' | 'names' | 'report'>,
  files: readonly number[],
  detailOf: (file: number) => StoredDetail,
): FoundDefinitions {
  const { view } = input;
  const { lanes, starts } = chunkLanes(input, found, files);
  const peaks = peaksOf(lanes);
  const definitions: Definition[] = [];
  const likely = chooseChunks(
    lanes,
    peaks,
    files.map((file, n) => ({ start: starts[n]!, count: view.chunkCountOf[file]! })),
    found.report ? REPORT_LIMITS : LIMITS,
  );
  for (const [n, file] of files.entries()) {
    const start = starts[n]!;
    const chunks = likely[n]!;
    const match = found.names.get(file);
    const named = meansSymbol(match) ? chunkOfSymbol(detailOf(file), match.symbol) : -1;
    const reported = reportedChunks(input, found.report, file, detailOf(file));
    for (const chunk of [...(named >= 0 ? [named] : []), ...reported])
      if (!chunks.includes(chunk) && (found.masks.chunk?.(view.firstChunkOf[file]! + chunk) ?? true))
        chunks.push(chunk);
    addDefinitions(definitions, detailOf(file), file, start, chunks);
  }
  return { definitions, evidence: { lanes, peaks, ...filePeaks(definitions, lanes) } };
}

/**
 * LANES numbers per chunk, file after file; all zero for a chunk that neither words nor vectors match, or that a filter
 * excludes.
 */
function chunkLanes(
  { reader, view, vector }: SearchInput,
  { scores, masks }: Pick<Candidates, 'scores' | 'masks'>,
  files: readonly number[],
): { lanes: Float32Array; starts: Int32Array } {
  const starts = new Int32Array(files.length);
  const placeOf = new Map<number, number>();
  let count = 0;
  for (const [n, file] of files.entries()) {
    starts[n] = count;
    placeOf.set(file, count - view.firstChunkOf[file]!);
    count += view.chunkCountOf[file]!;
  }
  const lanes = new Float32Array(count * LANES);
  for (const { chunk, score, body, names, docs, covered } of scores.chunksOf(files)) {
    const shift = placeOf.get(view.fileOfChunk[chunk]!);
    if (shift === undefined) continue;
    const at = (chunk + shift) * LANES;
    lanes[at + WORDS] = score;
    lanes[at + BODY] = body;
    lanes[at + NAMES] = names;
    lanes[at + DOCS] = docs;
    lanes[at + COVERED] = covered;
  }
  if (!vector) return { lanes, starts };
  const contents = files.map((file) => ({ row: view.contentOf[file]!, chunks: view.chunkCountOf[file]! }));
  reader.scoreContents(vector, contents, (index, similarity, from) => {
    const base = view.firstChunkOf[files[index]!]!;
    for (let ordinal = 0; ordinal < contents[index]!.chunks; ordinal++) {
      const chunk = base + ordinal;
      const value = similarity[from + ordinal]!;
      if (value <= 0 || view.chunkType[chunk] === OVERVIEW || (masks.chunk !== null && !masks.chunk(chunk))) continue;
      lanes[(starts[index]! + ordinal) * LANES + VECTOR] = value;
    }
  });
  return { lanes, starts };
}

function peaksOf(lanes: Float32Array): Float32Array {
  const peaks = new Float32Array(LANES);
  for (let at = 0; at < lanes.length; at += LANES)
    for (let lane = 0; lane < LANES; lane++) if (lanes[at + lane]! > peaks[lane]!) peaks[lane] = lanes[at + lane]!;
  return peaks;
}

interface ChunkRange {
  readonly start: number;
  readonly count: number;
}

interface RatedChunk {
  /** Index of the file. */
  readonly n: number;
  readonly ordinal: number;
  readonly value: number;
}

/** By file, ordinals of the chunks that match the question best by words and vectors, best first. */
function chooseChunks(
  lanes: Float32Array,
  peaks: Float32Array,
  files: readonly ChunkRange[],
  limits: { readonly total: number; readonly minPerFile: number },
): number[][] {
  const valueAt = (place: number) =>
    lanes[place * LANES + WORDS]! / (peaks[WORDS] || 1) + lanes[place * LANES + VECTOR]! / (peaks[VECTOR] || 1);
  const chosen: number[][] = [];
  const others: RatedChunk[] = [];
  let count = 0;
  for (const [n, { start, count: chunks }] of files.entries()) {
    const found: RatedChunk[] = [];
    for (let ordinal = 0; ordinal < chunks; ordinal++) {
      const value = valueAt(start + ordinal);
      if (value > 0) found.push({ n, ordinal, value });
    }
    found.sort(byValue);
    chosen.push(found.slice(0, limits.minPerFile).map(({ ordinal }) => ordinal));
    count += chosen[n]!.length;
    for (const chunk of found.slice(limits.minPerFile, limits.total)) others.push(chunk);
  }
  others.sort(byValue);
  for (const { n, ordinal } of others.slice(0, Math.max(0, limits.total - count))) chosen[n]!.push(ordinal);
  return chosen;
}

function byValue(a: RatedChunk, b: RatedChunk): number {
  return b.value - a.value || a.n - b.n || a.ordinal - b.ordinal;
}

/** Adds each symbol once, at its first chunk; a chunk without symbols is a definition of its own. */
function addDefinitions(
  definitions: Definition[],
  detail: StoredDetail,
  file: number,
  start: number,
  chunks: readonly number[],
): void {
  const seen = new Set<number>();
  for (const chunk of chunks) {
    const { symbol: first, symbolCount } = detail.chunks[chunk]!;
    const at = (start + chunk) * LANES;
    if (first < 0) definitions.push({ file, symbol: -1, chunk, at });
    const last = first + Math.min(symbolCount, MAX_SYMBOLS_PER_CHUNK);
    for (let symbol = first; symbol >= 0 && symbol < last; symbol++) {
      if (seen.has(symbol) || !detail.symbol(symbol)) continue;
      seen.add(symbol);
      definitions.push({ file, symbol, chunk, at });
    }
  }
}

/** The best word score and the highest similarity among the definitions of each file. */
function filePeaks(
  definitions: readonly Definition[],
  lanes: Float32Array,
): Pick<Evidence, 'maxWordsOf' | 'maxSimilarityOf'> {
  const maxWordsOf = new Map<number, number>();
  const maxSimilarityOf = new Map<number, number>();
  for (const { file, at } of definitions) {
    if (lanes[at + WORDS]! > (maxWordsOf.get(file) ?? 0)) maxWordsOf.set(file, lanes[at + WORDS]!);
    if (lanes[at + VECTOR]! > (maxSimilarityOf.get(file) ?? 0)) maxSimilarityOf.set(file, lanes[at + VECTOR]!);
  }
  return { maxWordsOf, maxSimilarityOf };
}

/** Definitions collected per file because a pasted issue points at them. */
const MAX_REPORTED = 8;

/** Chunks of the definitions that a pasted issue names, or has a trace frame or link for. */
function reportedChunks(
  { understood }: SearchInput,
  match: Candidates['report'],
  file: number,
  detail: StoredDetail,
): readonly number[] {
  const { report: evidence } = understood;
  if (!evidence || !match) return [];
  const report = { evidence, match };
  return detail.symbols
    .map((symbol, ordinal) => ({
      ordinal,
      worth: nameInReport(report, symbol.name) + frameOf(report, file, symbol) + linkedLines(report, file, symbol),
    }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth || a.ordinal - b.ordinal)
    .slice(0, MAX_REPORTED)
    .map(({ ordinal }) => chunkOfSymbol(detail, ordinal))
    .filter((chunk) => chunk >= 0);
}

/** Ordinal of the chunk with a symbol's name; -1 if no chunk has it. */
function chunkOfSymbol(detail: StoredDetail, symbol: number): number {
  const { nameLine } = detail.symbol(symbol)!;
  return detail.chunks.findIndex(
    ({ type, startLine, endLine }) => type !== 'symbols' && startLine <= nameLine && nameLine <= endLine,
  );
}
