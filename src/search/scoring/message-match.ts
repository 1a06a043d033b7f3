/**
 * Finds a message by its wording: how much of the query occurs in a file in the same word order, with placeholders for
 * words.
 */

import { CHUNK_TYPES } from '../../model/records/chunk.ts';
import { pattern } from '../../model/text/pattern.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';
import type { IndexedTree } from '../indexed-tree.ts';
import { repeats } from '../query/phrases.ts';
import { FILLED, VALUE } from '../query/query-intent.ts';
import { isStopWord } from '../query/query-terms.ts';
import type { Masks } from '../query/search-filter.ts';
import type { Understood } from '../query/understand-query.ts';
import type { FileScores } from './score-files.ts';

const DOCUMENTATION = CHUNK_TYPES.indexOf('documentation');
const OVERVIEW = CHUNK_TYPES.indexOf('symbols');
/** Places of one file that are read beside its best ones. */
const MAX_PLACES_READ = 3;
/** So many consecutive words are no coincidence; a placeholder counts as one, but two must be words. */
const MIN_RUN_TOKENS = 3;
const MIN_RUN_WORDS = 2;
/** With fewer words nothing is said; more are a report, of which a message is a small part. */
const MIN_MESSAGE_WORDS = 3;
const MIN_OTHER_WORDS = 5;
const MAX_WORDS = 60;
/** The weight of a common word or a number. */
const COMMON_WORD_WEIGHT = 0.12;
/**
 * Chunks that are read for it: of what reads as a message, and of another text where one has nearly all of its words.
 */
const MESSAGE_CHUNKS_READ = 12;
const OTHER_CHUNKS_READ = 4;
const NEARLY_ALL = 0.8;
/** A smaller share is a common phrase. */
const MIN_SHARE = 0.4;

export interface VerbatimMatch {
  readonly share: number;
  readonly chunk: number;
}

/** Whether the query may occur verbatim: not a name, a path, a question, one or two words, or a whole report. */
export function mayBeVerbatim({ intent, isMessage, asks, phrases, text }: Understood): boolean {
  if (intent === 'symbol' || intent === 'path' || asks || phrases.length > 0) return false;
  const { length } = wordsOf(text);
  return length >= (isMessage ? MIN_MESSAGE_WORDS : MIN_OTHER_WORDS) && length <= MAX_WORDS;
}

/** The share of the query that one chunk of each candidate has in the same order; null for queries of another kind. */
export function matchMessages(
  { reader, view }: IndexedTree,
  understood: Understood,
  { bestChunk, coveringChunk, chunkCoverage }: FileScores,
  files: readonly number[],
  allowed: Masks['chunk'] = null,
): ReadonlyMap<number, VerbatimMatch> | null {
  if (!mayBeVerbatim(understood)) return null;
  const { isMessage } = understood;
  const wanted = wordsOf(understood.text);
  const least = isMessage ? 0 : NEARLY_ALL;
  const likely = [...files.keys()]
    .filter((i) => chunkCoverage[files[i]!]! > least && mayBeSource(view, files[i]!, bestChunk[files[i]!]!))
    .sort((a, b) => chunkCoverage[files[b]!]! - chunkCoverage[files[a]!]! || a - b)
    .slice(0, isMessage ? MESSAGE_CHUNKS_READ : OTHER_CHUNKS_READ);
  const found = new Map<number, VerbatimMatch>();
  for (const i of likely) {
    const file = files[i]!;
    // The words of the asker's own may be in another place of the file.
    const places = [
      bestChunk[file]!,
      coveringChunk[file]!,
      ...(isMessage ? chunksWithPairs(reader, view, file, wanted) : []),
    ];
    for (const chunk of new Set(places)) {
      const lines = reader.lines(view.contentOf[file]!, view.chunkStart[chunk]!, view.chunkEnd[chunk]!);
      const share = shareOfMessage(wanted, lines);
      if (allowed && !allowed(chunk)) continue;
      if (share >= MIN_SHARE && share > (found.get(i)?.share ?? 0)) found.set(i, { share, chunk });
    }
  }
  return found;
}

