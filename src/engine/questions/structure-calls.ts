/**
 * Answers questions about structure: where a name is defined, one symbol in detail, research over several hops, the map
 * of a tree.
 */
import type {
  Hit,
  LocatedSymbol,
  ResearchAnswer,
  ResearchRequest,
  SearchAnswer,
  SearchRequest,
  SymbolDetail,
  SymbolInfo,
} from '../../model/records/query.ts';
import { locateSymbols, type Match } from '../../search/index.ts';
import type { TreeView } from '../../store/store.ts';
import type { Engine } from '../engine.ts';
import type { FreshnessOf } from '../freshness/index-freshness.ts';
import type { AnsweringProject, ProjectAccess } from '../projects/open-projects.ts';
import { checkFields, checkQuery, checkRef, checkRequest, checkText } from './check-request.ts';
import { describeSymbol, type GraphContext, referencesOf, usedFirst } from './symbol-detail.ts';
import { TreeAnswers } from './tree-answers.ts';

const MAP_TOKENS = 2_000;

/** The parts that answer for one project, or for several queried as one. */
export interface StructureParts<P extends AnsweringProject> {
  readonly projects: ProjectAccess<P>;
  readonly indexFreshness: FreshnessOf<P>;
  readonly memories: () => Promise<StructureMemory<P>>;
  readonly search: (path: string, request: SearchRequest) => Promise<SearchAnswer>;
}

export interface StructureMemory<P> {
  preferKnown(opened: P, view: TreeView, matches: readonly Match[]): readonly Match[];
  noteSearch(opened: P, session: string, query: string, hits: readonly Hit[]): void;
  noteSymbol(opened: P, symbol: SymbolInfo): void;
}

/** For questions whose answers do not depend on what was asked and read before. */
export const NO_STRUCTURE_MEMORY: StructureMemory<unknown> = {
  preferKnown: (_opened, _view, symbols) => symbols,
  noteSearch: () => undefined,
  noteSymbol: () => undefined,
};

interface Opened<P> {
  readonly opened: P;
  readonly view: TreeView;
  readonly context: GraphContext;
}

export class StructureCalls<P extends AnsweringProject> {
  readonly #parts: StructureParts<P>;
  readonly #symbols = new TreeAnswers<SymbolDetail>();

  constructor(parts: StructureParts<P>) {
    this.#parts = parts;
  }

  async locate(path: string, request: Parameters<Engine['locate']>[1]): ReturnType<Engine['locate']> {
    checkRequest(request, 'name');
    const { opened, view, context } = await this.#open(path, request.ref);
    const memories = await this.#parts.memories();
    const found = locateSymbols(context, request, (matches) => {
      const known = memories.preferKnown(opened, view, matches);
      return request.exactFirst ? usedFirst(context, known) : known;
    });
    if (request.session) memories.noteSearch(opened, request.session, request.name, []);
    return {
      symbols: found.symbols,
      chunks: found.chunks,
      ...referencesOf(context, request.includeReferences ? meant(found.symbols) : []),
      totalCandidates: found.total,
      nearestNames: found.nearestNames,
      freshness: await this.#parts.indexFreshness.of(opened, view),
    };
  }

  async symbol(path: string, id: string, ref?: string): Promise<SymbolDetail> {
    checkText(id, 'symbol id');
    checkRef(ref);
    const { opened, view, context } = await this.#open(path, ref);
    const detail = this.#symbols.get(view, id, () => describeSymbol(context, id));
    (await this.#parts.memories()).noteSymbol(opened, detail.symbol);
    return detail;
  }

  async research(path: string, request: ResearchRequest): Promise<ResearchAnswer> {
    checkQuery(request);
    const { opened, view, context } = await this.#open(path, request.ref);
    if (request.session) (await this.#parts.memories()).noteSearch(opened, request.session, request.query, []);
    const ref = request.ref === undefined ? {} : { ref: request.ref };
    const signal = request.signal && { signal: request.signal };
    const notices = new Set<string>();
    const { research } = await import('../../graph/index.ts');
    const found = await research({
      ...context,
      request,
      search: async (query) => {
        const answer = await this.#parts.search(path, { query, limit: 10, ...ref, ...signal });
        for (const notice of answer.notices) notices.add(notice);
        return answer.hits;
      },
      similar: (name) => locateSymbols(context, { name, limit: 3 }).symbols,
    });
    const summary = [found.summary, ...notices].join('\n');
    return { ...found, summary, freshness: await this.#parts.indexFreshness.of(opened, view) };
  }

  async map(path: string, options: Parameters<Engine['map']>[1] = {}): Promise<string> {
    checkFields(options, 'options');
    const { opened, context } = await this.#open(path, options.ref);
    const { drawMap } = await import('../../graph/index.ts');
    return drawMap({
      ...context,
      title: this.#parts.projects.titleOf(opened),
      maxTokens: options.maxTokens ?? MAP_TOKENS,
    });
  }

  async #open(path: string, ref: string | undefined): Promise<Opened<P>> {
    const opened = await this.#parts.projects.around(path);
    const view = await opened.find(ref);
    return { opened, view, context: await this.#parts.projects.graphContext(opened, view) };
  }
}

const MAX_NAMESAKES = 3;

/** Symbols that fit the name as well as the best one does: `QuerySet.get` does not mean another type's `get`. */
function meant(symbols: readonly LocatedSymbol[]): readonly LocatedSymbol[] {
  const [best] = symbols;
  return symbols.filter(({ name, match }) => name === best?.name && match === best.match).slice(0, MAX_NAMESAKES);
}
