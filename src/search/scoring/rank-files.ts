/** Orders files by their features, with the relevance of each, and decides whether any file answers. */
import type { Contribution } from '../../model/records/query.ts';
import { splitScopedPath } from '../../model/records/scope.ts';
import { namedRepositories } from '../query/named-repositories.ts';
import { weightSetOf } from '../query/understand-query.ts';
import { balancedFeature, type Candidates, DEFAULT_LIMIT, modeOf, type SearchInput } from './collect-candidates.ts';
import { type DefinitionRanking, rankDefinitions } from './definitions/rank-definitions.ts';
import { addContext, addMentions, addNamedRepositories, FEATURES } from './ranking-features.ts';
import { nthHighest } from './top-k.ts';

export interface FileRanking {
  /** Indices of candidates, the best first. */
  readonly order: readonly number[];
  /** 0..1. */
  readonly relevanceOf: (index: number) => number;
  readonly isAnswered: boolean;
  readonly definitions: DefinitionRanking | null;
  explain(index: number): Contribution[];
}

/** Extra files beyond the limit that are ordered exactly, because some have no place to show. */
const SPARE_FILES = 10;

export function rankFiles(input: SearchInput, found: Candidates): FileRanking {
  const { ranker, understood, context, view } = input;
  const { files, rows } = found;
  const kind = weightSetOf(understood);
  if (context && context.bound > 0)
    addContext(rows, (i) => context.bound * Math.min(1, Math.max(0, context.of(view.files[files[i]!]!.path))));
  const named = input.repositories ? namedRepositories(input.request.query, input.repositories) : null;
  if (named) addNamedRepositories(rows, (i) => named.has(splitScopedPath(view.files[files[i]!]!.path).repo));
  addMentions(input, rows, files, contenders(input, found));
  const scores = ranker.score(rows, kind);
  // Files are in the order of their paths.
  const byFile = [...files.keys()].sort((a, b) => scores[b]! - scores[a]! || a - b);
  const definitions = looksForPlaces(input) ? rankDefinitions(input, found, byFile) : null;
  const isReordered = definitions !== null && placesDecide(input, found);
  const final = isReordered ? withPlaces(input, found, byFile, scores, definitions) : scores;
  const order = isReordered ? [...byFile].sort((a, b) => final[b]! - final[a]! || a - b) : byFile;
  const judged = judgedFeatures(found, order, final, definitions);
  const mode = input.vector ? modeOf(input.request) : 'keyword';
  const relevanceOf = ranker.relevanceOf(
    isReordered ? (understood.report && mode === 'hybrid' ? 'report' : mode) : `${mode}_files`,
    judged,
    final,
    order[0] ?? 0,
  );
  return {
    order,
    relevanceOf,
    definitions,
    isAnswered: order.length > 0 && (isNamed(input, found) || ranker.answers(mode, judged)),
    explain: (index) =>
      explainScore(input, found, index, final[index]!, isReordered ? definitions : null).map((one) =>
        one.feature === 'context' ? withBound(one, context!.bound) : one,
      ),
  };
}

/**
 * Candidates that may be among the first once they have their mentions, from 0 to 1 each: the others' need not be
 * known.
 */
function contenders({ ranker, understood, request }: SearchInput, { rows, files }: Candidates): number[] {
  // `minRelevance` needs an exact count, so all are scored.
  const isExact = (request.filters?.minRelevance ?? 0) > 0;
  const count = isExact ? files.length : 2 * (request.limit ?? DEFAULT_LIMIT) + SPARE_FILES;
  const scores = ranker.score(rows, weightSetOf(understood));
  const span = Math.abs(ranker.weightOf('mentions', weightSetOf(understood)));
  const least = scores.length <= count ? Number.NEGATIVE_INFINITY : nthHighest(scores, count) - span;
  return [...scores.keys()].filter((i) => scores[i]! >= least);
}

/** A name or a path says which place is meant. */
function looksForPlaces({ request, understood }: SearchInput): boolean {
  return !request.plainChunks && understood.intent !== 'symbol' && understood.intent !== 'path';
}

/** A path, quoted text or setting matched verbatim: the quality of the place adds nothing. */
function placesDecide({ understood }: SearchInput, { mentioned, keyed, verbatimMatches }: Candidates): boolean {
  return (
    understood.phrases.length === 0 && mentioned.length === 0 && keyed.size === 0 && (verbatimMatches?.size ?? 0) === 0
  );
}

/**
 * Files that were looked into are ordered by their own features and those of their best definition; the others follow
 * in the order they had.
 */
