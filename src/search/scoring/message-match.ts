/**
 * Finds the source of a program message: the share of the query that occurs in a file in the same word order, where a
 * placeholder such as `%s` stands for any word.
 */

import { CHUNK_TYPES } from '../../model/records/chunk.ts';
import { pattern } from '../../model/text/pattern.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';
import type { IndexedTree } from '../indexed-tree.ts';
import { isSecondarySource } from '../query/phrases.ts';
import { FILLED, VALUE } from '../query/query-intent.ts';
import { isStopWord } from '../query/query-terms.ts';
import type { Masks } from '../query/search-filter.ts';
import type { Understood } from '../query/understand-query.ts';
import type { FileScores } from './score-files.ts';

const DOCUMENTATION = CHUNK_TYPES.indexOf('documentation');
const OVERVIEW = CHUNK_TYPES.indexOf('symbols');
/** Chunks of one file that are read in addition to its best ones. */
const MAX_PLACES_READ = 3;
/** A shorter common run may be a coincidence. A placeholder counts as a token, but two tokens must be words. */
const MIN_RUN_TOKENS = 3;
const MIN_RUN_WORDS = 2;
/** Word limits of a message and of another query: a longer text is a report that contains a message. */
const MIN_MESSAGE_WORDS = 3;
const MIN_OTHER_WORDS = 5;
const MAX_WORDS = 60;
/** Weight of a stop word, a number or a filled-in value; other words weigh 1. */
const COMMON_WORD_WEIGHT = 0.12;
/** Files read for a message, and for another query; the latter must contain nearly all of its words. */
const MESSAGE_CHUNKS_READ = 12;
const OTHER_CHUNKS_READ = 4;
const MIN_OTHER_COVERAGE = 0.8;
/** A common phrase has a smaller share. Text that does not read as a message must nearly be a quotation. */
const MIN_SHARE = 0.4;
const MIN_OTHER_SHARE = 0.8;

export interface VerbatimMatch {
  /** Share of the query that the chunk contains, 0..1. */
  readonly share: number;
  readonly chunk: number;
}

/** Whether the query may occur verbatim. False for a name, a path, a question, one or two words, or a report. */
export function mayBeVerbatim({ intent, isMessage, asks, phrases, text }: Understood): boolean {
  if (intent === 'symbol' || intent === 'path' || asks || phrases.length > 0) return false;
  const { length } = wordsOf(text);
  return length >= (isMessage ? MIN_MESSAGE_WORDS : MIN_OTHER_WORDS) && length <= MAX_WORDS;
}

/** By index of a candidate, the chunk that shares most of the query; null for queries that cannot occur verbatim. */
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
  const minCoverage = isMessage ? 0 : MIN_OTHER_COVERAGE;
  const minShare = isMessage ? MIN_SHARE : MIN_OTHER_SHARE;
  const likely = [...files.keys()]
    .filter((i) => chunkCoverage[files[i]!]! > minCoverage && mayBeSource(view, files[i]!, bestChunk[files[i]!]!))
    .sort((a, b) => chunkCoverage[files[b]!]! - chunkCoverage[files[a]!]! || a - b)
    .slice(0, isMessage ? MESSAGE_CHUNKS_READ : OTHER_CHUNKS_READ);
  const found = new Map<number, VerbatimMatch>();
  for (const i of likely) {
    const file = files[i]!;
    // A chunk with the user's own words may outscore the chunk with the message.
    const places = [
      bestChunk[file]!,
      coveringChunk[file]!,
      ...(isMessage ? chunksWithPairs(reader, view, file, wanted) : []),
    ];
    for (const chunk of new Set(places)) {
      const lines = reader.lines(view.contentOf[file]!, view.chunkStart[chunk]!, view.chunkEnd[chunk]!);
      const share = shareOfMessage(wanted, lines);
      if (allowed && !allowed(chunk)) continue;
      if (share >= minShare && share > (found.get(i)?.share ?? 0)) found.set(i, { share, chunk });
    }
  }
  return found;
}

/** The chunks of a file that contain most pairs of neighbouring words: another chunk may contain more single words. */
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
  return !isSecondarySource(view, file) && view.chunkType[chunk] !== DOCUMENTATION;
}

/** A word of a query; a value that a program filled in is one word. */
const WORD = new RegExp(`${VALUE.source}|${FILLED.source}|[\\p{L}\\p{N}_]+`, 'giu');
/**
 * A placeholder of source code (`%s`, `%-5d`, `%(name)s`, `{}`, `{0}`, `{name!r}`, `${name}`, `#{name.to_s}`, `" + name
 * + "`, `' . $name . '`, `" << name << "`) or a word.
 */
const WORD_OR_PLACEHOLDER = pattern('gu')`
  %(?:\(\w+\))?[-+ #0-9.*]*[a-zA-Z]{1,3}|[$#]?\{[\w.:!?()[\]]*\}
  |["'\x60]\s*(?:\+|\.|<<)\s*[$\w][\w$.()[\]:>-]*(?:\s*(?:\+|\.|<<)\s*["'\x60])?|[\p{L}\p{N}_]+
`;

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

/** Index of the line with the largest share of the message, alone or continued by the next line; -1 if none has any. */
export function findMessageLine(message: string, lines: readonly string[]): number {
  const wanted = wordsOf(message);
  let found = -1;
  let largest = 0;
  const offer = (i: number, text: string) => {
    const share = shareOfMessage(wanted, text);
    if (share > largest) [found, largest] = [i, share];
  };
  for (const [i, line] of lines.entries()) offer(i, line);
  for (const [i, line] of lines.entries()) if (i + 1 < lines.length) offer(i, `${line} ${lines[i + 1]}`);
  return found;
}

/** The share of the wanted words that the text contains in runs of the same order, 0..1. */
export function shareOfMessage(wanted: readonly string[], text: string): number {
  const covered = new Uint8Array(wanted.length);
  // For each word of the query: tokens and words of the run that ends with it and with the text's previous token.
  let lengths = new Uint16Array(wanted.length);
  let words = new Uint16Array(wanted.length);
  for (const token of text.toLowerCase().match(WORD_OR_PLACEHOLDER) ?? []) {
    const isPlaceholder = /^[%{$#"'`]/.test(token);
    const nextLengths = new Uint16Array(wanted.length);
    const nextWords = new Uint16Array(wanted.length);
    for (let i = 0; i < wanted.length; i++) {
      const length = i > 0 ? lengths[i - 1]! : 0;
      // A run does not begin with a placeholder.
      if (isPlaceholder ? length === 0 : wanted[i] !== token) continue;
      nextLengths[i] = length + 1;
      nextWords[i] = (i > 0 ? words[i - 1]! : 0) + (isPlaceholder ? 0 : 1);
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
