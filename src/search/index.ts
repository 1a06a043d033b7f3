/**
 * The search room: from a question to ranked places. Owns query understanding, candidates, features, the ranker, symbol
 * lookup and grep; knows no contract, no terminal, no SQL. Invariants: filters before the limit; the live tree only;
 * ties broken by path. grep.ts is imported by itself, when somebody greps: finding ripgrep's binary costs a tenth of a
 * cold search.
 */

export { placesOfHandle } from './locate/handles.ts';
export { locateSymbols, type Match, nearestNames } from './locate/locate.ts';
export { type Presenter, presentChunk, presentOutline, presentSymbol } from './places/present-hits.ts';
export { queryNames } from './query/query-names.ts';
export type { QueryTerm } from './query/query-terms.ts';
export {
  expandFromModel,
  givenTerms,
  type RelatedTerm,
  synonymTerms,
  understandIn,
  type Vocabulary,
} from './query/related-terms.ts';
export { loadSynonyms, type Synonyms } from './query/synonyms.ts';
export { rankedAs, type Understood, understand } from './query/understand-query.ts';
export { rankByCosine } from './rank-by-cosine.ts';
export { findCandidates, modeOf } from './scoring/collect-candidates.ts';
export { collectDefinitions } from './scoring/collect-definitions.ts';
export {
  addRarity,
  addReportTexts,
  addTexts,
  addUses,
  DEFINITION_FEATURES,
  DEFINITION_WIDTH,
  definitionRows,
} from './scoring/definition-features.ts';
export { hasPathStats, packPathStats, pathStats, restorePathStats } from './scoring/path-stats.ts';
export { shareOf } from './scoring/rank-files.ts';
export { type Behind, isRankerModel, Ranker, type RankerModel, type RankerModels } from './scoring/ranker.ts';
export { addMentions, FEATURES } from './scoring/ranking-features.ts';
export { mergeCorpora, treeCorpus } from './scoring/tree-corpus.ts';
export { search } from './search.ts';
