/**
 * Finds the files that contain the quoted parts of a query: verbatim or, if no source file does, with a placeholder
 * where a program fills in a value.
 */

import { CHUNK_TYPES } from '../../model/records/chunk.ts';
import { textTerms } from '../../model/text/terms.ts';
import type { IndexedTree } from '../indexed-tree.ts';
import { mayBeSource, shareOfMessage, type VerbatimMatch, wordsOf } from '../scoring/message-match.ts';
import { topBySum } from '../scoring/top-k.ts';
import { isSecondarySource, requirePhrases } from './phrases.ts';
import type { Masks } from './search-filter.ts';

const OVERVIEW = CHUNK_TYPES.indexOf('symbols');
/** Two of three words suffice, because a program may fill in several values. */
const MIN_SHARE = 0.65;
/** A longer text is a report that contains a message among others. */
const MAX_WORDS = 60;
const MAX_CHUNKS_READ = 50;
/** A term with more postings does not narrow the search. */
const MAX_POSTINGS = 5_000;

export interface QuoteMatches {
  /** The filters, narrowed to files that contain the quoted text. */
  readonly masks: Masks;
  /** By file that contains the text with a placeholder, the matching chunk. */
  readonly quotes: ReadonlyMap<number, VerbatimMatch>;
}

export function filterByQuotes(masks: Masks, phrases: readonly string[], context: IndexedTree): QuoteMatches {
  const exact = requirePhrases(masks, phrases, context);
  const isSource = (allowed: number, file: number) => allowed === 1 && !isSecondarySource(context.view, file);
  if (phrases.length === 0 || exact.files?.some(isSource)) return { masks: exact, quotes: new Map() };
  const quotes = findMessages(context, phrases, masks);
  for (const file of quotes.keys()) exact.files![file] = 1;
  return { masks: exact, quotes };
}

/** By file, the chunk that contains all of these texts with placeholders for filled-in values. */
export function findMessages(
  { reader, view }: IndexedTree,
  phrases: readonly string[],
  masks: Masks,
): ReadonlyMap<number, VerbatimMatch> {
  const wanted = phrases.map(wordsOf);
  const found = new Map<number, VerbatimMatch>();
  if (wanted.some(({ length }) => length > MAX_WORDS)) return found;
  for (const chunk of likelyChunks({ reader, view }, phrases, masks)) {
    const row = view.contentOf[view.fileOfChunk[chunk]!]!;
    const lines = reader.lines(row, view.chunkStart[chunk]!, view.chunkEnd[chunk]!);
    const share = Math.min(
      ...phrases.map((phrase, i) => (lines.includes(phrase) ? 1 : shareOfMessage(wanted[i]!, lines))),
    );
    for (const file of view.filesOfContent(row))
      if (masks.files?.[file] !== 0 && share >= MIN_SHARE && share > (found.get(file)?.share ?? 0))
        found.set(file, { share, chunk });
  }
  return found;
}

/** The chunks that contain most of the phrases' words, rare words weighing more. */
function likelyChunks({ reader, view }: IndexedTree, phrases: readonly string[], masks: Masks): number[] {
  const count = view.fileOfChunk.length;
  const weights = new Float32Array(count);
  const chunks: number[] = [];
  for (const term of new Set(phrases.flatMap(textTerms))) {
    const { docs } = reader.postings('text', term);
    if (docs.length > MAX_POSTINGS) continue;
    for (const chunk of docs) {
      const file = view.fileOfChunk[chunk] ?? -1;
      if (file < 0 || masks.files?.[file] === 0 || (masks.chunk && !masks.chunk(chunk))) continue;
      if (view.chunkType[chunk] === OVERVIEW || !mayBeSource(view, file, chunk)) continue;
      if (weights[chunk] === 0) chunks.push(chunk);
      weights[chunk]! += Math.log(1 + count / docs.length);
    }
  }
  return topBySum(chunks, [weights], MAX_CHUNKS_READ);
}
