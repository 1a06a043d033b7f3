/** The definitions of the files that rank first, as far as they may answer: those of the chunks that have most of the question, and those that it names. */
import { CHUNK_TYPES } from '../../model/records/chunk.ts';
import type { StoredDetail } from '../../store/store.ts';
import type { Candidates, SearchInput } from './collect-candidates.ts';
import type { ChunkEvidence, Definition, EvidencePeaks } from './definition-features.ts';
import { meansSymbol } from './name-match.ts';
import type { ScoredChunk } from './score-chunks.ts';

/** Chunks of a file whose definitions are looked at. */
const CHUNKS_A_FILE = 4;
/** A chunk of more small definitions is a list of values; the first ones stand for it. */
const SYMBOLS_A_CHUNK = 24;
const OVERVIEW = CHUNK_TYPES.indexOf('symbols');
const NOTHING: ChunkEvidence = { words: 0, body: 0, names: 0, docs: 0, covered: 0, vector: 0 };

export interface FoundDefinitions {
  readonly definitions: readonly Definition[];
  readonly peaks: EvidencePeaks;
}

export function collectDefinitions(
  input: SearchInput,
  found: Pick<Candidates, 'scores' | 'masks' | 'names'>,
  files: readonly number[],
  detailOf: (file: number) => StoredDetail,
): FoundDefinitions {
  const { view } = input;
  const evidence = evidenceOf(input, found, files);
  const most = peaksOf(evidence.values());
  const promise = (chunk: number) => {
    const { words, vector } = evidence.get(chunk) ?? NOTHING;
    return words / (most.words || 1) + vector / (most.vector || 1);
  };
  const definitions = files.flatMap((file) => {
    const base = view.firstChunkOf[file]!;
    const likely: number[] = [];
    for (let chunk = base; chunk < base + view.chunkCountOf[file]!; chunk++)
      if (evidence.has(chunk)) likely.push(chunk);
    likely.sort((a, b) => promise(b) - promise(a) || a - b);
    const looked = likely.slice(0, CHUNKS_A_FILE);
    const match = found.names.get(file);
    const named = meansSymbol(match) ? chunkOfSymbol(detailOf(file), match.symbol) : -1;
    if (named >= 0 && !looked.includes(base + named) && allows(found.masks, base + named)) looked.push(base + named);
    return definitionsOf(detailOf(file), file, base, looked, evidence);
  });
  return { definitions, peaks: { ...most, ...peaksByFile(definitions) } };
}

/** By chunk; only those that words or meaning bring in and the filters allow. */
function evidenceOf(
  { reader, view, vector }: SearchInput,
  { scores, masks }: Pick<Candidates, 'scores' | 'masks'>,
  files: readonly number[],
): Map<number, ChunkEvidence> {
  const evidence = new Map<number, ChunkEvidence>();
  for (const { chunk, score, body, names, docs, covered } of scores.chunksOf(files) as readonly ScoredChunk[])
    evidence.set(chunk, { words: score, body, names, docs, covered, vector: 0 });
  if (!vector) return evidence;
  const contents = files.map((file) => ({ row: view.contentOf[file]!, chunks: view.chunkCountOf[file]! }));
  reader.scoreContents(vector, contents, (index, similarity, from) => {
    const base = view.firstChunkOf[files[index]!]!;
    for (let ordinal = 0; ordinal < contents[index]!.chunks; ordinal++) {
      const chunk = base + ordinal;
      const value = similarity[from + ordinal]!;
      if (value <= 0 || view.chunkType[chunk] === OVERVIEW || !allows(masks, chunk)) continue;
      evidence.set(chunk, { ...(evidence.get(chunk) ?? NOTHING), vector: value });
    }
  });
  return evidence;
}

function allows(masks: Candidates['masks'], chunk: number): boolean {
  return masks.chunk === null || masks.chunk(chunk);
}

function peaksOf(all: Iterable<ChunkEvidence>): ChunkEvidence {
  const most = { ...NOTHING } as { -readonly [K in keyof ChunkEvidence]: number };
  for (const one of all)
    for (const key of Object.keys(most) as (keyof ChunkEvidence)[]) if (one[key] > most[key]) most[key] = one[key];
  return most;
}

function peaksByFile(definitions: readonly Definition[]): Pick<EvidencePeaks, 'wordsOf' | 'vectorOf'> {
  const wordsOf = new Map<number, number>();
  const vectorOf = new Map<number, number>();
  for (const { file, evidence } of definitions) {
    wordsOf.set(file, Math.max(wordsOf.get(file) ?? 0, evidence.words));
    vectorOf.set(file, Math.max(vectorOf.get(file) ?? 0, evidence.vector));
  }
  return { wordsOf, vectorOf };
}

/** Each symbol once, with the most that any of its chunks has; a chunk without symbols stands for itself. */
function definitionsOf(
  detail: StoredDetail,
  file: number,
  base: number,
  chunks: readonly number[],
  evidence: ReadonlyMap<number, ChunkEvidence>,
): Definition[] {
  const bySymbol = new Map<number, { chunks: number[]; evidence: ChunkEvidence }>();
  const found: Definition[] = [];
  for (const chunk of chunks) {
    const ordinal = chunk - base;
    const { symbol: first, symbolCount } = detail.chunks[ordinal]!;
    const own = evidence.get(chunk) ?? NOTHING;
    if (first < 0) found.push({ file, symbol: -1, chunks: [ordinal], evidence: own });
    for (let symbol = first; first >= 0 && symbol < first + Math.min(symbolCount, SYMBOLS_A_CHUNK); symbol++) {
      const known = bySymbol.get(symbol);
      if (!known) bySymbol.set(symbol, { chunks: [ordinal], evidence: own });
      else {
        known.chunks.push(ordinal);
        known.evidence = peaksOf([known.evidence, own]);
      }
    }
  }
  for (const [symbol, one] of bySymbol) if (detail.symbol(symbol)) found.push({ file, symbol, ...one });
  return found;
}

/** Ordinal of the chunk that holds a symbol's name; -1 where none does. */
export function chunkOfSymbol(detail: StoredDetail, symbol: number): number {
  const { nameLine } = detail.symbol(symbol)!;
  return detail.chunks.findIndex(
    ({ type, startLine, endLine }) => type !== 'symbols' && startLine <= nameLine && nameLine <= endLine,
  );
}
