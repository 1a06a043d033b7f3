/** Chooses the chunks of a found file that are shown. */

import { CHUNK_TYPES, type Chunk } from '../../model/records/chunk.ts';
import type { TreeView } from '../../store/store.ts';
import type { IndexedTree } from '../indexed-tree.ts';
import { chunkWithPhrase } from '../query/phrases.ts';
import type { Masks } from '../query/search-filter.ts';
import type { Candidates, SearchInput } from '../scoring/collect-candidates.ts';
import type { RankedDefinition } from '../scoring/definitions/rank-definitions.ts';
import { findMessageLine } from '../scoring/message-match.ts';
import { meansSymbol } from '../scoring/name-match.ts';
import type { FileScores } from '../scoring/score-files.ts';
import { type ChunkPlace, nameOf, type Presenter, shownSymbols } from './present-hits.ts';
import { preferenceOf } from './shown-symbol.ts';

const MAX_MERGED_LINES = 90;
const MAX_HEAD_LINES = 12;
/** A second chunk without a name of the query must score this share of the best one. */
const MIN_SECOND_SHARE = 0.9;
/** The minimum share of a further chunk, and the maximum one of a symbol that was found by its name or comment. */
const MIN_SHARE = 0.5;

/**
 * One or two places of a file: the definition of a name in the query, otherwise the best chunk, merged with a matching
 * neighbour; and a second chunk elsewhere that matches nearly as well.
 */
export function findPlaces(
  { view, reader, understood, request }: SearchInput,
  found: Pick<Candidates, 'scores' | 'masks' | 'names'>,
  file: number,
): ChunkPlace[] {
  const { scores, masks, names } = found;
  const base = view.firstChunkOf[file]!;
  const defining = definingChunk({ view, reader }, found, file);
  const bestWords = scores.bestChunk[file]!;
  // "where does ClientSession close its connector" means the member with these words, not the head of the type.
  const { startLine, endLine } =
    (defining >= 0 && reader.detail(view.contentOf[file]!).symbol(names.get(file)!.symbol)) || NO_LINES;
  const isMember =
    understood.intent !== 'symbol' &&
    bestWords >= 0 &&
    bestWords !== base + defining &&
    view.chunkStart[bestWords]! >= startLine &&
    view.chunkEnd[bestWords]! <= endLine;
  const defined = isMember ? bestWords - base : defining;
  const best = defined >= 0 ? base + defined : bestWords >= 0 ? bestWords : scores.vectorChunk[file]!;
  if (best < 0) return placeOfFile({ view }, masks, file);
  const ordinal = best - base;
  // The head of a type alone says little, so its first member is shown with it if both are short.
  const isBare = !request.plainChunks && defined >= 0 && !isMember && isBareHead(view, file, best, endLine, masks);
  const named = defined >= 0 && !isMember ? { symbol: names.get(file)!.symbol } : {};
  const shown = { file, first: ordinal, last: isBare ? ordinal + 1 : ordinal, ...named };
  const second = isMember ? base + defining : best === bestWords ? scores.secondChunk[file]! : bestWords;
  const isStrong = second >= 0 && (defined >= 0 || scores.second[file]! > MIN_SECOND_SHARE * scores.best[file]!);
  const other = second - base;
  if (!isStrong || (other >= shown.first && other <= shown.last)) return [shown];
  const first = Math.min(shown.first, other);
  const last = Math.max(shown.last, other);
  const lines = view.chunkEnd[base + last]! - view.chunkStart[base + first]! + 1;
  const { chunks } = reader.detail(view.contentOf[file]!);
  // Neighbouring parts of one long definition are merged; two definitions are two results.
  const areParts =
    !request.plainChunks && !isBare && last - first === 1 && chunks[first]!.symbol === chunks[last]!.symbol;
  if (areParts && lines <= MAX_MERGED_LINES) return [{ ...shown, first, last }];
  return [shown, { file, first: other, last: other }];
}

/**
 * Other chunks of a file that contain words of the query, best first, with their score as a share of the best chunk's,
 * at least MIN_SHARE. None if the query is a name.
 */
