/**
 * Collects the definitions of the best files that may answer: those in the chunks that match most, and those that the
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
 * Chunks whose definitions are looked at: the best of all files, and of each file at least so many. The right
 * definition is among those of 391 of 410 questions; with four of every file, among those of 362, in the same time.
 */
const MAX_CHUNKS = 48;
const MIN_CHUNKS_PER_FILE = 2;
/** The same for a pasted issue, whose fix often changes several definitions, few of which it names. */
const MAX_REPORT_CHUNKS = 200;
const MIN_REPORT_CHUNKS_PER_FILE = 4;
/** A chunk with more small definitions is a list of values; its first ones represent it. */
const MAX_SYMBOLS_PER_CHUNK = 16;
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
    found.report
      ? { all: MAX_REPORT_CHUNKS, aFile: MIN_REPORT_CHUNKS_PER_FILE }
      : { all: MAX_CHUNKS, aFile: MIN_CHUNKS_PER_FILE },
  );
  for (const [n, file] of files.entries()) {
    const start = starts[n]!;
    const looked = likely[n]!;
    const match = found.names.get(file);
    const named = meansSymbol(match) ? chunkOfSymbol(detailOf(file), match.symbol) : -1;
    const reported = reportedChunks(input, found.report, file, detailOf(file));
    for (const chunk of [...(named >= 0 ? [named] : []), ...reported])
      if (!looked.includes(chunk) && (found.masks.chunk?.(view.firstChunkOf[file]! + chunk) ?? true))
        looked.push(chunk);
    addDefinitions(definitions, detailOf(file), file, start, looked);
  }
  return { definitions, evidence: { lanes, peaks, ...filePeaks(definitions, lanes) } };
}

/**
 * LANES numbers a chunk, file after file; all zero where neither words nor meaning bring it in, or a filter leaves it
 * out.
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

/** Of each file, ordinals of the chunks that have most of the question, by words and meaning, the best first. */
function chooseChunks(
  lanes: Float32Array,
  peaks: Float32Array,
  files: readonly ChunkRange[],
  most: { readonly all: number; readonly aFile: number },
): number[][] {
  const valueAt = (place: number) =>
    lanes[place * LANES + WORDS]! / (peaks[WORDS] || 1) + lanes[place * LANES + VECTOR]! / (peaks[VECTOR] || 1);
  const chosen: number[][] = [];
  const others: { readonly n: number; readonly ordinal: number; readonly value: number }[] = [];
  let count = 0;
  for (const [n, { start, count: chunks }] of files.entries()) {
    const found: { readonly n: number; readonly ordinal: number; readonly value: number }[] = [];
    for (let ordinal = 0; ordinal < chunks; ordinal++) {
      const value = valueAt(start + ordinal);
      if (value > 0) found.push({ n, ordinal, value });
    }
    found.sort(byValue);
    chosen.push(found.slice(0, most.aFile).map(({ ordinal }) => ordinal));
    count += chosen[n]!.length;
    for (const one of found.slice(most.aFile, most.all)) others.push(one);
  }
  others.sort(byValue);
  for (const { n, ordinal } of others.slice(0, Math.max(0, most.all - count))) chosen[n]!.push(ordinal);
  return chosen;
}

type Valued = { readonly n: number; readonly ordinal: number; readonly value: number };

function byValue(a: Valued, b: Valued): number {
  return b.value - a.value || a.n - b.n || a.ordinal - b.ordinal;
}

/** Each symbol once, at its first chunk; a chunk without symbols represents itself. */
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

/** The most words and the nearest meaning that a definition of each file has. */
function filePeaks(definitions: readonly Definition[], lanes: Float32Array): Pick<Evidence, 'wordsOf' | 'vectorOf'> {
  const wordsOf = new Map<number, number>();
  const vectorOf = new Map<number, number>();
  for (const { file, at } of definitions) {
    if (lanes[at + WORDS]! > (wordsOf.get(file) ?? 0)) wordsOf.set(file, lanes[at + WORDS]!);
    if (lanes[at + VECTOR]! > (vectorOf.get(file) ?? 0)) vectorOf.set(file, lanes[at + VECTOR]!);
  }
  return { wordsOf, vectorOf };
}

/** So many definitions of a file that a pasted issue points at are looked at. */
const MAX_REPORTED = 8;

/** Chunks of the definitions that a pasted issue names, or has a frame or a link of. */
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

/** Ordinal of the chunk that holds a symbol's name; -1 where none does. */
function chunkOfSymbol(detail: StoredDetail, symbol: number): number {
  const { nameLine } = detail.symbol(symbol)!;
  return detail.chunks.findIndex(
    ({ type, startLine, endLine }) => type !== 'symbols' && startLine <= nameLine && nameLine <= endLine,
  );
}
