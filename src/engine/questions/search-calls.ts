/**
 * One search from the question to its answer: what is kept of earlier ones, what the asker did before, the words beside
 * it, the ranking.
 */
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

/** Of one project, or of several that are asked as one. */
export interface SearchParts<P extends AnsweringProject> {
  readonly config: Pick<EngineConfig, 'inline'>;
  readonly projects: ProjectAccess<P>;
  readonly indexFreshness: FreshnessOf<P>;
  readonly models: Models;
  readonly assistance: Assistance;
  /** Loads the memories if `wanted`, or if an earlier call loaded them; null otherwise. */
  readonly memoriesIf: (wanted: boolean) => Promise<SearchMemory<P> | null>;
}

type Context = ReturnType<Memories['contextFor']>;
type Made = Omit<SearchAnswer, 'cacheHit' | 'freshness' | 'durationMs'>;

interface SearchMemory<P> {
  contextFor(opened: P, view: TreeView): Context;
  noteSearch(opened: P, session: string, query: string, hits: readonly Hit[]): void;
  noteHits(opened: P, hits: readonly Hit[]): void;
}

export class Searching<P extends AnsweringProject> {
  readonly #parts: SearchParts<P>;
  readonly #answers = new AnswerCache();

  constructor(parts: SearchParts<P>) {
    this.#parts = parts;
  }

  async answer(path: string, request: SearchRequest): Promise<SearchAnswer> {
    const started = performance.now();
    checkQuery(request, MAX_HITS);
    const { opened, view } = await this.#find(path, request);
    // Looked for while the answer is: git lists the folder in a process of its own.
    const checking = this.#parts.indexFreshness.of(opened, view);
    checking.catch(() => {});
    const { signal: _signal, session: asking, ...plain } = request;
    const session = request.stateless ? undefined : asking;
    const memories = request.stateless
      ? null
      : await this.#parts.memoriesIf(session !== undefined || hasAccesses(opened.resolved));
    const context = memories?.contextFor(opened, view);
    const question = `${context?.version ?? 0}\n${JSON.stringify(plain)}`;
    const cached = this.#answers.get(view, question);
    if (session) memories?.noteSearch(opened, session, request.query, cached?.hits ?? []);
    const made = cached ?? (await this.#make(opened, view, request, context));
    if (!cached && session) memories?.noteHits(opened, made.hits);
    const answer: SearchAnswer = {
      ...made,
      cacheHit: cached !== null,
      freshness: await checking,
      durationMs: performance.now() - started,
    };
    // An incomplete answer is not cached: the next one may be complete.
    if (!cached && made.notices.length === 0) this.#answers.set(view, question, answer);
    return answer;
  }

  async #find(path: string, request: SearchRequest): Promise<{ opened: P; view: TreeView }> {
    const { config, projects, indexFreshness } = this.#parts;
    if (config.inline && !request.waitFreshMs && request.ref === undefined) await this.#lookAhead(path);
    const opened = await projects.around(path);
    const view = await opened.find(request.ref);
    if (!request.waitFreshMs) return { opened, view };
    await indexFreshness.wait(opened, request.waitFreshMs, request.ref);
    return { opened, view: await opened.find(request.ref) };
  }

  async #lookAhead(path: string): Promise<void> {
    const { root, git } = await this.#parts.projects.resolve(path);
    if (git?.workTree === root) await this.#parts.indexFreshness.startCheck(root);
  }

  async #make(opened: P, view: TreeView, request: SearchRequest, context: Context | undefined): Promise<Made> {
    const { config, projects, assistance } = this.#parts;
    const notices: string[] = [];
    const presenter = await projects.presenter(opened, view);
    const { storeFolder } = opened.resolved;
    const isKept = config.inline && !request.cosineOnly && storeFolder !== '';
    if (isKept || (storeFolder !== '' && isLargeTree(view))) loadPathStats(storeFolder, view);
    const { failure, ...made } = await this.rank(presenter, request, notices, context);
    if (isKept) savePathStats(storeFolder, view);
    if (!request.synthesize || made.hits.length === 0) return made;
    const graph = await projects.graphContext(opened, view);
    return { ...made, synthesis: await assistance.synthesize(request, made.hits, graph, notices, failure) };
  }

  /** The ranking alone: nothing is kept, and nothing looked for on disk. `notices` is added to. */
  async rank(
    presenter: Presenter,
    request: SearchRequest,
    notices: string[],
    context?: Context,
  ): Promise<Omit<Made, 'synthesis'> & Pick<Widened, 'failure'>> {
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
    const embedded = () =>
      request.requireVector
        ? models.requireVector(widened.text, view, request.signal)
        : models.queryVector(widened.text, view, notices, request.signal);
    const vector = mode === 'keyword' ? null : await embedded();
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
      ...(request.explain ? { related: wordsBeside(request.query, understood, related) } : {}),
      ...(expansion ? { expansion } : {}),
      ...(failure ? { failure } : {}),
    };
  }
}

/** Terms that counted beside those of the query: related words and translations. */
function wordsBeside(
  query: string,
  { terms }: Understood,
  related: readonly QueryTerm[],
): readonly { readonly term: string; readonly weight: number }[] {
  const own = new Set(understand(query).terms.map(({ term }) => term));
  return [...terms.filter(({ term }) => !own.has(term)), ...related].map(({ term, weight }) => ({ term, weight }));
}
