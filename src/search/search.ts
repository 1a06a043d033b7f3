/**
 * One search: understand → collect → score → rank → choose places → shape. The caller has understood the question
 * (understand-query.ts), since a language model may widen it before it is searched. The other steps are synchronous and
 * pure over a published tree, so that the same question always gets the same answer.
 */
import type { Hit } from '../model/records/query.ts';
import { nameKey } from '../model/text/terms.ts';
import { nearestNames } from './locate/locate.ts';
import { type ChosenPlaces, chooseShown } from './places/choose-shown.ts';
import { presentChunk } from './places/present-hits.ts';
import { preferenceOf } from './places/shown-symbol.ts';
import { collectCandidates, type SearchInput, scoreCandidates } from './scoring/collect-candidates.ts';
import { type FileRanking, rankFiles } from './scoring/rank-files.ts';
import { releaseScores } from './scoring/score-files.ts';

export interface Ranked {
  readonly hits: readonly Hit[];
  /** Results that pass the filters, shown or not. */
  readonly totalCandidates: number;
  readonly nearestNames: readonly string[];
}

export function search(input: SearchInput): Ranked {
  const collected = collectCandidates(input);
  const scored = scoreCandidates(input, collected);
  const ranking = rankFiles(input, scored);
  const chosen = chooseShown(input, scored, ranking);
  const answer = shape(input, ranking, chosen);
  releaseScores(scored.scores, scored.files);
  return answer;
}

/** Reads contents last: that is most of the work, and only what is shown is worth it. */
function shape(input: SearchInput, ranking: FileRanking, { shown, total }: ChosenPlaces): Ranked {
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
    nearestNames: shown.length === 0 ? nearest(input) : [],
  };
}

/** Names and words of a question that near names are looked up for. */
const MAX_NEAR_OF = 6;

/** A name that was meant may be far off; a word of a sentence is no name unless it nearly is one. */
function nearest(input: SearchInput): string[] {
  const { identifiers, text, intent } = input.understood;
  const words = text.split(/\s+/);
  const named = intent === 'symbol' || intent === 'path' ? [text, ...identifiers] : identifiers;
  // Each name is compared with every name of the tree, and a pasted text has hundreds of words.
  const asked = [
    ...named.map((name) => [name, undefined] as const),
    ...words.filter((word) => word.length > 3).map((word) => [word, word.length >> 2] as const),
  ].slice(0, MAX_NEAR_OF);
  const near = asked.map(([name, distance]) => nearestNames(input, nameKey(name), 3, distance));
  return [...new Set(near.flat())].slice(0, 5);
}
