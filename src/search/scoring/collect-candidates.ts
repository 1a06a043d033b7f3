/**
 * Collects the files that may answer a query: by words, vectors, names, paths, quoted text and setting keys. Computes
 * their features for the ranker.
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
  /** Terms that related-terms.ts adds to the question's own, at a low weight. */
  readonly related?: readonly RelatedTerm[];
}

/** Candidates with their features, for ranking and for training. */
export interface Candidates {
  readonly files: readonly number[];
  /** FEATURES.length numbers per file, with the caller's semantic weight applied. */
  readonly rows: Float32Array;
  /** The rows without the caller's semantic weight. */
  readonly balanced: Float32Array;
  readonly scores: FileScores;
  readonly masks: Masks;
  readonly names: ReadonlyMap<number, NameMatch>;
  /** Candidates that the query names by path, best first. */
  readonly mentioned: readonly PathMention[];
  /**
   * By index of a candidate: it contains most of the query verbatim (message-match.ts) or a key of the query
   * (setting-keys.ts). Null if not computed.
   */
  readonly verbatimMatches: ReadonlyMap<number, VerbatimMatch> | null;
  /** Files that contain a setting key of the query. */
  readonly keyed: ReadonlyMap<number, VerbatimMatch>;
  /** Files that a pasted issue points at; null for other queries. */
  readonly report: ReportMatch | null;
}

export const DEFAULT_LIMIT = 10;
/** Minimum number of files that are ranked: twice as many give the same results (npm run bench:quality). */
export const MIN_CANDIDATES = 80;
/** An issue describes its fix less directly: 80 files contain the whole fix of 91 % of the issues, 160 of 94 %. */
const MIN_REPORT_CANDIDATES = 160;
const NO_KEYS: ReadonlyMap<number, VerbatimMatch> = new Map();

/** Candidate files before their features are computed, with what each lookup found in them. */
interface CollectedFiles
  extends Pick<Candidates, 'files' | 'scores' | 'masks' | 'names' | 'mentioned' | 'keyed' | 'report'> {
  /** Files that contain a message or quoted text with placeholders. */
  readonly messages: ReadonlyMap<number, VerbatimMatch>;
}

/** Collects candidates and scores them. */
export function findCandidates(input: SearchInput): Candidates {
  return scoreCandidates(input, collectCandidates(input));
}

export function collectCandidates(input: SearchInput): CollectedFiles {
  const { request, understood, view, reader } = input;
  const allowed = withoutExcluded(compileFilters({ ...understood.filters, ...request.filters }, input), input);
  const usesWords = modeOf(request) !== 'vector';
  const { masks, quotes } = filterByQuotes(allowed, understood.phrases, input);
  const isMessage = usesWords && understood.isMessage && mayBeVerbatim(understood);
  const messages = isMessage ? findMessages(input, [understood.text], masks) : quotes;
  const scores = scoreFiles({
    reader,
    view,
    terms: usesWords ? understood.terms : [],
    related: (usesWords && input.related) || [],
    vector: input.vector,
    masks,
  });
  const names = usesWords ? matchNames(understood, reader, view, masks) : new Map<number, NameMatch>();
  const minimum = understood.report ? MIN_REPORT_CANDIDATES : MIN_CANDIDATES;
  const count = Math.max(minimum, 2 * (request.limit ?? DEFAULT_LIMIT));
  // A pasted issue names many files in traces and setups, few of which are its subject; matchReport weighs them.
  const mentioned = understood.gist === undefined ? findPathMentions(understood, view, masks).slice(0, count) : [];
  const found =
    understood.phrases.length > 0
      ? filesWithQuotes(masks, scores, count)
      : pickCandidates(scores, names, count, request.limit ?? DEFAULT_LIMIT);
  const report = usesWords && understood.report ? matchReport(understood.report, view, masks) : null;
  const reported = report ? [...report.frames.keys(), ...report.files.keys(), ...report.modules.keys()] : [];
  const hasKeys = usesWords && understood.keys.length > 0;
  const keyed = hasKeys ? matchSettingKeys(input, understood.keys, names, masks) : NO_KEYS;
  const more = [...mentioned.map(({ file }) => file), ...messages.keys(), ...keyed.keys(), ...reported];
  const files = more.length > 0 ? [...new Set([...found, ...more])].sort((a, b) => a - b) : found;
  return { files, scores, masks, names, mentioned, keyed, messages, report };
}

