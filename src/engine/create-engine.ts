/** Puts the rooms together behind the Engine's face: opens projects, runs indexing, answers questions. Holds no logic of its own beyond that. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Embedder } from '../embed/embedder.ts';
import { loadStaticModel } from '../embed/index.ts';
import { drawMap, research, SymbolGraph } from '../graph/index.ts';
import type { RunReport, WorkerPool } from '../indexing/index.ts';
import { remember } from '../memory/index.ts';
import type { ContextAnswer, ContextResult, Discovery, DiscoveryType } from '../model/discovery.ts';
import { EngineError, toEngineError } from '../model/errors.ts';
import type {
  Freshness,
  ResearchAnswer,
  ResearchRequest,
  SearchAnswer,
  SearchRequest,
  SymbolDetail,
} from '../model/query.ts';
import { TERMS_VERSION } from '../model/terms.ts';
import {
  locateSymbols,
  modeOf,
  type Presenter,
  presentOutline,
  Ranker,
  type RankerModel,
  search,
  understand,
} from '../search/index.ts';
import type { StoreWriter, TreeView } from '../store/store.ts';
import { blobId, deriveModules, type Modules, matchesModule } from '../walk/index.ts';
import type { WalkOptions } from '../walk/walk.ts';
import { checkQuery, checkRequest, checkText } from './check-request.ts';
import type { EngineConfig } from './config.ts';
import type {
  ContextRequest,
  Engine,
  IndexOptions,
  IndexReport,
  JobInfo,
  ProjectInfo,
  RememberRequest,
} from './engine.ts';
import { exportTree } from './export-chunks.ts';
import { pendingChanges } from './freshness.ts';
import { OpenedProject } from './opened-project.ts';
import { ProjectMemory } from './project-memory.ts';
import {
  ancestors,
  describeProject,
  projectAt,
  type ResolvedProject,
  registerRoot,
  resolveProject,
} from './projects.ts';
import { readProjectFile } from './read-file.ts';
import { buildStatus } from './status.ts';
import { describeSymbol, type GraphContext, linksOf, referencesOf } from './symbol-detail.ts';
import { dropTree, verifyTree } from './upkeep.ts';
import { WatchedProject } from './watching.ts';

/** Raised whenever extraction or chunking changes what a content gives: old contents are then derived again. */
const EXTRACTOR_VERSION = `2.${TERMS_VERSION}`;
const MAX_HITS = 1_000;
const CACHED_ANSWERS = 128;
const FRESHNESS_MS = 2_000;
const RESOLVED_MS = 500;
const IDLE_WORKER_MS = 30_000;
/** In a search of memory and code together, what somebody said comes before what the code shows. */
const CODE_SHARE = 0.75;
/** A search waits for pending changes no longer than this, whatever it asks for. */
const LONGEST_WAIT_MS = 60_000;

export function createEngine(config: EngineConfig): Engine {
  return new LocalEngine(config);
}

class LocalEngine implements Engine {
  readonly #config: EngineConfig;
  readonly #opened = new Map<string, OpenedProject>();
  readonly #answers = new Map<string, SearchAnswer>();
  readonly #jobs = new Map<string, { readonly abort: AbortController; readonly done: Promise<unknown> }>();
  readonly #checks = new Map<
    string,
    { readonly atMs: number; readonly generation: number; readonly pending: Promise<string[]> }
  >();
  readonly #resolved = new Map<string, { readonly project: ResolvedProject; readonly atMs: number }>();
  readonly #watches = new Map<string, WatchedProject>();
  readonly #memories = new Map<string, ProjectMemory>();
  readonly #graphs = new WeakMap<TreeView, SymbolGraph>();
  readonly #modules = new WeakMap<TreeView, Promise<Modules>>();
  #idlePool: WorkerPool | null = null;
  #embedder: Embedder | null = null;
  #ranker: Ranker | null = null;

  constructor(config: EngineConfig) {
    this.#config = config;
  }

