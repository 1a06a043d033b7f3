/** One search from request to answer: the answer cache, the caller's recent reads, related terms, the ranking. */
import type { Hit, SearchAnswer, SearchRequest } from '../../model/records/query.ts';
import {
  modeOf,
  type Presenter,
  type QueryTerm,
  rankByCosine,
  search,
  type Understood,
  understand,
  understandTranslated,
} from '../../search/index.ts';
import type { TreeView } from '../../store/store.ts';
import type { EngineConfig } from '../engine-config.ts';
import type { FreshnessOf } from '../freshness/index-freshness.ts';
import type { Memories } from '../memory/memory-calls.ts';
import type { Models } from '../model-loader.ts';
import { isLargeTree } from '../projects/cache-path.ts';
import type { AnsweringProject, ProjectAccess } from '../projects/open-projects.ts';
import { loadPathStats, savePathStats } from '../projects/path-cache.ts';
import { hasAccesses } from '../projects/project-registry.ts';
import { AnswerCache } from './answer-cache.ts';
import type { Assistance, Widened } from './assistance.ts';
import { checkQuery } from './check-request.ts';

export const MAX_HITS = 1_000;
const NO_QUOTED_TEXT = 'No file that was searched has the quoted text: without the quotes, what is near it is found.';

/** The parts of a search over one project, or over several queried as one. */
export interface SearchParts<P extends AnsweringProject> {
  readonly config: Pick<EngineConfig, 'inline'>;
  readonly projects: ProjectAccess<P>;
  readonly indexFreshness: FreshnessOf<P>;
  readonly models: Models;
  readonly assistance: Assistance;
  /** Returns the memories if `wanted` or if an earlier call loaded them; null otherwise. */
  readonly memoriesIf: (wanted: boolean) => Promise<SearchMemory<P> | null>;
}

type Context = ReturnType<Memories['contextFor']>;
type RankedAnswer = Omit<SearchAnswer, 'cacheHit' | 'freshness' | 'durationMs'>;

interface SearchMemory<P> {
  contextFor(opened: P, view: TreeView): Context;
  noteSearch(opened: P, session: string, query: string, hits: readonly Hit[]): void;
  noteHits(opened: P, hits: readonly Hit[]): void;
}

export class SearchCalls<P extends AnsweringProject> {
  readonly #parts: SearchParts<P>;
  readonly #answers = new AnswerCache();

  constructor(parts: SearchParts<P>) {
    this.#parts = parts;
  }

  async answer(path: string, request: SearchRequest): Promise<SearchAnswer> {
    const started = performance.now();
    checkQuery(request, MAX_HITS);
    const { opened, view } = await this.#find(path, request);
    // Runs beside the search: git lists the folder in a process of its own.
    const checking = this.#parts.indexFreshness.of(opened, view);
    checking.catch(() => {});
    const { signal: _signal, session: requestSession, ...cacheableRequest } = request;
    const session = request.stateless ? undefined : requestSession;
    const memories = request.stateless
      ? null
      : await this.#parts.memoriesIf(session !== undefined || hasAccesses(opened.resolved));
    const context = memories?.contextFor(opened, view);
    const cacheKey = `${context?.version ?? 0}\n${JSON.stringify(cacheableRequest)}`;
    const cached = this.#answers.get(view, cacheKey);
    if (session) memories?.noteSearch(opened, session, request.query, cached?.hits ?? []);
    const ranked = cached ?? (await this.#rankAndPresent(opened, view, request, context));
    if (!cached && session) memories?.noteHits(opened, ranked.hits);
    const answer: SearchAnswer = {
      ...ranked,
      cacheHit: cached !== null,
      freshness: await checking,
      durationMs: performance.now() - started,
    };
    // An incomplete answer is not cached: the next one may be complete.
    if (!cached && ranked.notices.length === 0) this.#answers.set(view, cacheKey, answer);
    return answer;
  }

  async #find(path: string, request: SearchRequest): Promise<{ opened: P; view: TreeView }> {
    const { config, projects, indexFreshness } = this.#parts;
    if (config.inline && !request.waitFreshMs && request.ref === undefined) await this.#startCheck(path);
    const opened = await projects.around(path);
    const view = await opened.find(request.ref);
    if (!request.waitFreshMs) return { opened, view };
    await indexFreshness.wait(opened, request.waitFreshMs, request.ref);
    return { opened, view: await opened.find(request.ref) };
  }

