/**
 * Finds words related to those of the query: synonyms and abbreviations always, neighbouring vectors with `expand`. A
 * related word has a low weight: it can add a file and raise it a little. It replaces a word of the query only if the
 * repository does not use that word at all.
 */

import type { WordModel } from '../../../embed/embedder.ts';
import { editDistance } from '../../../model/text/edit-distance.ts';
import { forEachIdentifier, identifierTerms, rawParts, stem } from '../../../model/text/terms.ts';
import { findLiveChunk, type IndexedTree } from '../../indexed-tree.ts';
import { treeStats } from '../../scoring/tree-stats.ts';
import type { QueryTerm } from '../query-terms.ts';
import { type Understood, understand } from '../understand-query.ts';
import type { Synonym, Synonyms } from './synonyms.ts';
import { translateToEnglish } from './translate-query.ts';

/** On the benchmark's open half, weights from 0.1 to 0.25 gain the same; higher ones gain less. */
const SYNONYM_WEIGHT = 0.2;
/** Weight of synonyms of a word that the repository does not use. */
const STAND_IN_WEIGHT = 0.5;
/** Weight of two words joined to one, as code may write them; on the open half, 0.3 to 0.5 gain the same. */
const JOINED_WEIGHT = 0.5;
/** In a shorter word, a changed letter makes another word. */
const MIN_MISSPELT_CHARACTERS = 6;
const EXPANSION_WEIGHT = 0.15;
/** Terms that a language model suggests after reading the query are better than neighbouring vectors. */
const SUGGESTED_WEIGHT = 0.4;
const MAX_EXPANSION = 8;
const NEIGHBOUR_COUNT = 40;
const MIN_SIMILARITY = 0.3;
/** A word in a larger share of the chunks does not distinguish files. */
const COMMON_SHARE = 0.15;

export interface RelatedTerm extends QueryTerm {
  /** The term replaces a word of the query that the repository does not use, and counts as that word. */
  readonly standsIn?: boolean;
}

export function synonymTerms(
  { terms, compounds }: Understood,
  synonyms: Synonyms,
  vocabulary: IndexedTree,
): RelatedTerm[] {
  const queryTerms = new Set(terms.map(({ term }) => term));
  const found = new Map<string, RelatedTerm>();
  for (const { term, weight, forms } of terms) {
    if (weight < 1) continue;
    const standsIn = !forms && findLiveChunk(vocabulary, term) === undefined;
    const known = synonyms.of(term);
    const near = [...known, ...(standsIn && known.length === 0 ? correctSpelling(term, vocabulary) : [])].filter(
      (synonym) => !queryTerms.has(synonym.term),
    );
    if (near.length === 0) continue;
    for (const { term: other, similarity } of near) {
      const value = (standsIn ? STAND_IN_WEIGHT : SYNONYM_WEIGHT) * Math.sqrt(similarity);
      if (value > (found.get(other)?.weight ?? 0)) found.set(other, { term: other, weight: value, standsIn });
    }
  }
  // "keep alive" in the query, `keepalive` in the code.
  for (const joined of new Set(compounds.map(stem)))
    if (!queryTerms.has(joined) && findLiveChunk(vocabulary, joined) !== undefined)
      found.set(joined, { term: joined, weight: JOINED_WEIGHT });
  return [...found.values()];
}

/** Words of the repository that begin like an unused word and are one edit away from it. */
function correctSpelling(term: string, vocabulary: IndexedTree): Synonym[] {
  if (term.length < MIN_MISSPELT_CHARACTERS || !/^[a-z]+$/.test(term)) return [];
  return vocabulary.reader
    .termsWithPrefix('text', term.slice(0, 2))
    .filter((other) => editDistance(other, term, 1) <= 1 && findLiveChunk(vocabulary, other) !== undefined)
    .map((other) => ({ term: other, similarity: 1 }));
}

/** A related term with the repository's spelling of the word. */
export interface ExpansionTerm extends QueryTerm {
  readonly shown: string;
}

/** The words of this repository that are nearest to the question's words and to its vector. */
export function expandFromModel(
  understood: Understood,
  synonyms: Synonyms,
  model: WordModel,
  vocabulary: IndexedTree,
): ExpansionTerm[] {
  const queryTerms = understood.terms.filter(({ weight }) => weight === 1).map(({ term }) => term);
  if (queryTerms.length === 0) return [];
  const candidates = new Map<string, number>();
  const offer = (term: string, similarity: number) => {
    if (similarity >= MIN_SIMILARITY && !understood.terms.some((queryTerm) => queryTerm.term === term))
      candidates.set(term, Math.max(candidates.get(term) ?? 0, similarity));
  };
  for (const term of queryTerms) for (const near of synonyms.of(term)) offer(near.term, near.similarity);
  const vector = new Float32Array(model.dims);
  model.embedTerms(queryTerms, null, 'query', vector);
  for (const { word, similarity } of model.nearestWords(vector, NEIGHBOUR_COUNT)) offer(word, similarity);
  const { chunks } = treeStats(vocabulary.view).counts;
  const found: ExpansionTerm[] = [];
  for (const [term, similarity] of [...candidates].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))) {
    const count = liveCount(vocabulary, term);
    if (count === 0 || count > Math.max(3, COMMON_SHARE * chunks)) continue;
    found.push({ term, weight: EXPANSION_WEIGHT * Math.sqrt(similarity), shown: spelling(vocabulary, term) });
    if (found.length === MAX_EXPANSION) break;
  }
  return found;
}

/** Terms that a language model suggested for the query. */
export function suggestedTerms(suggestions: readonly string[], { terms }: Understood): QueryTerm[] {
  const found = new Map<string, number>();
  const queryTerms = new Set(terms.map(({ term }) => term));
  for (const text of suggestions)
    forEachIdentifier(text, (identifier) => {
      const { parts, whole } = identifierTerms(identifier);
      for (const part of whole ? [...parts, whole] : parts)
        if (!queryTerms.has(part)) found.set(part, SUGGESTED_WEIGHT);
    });
  return [...found].map(([term, weight]) => ({ term, weight }));
}

/** Understands a query after translating known words of other languages into English. */
export function understandTranslated(query: string, vocabulary: IndexedTree): Understood {
  const understood = understand(query);
  if (understood.intent !== 'natural_language') return understood;
  const english = translateToEnglish(understood.text, (term) => findLiveChunk(vocabulary, term) !== undefined);
  if (english === null) return understood;
  const { phrases, excluded, filters } = understood;
  return { ...understand(english), intent: 'natural_language', asks: true, phrases, excluded, filters };
}

function liveCount({ reader, view }: IndexedTree, term: string): number {
  let live = 0;
  for (const id of reader.postings('text', term).docs) if ((view.fileOfChunk[id] ?? -1) >= 0) live++;
  return live;
}

/** The shortest spelling of a term in the first file that contains it; the term itself if only compounds contain it. */
function spelling({ reader, view }: IndexedTree, term: string): string {
  const id = findLiveChunk({ reader, view }, term);
  if (id === undefined) return term;
  let shown = '';
  forEachIdentifier(reader.text(view.contentOf[view.fileOfChunk[id]!]!), (identifier) => {
    if (shown === term) return;
    for (const part of rawParts(identifier))
      if (stem(part) === term && (shown === '' || part.length < shown.length)) shown = part;
  });
  return shown || term;
}
