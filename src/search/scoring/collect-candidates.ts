/**
 * Collects the files that may answer a query, found by words, meaning, names, paths and keys, with the features for the
 * ranker.
 */
import type { SearchMode, SearchRequest } from '../../model/records/query.ts';
import type { Presenter } from '../places/present-hits.ts';
import { filterByQuotes, findMessages } from '../query/match-quotes.ts';
import { findPathMentions, type PathMention } from '../query/path-mentions.ts';
import type { RelatedTerm } from '../query/related/related-terms.ts';
import { compileFilters, type Masks } from '../query/search-filter.ts';
import { matchSettingKeys } from '../query/setting-keys.ts';
import type { Understood } from '../query/understand-query.ts';
import { matchReport, type ReportMatch } from '../report/match-report.ts';
import { matchMessages, mayBeVerbatim, type VerbatimMatch } from './message-match.ts';
import { matchNames, type NameMatch } from './name-match.ts';
import type { Ranker } from './ranker.ts';
import { addReport, addVerbatimMatches, buildFeatures, FEATURES } from './ranking-features.ts';
import { type FileScores, scoreFiles } from './score-files.ts';
import { topBySum } from './top-k.ts';

export interface SearchInput extends Presenter {
  readonly request: SearchRequest;
  readonly understood: Understood;
  /** Null in keyword mode or when no vector is available. */
  readonly vector: Float32Array | null;
  readonly ranker: Ranker;
  /** Relevance to the current work, from 0 to 1 by path; raises a file's score by at most `bound`. */
  readonly context?: { readonly bound: number; of(path: string): number };
  /** Words beside the question's own (related-terms.ts), at a low weight. */
  readonly related?: readonly RelatedTerm[];
}

/** Candidates with their features, for ranking and for training. */
export interface Candidates {
  readonly files: readonly number[];
  /** FEATURES.length numbers a file. */
  readonly rows: Float32Array;
  /** The same before the caller's semantic weight was applied. */
  readonly balanced: Float32Array;
  readonly scores: FileScores;
  readonly masks: Masks;
  readonly names: ReadonlyMap<number, NameMatch>;
  /** Candidates that the query names by path, the best first. */
  readonly mentioned: readonly PathMention[];
  /**
   * Which candidates contain much of the query verbatim (message-match.ts) or a key of it (setting-keys.ts); null if
   * not computed.
   */
  readonly verbatimMatches: ReadonlyMap<number, VerbatimMatch> | null;
  /** Files that have a key of the question. */
  readonly keyed: ReadonlyMap<number, VerbatimMatch>;
  /** Files that a pasted issue points at; null for any other question. */
  readonly report: ReportMatch | null;
}

export const DEFAULT_LIMIT = 10;
/** Files that the ranker judges, at least: with twice as many it finds the same (npm run bench:quality). */
export const CANDIDATES = 80;
/** An issue says less of its answer: in 80 files, all of its fix are for 0.91 of them, in so many for 0.94. */
const CANDIDATES_OF_REPORT = 160;
const NO_KEYS: ReadonlyMap<number, VerbatimMatch> = new Map();

/** The files to judge, and everything that lookups found about them. */
interface Collected
  extends Pick<Candidates, 'files' | 'scores' | 'masks' | 'names' | 'mentioned' | 'keyed' | 'report'> {
  /** Files that contain a message or quoted text with placeholders. */
  readonly messages: ReadonlyMap<number, VerbatimMatch>;
}

/** Collects candidates and scores them. */
export function findCandidates(input: SearchInput): Candidates {
  return scoreCandidates(input, collectCandidates(input));
}

/** Finds files by words, meaning, names, paths, quoted text and keys. */
export function collectCandidates(input: SearchInput): Collected {
  const { request, understood, view, reader } = input;
  const allowed = withoutExcluded(compileFilters({ ...understood.filters, ...request.filters }, input), input);
  const words = modeOf(request) !== 'vector';
  const { masks, quotes } = filterByQuotes(allowed, understood.phrases, input);
  const isMessage = words && understood.isMessage && mayBeVerbatim(understood);
  const messages = isMessage ? findMessages(input, [understood.text], masks) : quotes;
  const scores = scoreFiles({
    reader,
    view,
    terms: words ? understood.terms : [],
    related: (words && input.related) || [],
    vector: input.vector,
    masks,
  });
  const names = words ? matchNames(understood, reader, view, masks) : new Map<number, NameMatch>();
  const most = understood.report ? CANDIDATES_OF_REPORT : CANDIDATES;
  const count = Math.max(most, 2 * (request.limit ?? DEFAULT_LIMIT));
  // A pasted issue names files in traces and setups; few of them are its subject.
  const mentioned = understood.gist === undefined ? findPathMentions(understood, view, masks).slice(0, count) : [];
  const found =
    understood.phrases.length > 0 ? filesWithQuotes(masks, scores, count) : pickCandidates(scores, names, count);
  const report = words && understood.report ? matchReport(understood.report, view, masks) : null;
  const pointed = report ? [...report.frames.keys(), ...report.files.keys(), ...report.modules.keys()] : [];
  const keyed = words && understood.keys.length > 0 ? matchSettingKeys(input, understood.keys, names, masks) : NO_KEYS;
  const more = [...mentioned.map(({ file }) => file), ...messages.keys(), ...keyed.keys(), ...pointed];
  const files = more.length > 0 ? [...new Set([...found, ...more])].sort((a, b) => a - b) : found;
  return { files, scores, masks, names, mentioned, keyed, messages, report };
}