/** Computes all features except `mentions`, which addMentions adds only where it can change the answer. */
export function scoreCandidates(input: SearchInput, collected: CollectedFiles): Candidates {
  const { request, understood, view } = input;
  const { messages, ...lookups } = collected;
  const { files, scores, names, masks, keyed } = lookups;
  scores.completeVectors(files);
  const rows = buildFeatures({ view, scores, understood, candidates: files, names });
  const balanced = request.semanticWeight === undefined ? rows : rows.slice();
  weighSemantics(rows, files.length, request.semanticWeight);
  const hasWords = modeOf(request) !== 'vector';
  const matched = hasWords ? matchMessages(input, understood, scores, files, masks.chunk) : null;
  const found = [...messages, ...keyed].map(([file, match]) => [files.indexOf(file), match] as const);
  const verbatimMatches = found.length > 0 ? new Map([...(matched ?? []), ...found]) : matched;
  if (lookups.report) addReport(rows, files, lookups.report, names);
  if (verbatimMatches) addVerbatimMatches(rows, verbatimMatches, (i) => keyed.has(files[i]!));
  return { ...lookups, rows, balanced, verbatimMatches };
}

export function modeOf(request: SearchRequest): SearchMode {
  if (request.mode) return request.mode;
  if (request.semanticWeight === 0) return 'keyword';
  return request.semanticWeight === 1 ? 'vector' : 'hybrid';
}

/** Excludes chunks that contain a negated word of the query. */
function withoutExcluded(masks: Masks, { understood, reader }: SearchInput): Masks {
  if (understood.excluded.length === 0) return masks;
  const excluded = new Set<number>();
  for (const term of understood.excluded) for (const id of reader.postings('text', term).docs) excluded.add(id);
  const passes = masks.chunk;
  return { files: masks.files, chunk: (id) => !excluded.has(id) && (passes === null || passes(id)) };
}

/** The best files of each lookup, at least `limit` of them where so many match; the ranker orders them. */
function pickCandidates(
  scores: FileScores,
  names: ReadonlyMap<number, NameMatch>,
  count: number,
  limit: number,
): number[] {
  if (scores.touched.size <= count)
    return [...new Set([...scores.touched.list, ...names.keys()])].sort((a, b) => a - b);
  const picked = new Set<number>();
  for (const file of names.keys()) if (picked.size < count) picked.add(file);
  const top = (part: number, files: ArrayLike<number>, ...columns: Float32Array[]) => {
    for (const file of topBySum(files, columns, Math.ceil(count / part))) picked.add(file);
  };
  top(2, scores.byWords, scores.best, scores.second, scores.third);
  top(4, scores.byWords, scores.file);
  // Without any word match, vectors find all candidates.
  top(scores.byWords.length > 0 ? 4 : 1, scores.byMeaning, scores.vector);
  top(8, scores.byPath, scores.path);
  top(8, scores.byWords, scores.names, scores.overview);
  // The lookups find many files in common: 62 for a limit of 100, of 232 that match.
  if (picked.size < limit) top(1, scores.touched.list, scores.best, scores.file, scores.vector, scores.path);
  return [...picked].sort((a, b) => a - b);
}

/** Files that contain the quoted text, which may hold no indexed word; the `count` best-scored ones. */
function filesWithQuotes(masks: Masks, { best, vector }: FileScores, count: number): number[] {
  const files: number[] = [];
  masks.files?.forEach((allowed, file) => {
    if (allowed) files.push(file);
  });
  const scoreOf = (file: number) => best[file]! + vector[file]!;
  return files
    .sort((a, b) => scoreOf(b) - scoreOf(a) || a - b)
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

/** Every candidate's features without the caller's semantic weight. */
export function balancedRows({ rows, balanced }: Candidates): Float32Array {
  if (rows === balanced) return rows;
  const restored = rows.slice();
  for (let at = 0; at < rows.length; at += FEATURES.length)
    for (const columns of [SEMANTIC, LEXICAL])
      for (const column of columns) restored[at + column] = balanced[at + column]!;
  return restored;
}

/** Applies the caller's balance between words and vectors; 0.5 keeps the trained balance. */
function weighSemantics(rows: Float32Array, count: number, weight: number | undefined): void {
  if (weight === undefined) return;
  for (let i = 0; i < count; i++) {
    for (const column of SEMANTIC) rows[i * FEATURES.length + column]! *= 2 * weight;
    for (const column of LEXICAL) rows[i * FEATURES.length + column]! *= 2 * (1 - weight);
  }
}
