/** Orders candidate files by their features, computes each one's relevance, and decides whether any file answers. */
import type { Contribution } from '../../model/records/query.ts';
import { splitScopedPath } from '../../model/records/scope.ts';
import { namedRepositories } from '../query/named-repositories.ts';
import { weightSetOf } from '../query/understand-query.ts';
import { balancedRows, type Candidates, DEFAULT_LIMIT, modeOf, type SearchInput } from './collect-candidates.ts';
import { type DefinitionRanking, rankDefinitions } from './definitions/rank-definitions.ts';
import { addContext, addMentions, addNamedRepositories, FEATURES } from './ranking-features.ts';
import { nthHighest } from './top-k.ts';

export interface FileRanking {
  /** Indices of candidates, best first. */
  readonly order: readonly number[];
  /** 0..1. */
  readonly relevanceOf: (index: number) => number;
  readonly isAnswered: boolean;
  readonly definitions: DefinitionRanking | null;
  explain(index: number): Contribution[];
}

/** Files beyond the limit that are ordered exactly too, because some files turn out to have no place to show. */
const SPARE_FILES = 10;

export function rankFiles(input: SearchInput, found: Candidates): FileRanking {
  const { ranker, understood, context, view } = input;
  const { files, rows } = found;
  const weightSet = weightSetOf(understood);
  if (context && context.bound > 0)
    addContext(rows, (i) => context.bound * Math.min(1, Math.max(0, context.of(view.files[files[i]!]!.path))));
  const named = input.repositories ? namedRepositories(input.request.query, input.repositories) : null;
  if (named) addNamedRepositories(rows, (i) => named.has(splitScopedPath(view.files[files[i]!]!.path).repo));
  addMentions(input, rows, files, contenders(input, found));
  const scores = ranker.score(rows, weightSet);
  // Candidates are sorted by path, so the index breaks ties.
  const byFile = [...files.keys()].sort((a, b) => scores[b]! - scores[a]! || a - b);
  const definitions = comparesDefinitions(input) ? rankDefinitions(input, found, byFile) : null;
  const isReordered = definitions !== null && isOrderedByDefinitions(input, found);
  const final = isReordered ? scoreWithDefinitions(input, found, byFile, scores, definitions) : scores;
  const order = isReordered ? [...byFile].sort((a, b) => final[b]! - final[a]! || a - b) : byFile;
  const balanced = balancedRows(found);
  const balancedScores = balanced === rows ? final : scoreBalanced(input, found, balanced, definitions, isReordered);
  const confidenceFeature = confidenceFeatures(found, order, balanced, balancedScores, definitions);
  const mode = input.vector ? modeOf(input.request) : 'keyword';
  const relevanceOf = ranker.relevanceOf(
    isReordered ? (understood.report && mode === 'hybrid' ? 'report' : mode) : `${mode}_files`,
    confidenceFeature,
    final,
    order[0] ?? 0,
  );
  return {
    order,
    relevanceOf,
    definitions,
    isAnswered: order.length > 0 && (hasCertainAnswer(input, found) || ranker.answers(mode, confidenceFeature)),
    explain: (index) =>
      explainScore(input, found, index, final[index]!, isReordered ? definitions : null).map((part) =>
        part.feature === 'context' ? withBound(part, context!.bound) : part,
      ),
  };
}

/**
 * Candidates that can be among the first results once their `mentions` feature (0 to 1) is known. Counting mentions
 * takes many lookups, so the other candidates go without.
 */
function contenders({ ranker, understood, request }: SearchInput, { rows, files }: Candidates): number[] {
  // `minRelevance` needs an exact count, so all are scored.
  const isExact = (request.filters?.minRelevance ?? 0) > 0;
  const count = isExact ? files.length : 2 * (request.limit ?? DEFAULT_LIMIT) + SPARE_FILES;
  const scores = ranker.score(rows, weightSetOf(understood));
  const maxGain = Math.abs(ranker.weightOf('mentions', weightSetOf(understood)));
  const minScore = scores.length <= count ? Number.NEGATIVE_INFINITY : nthHighest(scores, count) - maxGain;
  return [...scores.keys()].filter((i) => scores[i]! >= minScore);
}

/** False for a name or a path, which determines the place. */
function comparesDefinitions({ request, understood }: SearchInput): boolean {
  return !request.plainChunks && understood.intent !== 'symbol' && understood.intent !== 'path';
}

/** False if a path, quoted text or setting matched verbatim: that decides the order of files. */
function isOrderedByDefinitions(
  { understood }: SearchInput,
  { mentioned, keyed, verbatimMatches }: Candidates,
): boolean {
  return (
    understood.phrases.length === 0 && mentioned.length === 0 && keyed.size === 0 && (verbatimMatches?.size ?? 0) === 0
  );
}

