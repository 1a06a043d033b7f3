/** The engine for one project at a time. Each method forwards its call to the part that answers it. */
import { basename } from 'node:path';
import type { LineHistoryRequest } from '../model/records/browse.ts';
import type { Discovery, DiscoveryChanges } from '../model/records/discovery.ts';
import type { CommitsRequest } from '../model/records/history.ts';
import type { ImpactRequest } from '../model/records/impact.ts';
import type { ResearchRequest, SearchRequest } from '../model/records/query.ts';
import { understand } from '../search/index.ts';
import { createStore } from '../store/index.ts';
import { knownProjects } from './browse/known-projects.ts';
import type { ContextRequest, DiscoveryFilter, Engine, IndexOptions, OnChange, RememberRequest } from './engine.ts';
import type { EngineParts } from './engine-parts.ts';
import { pendingChanges } from './freshness/pending-changes.ts';
import { OpenProjects } from './projects/open-projects.ts';
import type { OpenedProject } from './projects/opened-project.ts';
import { makeTeamMemory, writeProjectConfig } from './projects/project-files.ts';
import { describeProject, registeredRoots, registerRoot, resolveProject } from './projects/project-registry.ts';
import { checkFields, checkQuery, checkRef, checkText } from './questions/check-request.ts';
import { collectGarbage, dropTree, verifyTree } from './runs/upkeep.ts';
import { listWorkspaces } from './workspaces/read-workspaces.ts';
import { addToWorkspace, removeFromWorkspace } from './workspaces/workspace-list.ts';

export class LocalEngine implements Engine {
  readonly #parts: EngineParts;

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  readonly hasLocalFiles = true;

  get languageModel(): string | null {
    return this.#parts.assistance.languageModel;
  }