  async #startCheck(path: string): Promise<void> {
    const { root, git } = await this.#parts.projects.resolve(path);
    if (git?.workTree === root) await this.#parts.indexFreshness.startCheck(root);
  }

  async #rankAndPresent(
    opened: P,
    view: TreeView,
    request: SearchRequest,
    context: Context | undefined,
  ): Promise<RankedAnswer> {
    const { config, projects, assistance } = this.#parts;
    const notices: string[] = [];
    const presenter = await projects.presenter(opened, view);
    const { storeFolder } = opened.resolved;
    const usesPathCache = config.inline && !request.cosineOnly && storeFolder !== '';
    if (usesPathCache || (storeFolder !== '' && isLargeTree(view))) loadPathStats(storeFolder, view);
    const { failure, ...ranked } = await this.rank(presenter, request, notices, context);
    if (usesPathCache) savePathStats(storeFolder, view);
    if (!request.synthesize || ranked.hits.length === 0) return ranked;
    const graph = await projects.graphContext(opened, view);
    return { ...ranked, synthesis: await assistance.synthesize(request, ranked.hits, graph, notices, failure) };
  }

  /** Ranks without caches, files or session. Adds to `notices`. */
  async rank(
    presenter: Presenter,
    request: SearchRequest,
    notices: string[],
    context?: Context,
  ): Promise<Omit<RankedAnswer, 'synthesis'> & Pick<Widened, 'failure'>> {
    const { models, assistance } = this.#parts;
    const { view } = presenter;
    if (request.cosineOnly) {
      const vector = await models.requireVector(request.query, view, request.signal);
      if (vector) {
        const ranked = rankByCosine(presenter, request, vector);
        return { ...ranked, intent: 'natural_language', mode: 'vector', notices };
      }
    }
    const widened = await assistance.widen(request, understandTranslated(request.query, presenter), presenter, notices);
    const { understood, related, expansion, failure } = widened;
    const mode = modeOf(request);
    const embedQuery = () =>
      request.requireVector
        ? models.requireVector(widened.text, view, request.signal)
        : models.queryVector(widened.text, view, notices, request.signal);
    const vector = mode === 'keyword' ? null : await embedQuery();
    const ranked = search({
      ...presenter,
      request,
      understood,
      related,
      vector,
      ranker: models.ranker,
      ...(context ? { context } : {}),
    });
    if (ranked.hits.length === 0 && understood.phrases.length > 0) notices.push(NO_QUOTED_TEXT);
    return {
      ...ranked,
      intent: understood.intent,
      mode: vector ? mode : 'keyword',
      notices,
      ...(request.explain ? { related: addedTerms(request.query, understood, related) } : {}),
      ...(expansion ? { expansion } : {}),
      ...(failure ? { failure } : {}),
    };
  }
}

/** Terms that were added to those of the query: translations, other forms of its words, related words. */
function addedTerms(
  query: string,
  { terms }: Understood,
  related: readonly QueryTerm[],
): readonly { readonly term: string; readonly weight: number }[] {
  const own = new Set(understand(query).terms.map(({ term }) => term));
  const forms = terms.flatMap(({ forms: others = [], weight }) => others.map((term) => ({ term, weight })));
  const translated = terms.filter(({ term }) => !own.has(term));
  return [...translated, ...forms, ...related].map(({ term, weight }) => ({ term, weight }));
}