/**
 * Chunks of a file in which most pairs of neighbouring words stand together: what says a message need not be what has
 * most of its words.
 */
function chunksWithPairs(reader: StoreReader, view: TreeView, file: number, wanted: readonly string[]): number[] {
  const text = reader.text(view.contentOf[file]!).toLowerCase();
  const pairs = new Map<number, number>();
  for (let i = 1; i < wanted.length; i++) {
    const at = text.indexOf(`${wanted[i - 1]} ${wanted[i]}`);
    const again = at < 0 ? at : text.indexOf(`${wanted[i - 1]} ${wanted[i]}`, at + 1);
    for (const place of [at, again]) {
      const chunk = place < 0 ? -1 : chunkAt(view, file, text.slice(0, place).split('\n').length);
      if (chunk >= 0) pairs.set(chunk, (pairs.get(chunk) ?? 0) + 1);
    }
  }
  return [...pairs]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, MAX_PLACES_READ)
    .map(([chunk]) => chunk);
}

function chunkAt(view: TreeView, file: number, line: number): number {
  const first = view.firstChunkOf[file]!;
  for (let chunk = first; chunk < first + view.chunkCountOf[file]!; chunk++)
    if (view.chunkType[chunk] !== OVERVIEW && view.chunkStart[chunk]! <= line && line <= view.chunkEnd[chunk]!)
      return chunk;
  return -1;
}

export function mayBeSource(view: TreeView, file: number, chunk: number): boolean {
  return !repeats(view, file) && view.chunkType[chunk] !== DOCUMENTATION;
}

/** A value that a program filled in is one word. */
const WORD = new RegExp(`${VALUE.source}|${FILLED.source}|[\\p{L}\\p{N}_]+`, 'giu');
/**
 * `%s`, `%-5d`, `%(name)s`, `{}`, `{0}`, `{name!r}`, `${name}`, `#{name.to_s}`, `" + name + "`, `' . $name . '`, `" <<
 * name << "`; else a word.
 */
const WORD_OR_PLACEHOLDER = pattern('gu')`
  %(?:\(\w+\))?[-+ #0-9.*]*[a-zA-Z]{1,3}|[$#]?\{[\w.:!?()[\]]*\}
  |["'\x60]\s*(?:\+|\.|<<)\s*[$\w][\w$.()[\]:>-]*(?:\s*(?:\+|\.|<<)\s*["'\x60])?|[\p{L}\p{N}_]+
`;

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

/** 0..1. */
export function shareOfMessage(wanted: readonly string[], text: string): number {
  const covered = new Uint8Array(wanted.length);
  // By the last word of the question: how long the run is that ends with it and with the text's word before, and how
  // many words it has.
  let lengths = new Uint16Array(wanted.length);
  let words = new Uint16Array(wanted.length);
  for (const token of text.toLowerCase().match(WORD_OR_PLACEHOLDER) ?? []) {
    const placeholder = /^[%{$#"'`]/.test(token);
    const nextLengths = new Uint16Array(wanted.length);
    const nextWords = new Uint16Array(wanted.length);
    for (let i = 0; i < wanted.length; i++) {
      const length = i > 0 ? lengths[i - 1]! : 0;
      // A run begins with a word.
      if (placeholder ? length === 0 : wanted[i] !== token) continue;
      nextLengths[i] = length + 1;
      nextWords[i] = (i > 0 ? words[i - 1]! : 0) + (placeholder ? 0 : 1);
      if (nextLengths[i]! >= MIN_RUN_TOKENS && nextWords[i]! >= MIN_RUN_WORDS)
        covered.fill(1, i - nextLengths[i]! + 1, i + 1);
    }
    lengths = nextLengths;
    words = nextWords;
  }
  let shared = 0;
  let total = 0;
  wanted.forEach((word, i) => {
    const weight = isStopWord(word) || /^\d+$/.test(word) || /[.:]/.test(word) ? COMMON_WORD_WEIGHT : 1;
    total += weight;
    shared += covered[i]! * weight;
  });
  return shared / total;
}
