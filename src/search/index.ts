/**
 * The search room: from a question to ranked places. It owns query understanding, candidates, features, the ranker,
 * symbol lookup and grep, and knows no contract, no terminal and no SQL. Invariants: filters apply before the limit;
 * only the published tree is searched; equal scores are ordered by path. Callers import grep/grep.ts directly, because
 * locating ripgrep's binary costs a tenth of a cold search.
 */

export type { IndexedTree } from './indexed-tree.ts';
export { placesOfHandle } from './locate/handles.ts';
export { locateSymbols, type Match } from './locate/locate.ts';
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
export { withForms } from './query/related/word-forms.ts';
export { type Understood, understand, weightSetOf } from './query/understand-query.ts';
export { rankByCosine } from './rank-by-cosine.ts';
export { findCandidates, modeOf } from './scoring/collect-candidates.ts';
export { collectDefinitions } from './scoring/definitions/collect-definitions.ts';
export { DEFINITION_FEATURES, DEFINITION_WIDTH } from './scoring/definitions/definition-columns.ts';
export { addRarity, addUses, definitionRows } from './scoring/definitions/definition-features.ts';
export { addReportTexts, addTexts } from './scoring/definitions/definition-texts.ts';
export { hasPathStats, packPathStats, pathStats, restorePathStats } from './scoring/path-stats.ts';
export { softmaxShare } from './scoring/rank-files.ts';
export { isRankerModel, Ranker, type RankerModel, type RankerModels, type ScoreDecay } from './scoring/ranker.ts';
export { addMentions, FEATURES } from './scoring/ranking-features.ts';
export { treeCorpus } from './scoring/tree-corpus.ts';
export { search } from './search.ts';