function withPlaces(
  { ranker, understood }: SearchInput,
  { files, rows }: Candidates,
  byFile: readonly number[],
  scores: Float32Array,
  definitions: DefinitionRanking,
): Float32Array {
  const final = new Float32Array(scores.length);
  const isLookedInto = (i: number) => definitions.of(files[i]!).length > 0;
  let least = Number.POSITIVE_INFINITY;
  for (const i of byFile.filter(isLookedInto)) {
    const [best] = definitions.of(files[i]!);
    final[i] = ranker.scorePlace(rowOf(rows, i), definitions.rowOf(best!.index), weightSetOf(understood));
    least = Math.min(least, final[i]!);
  }
  const rest = byFile.filter((i) => !isLookedInto(i));
  const drop = rest.length === 0 || least === Number.POSITIVE_INFINITY ? 0 : least - scores[rest[0]!]!;
  for (const i of rest) final[i] = scores[i]! + Math.min(0, drop);
  return final;
}

function rowOf(rows: Float32Array, index: number): Float32Array {
  return rows.subarray(index * FEATURES.length, (index + 1) * FEATURES.length);
}

/** A query that names a symbol or a path of the tree, or quotes its text, always has an answer. */
function isNamed(
  { understood, request }: SearchInput,
  { mentioned, keyed, names, verbatimMatches }: Candidates,
): boolean {
  // Whether there is an answer was learned from words and meaning together; a caller with another balance decides
  // alone.
  if (understood.phrases.length > 0 || mentioned.length > 0 || keyed.size > 0 || request.semanticWeight !== undefined)
    return true;
  if (verbatimMatches && verbatimMatches.size > 0) return true;
  for (const { identifier } of names.values()) if (identifier > 0) return true;
  return false;
}

/**
 * What tells whether the first result is right: its file's features, those of its place (`place_…`), its lead on the
 * next file, its place's lead on the next definition of the file, and its share among all close definitions. Features
 * are taken without the caller's semantic weight, so that relevance means the same for each weight.
 */
function judgedFeatures(
  found: Candidates,
  order: readonly number[],
  scores: Float32Array,
  definitions: DefinitionRanking | null,
): (name: string) => number {
  const [best, next] = order;
  return (name) => {
    if (best === undefined) return 0;
    if (name === 'lead') return next === undefined ? MAX_LEAD : Math.min(MAX_LEAD, scores[best]! - scores[next]!);
    if (!name.startsWith('place_') && name !== 'share') return balancedFeature(found, best, name);
    const [place, other] = definitions?.of(found.files[best]!) ?? [];
    if (name === 'share') return place ? softmaxShare(place.score, definitions!.scores) : 0;
    if (name === 'place_lead' && place) return other ? Math.min(MAX_LEAD, place.score - other.score) : MAX_LEAD;
    return place ? (definitions!.value(place.index, name.slice('place_'.length)) ?? 0) : 0;
  };
}

const MAX_LEAD = 4;
/** Further definitions were hardly read, so that their scores say little. */
const MAX_COMPARED = 20;
const SHARPNESS = 0.5;

/** How clearly a definition stands out among the best: 1 where it is alone, 1/n where n are equal. */
export function softmaxShare(score: number, scores: readonly number[]): number {
  const highest = [...scores].sort((a, b) => b - a).slice(0, MAX_COMPARED);
  let sum = 0;
  for (const other of highest) sum += Math.exp(SHARPNESS * (other - score));
  return sum === 0 ? 0 : 1 / sum;
}

/** How much the current work may count is a setting: it is the weight that is shown. */
function withBound(context: Contribution, bound: number): Contribution {
  return { ...context, value: context.value / bound, weight: bound };
}

/**
 * What a score is made of: features of the file and of its place, or of the file alone and how far it was put behind
 * the files that were looked into.
 */
function explainScore(
  { ranker, understood }: SearchInput,
  { files, rows }: Candidates,
  index: number,
  score: number,
  definitions: DefinitionRanking | null,
): Contribution[] {
  const place = definitions?.of(files[index]!)[0];
  if (definitions && place)
    return ranker.explainPlace(rowOf(rows, index), definitions.rowOf(place.index), weightSetOf(understood));
  const own = ranker.explain(rows, index, weightSetOf(understood));
  const behind = score - own.reduce((sum, { contribution }) => sum + contribution, 0);
  return Math.abs(behind) < 1e-4
    ? own
    : [...own, { feature: 'not_looked_into', value: 1, weight: behind, contribution: behind }];
}