/** Scores files by their own features and those of their best definition; files without one follow in their order. */
function scoreWithDefinitions(
  { ranker, understood }: SearchInput,
  { files, rows }: Candidates,
  byFile: readonly number[],
  scores: Float32Array,
  definitions: DefinitionRanking,
): Float32Array {
  const final = new Float32Array(scores.length);
  const hasDefinitions = (i: number) => definitions.of(files[i]!).length > 0;
  let minScore = Number.POSITIVE_INFINITY;
  for (const i of byFile.filter(hasDefinitions)) {
    const [best] = definitions.of(files[i]!);
    final[i] = ranker.scorePlace(rowOf(rows, i), definitions.rowOf(best!.index), weightSetOf(understood));
    minScore = Math.min(minScore, final[i]!);
  }
  const rest = byFile.filter((i) => !hasDefinitions(i));
  const drop = rest.length === 0 || minScore === Number.POSITIVE_INFINITY ? 0 : minScore - scores[rest[0]!]!;
  for (const i of rest) final[i] = scores[i]! + Math.min(0, drop);
  return final;
}

/** The scores of all files by features without the caller's semantic weight. */
function scoreBalanced(
  input: SearchInput,
  found: Candidates,
  rows: Float32Array,
  definitions: DefinitionRanking | null,
  isReordered: boolean,
): Float32Array {
  const scores = input.ranker.score(rows, weightSetOf(input.understood));
  if (!isReordered || definitions === null) return scores;
  const byFile = [...found.files.keys()].sort((a, b) => scores[b]! - scores[a]! || a - b);
  return scoreWithDefinitions(input, { ...found, rows }, byFile, scores, definitions);
}

function rowOf(rows: Float32Array, index: number): Float32Array {
  return rows.subarray(index * FEATURES.length, (index + 1) * FEATURES.length);
}

/** A query that names a symbol or a path of the tree, or quotes its text, always has an answer. */
function hasCertainAnswer(
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
 * Features that tell whether the first result is right, by name: those of its file, those of its definition
 * (`place_…`), its lead over the next file (`lead`), its definition's lead over the next one of the file
 * (`place_lead`), and its softmax share among all definitions (`share`). They ignore the caller's semantic weight, so
 * that relevance means the same for each weight.
 */
function confidenceFeatures(
  { files }: Candidates,
  order: readonly number[],
  rows: Float32Array,
  scores: Float32Array,
  definitions: DefinitionRanking | null,
): (name: string) => number {
  const [best, next] = order;
  return (name) => {
    if (best === undefined) return 0;
    if (name === 'lead')
      return next === undefined ? MAX_LEAD : Math.min(MAX_LEAD, Math.max(0, scores[best]! - scores[next]!));
    if (!name.startsWith('place_') && name !== 'share') return rowOf(rows, best)[FEATURES.indexOf(name as never)] ?? 0;
    const [place, other] = definitions?.of(files[best]!) ?? [];
    if (name === 'share') return place ? softmaxShare(place.score, definitions!.scores) : 0;
    if (name === 'place_lead' && place) return other ? Math.min(MAX_LEAD, place.score - other.score) : MAX_LEAD;
    return place ? (definitions!.value(place.index, name.slice('place_'.length)) ?? 0) : 0;
  };
}

const MAX_LEAD = 4;
/** Texts of lower-ranked definitions are not read, so their scores say little. */
const MAX_COMPARED = 20;
const SHARPNESS = 0.5;

/** How clearly a definition stands out among the best: 1 for a single one, 1/n for n with equal scores. */
export function softmaxShare(score: number, scores: readonly number[]): number {
  const best = [...scores].sort((a, b) => b - a).slice(0, MAX_COMPARED);
  let sum = 0;
  for (const other of best) sum += Math.exp(SHARPNESS * (other - score));
  return sum === 0 ? 0 : 1 / sum;
}

/** Shows the user's setting for the current work as the feature's weight. */
function withBound(context: Contribution, bound: number): Contribution {
  return { ...context, value: context.value / bound, weight: bound };
}

/**
 * The contributions to a score: features of the file and its best definition, or of the file alone with the drop that
 * puts it behind files with definitions.
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
  const parts = ranker.explain(rows, index, weightSetOf(understood));
  const drop = score - parts.reduce((sum, { contribution }) => sum + contribution, 0);
  return Math.abs(drop) < 1e-4
    ? parts
    : [...parts, { feature: 'not_looked_into', value: 1, weight: drop, contribution: drop }];
}