  get #home(): string {
    return this.#parts.config.home;
  }

  async project(path: string) {
    return describeProject(await this.#parts.projects.resolve(path));
  }

  async registeredRoots() {
    return registeredRoots(this.#home);
  }

  async knownProjects() {
    return knownProjects(this.#home);
  }

  async workspaces() {
    return listWorkspaces(this.#home);
  }

  async addToWorkspace(name: string, paths: readonly string[]) {
    return addToWorkspace(this.#home, name, paths);
  }

  async removeFromWorkspace(name: string, repos: readonly string[] = []) {
    return removeFromWorkspace(this.#home, name, repos);
  }

  async members(path: string) {
    const root = await this.root(path);
    return [{ name: basename(root), root }];
  }

  async root(path: string): Promise<string> {
    return (await this.#parts.projects.around(path)).resolved.root;
  }

  async register(path: string, options: Parameters<Engine['register']>[1] = {}) {
    checkFields(options, 'options');
    const resolved = await resolveProject(this.#home, path);
    registerRoot(resolved);
    createStore(resolved.storeFolder);
    if (options.config !== undefined) await writeProjectConfig(resolved.root, options.config);
    if (options.team) await makeTeamMemory(resolved.root);
    return describeProject(resolved);
  }

  index(path: string, options?: IndexOptions) {
    return this.#parts.indexing.index(path, options);
  }

  startIndex(path: string, options?: IndexOptions) {
    return this.#parts.indexing.startIndex(path, options);
  }

  firstIndex(path: string, options: Parameters<Engine['firstIndex']>[1]) {
    return this.#parts.indexing.firstIndex(path, options);
  }

  watch(path: string, onChange?: OnChange, options?: { readonly onceIndexed?: boolean }) {
    return this.#parts.indexing.watch(path, onChange, options);
  }

  status(path: string, ref?: string) {
    return this.#parts.indexing.status(path, ref);
  }

  async skipped(path: string, ref?: string) {
    return (await (await this.#parts.projects.around(path)).find(ref)).skipped();
  }

  async dropRef(path: string, ref: string) {
    checkText(ref, 'ref');
    return dropTree(await this.#parts.projects.around(path), ref, this.#parts.models.extractor);
  }

  async collectGarbage(path: string) {
    return collectGarbage(await this.#parts.projects.around(path), this.#parts.models.extractor);
  }

  async verify(path: string, ref?: string) {
    checkRef(ref);
    const { projects, indexFreshness, models } = this.#parts;
    const opened = await projects.around(path);
    const view = await opened.find(ref);
    return verifyTree(opened, view, indexFreshness.walkOptionsOf(view), models.extractor);
  }

  async intentOf(query: string) {
    checkQuery({ query });
    return understand(query).intent;
  }

  async questionOf(query: string) {
    checkQuery({ query });
    const { readQuestion } = await import('../graph/index.ts');
    return readQuestion(query).kind;
  }

  search(path: string, request: SearchRequest) {
    return this.#parts.searching.answer(path, request);
  }

  searchSoFar(path: string, request: SearchRequest, knownFiles?: number) {
    return this.#parts.earlySearch.answer(path, request, knownFiles);
  }

  locate(path: string, request: Parameters<Engine['locate']>[1]) {
    return this.#parts.structure.locate(path, request);
  }

  symbol(path: string, id: string, ref?: string) {
    return this.#parts.structure.symbol(path, id, ref);
  }

  research(path: string, request: ResearchRequest) {
    return this.#parts.structure.research(path, request);
  }

  map(path: string, options?: Parameters<Engine['map']>[1]) {
    return this.#parts.structure.map(path, options);
  }

  commits(path: string, request: CommitsRequest) {
    return this.#parts.histories.commits(path, request);
  }

  impact(path: string, request: ImpactRequest = {}) {
    return this.#parts.changes.impact(path, request);
  }

  readFile(path: string, request: Parameters<Engine['readFile']>[1]) {
    return this.#parts.files.readFile(path, request);
  }

  grep(path: string, request: Parameters<Engine['grep']>[1]) {
    return this.#parts.files.grep(path, request);
  }

  findPaths(path: string, part: string, limit?: number) {
    return this.#parts.files.findPaths(path, part, limit);
  }

  exportChunks(path: string, ref?: string) {
    return this.#parts.files.exportChunks(path, ref);
  }

  exportContents(path: string, ref?: string) {
    return this.#parts.files.exportContents(path, ref);
  }

  files(path: string, ref?: string) {
    return this.#parts.browsing.files(path, ref);
  }

  indexedFile(path: string, file: string, ref?: string) {
    return this.#parts.browsing.indexedFile(path, file, ref);
  }

  identifierLinks(path: string, file: string, ref?: string) {
    return this.#parts.browsing.identifierLinks(path, file, ref);
  }

  lineHistory(path: string, request: LineHistoryRequest) {
    return this.#parts.browsing.lineHistory(path, request);
  }

  callNeighbours(path: string, id: string, ref?: string) {
    return this.#parts.browsing.callNeighbours(path, id, ref);
  }

  repositoryMap(path: string, ref?: string) {
    return this.#parts.browsing.repositoryMap(path, ref);
  }

  activity(path: string) {
    return this.#parts.browsing.activity(path);
  }

  remember(path: string, request: RememberRequest) {
    return this.#parts.discoveries.remember(path, request);
  }

  contextSearch(path: string, request: ContextRequest) {
    return this.#parts.discoveries.contextSearch(path, request);
  }

  discoveries(path: string, filter?: DiscoveryFilter) {
    return this.#parts.discoveries.list(path, filter);
  }

  discovery(path: string, id: string) {
    return this.#parts.discoveries.find(path, id);
  }

  editDiscovery(path: string, id: string, changes: DiscoveryChanges) {
    return this.#parts.discoveries.edit(path, id, changes);
  }

  importDiscoveries(path: string, discoveries: readonly Discovery[]) {
    return this.#parts.discoveries.import(path, discoveries);
  }

  forget(path: string, id: string) {
    return this.#parts.discoveries.forget(path, id);
  }

  memoryNotices(path: string) {
    return this.#parts.discoveries.notices(path);
  }

  brokenMemories(path: string) {
    return this.#parts.discoveries.broken(path);
  }

  sessions(path: string) {
    return this.#parts.discoveries.sessions(path);
  }

  accesses(path: string) {
    return this.#parts.discoveries.accesses(path);
  }

  async doctor(path: string | null) {
    const { config, models, indexFreshness } = this.#parts;
    const { runDoctor } = await import('./doctor/doctor.ts');
    // The index is checked even if the model does not load: the check needs no vectors.
    const projects = new OpenProjects(config.home, () => ({ id: '', dims: 0 }));
    const modelId = models.idIfLoadable;
    const project =
      path === null
        ? null
        : {
            path,
            open: () => projects.around(path),
            pending: async (opened: OpenedProject) =>
              pendingChanges(opened.view(), indexFreshness.walkOptionsOf(opened.view()), 'stat'),
            modelId,
            extractor: modelId === null ? null : models.extractor,
          };
    try {
      return await runDoctor(config, project);
    } finally {
      projects.close();
    }
  }

  close(): Promise<void> {
    return this.#parts.close();
  }
}