export function findFurtherPlaces(
  { view }: Pick<SearchInput, 'view'>,
  { scores, names }: Pick<Candidates, 'scores' | 'names'>,
  file: number,
  shown: readonly ChunkPlace[],
): { readonly place: ChunkPlace; readonly share: number }[] {
  if (meansSymbol(names.get(file))) return [];
  const base = view.firstChunkOf[file]!;
  return scores
    .chunksOf([file])
    .map(({ chunk, score }) => ({ ordinal: chunk - base, share: score / scores.best[file]! }))
    .filter(
      ({ ordinal, share }) =>
        share >= MIN_SHARE && !shown.some(({ first, last }) => first <= ordinal && ordinal <= last),
    )
    .sort((a, b) => b.share - a.share || a.ordinal - b.ordinal)
    .map(({ ordinal, share }) => ({ place: { file, first: ordinal, last: ordinal }, share }));
}

/** Further symbols of a file whose name or comment contains words of the question, best first. */
export function findSymbolPlaces(
  { view, reader, understood, request }: SearchInput,
  masks: Masks,
  file: number,
  shown: readonly ChunkPlace[],
): { readonly place: ChunkPlace; readonly share: number }[] {
  const detail = reader.detail(view.contentOf[file]!);
  const base = view.firstChunkOf[file]!;
  const prefer = preferenceOf(understood, { ...understood.filters, ...request.filters });
  const shownNames = new Set(shown.map((place) => nameOf(detail, shownSymbols(detail, place), place, prefer)));
  const found = new Map<number, { readonly chunk: number; readonly weight: number }>();
  detail.chunks.forEach(({ type, symbol: first, symbolCount }, chunk) => {
    if (type === 'symbols' || first < 0 || (masks.chunk && !masks.chunk(base + chunk))) return;
    for (let symbol = first; symbol < first + symbolCount; symbol++) {
      if (found.has(symbol) || shownNames.has(symbol)) continue;
      const role = detail.ddd.find((mark) => mark.symbol === symbol)?.role;
      const weight = prefer(detail.symbol(symbol)!, role);
      if (weight > 0) found.set(symbol, { chunk, weight });
    }
  });
  const maxWeight = Math.max(0, ...[...found.values()].map(({ weight }) => Math.min(weight, Number.MAX_VALUE)));
  return [...found]
    .map(([symbol, { chunk, weight }]) => ({
      place: { file, first: chunk, last: chunk, symbol },
      share: MIN_SHARE * Math.min(1, weight / maxWeight),
    }))
    .sort((a, b) => b.share - a.share || a.place.symbol - b.place.symbol);
}

function isBareHead(view: TreeView, file: number, head: number, endLine: number, masks: Masks): boolean {
  const next = head + 1;
  return (
    next < view.firstChunkOf[file]! + view.chunkCountOf[file]! &&
    view.chunkEnd[head]! - view.chunkStart[head]! < MAX_HEAD_LINES &&
    view.chunkStart[next]! > view.chunkEnd[head]! &&
    view.chunkEnd[next]! <= endLine &&
    view.chunkEnd[next]! - view.chunkStart[head]! < MAX_MERGED_LINES / 2 &&
    (!masks.chunk || masks.chunk(next))
  );
}

/** A place with its score as a share of its file's score. */
export interface WeighedPlace {
  readonly place: ChunkPlace;
  readonly share: number;
}

/** A second definition of a file is shown if its score is at most this much lower than the best one's. */
const MAX_SCORE_GAP = 1;

/** The best definition of a file, and the next one that scores nearly as high and does not overlap it. */
export function placesOfDefinitions(
  { view, reader }: IndexedTree,
  ranked: readonly RankedDefinition[],
  shareOf: (behind: number) => number,
): WeighedPlace[] {
  const [best] = ranked;
  if (!best) return [];
  const detail = reader.detail(view.contentOf[best.file]!);
  const linesOf = ({ symbol, chunk }: RankedDefinition) => detail.symbol(symbol) ?? detail.chunks[chunk]!;
  const { startLine, endLine } = linesOf(best);
  const second = ranked.find(
    (other) =>
      other.score >= best.score - MAX_SCORE_GAP &&
      (linesOf(other).startLine > endLine || linesOf(other).endLine < startLine),
  );
  return [best, ...(second ? [second] : [])].map(({ file, symbol, chunk, score }) => ({
    place: { file, first: chunk, last: chunk, ...(symbol >= 0 ? { symbol } : {}) },
    share: symbol === best.symbol && chunk === best.chunk ? 1 : shareOf(best.score - score),
  }));
}

/** Further definitions shown per file of a report: six put fewer of the right definitions among the first results. */
const MAX_FURTHER_IN_REPORT = 3;

