/** Puts the rooms together behind the Engine's face and answers questions. Holds no logic of its own beyond that. */
import { basename, join } from 'node:path';
import { removeDamaged } from '../memory/notebook/derived-file.ts';
import type { LineHistoryRequest } from '../model/records/browse.ts';
import type { ContextAnswer, Discovery, DiscoveryChanges } from '../model/records/discovery.ts';
import { EngineError, toEngineError } from '../model/records/engine-errors.ts';
import type { CommitsRequest } from '../model/records/history.ts';
import type { ImpactRequest } from '../model/records/impact.ts';
import type { ResearchRequest, SearchAnswer, SearchRequest } from '../model/records/query.ts';
import { FileFlag } from '../model/records/source-file.ts';
import { redactDeep, redactEach } from '../model/secrets/redact-deep.ts';
import { understand } from '../search/index.ts';
import { createStore } from '../store/index.ts';
import { Browsing } from './browse/browsing.ts';
import { knownProjects } from './browse/known-projects.ts';
import type {
  ContextRequest,
  DiscoveryFilter,
  Engine,
  IndexOptions,
  IndexReport,
  JobInfo,
  OnChange,
  ProjectInfo,
  RememberRequest,
} from './engine.ts';
import { CONTEXT_BOUND, type EngineConfig, isRedacting } from './engine-config.ts';
import { Currency } from './freshness/index-freshness.ts';
import { pendingChanges } from './freshness/pending-changes.ts';
import type { Memories } from './memory/memory-calls.ts';
import { Models } from './model-loader.ts';
import { findPaths } from './projects/find-paths.ts';
import { hasTree, OpenProjects, openableView } from './projects/open-projects.ts';
import type { OpenedProject } from './projects/opened-project.ts';
import { makeTeamMemory, writeProjectConfig } from './projects/project-files.ts';
import {
  checkHasFiles,
  checkIsProject,
  describeProject,
  registeredRoots,
  registerRoot,
  resolveProject,
} from './projects/project-registry.ts';
import { readIndexedFile } from './projects/read-indexed-file.ts';
import { Assistance } from './questions/assistance.ts';
import { Changes } from './questions/change-calls.ts';
import {
  checkDiscoveries,
  checkFields,
  checkIsText,
  checkQuery,
  checkRef,
  checkRequest,
  checkText,
} from './questions/check-request.ts';
import { Histories } from './questions/history-calls.ts';
import { Searching } from './questions/search-calls.ts';
import { Structure } from './questions/structure-calls.ts';
import { exportTree } from './runs/export-chunks.ts';
import { IndexRuns } from './runs/index-runs.ts';
import { buildStatus } from './runs/project-status.ts';
import { collectGarbage, dropTree, verifyTree } from './runs/upkeep.ts';
import { listWorkspaces } from './workspaces/read-workspaces.ts';
import { withScopes } from './workspaces/scoped-engine.ts';
import { WorkspaceCalls } from './workspaces/workspace-calls.ts';
import { addToWorkspace, removeFromWorkspace } from './workspaces/workspace-list.ts';

/** How often a first index is looked for by those who wait for it. */
const LOOK_MS = 100;
/** What a changed file takes, many times over; the first index of a large project is told of instead. */
const OWN_RUN_MS = 5_000;

export function createEngine(config: EngineConfig): Engine {
  const engine = new LocalEngine(config);
  return withScopes(engine, engine.workspaceCalls, (work) => engine.guard(work));
}

class LocalEngine implements Engine {
  readonly #config: EngineConfig;
  readonly #models: Models;
  readonly #assistance: Assistance;
  readonly #projects: OpenProjects;
  readonly #runs: IndexRuns;
  readonly #currency: Currency;
  readonly #searching: Searching<OpenedProject>;
  readonly #structure: Structure<OpenedProject>;
  readonly workspaceCalls: WorkspaceCalls;
  readonly #browsing: Browsing;
  readonly #changes: Changes;
  readonly #histories: Histories;
  #loadingMemories: Promise<Memories> | null = null;

