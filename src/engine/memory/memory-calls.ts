/** The memories of the open projects: records and searches discoveries, and counts reads and hits. */
import {
  type Comparison,
  editDiscovery,
  findComparable,
  importDiscoveries,
  type NewDiscovery,
  remember,
} from '../../memory/index.ts';
import type { ContextAnswer, Discovery, DiscoveryChanges, ImportReport } from '../../model/records/discovery.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type {
  Hit,
  ReadFileAnswer,
  ReadFileRequest,
  SearchAnswer,
  SearchRequest,
  SymbolInfo,
} from '../../model/records/query.ts';
import type { Match } from '../../search/index.ts';
import type { TreeView } from '../../store/store.ts';
import type { ContextRequest, DiscoveryFilter, RememberRequest } from '../engine.ts';
import type { Models } from '../model-loader.ts';
import { hasTree, type OpenProjects } from '../projects/open-projects.ts';
import type { OpenedProject } from '../projects/opened-project.ts';
import { isAbout } from './context-search.ts';
import { type MinedTree, ProjectMemory } from './project-memory.ts';
import { HISTORY_UNREAD, type KnownContext, searchKnown } from './search-known.ts';

/** Number of top results that count as found for the current work. */
const COUNTED_HITS = 3;

export class Memories {
  readonly #projects: OpenProjects;
  readonly #models: Models;
  readonly #contextBound: number;
  readonly #open = new Map<string, ProjectMemory>();

  constructor(projects: OpenProjects, models: Models, contextBound: number) {
    this.#projects = projects;
    this.#models = models;
    this.#contextBound = contextBound;
  }

  of({ resolved }: OpenedProject): ProjectMemory {
    // The key includes the store: a folder that becomes a repository has another one.
    const key = `${resolved.root}\n${resolved.storeFolder}`;
    const memory = this.#open.get(key) ?? new ProjectMemory(resolved, this.#models.embedder);
    this.#open.set(key, memory);
    return memory;
  }

  async remember(opened: OpenedProject, request: RememberRequest) {
    const memory = this.of(opened);
    const tree = await this.#tree(opened);
    const evidence = request.evidence ?? [];
    const wanted = {
      type: request.type,
      content: request.content,
      module: indexedModule(tree, request.module ?? '', evidence[0]?.path),
      session: request.session ?? '',
      origin: request.origin ?? 'agent',
      evidence,
      ...(request.author === undefined ? {} : { author: request.author }),
    };
    const comparison = findComparable(memory.notebook, wanted);
    const remembered = remember(memory.notebook, wanted, Date.now(), {
      mined: tree ? memory.ofTree(tree) : [],
      comparison,
      similarityTo: await this.#similaritiesTo(wanted, comparison),
    });
    if (request.session) memory.sessions.recordDiscovery(request.session, remembered.discovery.id, Date.now());
    return remembered;
  }

