/**
 * The search room: from a question to ranked places. Owns query understanding, candidates, features, the ranker, symbol lookup and grep;
 * knows no contract, no terminal, no SQL. Invariants: filters before the limit; the live tree only; ties broken by path.
 * grep.ts is imported by itself, when somebody greps: finding ripgrep's binary costs a tenth of a cold search.
 */
export { findCandidates, modeOf } from './candidates.ts';
export { addMentions, FEATURES } from './features.ts';
export { placesOfHandle } from './handles.ts';
export { locateSymbols, nearestNames } from './locate.ts';
export { packPathStats, restorePathStats } from './path-stats.ts';
export { type Presenter, presentChunk, presentOutline, presentSymbol } from './present.ts';
export { isRankerModel, Ranker, type RankerModel, type RankerModels } from './ranker.ts';
export {
  expandFromModel,
  givenTerms,
  type RelatedTerm,
  synonymTerms,
  understandIn,
  type Vocabulary,
} from './related-terms.ts';
export { search } from './search.ts';
export { loadSynonyms, type Synonyms } from './synonyms.ts';
export { type QueryTerm, type Understood, understand } from './understand.ts';