/** Computes features. Those of mentions are left out: addMentions adds them where they can change the answer. */
export function scoreCandidates(input: SearchInput, collected: Collected): Candidates {
  const { request, understood, view } = input;
  const { messages, ...found } = collected;
  const { files, scores, names, masks, keyed } = found;
  scores.completeVectors(files);
  const rows = buildFeatures({ view, scores, understood, candidates: files, names });
  const balanced = request.semanticWeight === undefined ? rows : rows.slice();
  weighSemantics(rows, files.length, request.semanticWeight);
  const hasWords = modeOf(request) !== 'vector';
  const shared = hasWords ? matchMessages(input, understood, scores, files, masks.chunk) : null;
  const known = [...messages, ...keyed].map(([file, wording]) => [files.indexOf(file), wording] as const);
  const verbatimMatches = known.length > 0 ? new Map([...(shared ?? []), ...known]) : shared;
  if (found.report) addReport(rows, files, found.report, names);
  if (verbatimMatches) addVerbatimMatches(rows, verbatimMatches, (i) => keyed.has(files[i]!));
  return { ...found, rows, balanced, verbatimMatches };
}

export function modeOf(request: SearchRequest): SearchMode {
  if (request.mode) return request.mode;
  if (request.semanticWeight === 0) return 'keyword';
  return request.semanticWeight === 1 ? 'vector' : 'hybrid';
}

/** Chunks that contain a negated word cannot answer. */
function withoutExcluded(masks: Masks, { understood, reader }: SearchInput): Masks {
  if (understood.excluded.length === 0) return masks;
  const dead = new Set<number>();
  for (const term of understood.excluded) for (const id of reader.postings('text', term).docs) dead.add(id);
  const before = masks.chunk;
  return { files: masks.files, chunk: (id) => !dead.has(id) && (before === null || before(id)) };
}

/** The best files by each way of finding them; the ranker chooses among them. */
function pickCandidates(scores: FileScores, names: ReadonlyMap<number, NameMatch>, count: number): number[] {
  if (scores.touched.size <= count)
    return [...new Set([...scores.touched.list, ...names.keys()])].sort((a, b) => a - b);
  const picked = new Set<number>();
  for (const file of names.keys()) if (picked.size < count) picked.add(file);
  const top = (part: number, files: ArrayLike<number>, ...columns: Float32Array[]) => {
    for (const file of topBySum(files, columns, Math.ceil(count / part))) picked.add(file);
  };
  top(2, scores.byWords, scores.best, scores.second, scores.third);
  top(4, scores.byWords, scores.file);
  // A query without words is answered by vectors alone.
  top(scores.byWords.length > 0 ? 4 : 1, scores.byMeaning, scores.vector);
  top(8, scores.byPath, scores.path);
  top(8, scores.byWords, scores.names, scores.overview);
  return [...picked].sort((a, b) => a - b);
}

/**
 * Files that hold the quoted text, whether or not a word of it is known; the better-scored ones where there are many.
 */
function filesWithQuotes(masks: Masks, { best, vector }: FileScores, count: number): number[] {
  const files: number[] = [];
  masks.files?.forEach((allowed, file) => {
    if (allowed) files.push(file);
  });
  const worth = (file: number) => best[file]! + vector[file]!;
  return files
    .sort((a, b) => worth(b) - worth(a) || a - b)
    .slice(0, count)
    .sort((a, b) => a - b);
}

const SEMANTIC = new Set([FEATURES.indexOf('vector'), FEATURES.indexOf('vector_three')]);
const LEXICAL = new Set(
  (
    [
      'best_chunk',
      'best_three',
      'body',
      'names',
      'docs',
      'overview',
      'whole_file',
      'coverage',
      'chunk_coverage',
      'name_coverage',
    ] as const
  ).map((name) => FEATURES.indexOf(name)),
);

/** A feature as it is without the caller's semantic weight. */
export function balancedFeature({ rows, balanced }: Candidates, index: number, name: string): number {
  const column = FEATURES.indexOf(name as never);
  const isWeighed = SEMANTIC.has(column) || LEXICAL.has(column);
  return (isWeighed ? balanced : rows)[index * FEATURES.length + column] ?? 0;
}

/** The caller's balance between words and vectors; 0.5 keeps the trained one. */
function weighSemantics(rows: Float32Array, count: number, weight: number | undefined): void {
  if (weight === undefined) return;
  for (let i = 0; i < count; i++) {
    for (const column of SEMANTIC) rows[i * FEATURES.length + column]! *= 2 * weight;
    for (const column of LEXICAL) rows[i * FEATURES.length + column]! *= 2 * (1 - weight);
  }
}