/** The best definition of a file and the next ones that do not overlap; `shareOf` maps a gap in score to a share. */
export function placesOfReport(
  { view, reader }: IndexedTree,
  ranked: readonly RankedDefinition[],
  shareOf: (behind: number) => number,
): WeighedPlace[] {
  const detail = reader.detail(view.contentOf[ranked[0]!.file]!);
  const taken: Pick<Chunk, 'startLine' | 'endLine'>[] = [];
  const shown: WeighedPlace[] = [];
  for (const { file, symbol, chunk, score } of ranked) {
    const lines = detail.symbol(symbol) ?? detail.chunks[chunk]!;
    if (taken.some(({ startLine, endLine }) => lines.startLine <= endLine && startLine <= lines.endLine)) continue;
    taken.push(lines);
    const share = shown.length === 0 ? 1 : shareOf(ranked[0]!.score - score);
    shown.push({ place: { file, first: chunk, last: chunk, ...(symbol >= 0 ? { symbol } : {}) }, share });
    if (shown.length > MAX_FURTHER_IN_REPORT) break;
  }
  return shown;
}

const NO_LINES = { startLine: 0, endLine: -1 };

/** The chunk that defines a symbol named in the query; -1 if the file has none. */
function definingChunk(
  { view, reader }: IndexedTree,
  { names, masks }: Pick<Candidates, 'names' | 'masks'>,
  file: number,
): number {
  const match = names.get(file);
  if (!meansSymbol(match)) return -1;
  const detail = reader.detail(view.contentOf[file]!);
  const base = view.firstChunkOf[file]!;
  const { nameLine } = detail.symbol(match.symbol)!;
  const passes = ({ type }: Chunk, ordinal: number) =>
    type !== 'symbols' && (!masks.chunk || masks.chunk(base + ordinal));
  const holds = ({ symbol, symbolCount }: Chunk) =>
    symbol >= 0 && symbol <= match.symbol && match.symbol < symbol + symbolCount;
  const isAt = ({ startLine, endLine }: Chunk) => startLine <= nameLine && nameLine <= endLine;
  // A long comment can fill chunks of its own before the chunk with the name, and a definition inside a long function
  // lies in a later part of that function.
  for (const test of [
    (chunk: Chunk) => holds(chunk) && isAt(chunk),
    (chunk: Chunk) => isAt(chunk) && chunk.part > 0,
    (chunk: Chunk) => holds(chunk) && chunk.part === 0,
  ]) {
    const found = detail.chunks.findIndex((chunk, ordinal) => passes(chunk, ordinal) && test(chunk));
    if (found >= 0) return found;
  }
  return -1;
}

/** The chunk at the given line, otherwise the first one that passes the filters, usually the overview. */
export function placeOfFile({ view }: Pick<Presenter, 'view'>, masks: Masks, file: number, line = 0): ChunkPlace[] {
  const base = view.firstChunkOf[file]!;
  const overview = CHUNK_TYPES.indexOf('symbols');
  let shown = -1;
  for (let ordinal = 0; ordinal < view.chunkCountOf[file]!; ordinal++) {
    const id = base + ordinal;
    if (masks.chunk && !masks.chunk(id)) continue;
    if (shown < 0) shown = ordinal;
    if (line === 0) break;
    // A line between two chunks belongs to the one before.
    if (view.chunkType[id] !== overview && view.chunkStart[id]! <= line) shown = ordinal;
  }
  return shown < 0 ? [] : [{ file, first: shown, last: shown, line }];
}

/** The definition whose line contains the message; the whole chunk (line 0) if no line does. */
export function placeOfMessage({ reader, view, understood }: SearchInput, file: number, chunk: number): ChunkPlace[] {
  const ordinal = chunk - view.firstChunkOf[file]!;
  const start = view.chunkStart[chunk]!;
  const lines = reader.lines(view.contentOf[file]!, start, view.chunkEnd[chunk]!).split('\n');
  const offset = findMessageLine(understood.text, lines);
  return [{ file, first: ordinal, last: ordinal, line: offset < 0 ? 0 : start + offset }];
}

/** The chunk and line that contain the first quoted phrase. */
export function placeOfPhrase(input: SearchInput, scores: FileScores, masks: Masks, file: number): ChunkPlace[] {
  const best = scores.bestChunk[file]! - input.view.firstChunkOf[file]!;
  const found = chunkWithPhrase(input, masks, input.understood.phrases, file, best);
  return found ? [{ file, first: found.ordinal, last: found.ordinal, line: found.line }] : [];
}
