/**
 * One search: understand → collect → score → rank → choose places → present. The caller runs the first step
 * (understand-query.ts), because a language model may add words before the search. The other steps are synchronous and
 * pure over a published tree, so the same question always gets the same answer.
 */
import type { Hit } from '../model/records/query.ts';
import { nameKey } from '../model/text/terms.ts';
import { nearestNames } from './locate/near-names.ts';
import { type ChosenPlaces, chooseShown } from './places/choose-shown.ts';
import { presentChunk } from './places/present-hits.ts';
import { preferenceOf } from './places/shown-symbol.ts';
import { collectCandidates, type SearchInput, scoreCandidates } from './scoring/collect-candidates.ts';
import { type FileRanking, rankFiles } from './scoring/rank-files.ts';
import { releaseScores } from './scoring/score-files.ts';

export interface SearchResult {
  readonly hits: readonly Hit[];
  /** Number of results that pass the filters, including those beyond the limit. */
  readonly totalCandidates: number;
  readonly nearestNames: readonly string[];
}

export function search(input: SearchInput): SearchResult {
  const collected = collectCandidates(input);
  const scored = scoreCandidates(input, collected);
  const ranking = rankFiles(input, scored);
  const chosen = chooseShown(input, scored, ranking);
  const result = presentResult(input, ranking, chosen);
  releaseScores(scored.scores, scored.files);
  return result;
}

/** Reads file contents only here, for the hits that are shown: reading them is most of a search's work. */
function presentResult(input: SearchInput, ranking: FileRanking, { shown, total }: ChosenPlaces): SearchResult {
  const { request, understood } = input;
  const { contextLines, overviewLines, wholeSymbols } = request;
  const prefer = request.plainChunks
    ? {}
    : { prefer: preferenceOf(understood, { ...understood.filters, ...request.filters }) };
  return {
    hits: shown.map(({ place, score, candidate, isWhole }) => ({
      ...presentChunk(input, place, score, { contextLines, overviewLines, wholeSymbols, ...prefer }),
      ...(isWhole ? { resultType: 'file' as const } : {}),
      ...(request.explain ? { explanation: ranking.explain(candidate) } : {}),
    })),
    totalCandidates: total,
    nearestNames: shown.length === 0 ? suggestNames(input) : [],
  };
}

/**
 * Words of a question for which similar names are looked up: each is compared with every name of the tree, and a pasted
 * text has hundreds of words.
 */
const MAX_WORDS_COMPARED = 6;
const MAX_SUGGESTED_NAMES = 5;

/** Identifiers may differ from a suggested name by many edits, words of a sentence by a quarter of their letters. */
function suggestNames(input: SearchInput): string[] {
  const { identifiers, text, intent } = input.understood;
  const words = text.split(/\s+/);
  const names = intent === 'symbol' || intent === 'path' ? [text, ...identifiers] : identifiers;
  const compared = [
    ...names.map((name) => [name, undefined] as const),
    ...words.filter((word) => word.length > 3).map((word) => [word, word.length >> 2] as const),
  ].slice(0, MAX_WORDS_COMPARED);
  const suggested = compared.map(([name, maxDistance]) => nearestNames(input, nameKey(name), 3, maxDistance));
  return [...new Set(suggested.flat())].slice(0, MAX_SUGGESTED_NAMES);
}
