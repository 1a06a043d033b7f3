/**
 * The search room: from a question to ranked places. Owns query understanding, candidates, features, the ranker, symbol
 * lookup and grep; knows no contract, no terminal, no SQL. Invariants: filters before the limit; the live tree only;
 * ties broken by path. grep.ts is imported by itself, when somebody greps: finding ripgrep's binary costs a tenth of a
 * cold search.
 */

export type { IndexedTree } from './indexed-tree.ts';
export { placesOfHandle } from './locate/handles.ts';
export { locateSymbols, type Match, nearestNames } from './locate/locate.ts';
export { type Presenter, presentChunk, presentOutline, presentSymbol } from './places/present-hits.ts';
export { toQueryNames } from './query/query-names.ts';
export type { QueryTerm } from './query/query-terms.ts';
export {
  expandFromModel,
  type RelatedTerm,
  suggestedTerms,
  synonymTerms,
  understandTranslated,
} from './query/related/related-terms.ts';
export { loadSynonyms, type Synonyms } from './query/related/synonyms.ts';
export { type Understood, understand, weightSetOf } from './query/understand-query.ts';
export { rankByCosine } from './rank-by-cosine.ts';
export { findCandidates, modeOf } from './scoring/collect-candidates.ts';
export { collectDefinitions } from './scoring/definitions/collect-definitions.ts';
export {
  addRarity,
  addReportTexts,
  addTexts,
  addUses,
  DEFINITION_FEATURES,
  DEFINITION_WIDTH,
  definitionRows,
} from './scoring/definitions/definition-features.ts';
export { hasPathStats, packPathStats, pathStats, restorePathStats } from './scoring/path-stats.ts';
export { softmaxShare } from './scoring/rank-files.ts';
export { isRankerModel, Ranker, type RankerModel, type RankerModels, type ScoreDecay } from './scoring/ranker.ts';
export { addMentions, FEATURES } from './scoring/ranking-features.ts';
export { mergeCorpora, treeCorpus } from './scoring/tree-corpus.ts';
export { search } from './search.ts';
