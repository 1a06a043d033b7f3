/**
 * Answers questions about several repositories. Search and structure use the same code as for one project, over a
 * joined tree; files are read from disk in the repository that their path begins with.
 */

import type { LineHistoryRequest } from '../../model/records/browse.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { GrepAnswer, GrepRequest, ReadFileAnswer, ReadFileRequest } from '../../model/records/query.ts';
import type { Scope } from '../../model/records/scope.ts';
import type { Engine, OnChange, RememberRequest, WorkspaceMember } from '../engine.ts';
import { findPaths } from '../files/find-paths.ts';
import type { IndexFreshness } from '../freshness/index-freshness.ts';
import type { Memories } from '../memory/memory-calls.ts';
import type { OpenProjects } from '../projects/open-projects.ts';
import { checkQuery, checkRequest } from '../questions/check-request.ts';
import { SearchCalls, type SearchParts } from '../questions/search-calls.ts';
import { NO_STRUCTURE_MEMORY, StructureCalls } from '../questions/structure-calls.ts';
import { linksOf } from '../questions/symbol-detail.ts';
import { JoinedChanges } from './joined-changes.ts';
import { JoinedFreshness } from './joined-freshness.ts';
import { type JoinedProject, JoinedProjects } from './joined-project.ts';
import { memberAt, moduleWithin, projectPath, scopedItems, scopedPath, scopedPaths } from './member-at.ts';
import { type LocalBrowsing, WorkspaceBrowsing } from './workspace-browsing.ts';

export interface WorkspaceParts extends Pick<SearchParts<JoinedProject>, 'models' | 'assistance'> {
  readonly members: (scope: Scope) => readonly WorkspaceMember[];
  readonly projects: OpenProjects;
  readonly indexFreshness: IndexFreshness;
  readonly memories: () => Promise<Memories>;
  /** The engine for one project. */
  readonly localEngine: LocalBrowsing &
    Pick<Engine, 'readFile' | 'grep' | 'remember' | 'discoveries' | 'watch' | 'firstIndex' | 'commits'>;
}

/** The methods of the engine that take a scope. */
export type ScopedCalls = Pick<
  Engine,
  | 'root'
  | 'search'
  | 'locate'
  | 'symbol'
  | 'research'
  | 'map'
  | 'readFile'
  | 'grep'
  | 'findPaths'
  | 'contextSearch'
  | 'remember'
  | 'members'
  | 'discoveries'
  | 'skipped'
  | 'watch'
  | 'firstIndex'
  | 'status'
  | 'files'
  | 'indexedFile'
  | 'identifierLinks'
  | 'lineHistory'
  | 'callNeighbours'
  | 'repositoryMap'
  | 'activity'
  | 'memoryNotices'
  | 'impact'
  | 'commits'
>;

const DEFAULT_MATCHES = 50;

/** Loaded on first use, like the memory room: a search does not need it. */
const loadJoinedMemory = () => import('./joined-memory.ts');

export class WorkspaceCalls implements ScopedCalls {
  readonly #parts: WorkspaceParts;
  readonly #projects: JoinedProjects;
  readonly #searching: SearchCalls<JoinedProject>;
  readonly #structure: StructureCalls<JoinedProject>;
  readonly #browsing: WorkspaceBrowsing;
  readonly #changes: JoinedChanges;

