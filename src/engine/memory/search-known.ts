/** A question about what is known: words and vector of the question, the code beside it, one ranking of all. */
import { subjectOf, type WeighedTerm, withoutFrame } from '../../memory/index.ts';
import type { ContextAnswer, ContextResult, Discovery } from '../../model/records/discovery.ts';
import type { Hit, SearchAnswer, SearchRequest } from '../../model/records/query.ts';
import { type Synonyms, understand } from '../../search/index.ts';
import type { TreeView } from '../../store/store.ts';
import type { ContextRequest } from '../engine.ts';
import type { Models } from '../model-loader.ts';
import { belongsTo, type ContextMemory, findNamed, searchContext } from './context-search.ts';

/**
 * Code results considered for a memory question: more than are shown, because mined documents among them are replaced
 * by their discoveries.
 */
const CODE_HITS = 20;
export const UNREAD = 'Only the newest part of the history has been read so far; the next call reads on.';
const NOT_EMBEDDED = 'Some of what is remembered was looked at by its words alone; the next call goes on.';

/** Recorded and mined discoveries, and the tree that they are about. */
export interface KnownContext {
  readonly memory: ContextMemory;
  readonly view: TreeView;
  readonly discoveries: readonly Discovery[];
  readonly moduleOf: (path: string) => string;
  /** Of all modules of the tree, where they are known. */
  readonly moduleNames?: readonly string[];
  /** When a file was changed last; where it is not given, the view tells. */
  readonly dateOf?: (path: string) => number;
}

export async function searchKnown(
  models: Models,
  { memory, view, discoveries, moduleOf, moduleNames = [], dateOf }: KnownContext,
  request: ContextRequest,
  searchCode: (request: SearchRequest) => Promise<SearchAnswer>,
): Promise<ContextAnswer> {
  const started = performance.now();
  const limit = request.limit ?? 5;
  const named = findNamed(discoveries, request);
  if (named) return { results: [named], totalFound: 1, notices: [], durationMs: performance.now() - started };
  const understood = understand(subjectOf(request.query));
  const notices: string[] = [];
  const vector = request.requireVector
    ? await models.requireVector(understood.text, view, request.signal)
    : await models.queryVector(understood.text, view, notices, request.signal);
  const wantsCode = !request.type || request.type === 'all' || request.type === 'decision' || request.type === 'rule';
  const found = await searchContext({
    memory,
    request,
    discoveries,
    terms: withAbbreviations(withoutFrame(understood.terms), models.synonyms),
    vector,
    ranker: models.contextRanker,
    hits: wantsCode ? await codeHits(request, searchCode) : [],
    moduleOf,
    // Files of a ref have no date of their own.
    dateOf: dateOf ?? ((path) => view.files[view.indexOfPath(path)]?.mtimeMs || view.info.publishedAtMs),
  });
  const results = ofNamedModule(found, moduleNames, request.module);
  if (!memory.isHistoryRead) notices.push(UNREAD);
  else if (vector && !memory.isEmbedded) notices.push(NOT_EMBEDDED);
  return {
    results: results.slice(0, limit),
    totalFound: results.length,
    notices,
    durationMs: performance.now() - started,
  };
}

/** Shorter words begin too many others. */
const SHORTEST = 3;

/** A note has "auth" or "config" where the question has the whole word, or the other way round. */
function withAbbreviations(terms: readonly WeighedTerm[], synonyms: Synonyms): WeighedTerm[] {
  return terms.map((each) => {
    const { term } = each;
    const begins = (other: string) =>
      Math.min(term.length, other.length) >= SHORTEST && (term.startsWith(other) || other.startsWith(term));
    const alike = synonyms
      .of(term)
      .filter((other) => begins(other.term))
      // As synonyms of code count.
      .map((other) => ({ term: other.term, similarity: Math.sqrt(other.similarity) }));
    return alike.length > 0 ? { ...each, alike } : each;
  });
}

/** Where a module has exactly the name, parts of others that end in it ("shop/auth" for "auth") are not meant. */
function ofNamedModule(
  results: readonly ContextResult[],
  names: readonly string[],
  moduleFilter: string | undefined,
): readonly ContextResult[] {
  const wanted = moduleFilter?.toLowerCase().replace(/^@[^/]+\//, '');
  if (wanted === undefined || !names.some((name) => name.toLowerCase() === wanted)) return results;
  return results.filter(({ module }) => `${module.toLowerCase()}/`.startsWith(`${wanted}/`));
}

async function codeHits(
  { query, module, signal }: ContextRequest,
  searchCode: (request: SearchRequest) => Promise<SearchAnswer>,
): Promise<readonly Hit[]> {
  const answer = await searchCode({
    query,
    limit: CODE_HITS,
    // The features that found it are those that it is ranked by.
    explain: true,
    ...(module ? { filters: { module } } : {}),
    ...(signal ? { signal } : {}),
  });
  // The filter of code also takes folders by that name, which may belong to other modules.
  return module ? answer.hits.filter((hit) => belongsTo({ module: hit.module, evidence: [hit] }, module)) : answer.hits;
}
