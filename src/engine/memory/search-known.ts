/** Answers a memory question: embeds the query, searches the code, and ranks both with the discoveries. */
import { lowerFrameWords, subjectOf, type WeighedTerm, withProducts } from '../../memory/index.ts';
import type { ContextAnswer, ContextResult, Discovery } from '../../model/records/discovery.ts';
import type { Hit, SearchAnswer, SearchRequest } from '../../model/records/query.ts';
import { type Synonyms, understand } from '../../search/index.ts';
import type { TreeView } from '../../store/store.ts';
import type { ContextRequest } from '../engine.ts';
import type { Models } from '../model-loader.ts';
import { belongsTo, type ContextMemory, findById, searchContext } from './context-search.ts';

/**
 * Code results considered for a memory question. More than are shown, because documents among them are replaced by the
 * discoveries mined from them.
 */
const CODE_HITS = 20;
export const HISTORY_UNREAD = 'Only the newest part of the history has been read so far; the next call reads on.';
const EMBEDDING_UNFINISHED = 'Some of what is remembered was looked at by its words alone; the next call goes on.';

/** Recorded and mined discoveries, and the tree they belong to. */
export interface KnownContext {
  readonly memory: ContextMemory;
  readonly view: TreeView;
  readonly discoveries: readonly Discovery[];
  readonly moduleOf: (path: string) => string;
  /** Names of the tree's modules, if known. */
  readonly moduleNames?: readonly string[];
  /** Time of a file's last change; the view's time by default. */
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
  const named = findById(discoveries, request);
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
    terms: withProducts(withAbbreviations(lowerFrameWords(understood.terms), models.synonyms)),
    vector,
    ranker: models.contextRanker,
    hits: wantsCode ? await codeHits(request, searchCode) : [],
    moduleOf,
    // Files of a ref have no modification time.
    dateOf: dateOf ?? ((path) => view.files[view.indexOfPath(path)]?.mtimeMs || view.info.publishedAtMs),
  });
  const results = ofNamedModule(found, moduleNames, request.module);
  if (!memory.isHistoryRead) notices.push(HISTORY_UNREAD);
  else if (vector && !memory.isEmbedded) notices.push(EMBEDDING_UNFINISHED);
  return {
    results: results.slice(0, limit),
    totalFound: results.length,
    notices,
    durationMs: performance.now() - started,
  };
}

/** Shorter terms are a prefix of too many others. */
const MIN_PREFIX_CHARS = 3;

/**
 * Adds abbreviations and long forms: a discovery may say "auth" where the query says "authentication", or the reverse.
 */
function withAbbreviations(terms: readonly WeighedTerm[], synonyms: Synonyms): WeighedTerm[] {
  return terms.map((each) => {
    const { term } = each;
    const begins = (other: string) =>
      Math.min(term.length, other.length) >= MIN_PREFIX_CHARS && (term.startsWith(other) || other.startsWith(term));
    const alike = synonyms
      .of(term)
      .filter((other) => begins(other.term))
      // Weighted as the code search weights synonyms.
      .map((other) => ({ term: other.term, similarity: Math.sqrt(other.similarity) }));
    return alike.length > 0 ? { ...each, alike } : each;
  });
}

/**
 * If a module has exactly the requested name, results of modules that only end in it ("shop/auth" for "auth") are
 * dropped.
 */
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
    // The explanation holds the features that the code result is ranked by here.
    explain: true,
    ...(module ? { filters: { module } } : {}),
    ...(signal ? { signal } : {}),
  });
  // The module filter of search() also accepts folders of that name, which may belong to other modules.
  return module ? answer.hits.filter((hit) => belongsTo({ module: hit.module, evidence: [hit] }, module)) : answer.hits;
}