  constructor(config: EngineConfig) {
    this.#config = config;
    this.#models = new Models(config);
    this.#assistance = new Assistance(config);
    this.#projects = new OpenProjects(config.home, () => this.#models.embedder);
    this.#runs = new IndexRuns(config, this.#models, (root) => this.#currency.indexed(root));
    this.#currency = new Currency(
      config,
      (root, ref) => this.#index(root, ref === undefined ? {} : { ref }),
      {
        open: (root) => this.#projects.at(root),
        wait: async (root, isCurrent) => {
          const opened = await this.#projects.at(root);
          return this.#runs.waitTurn(opened, () => isCurrent(opened));
        },
        prepare: (root, paths) =>
          void this.#projects
            .at(root)
            .then((opened) => this.#runs.prepare(opened, paths))
            .catch(() => undefined),
      },
      (info) => this.#models.isOutdated(info),
    );
    this.#searching = new Searching({
      config,
      projects: this.#projects,
      currency: this.#currency,
      models: this.#models,
      assistance: this.#assistance,
      memoriesIf: async (wanted) => (wanted || this.#loadingMemories ? this.#memories() : null),
    });
    this.#structure = new Structure({
      projects: this.#projects,
      currency: this.#currency,
      memories: () => this.#memories(),
      search: (path, request) => this.search(path, request),
    });
    this.#histories = new Histories(this.#projects);
    this.#changes = new Changes(this.#projects, this.#currency);
    this.workspaceCalls = new WorkspaceCalls({
      home: config.home,
      projects: this.#projects,
      currency: this.#currency,
      models: this.#models,
      assistance: this.#assistance,
      memories: () => this.#memories(),
      alone: this,
    });
    this.#browsing = new Browsing({ projects: this.#projects, memories: () => this.#memories() });
  }

  get languageModel(): string | null {
    return this.#assistance.languageModel;
  }

  /** Loaded by those who use it: reading and mining what is known is much code, and a plain search needs none of it. */
  #memories(): Promise<Memories> {
    this.#loadingMemories ??= import('./memory/memory-calls.ts').then(
      ({ Memories }) => new Memories(this.#projects, this.#models, this.#config.contextBound ?? CONTEXT_BOUND),
    );
    return this.#loadingMemories;
  }

  async project(path: string): Promise<ProjectInfo> {
    return describeProject(await resolveProject(this.#config.home, path));
  }

  async registeredRoots(): Promise<readonly string[]> {
    return this.guard(async () => registeredRoots(this.#config.home));
  }

  async workspaces() {
    return this.guard(async () => listWorkspaces(this.#config.home));
  }

  async addToWorkspace(name: string, paths: readonly string[]) {
    return this.guard(() => addToWorkspace(this.#config.home, name, paths));
  }

  async removeFromWorkspace(name: string, repos: readonly string[] = []) {
    return this.guard(async () => removeFromWorkspace(this.#config.home, name, repos));
  }

  async members(path: string) {
    return this.guard(async () => {
      const { root } = (await this.#projects.around(path)).resolved;
      return [{ name: basename(root), root }];
    });
  }

  async root(path: string): Promise<string> {
    return this.guard(async () => (await this.#projects.around(path)).resolved.root);
  }

  async register(
    path: string,
    options: { readonly config?: string; readonly team?: boolean } = {},
  ): Promise<ProjectInfo> {
    checkFields(options, 'options');
    const resolved = await resolveProject(this.#config.home, path);
    registerRoot(resolved);
    createStore(resolved.storeFolder);
    if (options.config !== undefined) await writeProjectConfig(resolved.root, options.config);
    if (options.team) await makeTeamMemory(resolved.root);
    return describeProject(resolved);
  }

  async index(path: string, options: IndexOptions = {}): Promise<IndexReport> {
    const report = await this.#index(path, options, OWN_RUN_MS);
    removeDamaged(join(report.project.storeFolder, 'mined'));
    return report;
  }

  /** `patienceMs`: how long a run of our own watch is waited for, which nobody has asked for and which is soon done. */
  async #index(path: string, options: IndexOptions, patienceMs = 0): Promise<IndexReport> {
    return this.guard(async () => {
      const opened = await this.#forIndexing(path, options);
      await this.#currency.ownRun(opened.resolved.root, patienceMs);
      const report = await this.#runs.run(opened, options);
      this.#currency.forget(opened.resolved.root);
      // Made now, so that the next short command finds them.
      if (hasTree(opened, options.ref)) await this.#projects.modulesOf(opened, opened.view(options.ref));
      return report;
    });
  }

  async startIndex(path: string, options: IndexOptions = {}): Promise<JobInfo> {
    return this.guard(async () => {
      const opened = await this.#forIndexing(path, options);
      await this.#currency.ownRun(opened.resolved.root, OWN_RUN_MS);
      const job = await this.#runs.start(opened, options);
      // Whoever asks how far it is must not be told about a project around it.
      this.#projects.follow(opened.resolved.root);
      return job;
    });
  }

  async #forIndexing(path: string, options: IndexOptions): Promise<OpenedProject> {
    checkFields(options, 'options');
    // Which branch the answer names, and whether the folder has become a repository, is told by this very moment.
    this.#projects.lookAgain(path);
    const opened = await (options.enclosing ? this.#projects.around(path) : this.#projects.at(path));
    checkIsProject(opened.resolved);
    return opened;
  }

  async firstIndex(path: string, options: Parameters<Engine['firstIndex']>[1]) {
    return this.guard(async () => {
      checkFields(options, 'options');
      const { timeoutMs, signal } = options;
      const until = performance.now() + timeoutMs;
      for (;;) {
        const opened = await this.#projects.around(path);
        const { root } = opened.resolved;
        const isBeingMade = this.#isBeingMade(root);
        // Looked for afterwards: a run that ends in between has left its tree.
        if (hasTree(opened)) return true;
        if (!isBeingMade) return false;
        if (signal?.aborted) throw new EngineError('cancelled');
        if (performance.now() >= until) throw new EngineError('index_not_ready', { path: root });
        const looking = this.#currency.lookingAt(root);
        await (looking ? looking.settled(LOOK_MS) : new Promise((resolve) => setTimeout(resolve, LOOK_MS)));
      }
    });
  }

  /** A run over the folder is due or under way in this process. */
  #isBeingMade(root: string): boolean {
    return this.#currency.lookingAt(root) !== null || this.#runs.isAt(root);
  }

  async status(path: string, ref?: string) {
    return this.guard(async () => {
      checkRef(ref);
      const opened = await this.#projects.around(path);
      const project = describeProject(opened.resolved);
      const view = openableView(opened, ref);
      if (!view && ref) await opened.checkRef(ref);
      const freshness = view ? await this.#currency.of(opened, view) : null;
      return buildStatus({
        project,
        opened,
        ref,
        freshness,
        watching: this.#currency.watching(opened.resolved.root),
        isFirst: !hasTree(opened) && this.#isBeingMade(opened.resolved.root),
        progress: this.#runs.progressAt(opened.resolved.root),
        modelId: this.#models.embedder.id,
      });
    });
  }

  async skipped(path: string, ref?: string) {
    return this.guard(async () => (await (await this.#projects.around(path)).find(ref)).skipped());
  }

  async search(path: string, request: SearchRequest): Promise<SearchAnswer> {
    return this.guard(() => this.#searching.answer(path, request));
  }

  async intentOf(query: string) {
    return this.guard(async () => {
      checkQuery({ query });
      return understand(query).intent;
    });
  }

  async locate(path: string, request: Parameters<Engine['locate']>[1]) {
    return this.guard(() => this.#structure.locate(path, request));
  }

  async symbol(path: string, id: string, ref?: string) {
    return this.guard(() => this.#structure.symbol(path, id, ref));
  }

  async research(path: string, request: ResearchRequest) {
    return this.guard(() => this.#structure.research(path, request));
  }

  async commits(path: string, request: CommitsRequest) {
    return this.guard(() => this.#histories.commits(path, request));
  }

  async impact(path: string, request: ImpactRequest = {}) {
    return this.guard(() => this.#changes.impact(path, request));
  }

  async map(path: string, options?: Parameters<Engine['map']>[1]) {
    return this.guard(() => this.#structure.map(path, options));
  }

  async files(path: string, ref?: string) {
    return this.guard(() => this.#browsing.files(path, ref));
  }

  async indexedFile(path: string, file: string, ref?: string) {
    return this.guard(() => this.#browsing.indexedFile(path, file, ref));
  }

  async identifierLinks(path: string, file: string, ref?: string) {
    return this.guard(() => this.#browsing.identifierLinks(path, file, ref));
  }

  async lineHistory(path: string, request: LineHistoryRequest) {
    return this.guard(() => this.#browsing.lineHistory(path, request));
  }

  async callNeighbours(path: string, id: string, ref?: string) {
    return this.guard(() => this.#browsing.callNeighbours(path, id, ref));
  }

  async repositoryMap(path: string, ref?: string) {
    return this.guard(() => this.#browsing.repositoryMap(path, ref));
  }

  async activity(path: string) {
    return this.guard(() => this.#browsing.activity(path));
  }

  async knownProjects() {
    return this.guard(async () => knownProjects(this.#config.home));
  }

  async questionOf(query: string) {
    return this.guard(async () => {
      checkQuery({ query });
      const { readQuestion } = await import('../graph/index.ts');
      return readQuestion(query).kind;
    });
  }

  async remember(path: string, request: RememberRequest) {
    return this.guard(async () => {
      checkRequest(request, 'content');
      const opened = await this.#projects.around(path);
      return (await this.#memories()).remember(opened, request);
    });
  }

  async contextSearch(path: string, request: ContextRequest): Promise<ContextAnswer> {
    return this.guard(async () => {
      checkQuery(request);
      const opened = await this.#projects.around(path);
      return (await this.#memories()).search(opened, request, (wanted) => this.search(path, wanted));
    });
  }

  async discoveries(path: string, filter: DiscoveryFilter = {}) {
    return this.guard(async () => {
      checkFields(filter, 'filter');
      return (await this.#memories()).list(await this.#projects.around(path), filter);
    });
  }

  async discovery(path: string, id: string) {
    return this.guard(async () => {
      checkText(id, 'id');
      return (await this.#memories()).find(await this.#projects.around(path), id);
    });
  }

  async editDiscovery(path: string, id: string, changes: DiscoveryChanges) {
    return this.guard(async () => {
      checkText(id, 'id');
      checkFields(changes, 'changes');
      return (await this.#memories()).edit(await this.#projects.around(path), id, changes);
    });
  }

  async importDiscoveries(path: string, discoveries: readonly Discovery[]) {
    return this.guard(async () => {
      checkDiscoveries(discoveries);
      return (await this.#memories()).import(await this.#projects.around(path), discoveries);
    });
  }

  async forget(path: string, id: string) {
    return this.guard(async () => {
      checkText(id, 'id');
      return (await this.#memories()).forget(await this.#projects.around(path), id);
    });
  }

  async memoryNotices(path: string) {
    return this.guard(async () => (await this.#memories()).notices(await this.#projects.around(path)));
  }

  async brokenMemories(path: string) {
    return this.guard(async () => (await this.#memories()).of(await this.#projects.around(path)).notebook.broken());
  }

  async sessions(path: string) {
    return this.guard(async () => (await this.#memories()).of(await this.#projects.around(path)).sessions.list());
  }

  async watch(
    path: string,
    onChange: OnChange = () => undefined,
    { onceIndexed = false }: { readonly onceIndexed?: boolean } = {},
  ): Promise<() => Promise<void>> {
    return this.guard(async () => {
      this.#projects.lookAgain(path);
      const { resolved } = await this.#projects.at(path);
      if (onceIndexed) return this.#currency.onceIndexed(resolved.root, () => this.watch(path, onChange));
      this.#projects.follow(resolved.root);
      return this.#currency.watch(resolved, onChange);
    });
  }

  async readFile(path: string, request: Parameters<Engine['readFile']>[1]) {
    return this.guard(async () => {
      checkRequest(request, 'path');
      const opened = await this.#projects.around(path);
      checkHasFiles(opened.resolved);
      const read = () => readIndexedFile(this.#projects, opened, request, this.#config.index.maxFileBytes);
      let answer = await read();
      if (!answer.indexed && request.waitFreshMs) {
        await this.#currency.wait(opened, request.waitFreshMs);
        answer = await read();
      }
      (await this.#memories()).noteRead(opened, request, answer);
      return answer;
    });
  }

  async accesses(path: string) {
    return this.guard(async () =>
      (await this.#memories()).of(await this.#projects.around(path)).accesses.list(Date.now()),
    );
  }

  async grep(path: string, request: Parameters<Engine['grep']>[1]) {
    return this.guard(async () => {
      checkRequest(request, 'pattern');
      const { grepFiles } = await import('../search/grep/grep.ts');
      const resolved = await resolveProject(this.#config.home, path);
      checkHasFiles(resolved);
      const redact = isRedacting(this.#config);
      const tokenFiles = redact ? await this.#tokenFiles(resolved.root) : [];
      return grepFiles(resolved.root, request, { inGit: resolved.git !== null, redact, tokenFiles });
    });
  }

  /** None where there is no index of this very folder: grep needs none. */
  async #tokenFiles(root: string): Promise<string[]> {
    const opened = await this.#projects.at(root);
    const files = openableView(opened, undefined)?.files ?? [];
    return files.filter(({ flags }) => (flags & FileFlag.Redacted) !== 0).map(({ path }) => path);
  }

  async findPaths(path: string, part: string, limit = 50): Promise<readonly string[]> {
    return this.guard(async () => {
      checkIsText(part, 'part of a path');
      return findPaths((await this.#projects.around(path)).view(), part, limit);
    });
  }

  async exportChunks(path: string, ref?: string) {
    return this.guard(async () => {
      checkRef(ref);
      const opened = await this.#projects.around(path);
      const view = await opened.find(ref);
      const presenter = await this.#projects.presenter(opened, view);
      const exported = exportTree(presenter, opened.refName(view), this.#models.embedder);
      // Made one by one while the caller reads, so guard() does not see them.
      return isRedacting(this.#config) ? { ...exported, chunks: redactEach(exported.chunks) } : exported;
    });
  }

  async dropRef(path: string, ref: string) {
    return this.guard(async () => {
      checkText(ref, 'ref');
      return dropTree(await this.#projects.around(path), ref, this.#models.extractor);
    });
  }

  async collectGarbage(path: string) {
    return this.guard(async () => collectGarbage(await this.#projects.around(path), this.#models.extractor));
  }

  async verify(path: string, ref?: string) {
    return this.guard(async () => {
      checkRef(ref);
      const opened = await this.#projects.around(path);
      const view = await opened.find(ref);
      return verifyTree(opened, view, this.#currency.walkOf(view), this.#models.extractor);
    });
  }

  async doctor(path: string | null) {
    const { runDoctor } = await import('./doctor/doctor.ts');
    // A project's index is looked at whatever has become of the model: soundness has nothing to do with vectors.
    const projects = new OpenProjects(this.#config.home, () => ({ id: '', dims: 0 }));
    const modelId = this.#models.idIfLoadable;
    const project =
      path === null
        ? null
        : {
            path,
            open: () => projects.around(path),
            pending: async (opened: OpenedProject) =>
              pendingChanges(opened.view(), this.#currency.walkOf(opened.view()), 'stat'),
            modelId,
            extractor: modelId === null ? null : this.#models.extractor,
          };
    try {
      return await runDoctor(this.#config, project);
    } finally {
      projects.close();
    }
  }

  async close(): Promise<void> {
    // Together: a watch waits for its run to end, and the runs are told to.
    await Promise.all([this.#currency.close(), this.#runs.close()]);
    (await this.#loadingMemories)?.close();
    this.#projects.close();
    await this.#models.close();
  }

  /**
   * What every answer passes through: no error but EngineError leaves, and no access token that stands in the files.
   */
  async guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      const answer = await work();
      return isRedacting(this.#config) ? redactDeep(answer) : answer;
    } catch (error) {
      throw toEngineError(error);
    }
  }
}