  /**
   * Returns cosines between the new discovery and recorded ones with similar words; null for those recorded meanwhile,
   * which are compared by words.
   */
  async #similaritiesTo(
    { content: own }: NewDiscovery,
    { compared }: Comparison,
  ): Promise<(content: string) => number | null> {
    const contents = compared.map(({ known }) => known.content);
    if (contents.length === 0) return () => null;
    const [vector, ...others] = await this.#models.builtIn.embed([own, ...contents], 'passage');
    const cosines = new Map(contents.map((content, i) => [content, dot(vector!, others[i]!)]));
    return (content) => cosines.get(content) ?? null;
  }

  async search(
    opened: OpenedProject,
    request: ContextRequest,
    searchCode: (request: SearchRequest) => Promise<SearchAnswer>,
  ): Promise<ContextAnswer> {
    const answer = await this.searchIn(await this.known(opened, request.signal), request, searchCode);
    if (request.session) this.of(opened).sessions.recordQuery(request.session, request.query, Date.now());
    return answer;
  }

  /** Throws not_indexed: an answer from recorded discoveries alone would look complete. */
  async known(opened: OpenedProject, signal?: AbortSignal): Promise<KnownContext> {
    const memory = this.of(opened);
    const view = opened.view();
    const tree = await this.#tree(opened);
    return {
      memory,
      view,
      discoveries: await memory.all(tree, signal),
      moduleOf: tree?.modules.moduleOf ?? (() => ''),
      moduleNames: tree?.modules.names ?? [],
    };
  }

  searchIn(
    known: KnownContext,
    request: ContextRequest,
    searchCode: (request: SearchRequest) => Promise<SearchAnswer>,
  ): Promise<ContextAnswer> {
    return searchKnown(this.#models, known, request, searchCode);
  }

  async list(opened: OpenedProject, filter: DiscoveryFilter): Promise<readonly Discovery[]> {
    const { type, module, recorded, limit } = filter;
    const memory = this.of(opened);
    const own = memory.notebook.all();
    const tree = recorded === true ? null : await this.#tree(opened);
    const all = filter.whole ? await memory.whole(tree) : await memory.all(tree);
    const known = recorded === false ? new Set(own.map(({ id }) => id)) : null;
    return all
      .filter(
        (discovery) =>
          (!type || discovery.type === type) && (!module || isAbout(discovery, module)) && !known?.has(discovery.id),
      )
      .slice(0, limit ?? all.length);
  }

  /** A notice if the last list lacked a part of the history. */
  notices(opened: OpenedProject): readonly string[] {
    return this.of(opened).isHistoryRead ? [] : [HISTORY_UNREAD];
  }

  async find(
    opened: OpenedProject,
    id: string,
  ): Promise<{ readonly discovery: Discovery; readonly file: string | null }> {
    const memory = this.of(opened);
    const discovery = (await memory.all(await this.#tree(opened))).find((each) => each.id === id);
    if (!discovery) throw new EngineError('discovery_not_found', { id });
    return { discovery, file: memory.notebook.fileOf(id) };
  }

  async edit(opened: OpenedProject, id: string, changes: DiscoveryChanges): Promise<Discovery> {
    const { discovery } = await this.find(opened, id);
    if (changes.supersededBy === id) throw new EngineError('invalid_input', { reason: 'Nothing replaces itself.' });
    if (changes.supersededBy) await this.find(opened, changes.supersededBy);
    const { module } = changes;
    const named = module === undefined ? {} : { module: indexedModule(await this.#tree(opened), module, undefined) };
    return editDiscovery(this.of(opened).notebook, discovery, { ...changes, ...named }, Date.now());
  }

  import(opened: OpenedProject, discoveries: readonly Discovery[]): ImportReport {
    return importDiscoveries(this.of(opened).notebook, discoveries);
  }

  async forget(opened: OpenedProject, id: string): Promise<boolean> {
    const memory = this.of(opened);
    const removed = memory.notebook.remove(id);
    // An edited discovery is mined again once its file is removed.
    const isMined = (await memory.all(await this.#tree(opened))).some((discovery) => discovery.id === id);
    if (isMined) memory.notebook.forget(id);
    return removed || isMined;
  }

  /** Counts a read, deferred so that it does not delay the answer. */
  noteRead(opened: OpenedProject, request: ReadFileRequest, answer: ReadFileAnswer): void {
    if (request.session) this.of(opened).sessions.recordRead(request.session, answer.path, Date.now());
    setImmediate(() => {
      const memory = this.of(opened);
      const isPart = request.startLine !== undefined || request.endLine !== undefined;
      const symbols = isPart
        ? answer.outline.filter((entry) => entry.startLine >= answer.startLine && entry.endLine <= answer.endLine)
        : [];
      memory.accesses.record(
        [
          { path: answer.path, kind: 'read' },
          ...symbols.slice(0, 10).map(({ name }) => ({ path: answer.path, symbol: name, kind: 'read' as const })),
        ],
        Date.now(),
      );
    });
  }

  /** Records a session's query; `hits` is given if the answer came from the cache. */
  noteSearch(opened: OpenedProject, session: string, query: string, hits: readonly Hit[]): void {
    this.of(opened).sessions.recordQuery(session, query, Date.now());
    if (hits.length > 0) this.noteHits(opened, hits);
  }

  noteHits(opened: OpenedProject, hits: readonly Hit[]): void {
    const paths = [...new Set(hits.slice(0, COUNTED_HITS).map(({ path }) => path))];
    setImmediate(() =>
      this.of(opened).accesses.record(
        paths.map((path) => ({ path, kind: 'hit' as const })),
        Date.now(),
      ),
    );
  }

  noteSymbol(opened: OpenedProject, { path, name }: SymbolInfo): void {
    setImmediate(() => this.of(opened).accesses.record([{ path, symbol: name, kind: 'read' }], Date.now()));
  }

  /**
   * The scores that recent reads add to files; null if nothing was read, the feature is off, or a ref other than the
   * work tree is searched.
   */
  contextFor(opened: OpenedProject, view: TreeView) {
    if (this.#contextBound <= 0 || view.info.ref !== 'live') return null;
    const context = this.of(opened).accesses.context(Date.now());
    return context.isEmpty
      ? null
      : { bound: this.#contextBound, version: context.version, of: (path: string) => context.of(path) };
  }

  /** Among symbols that match equally well, recently read ones come first. */
  preferKnown(opened: OpenedProject, view: TreeView, matches: readonly Match[]): readonly Match[] {
    if (this.#contextBound <= 0 || view.info.ref !== 'live') return matches;
    const context = this.of(opened).accesses.context(Date.now());
    if (context.isEmpty) return matches;
    const value = ({ symbol: { path, name } }: Match) => context.of(path, name) + context.of(path);
    return matches
      .map((match, at) => ({ match, at, value: value(match) }))
      .sort((a, b) => b.match.score - a.match.score || b.value - a.value || a.at - b.at)
      .map(({ match }) => match);
  }

  /** Closes the project's memory; the next call opens it again. */
  closeAt(root: string): void {
    for (const [key, memory] of this.#open) {
      if (!key.startsWith(`${root}\n`)) continue;
      memory.close();
      this.#open.delete(key);
    }
  }

  close(): void {
    for (const memory of this.#open.values()) memory.close();
  }

  async #tree(opened: OpenedProject): Promise<MinedTree | null> {
    if (!hasTree(opened)) return null;
    const view = opened.view();
    return { reader: opened.readerOf(view), view, modules: await this.#projects.modulesOf(opened, view) };
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

/** The requested module under its indexed name; without one, the module of the first evidence file. */
function indexedModule(tree: MinedTree | null, requested: string, path: string | undefined): string {
  if (!tree) return requested;
  if (requested === '') return path === undefined ? '' : tree.modules.moduleOf(path);
  return tree.modules.names.find((name) => name.toLowerCase() === requested.toLowerCase()) ?? requested;
}