  async project(path: string): Promise<ProjectInfo> {
    return describeProject(await resolveProject(this.#config.home, path));
  }

  async register(
    path: string,
    options: { readonly writeConfig?: boolean; readonly team?: boolean } = {},
  ): Promise<ProjectInfo> {
    const resolved = await resolveProject(this.#config.home, path);
    await registerRoot(resolved);
    if (options.writeConfig) await writeProjectConfig(resolved.root);
    if (options.team) await makeTeamMemory(resolved.root);
    return describeProject(resolved);
  }

  async index(path: string, options: IndexOptions = {}): Promise<IndexReport> {
    return guard(async () => {
      const opened = await this.#open(path, options.enclosing ?? false);
      const { writer, jobId } = this.#begin(opened, options);
      return this.#run(opened, writer, jobId, options);
    });
  }

  async startIndex(path: string, options: IndexOptions = {}): Promise<JobInfo> {
    return guard(async () => {
      const opened = await this.#open(path, options.enclosing ?? false);
      const { writer, jobId } = this.#begin(opened, options);
      const abort = new AbortController();
      if (options.signal?.aborted) abort.abort();
      options.signal?.addEventListener('abort', () => abort.abort(), { once: true });
      const done = this.#run(opened, writer, jobId, { ...options, signal: abort.signal }).catch(() => undefined);
      this.#jobs.set(jobId, { abort, done: done.finally(() => this.#jobs.delete(jobId)) });
      const mode = options.force || !hasTree(opened, options.ref) ? 'full' : 'incremental';
      return {
        jobId,
        ref: options.ref ?? opened.resolved.git?.branch ?? 'live',
        mode,
        status: 'running',
        changedFiles: null,
        durationMs: null,
        createdAtMs: Date.now(),
        error: null,
        done: 0,
        total: 0,
      };
    });
  }

  /** Takes the writer's lease at once, so that a refusal is told to the caller and not to a job. */
  #begin(opened: OpenedProject, options: IndexOptions): { writer: StoreWriter; jobId: string } {
    if (options.ref !== undefined) checkText(options.ref, 'ref');
    if (options.force) opened.close();
    const writer = opened.writer(this.#extractor(), options.force ?? false);
    return { writer, jobId: randomBytes(8).toString('hex') };
  }

  async #run(opened: OpenedProject, writer: StoreWriter, jobId: string, options: IndexOptions): Promise<IndexReport> {
    const { resolved } = opened;
    const setup = {
      grammarFolder: this.#config.grammarFolder,
      queryFolder: this.#config.queryFolder,
      maxFileBytes: this.#config.index.maxFileBytes,
      modelFolder: this.#config.provider ? null : this.#config.modelFolder,
      includeGenerated: this.#config.index.includeGenerated,
    };
    let pool: WorkerPool | null = null;
    let report: RunReport;
    try {
      // Loaded by those who index: searching needs no parser.
      const indexing = await import('../indexing/index.ts');
      pool = this.#idlePool ?? new indexing.WorkerPool({ entry: this.#config.workerEntry, setup });
      this.#idlePool = null;
      const liveBranch =
        options.ref !== undefined && options.ref === resolved.git?.branch && resolved.git.workTree !== null;
      const ref =
        options.ref === undefined || options.ref === 'live' || options.ref === 'HEAD' || liveBranch
          ? null
          : options.ref;
      report = await indexing.runIndex(
        {
          root: resolved.root,
          ref,
          force: options.force ?? false,
          walk: this.#walkOptions(options),
          jobId,
          setup,
          pool,
          inline: this.#config.inline,
          modelId: this.#embedding().id,
          extractor: this.#extractor(),
          provider: this.#config.provider,
          ...(options.onProgress ? { onProgress: options.onProgress } : {}),
          ...(options.signal ? { signal: options.signal } : {}),
        },
        writer,
      );
    } catch (error) {
      pool?.close();
      throw error;
    } finally {
      writer.release();
    }
    this.#keepPool(pool);
    await registerRoot(resolved);
    this.#checks.delete(resolved.root);
    return this.#report(opened, report);
  }

  /** A server keeps one worker ready while changes come; a command needs none afterwards. */
  #keepPool(pool: WorkerPool): void {
    if (this.#config.inline || this.#idlePool) pool.close();
    else {
      pool.rest(IDLE_WORKER_MS);
      this.#idlePool = pool;
    }
  }

  async #report(opened: OpenedProject, run: RunReport): Promise<IndexReport> {
    const view = opened.reader.openTree(run.tree);
    return {
      jobId: run.jobId,
      project: await describeProject(opened.resolved),
      ref: run.tree.ref === 'live' ? (run.tree.branch ?? 'live') : run.tree.ref,
      mode: run.mode,
      filesTotal: run.tree.fileCount,
      filesIndexed: run.filesIndexed,
      filesUnchanged: run.filesUnchanged,
      filesRemoved: run.filesRemoved,
      filesSkipped: run.filesSkipped,
      filesFailed: run.failed.length,
      linesIndexed: run.linesIndexed,
      symbolCount: run.tree.symbolCount,
      chunkCount: run.tree.chunkCount,
      vectorCount: run.tree.vectorCount,
      durationMs: run.durationMs,
      indexBytes: opened.reader.sizeBytes(),
      problems: [
        ...run.failed.map(({ path, reason }) => ({ path, line: 1, message: reason })),
        ...(view?.problems() ?? []),
      ],
    };
  }

  async status(path: string, ref?: string) {
    return guard(async () => {
      const opened = await this.#open(path, true);
      const project = await describeProject(opened.resolved);
      const view = openableView(opened, ref);
      const pending = view ? (await this.#freshness(opened, view)).pending : null;
      return buildStatus({
        project,
        opened,
        ref,
        pending,
        watching: this.#watches.get(opened.resolved.root)?.mode ?? 'off',
        modelId: this.#embedding().id,
      });
    });
  }

  async skipped(path: string) {
    return guard(async () => (await this.#open(path, true)).view().skipped());
  }

  async search(path: string, request: SearchRequest): Promise<SearchAnswer> {
    return guard(async () => {
      const started = performance.now();
      checkQuery(request, MAX_HITS);
      const opened = await this.#open(path, true);
      if (request.waitFreshMs && opened.view(request.ref).info.ref === 'live')
        await this.#waitFresh(opened, Math.min(request.waitFreshMs, LONGEST_WAIT_MS));
      const view = opened.view(request.ref);
      const freshness = await this.#freshness(opened, view);
      const { signal: _signal, ...plain } = request;
      const key = `${opened.resolved.root}\n${view.info.generation}\n${JSON.stringify(plain)}`;
      const cached = this.#answers.get(key);
      if (cached) return { ...cached, cacheHit: true, freshness, durationMs: performance.now() - started };
      const notices: string[] = [];
      const understood = understand(request.query);
      const vector =
        modeOf(request) === 'keyword' ? null : await this.#queryVector(understood.text, view, notices, request.signal);
      const ranked = search({
        ...(await this.#presenter(opened, view)),
        request,
        understood,
        vector,
        ranker: this.#rankers(),
      });
      const answer: SearchAnswer = {
        ...ranked,
        intent: understood.intent,
        mode: vector ? modeOf(request) : 'keyword',
        cacheHit: false,
        notices,
        freshness,
        durationMs: performance.now() - started,
      };
      this.#answers.set(key, answer);
      if (this.#answers.size > CACHED_ANSWERS) this.#answers.delete(this.#answers.keys().next().value!);
      return answer;
    });
  }

  async locate(path: string, request: Parameters<Engine['locate']>[1]) {
    return guard(async () => {
      checkRequest(request, 'name');
      const opened = await this.#open(path, true);
      const view = opened.view(request.ref);
      const context = await this.#graphContext(opened, view);
      const found = locateSymbols(context, request);
      return {
        symbols: found.symbols,
        references: request.includeReferences ? referencesOf(context, found.symbols.slice(0, 3)) : [],
        totalCandidates: found.total,
        nearestNames: found.nearestNames,
        freshness: await this.#freshness(opened, view),
      };
    });
  }

  async symbol(path: string, id: string, ref?: string): Promise<SymbolDetail> {
    return guard(async () => {
      checkText(id, 'symbol id');
      const opened = await this.#open(path, true);
      const view = opened.view(ref);
      return describeSymbol(await this.#graphContext(opened, view), id);
    });
  }

  async research(path: string, request: ResearchRequest): Promise<ResearchAnswer> {
    return guard(async () => {
      checkQuery(request);
      const opened = await this.#open(path, true);
      const view = opened.view(request.ref);
      const context = await this.#graphContext(opened, view);
      const ref = request.ref === undefined ? {} : { ref: request.ref };
      const found = await research({
        ...context,
        request,
        search: async (query) => (await this.search(path, { query, limit: 10, ...ref })).hits,
      });
      return { ...found, freshness: await this.#freshness(opened, view) };
    });
  }

  async map(path: string, options: { readonly maxTokens?: number; readonly ref?: string } = {}): Promise<string> {
    return guard(async () => {
      const opened = await this.#open(path, true);
      const context = await this.#graphContext(opened, opened.view(options.ref));
      const { moduleName } = await describeProject(opened.resolved);
      return drawMap({ ...context, title: moduleName, maxTokens: options.maxTokens ?? 2_000 });
    });
  }

  async #graphContext(opened: OpenedProject, view: TreeView): Promise<GraphContext> {
    let graph = this.#graphs.get(view);
    if (!graph) {
      graph = new SymbolGraph(opened.reader, view);
      this.#graphs.set(view, graph);
    }
    return { graph, ...(await this.#presenter(opened, view)) };
  }

  async remember(path: string, request: RememberRequest) {
    return guard(async () => {
      checkRequest(request, 'content');
      const opened = await this.#open(path, true);
      return remember(
        this.#memory(opened).notebook,
        {
          type: request.type,
          content: request.content,
          module: request.module ?? '',
          session: request.session ?? '',
          origin: request.origin ?? 'agent',
          evidence: request.evidence ?? [],
        },
        Date.now(),
      );
    });
  }

  async contextSearch(path: string, request: ContextRequest): Promise<ContextAnswer> {
    return guard(async () => {
      const started = performance.now();
      checkQuery(request);
      const opened = await this.#open(path, true);
      const discoveries = await this.#discoveries(opened);
      const limit = request.limit ?? 5;
      const found = await this.#memory(opened).find(request, discoveries, this.#embedding());
      const code = request.type && request.type !== 'all' ? [] : await this.#codeContext(path, request, limit);
      const results = [...found, ...code].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
      return { results: results.slice(0, limit), totalFound: results.length, durationMs: performance.now() - started };
    });
  }

  /** Code that answers the question too, ranked below a discovery that says it in words. */
  async #codeContext(path: string, request: ContextRequest, limit: number): Promise<ContextResult[]> {
    const { hits } = await this.search(path, {
      query: request.query,
      limit,
      ...(request.module ? { filters: { module: request.module } } : {}),
    });
    return hits.map((hit) => ({
      id: hit.resultId,
      type: 'code',
      content: hit.content,
      module: hit.module,
      session: '',
      dateMs: 0,
      score: Math.round(hit.score * CODE_SHARE * 1e4) / 1e4,
      source: 'code',
      evidence: [{ path: hit.path, startLine: hit.startLine, endLine: hit.endLine }],
    }));
  }

  async discoveries(
    path: string,
    filter: { readonly type?: DiscoveryType; readonly module?: string; readonly limit?: number } = {},
  ) {
    return guard(async () => {
      const all = await this.#discoveries(await this.#open(path, true));
      return all
        .filter(
          ({ type, module }) =>
            (!filter.type || type === filter.type) && (!filter.module || matchesModule(module, filter.module)),
        )
        .slice(0, filter.limit ?? all.length);
    });
  }

  async forget(path: string, id: string) {
    return guard(async () => {
      checkText(id, 'id');
      return this.#memory(await this.#open(path, true)).notebook.remove(id);
    });
  }

  #memory(opened: OpenedProject): ProjectMemory {
    const { root } = opened.resolved;
    const memory = this.#memories.get(root) ?? new ProjectMemory(opened.resolved);
    this.#memories.set(root, memory);
    return memory;
  }

  async #discoveries(opened: OpenedProject): Promise<readonly Discovery[]> {
    const view = hasTree(opened, undefined) ? opened.view() : null;
    const moduleOf = view ? (await this.#modulesOf(opened, view)).moduleOf : () => '';
    return this.#memory(opened).all(view ? opened.reader : null, view, moduleOf);
  }

  async watch(path: string, onChange: (report: IndexReport) => void = () => undefined): Promise<() => Promise<void>> {
    return guard(async () => {
      const { resolved } = await this.#open(path, false);
      const { root } = resolved;
      const watched = this.#watches.get(root) ?? new WatchedProject();
      this.#watches.set(root, watched);
      const letGo = async () => {
        if (this.#watches.get(root) === watched) this.#watches.delete(root);
        await watched.stop();
      };
      const leave = watched.enter(onChange);
      try {
        await watched.start(resolved, () => this.index(root));
      } catch (error) {
        if (leave()) await letGo();
        throw error;
      }
      return async () => {
        if (leave()) await letGo();
      };
    });
  }

  async readFile(path: string, request: Parameters<Engine['readFile']>[1]) {
    return guard(async () => {
      checkRequest(request, 'path');
      const opened = await this.#open(path, true);
      const view = hasTree(opened, undefined) ? opened.view() : null;
      const modules = view ? await this.#modulesOf(opened, view) : null;
      const context = view ? await this.#graphContext(opened, view) : null;
      const links = (file: string) => (context ? linksOf(context, file) : null);
      const answer = readProjectFile({
        root: opened.resolved.root,
        request,
        maxFileBytes: this.#config.index.maxFileBytes,
        moduleOf: modules?.moduleOf ?? (() => ''),
        structureOf: (file, bytes) => {
          const index = view?.indexOfPath(file) ?? -1;
          if (!view || index < 0 || view.files[index]!.blobId !== blobId(bytes)) return null;
          const detail = opened.reader.detail(view.contentOf[index]!);
          return {
            outline: presentOutline(detail, view.files[index]!.blobId),
            imports: detail.imports,
            problems: detail.problems,
          };
        },
        linksOf: (file) => links(file),
      });
      // After the answer is made: counting must not hold it up.
      setImmediate(() => this.#memory(opened).accesses.record(answer.path, Date.now()));
      return answer;
    });
  }

  async accesses(path: string) {
    return guard(async () => this.#memory(await this.#open(path, true)).accesses.list(Date.now()));
  }

  async grep(path: string, request: Parameters<Engine['grep']>[1]) {
    return guard(async () => {
      checkRequest(request, 'pattern');
      const { grepFiles } = await import('../search/grep.ts');
      return grepFiles((await resolveProject(this.#config.home, path)).root, request);
    });
  }

  async findPaths(path: string, part: string, limit = 50): Promise<readonly string[]> {
    return guard(async () => {
      const wanted = part.toLowerCase();
      const ranked = (await this.#open(path, true))
        .view()
        .files.map((file) => ({ file: file.path, rank: matchRank(file.path.toLowerCase(), wanted) }))
        .filter(({ rank }) => rank >= 0);
      ranked.sort((a, b) => a.rank - b.rank || a.file.length - b.file.length);
      return ranked.slice(0, limit).map(({ file }) => file);
    });
  }

  async exportChunks(path: string, ref?: string) {
    return guard(async () => {
      const opened = await this.#open(path, true);
      const view = opened.view(ref);
      const { dims } = this.#embedding();
      const { modelId, publishedAtMs } = view.info;
      const chunks = exportTree(await this.#presenter(opened, view), dims);
      return { ref: opened.refName(view), modelId, dims, indexedAtMs: publishedAtMs, chunks };
    });
  }

  async dropRef(path: string, ref: string) {
    return guard(async () => {
      checkText(ref, 'ref');
      return dropTree(await this.#open(path, true), ref, this.#extractor());
    });
  }

  async verify(path: string, ref?: string) {
    return guard(async () => {
      const opened = await this.#open(path, true);
      const view = opened.view(ref);
      return verifyTree(opened, view, this.#walkOf(view));
    });
  }

  async doctor(path: string | null) {
    const { runDoctor } = await import('./doctor.ts');
    return runDoctor(this.#config, path === null ? null : () => this.#open(path, true));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#watches.values()].map((watched) => watched.stop()));
    this.#watches.clear();
    for (const { abort } of this.#jobs.values()) abort.abort();
    await Promise.all([...this.#jobs.values()].map(({ done }) => done));
    this.#idlePool?.close();
    for (const opened of this.#opened.values()) opened.close();
    this.#opened.clear();
    await this.#embedder?.close();
  }

  /** Remembered for a moment: several calls in a row ask about the same folder. */
  async #resolve(path: string): Promise<ResolvedProject> {
    const known = this.#resolved.get(path);
    if (known && Date.now() - known.atMs < RESOLVED_MS) return known.project;
    const project = await resolveProject(this.#config.home, path);
    this.#resolved.set(path, { project, atMs: Date.now() });
    return project;
  }

  /** For reading, a folder inside an indexed project means that project. */
  async #open(path: string, forReading: boolean): Promise<OpenedProject> {
    const resolved = await this.#resolve(path);
    if (forReading) {
      for (const root of ancestors(resolved.root, resolved.git?.workTree ?? null)) {
        const known = this.#opened.get(root) ?? this.#openedAt(projectAt(this.#config.home, root, resolved.git));
        if (hasTree(known, undefined)) return this.#keep(known);
      }
    }
    return this.#keep(this.#opened.get(resolved.root) ?? this.#openedAt(resolved));
  }

  #openedAt(resolved: Awaited<ReturnType<typeof resolveProject>>): OpenedProject {
    const { id, dims } = this.#embedding();
    return new OpenedProject(resolved, { modelId: id, dims });
  }

  #keep(opened: OpenedProject): OpenedProject {
    this.#opened.set(opened.resolved.root, opened);
    return opened;
  }

  #walkOptions(options: IndexOptions): Omit<WalkOptions, 'root' | 'signal'> {
    const { index } = this.#config;
    return {
      ...index,
      includeTests: options.includeTests ?? index.includeTests,
      includeVendor: options.includeVendor ?? index.includeVendor,
    };
  }

  /** Until pending changes are in the index, or the time is up: the answer's freshness says which. */
  async #waitFresh(opened: OpenedProject, timeoutMs: number): Promise<void> {
    const view = opened.view();
    // Looked at now: what was true a moment ago is not what was asked for, and an event may still be on its way.
    this.#checks.delete(view.info.root);
    if ((await this.#pendingIn(view)).length === 0) return;
    const watched = this.#watches.get(opened.resolved.root);
    if (watched) return watched.catchUp(timeoutMs);
    const late = new Promise<void>((resolve) => setTimeout(resolve, timeoutMs).unref());
    // Somebody else may be indexing already; then the wait is for them.
    await Promise.race([
      late,
      this.index(opened.resolved.root).then(
        () => undefined,
        () => late,
      ),
    ]);
  }

  async #freshness(opened: OpenedProject, view: TreeView): Promise<Freshness> {
    const base = { ref: opened.refName(view), indexedAtMs: view.info.publishedAtMs };
    if (view.info.ref !== 'live') return { ...base, status: 'fresh', pending: [] };
    const watched = this.#watches.get(view.info.root)?.freshness();
    if (watched) return { ...base, ...watched };
    const pending = await this.#pendingIn(view);
    return { ...base, status: pending.length > 0 ? 'stale' : 'fresh', pending };
  }

  /** Changed paths as a walk finds them; remembered for a moment. */
  #pendingIn(view: TreeView): Promise<string[]> {
    const { root } = view.info;
    let check = this.#checks.get(root);
    if (!check || check.generation !== view.info.generation || Date.now() - check.atMs > FRESHNESS_MS) {
      const pending = pendingChanges(view, this.#walkOf(view));
      check = { atMs: Date.now(), generation: view.info.generation, pending };
      this.#checks.set(root, check);
    }
    return check.pending;
  }

  /** The walk that the tree was made by. */
  #walkOf({ info }: TreeView): WalkOptions {
    const { tests, vendor, generated } = info.options;
    return {
      ...this.#config.index,
      root: info.root,
      includeTests: tests !== false,
      includeVendor: vendor === true,
      includeGenerated: generated === true,
    };
  }

  async #presenter(opened: OpenedProject, view: TreeView): Promise<Presenter> {
    return { reader: opened.reader, view, moduleOf: (await this.#modulesOf(opened, view)).moduleOf };
  }

  /** Modules of a tree, derived once: manifests are few, and their contents are in the index. */
  #modulesOf(opened: OpenedProject, view: TreeView): Promise<Modules> {
    let modules = this.#modules.get(view);
    if (!modules) {
      const textOf = (path: string) => {
        const index = view.indexOfPath(path);
        return index < 0 ? null : opened.reader.text(view.contentOf[index]!);
      };
      modules = deriveModules(
        view.files.map((file) => file.path),
        textOf,
        basename(opened.resolved.root),
      );
      this.#modules.set(view, modules);
    }
    return modules;
  }

  #embedding(): Embedder {
    this.#embedder ??= this.#config.provider ?? loadStaticModel(this.#config.modelFolder);
    return this.#embedder;
  }

  /** The built-in model is applied while extracting, so its vectors change with it; a provider's are kept apart and added later. */
  #extractor(): string {
    return this.#config.provider ? EXTRACTOR_VERSION : `${EXTRACTOR_VERSION}.${this.#embedding().id}`;
  }

  #rankers(): Ranker {
    this.#ranker ??= new Ranker(
      JSON.parse(readFileSync(join(this.#config.modelFolder, 'ranker.json'), 'utf8')) as RankerModel,
    );
    return this.#ranker;
  }

  async #queryVector(
    text: string,
    view: TreeView,
    notices: string[],
    signal: AbortSignal | undefined,
  ): Promise<Float32Array | null> {
    const embedder = this.#embedding();
    if (view.info.vectorCount === 0 || view.info.modelId !== embedder.id) {
      notices.push(`No vectors of ${embedder.id} in this index: keyword answer. Run the index again to add them.`);
      return null;
    }
    try {
      return (await embedder.embed([text], 'query', signal))[0] ?? null;
    } catch (thrown) {
      const error = toEngineError(thrown);
      if (error.code === 'cancelled') throw error;
      notices.push(`${error.message} Keyword answer.`);
      return null;
    }
  }
}

/** 0: the path begins with the part, 1: its file name does, 2: it contains it, -1: it does not. */
function matchRank(path: string, part: string): number {
  if (path.startsWith(part)) return 0;
  if (path.slice(path.lastIndexOf('/') + 1).startsWith(part)) return 1;
  return path.includes(part) ? 2 : -1;
}

function hasTree(opened: OpenedProject, ref: string | undefined): boolean {
  try {
    opened.view(ref);
    return true;
  } catch (error) {
    // A damaged or foreign store is this project's store all the same: whoever uses it is told so.
    return !(error instanceof EngineError && error.code === 'not_indexed');
  }
}

/** Null where there is no tree, and where the store cannot be read: a status says so in its own words. */
function openableView(opened: OpenedProject, ref: string | undefined): TreeView | null {
  try {
    return opened.view(ref);
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}

async function writeProjectConfig(root: string): Promise<void> {
  const folder = join(root, '.sextant');
  const file = join(folder, 'config.yml');
  try {
    await stat(file);
    return;
  } catch {
    // Not there yet.
  }
  const text =
    '# Sextant settings of this project; `sextant help configuration` lists them.\nindex:\n  exclude: []\n  include_vendor: false\n';
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw new EngineError('store_unwritable', { path: folder, reason: (error as Error).message }, error);
  }
}

/** A folder that git keeps although nothing is in it yet. */
async function makeTeamMemory(root: string): Promise<void> {
  const folder = join(root, '.sextant', 'memory');
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, '.gitkeep'), '');
  } catch (error) {
    throw new EngineError('store_unwritable', { path: folder, reason: (error as Error).message }, error);
  }
}

async function guard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toEngineError(error);
  }
}
