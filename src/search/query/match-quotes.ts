/**
 * Quoted text must occur: verbatim or, if no source has it, with a placeholder for the values that a program fills in.
 */
import { CHUNK_TYPES } from '../../model/records/chunk.ts';
import { textTerms } from '../../model/text/terms.ts';
import { mayBeSource, sharedWording, type Wording, wordsOf } from '../scoring/message-match.ts';
import { highest } from '../scoring/top-k.ts';
import { type Context, repeats, withPhrases } from './phrases.ts';
import type { Masks } from './search-filter.ts';

const OVERVIEW = CHUNK_TYPES.indexOf('symbols');
/** Two of three words must match, because a program may fill in several. */
const LEAST_SHARE = 0.65;
/** A longer text is a report that contains a message. */
const MOST_WORDS = 60;
/** Chunks that are read. */
const READ = 50;
/** A word that occurs in more places does not narrow the search. */
const EVERYWHERE = 5_000;

export interface Quoted {
  /** The files that contain the quoted text. */
  readonly masks: Masks;
  /** The files that contain it with a placeholder, and where. */
  readonly quotes: ReadonlyMap<number, Wording>;
}

export function filterQuoted(masks: Masks, phrases: readonly string[], context: Context): Quoted {
  const exact = withPhrases(masks, phrases, context);
  const isSource = (holds: number, file: number) => holds === 1 && !repeats(context.view, file);
  if (phrases.length === 0 || exact.files?.some(isSource)) return { masks: exact, quotes: new Map() };
  const quotes = findMessages(context, phrases, masks);
  for (const file of quotes.keys()) exact.files![file] = 1;
  return { masks: exact, quotes };
}

/** By file, the chunk that contains all of these texts, with placeholders for filled-in values. */
export function findMessages(
  { reader, view }: Context,
  phrases: readonly string[],
  masks: Masks,
): ReadonlyMap<number, Wording> {
  const wanted = phrases.map(wordsOf);
  const found = new Map<number, Wording>();
  if (wanted.some(({ length }) => length > MOST_WORDS)) return found;
  for (const chunk of likelyChunks({ reader, view }, phrases, masks)) {
    const row = view.contentOf[view.fileOfChunk[chunk]!]!;
    const lines = reader.lines(row, view.chunkStart[chunk]!, view.chunkEnd[chunk]!);
    const share = Math.min(
      ...phrases.map((phrase, i) => (lines.includes(phrase) ? 1 : sharedWording(wanted[i]!, lines))),
    );
    for (const file of view.filesOfContent(row))
      if (masks.files?.[file] !== 0 && share >= LEAST_SHARE && share > (found.get(file)?.share ?? 0))
        found.set(file, { share, chunk });
  }
  return found;
}

/** Chunks that have the rarest of the words. */
function likelyChunks({ reader, view }: Context, phrases: readonly string[], masks: Masks): number[] {
  const count = view.fileOfChunk.length;
  const worth = new Float32Array(count);
  const chunks: number[] = [];
  for (const term of new Set(phrases.flatMap(textTerms))) {
    const { docs } = reader.postings('text', term);
    if (docs.length > EVERYWHERE) continue;
    for (const chunk of docs) {
      const file = view.fileOfChunk[chunk] ?? -1;
      if (file < 0 || masks.files?.[file] === 0 || (masks.chunk && !masks.chunk(chunk))) continue;
      if (view.chunkType[chunk] === OVERVIEW || !mayBeSource(view, file, chunk)) continue;
      if (worth[chunk] === 0) chunks.push(chunk);
      worth[chunk]! += Math.log(1 + count / docs.length);
    }
  }
  return highest(chunks, [worth], READ);
}