  constructor(parts: WorkspaceParts) {
    this.#parts = parts;
    this.#projects = new JoinedProjects(parts.members, parts.projects);
    this.#browsing = new WorkspaceBrowsing(this.#projects, parts.localEngine);
    const indexFreshness = new JoinedFreshness(parts.indexFreshness);
    this.#searching = new SearchCalls({
      config: { inline: false },
      projects: this.#projects,
      indexFreshness,
      models: parts.models,
      assistance: parts.assistance,
      // Reads are counted per project and do not affect results of a workspace.
      memoriesIf: async () => null,
    });
    this.#structure = new StructureCalls<JoinedProject>({
      projects: this.#projects,
      indexFreshness,
      memories: async () => NO_STRUCTURE_MEMORY,
      search: (scope, request) => this.search(scope, request),
    });
    this.#changes = new JoinedChanges(this.#projects, indexFreshness, parts.localEngine);
  }

  /** A scope is its own root. Resolving it makes an unknown name an error. */
  async root(scope: string) {
    this.#projects.members(scope);
    return scope;
  }

  async members(scope: string) {
    return this.#projects.members(scope);
  }

  async search(scope: string, request: Parameters<Engine['search']>[1]) {
    return this.#searching.answer(scope, request);
  }

  async locate(scope: string, request: Parameters<Engine['locate']>[1]) {
    return this.#structure.locate(scope, request);
  }

  async symbol(scope: string, id: string, ref?: string) {
    return this.#structure.symbol(scope, id, ref);
  }

  async research(scope: string, request: Parameters<Engine['research']>[1]) {
    return this.#structure.research(scope, request);
  }

  impact(scope: string, request: Parameters<Engine['impact']>[1] = {}) {
    return this.#changes.impact(scope, request);
  }

  commits(scope: string, request: Parameters<Engine['commits']>[1]) {
    return this.#changes.commits(scope, request);
  }

  async map(scope: string, options?: Parameters<Engine['map']>[1]) {
    return this.#structure.map(scope, options);
  }

  async findPaths(scope: string, part: string, limit = 50) {
    return findPaths((await this.#projects.around(scope)).joined.view, part, limit);
  }

  async contextSearch(scope: string, request: Parameters<Engine['contextSearch']>[1]) {
    checkQuery(request);
    const opened = await this.#projects.around(scope);
    const { moduleOf } = await this.#projects.presenter(opened, opened.joined.view);
    const [memories, { joinMemories: knownInAll }] = await Promise.all([this.#parts.memories(), loadJoinedMemory()]);
    const known = await knownInAll(memories, opened, moduleOf, request.signal);
    return memories.searchIn(known, request, (wanted) => this.search(scope, wanted));
  }

  async discoveries(scope: string, filter?: Parameters<Engine['discoveries']>[1]) {
    const each = this.#projects.members(scope).map(async (member) => ({
      place: await this.#projects.placeOf(member),
      discoveries: await this.#parts.localEngine.discoveries(member.root, filter),
    }));
    const { discoveriesWithin } = await loadJoinedMemory();
    return discoveriesWithin(await Promise.all(each)).slice(0, filter?.limit);
  }

  async skipped(scope: string) {
    return (await this.#projects.around(scope)).joined.view.skipped();
  }

  async watch(scope: string, ...more: readonly [OnChange?, { readonly onceIndexed?: boolean }?]) {
    const watches = this.#projects.members(scope).map(({ root }) => this.#parts.localEngine.watch(root, ...more));
    const stops = await Promise.allSettled(watches);
    return async () => {
      await Promise.all(stops.map((stop) => (stop.status === 'fulfilled' ? stop.value() : undefined)));
    };
  }

  /** Returns true if any repository has an index by then. */
  async firstIndex(scope: string, options: Parameters<Engine['firstIndex']>[1]) {
    const each = this.#projects.members(scope).map(({ root }) => this.#parts.localEngine.firstIndex(root, options));
    return (await Promise.all(each)).some(Boolean);
  }

  status(scope: string) {
    return this.#browsing.status(scope);
  }

  files(scope: string, ref?: string) {
    return this.#browsing.files(scope, ref);
  }

  indexedFile(scope: string, file: string, ref?: string) {
    return this.#browsing.indexedFile(scope, file, ref);
  }

  identifierLinks(scope: string, file: string, ref?: string) {
    return this.#browsing.identifierLinks(scope, file, ref);
  }

  lineHistory(scope: string, request: LineHistoryRequest) {
    return this.#browsing.lineHistory(scope, request);
  }

  callNeighbours(scope: string, id: string, ref?: string) {
    return this.#browsing.callNeighbours(scope, id, ref);
  }

  repositoryMap(scope: string, ref?: string) {
    return this.#browsing.repositoryMap(scope, ref);
  }

  activity(scope: string) {
    return this.#browsing.activity(scope);
  }

  memoryNotices(scope: string) {
    return this.#browsing.memoryNotices(scope);
  }

  async readFile(scope: string, request: ReadFileRequest): Promise<ReadFileAnswer> {
    checkRequest(request, 'path');
    const { place, path } = await this.#projects.fileIn(scope, request.path);
    const answer = await this.#parts.localEngine.readFile(place.root, { ...request, path });
    const wantsLinks = request.includeDependencies || request.includeDependants;
    const shown = scopedPath(place, answer.path) ?? request.path;
    const links = wantsLinks ? await this.#linksInScope(scope, shown) : null;
    const own = scopedItems(place, answer.dependencies);
    const elsewhere = (links?.dependencies ?? []).filter(({ path: to }) => !own.some((one) => one.path === to));
    return {
      ...answer,
      path: shown,
      module: moduleWithin(place, answer.module),
      dependencies: request.includeDependencies
        ? [...own, ...elsewhere.map((link) => ({ ...link, type: 'import' as const, level: 1 as const }))]
        : own,
      externalDependencies: links?.external ?? answer.externalDependencies,
      dependants: links && request.includeDependants ? links.dependants : scopedPaths(place, answer.dependants),
    };
  }

  /** Imports and importers from the joined tree: no other tree has edges between repositories. */
  async #linksInScope(scope: string, path: string) {
    const opened = await this.#projects.around(scope);
    return linksOf(await this.#projects.graphContext(opened, opened.joined.view), path);
  }

  /**
   * Searches the repositories one after another, sorted by name. Every match is counted; only the first `limit` are
   * returned.
   */
  async grep(scope: string, request: GrepRequest): Promise<GrepAnswer> {
    checkRequest(request, 'pattern');
    const started = performance.now();
    const members = this.#projects.members(scope);
    const at = memberAt(members, request.filePattern ?? '');
    const narrowed = at && at.path !== '' ? at : undefined;
    const limit = request.limit ?? DEFAULT_MATCHES;
    let answer: GrepAnswer = {
      matches: [],
      totalMatches: 0,
      filesSearched: 0,
      filesMatched: 0,
      durationMs: 0,
      truncated: false,
    };
    for (const { name, root } of narrowed ? [narrowed.member] : members) {
      const wanted = { ...request, limit: Math.max(1, limit - answer.matches.length) };
      const memberAnswer = await this.#parts.localEngine.grep(
        root,
        narrowed ? { ...wanted, filePattern: narrowed.path } : wanted,
      );
      answer = addGrepAnswer(answer, memberAnswer, name, limit);
    }
    return { ...answer, durationMs: performance.now() - started };
  }

  /** Records the discovery in one repository: the only one of the scope, or the one that contains all evidence. */
  async remember(scope: string, request: RememberRequest) {
    const members = this.#projects.members(scope);
    const evidence = request.evidence ?? [];
    const named = new Set(evidence.map(({ path }) => memberAt(members, path ?? '')?.member));
    const member = members.length === 1 ? members[0] : named.size === 1 ? [...named][0] : undefined;
    if (!member)
      throw new EngineError('invalid_input', {
        reason:
          'Which repository is it about? Name one with repos, or give evidence in one: ' +
          `${members.map(({ name }) => name).join(', ')}.`,
      });
    const place = await this.#projects.placeOf(member);
    const own = evidence.map((one) => {
      const at = memberAt(members, one.path ?? '');
      return at?.member === member && at.path !== '' ? { ...one, path: projectPath(place, at.path) } : one;
    });
    return this.#parts.localEngine.remember(place.root, { ...request, evidence: own });
  }
}

function addGrepAnswer(sum: GrepAnswer, one: GrepAnswer, name: string, limit: number): GrepAnswer {
  const remaining = limit - sum.matches.length;
  const shown = one.matches.slice(0, remaining).map((match) => ({ ...match, path: `${name}/${match.path}` }));
  return {
    matches: [...sum.matches, ...shown],
    totalMatches: sum.totalMatches + one.totalMatches,
    filesSearched: sum.filesSearched + one.filesSearched,
    filesMatched: sum.filesMatched + one.filesMatched,
    durationMs: 0,
    truncated: sum.truncated || one.truncated || one.matches.length > remaining,
  };
}
