/** The calls about discoveries: each checks its request, opens the project and forwards to its memory. */
import type { ContextAnswer, Discovery, DiscoveryChanges } from '../../model/records/discovery.ts';
import type { SearchAnswer, SearchRequest } from '../../model/records/query.ts';
import type { ContextRequest, DiscoveryFilter, RememberRequest } from '../engine.ts';
import type { OpenProjects } from '../projects/open-projects.ts';
import { checkDiscoveries, checkFields, checkQuery, checkRequest, checkText } from '../questions/check-request.ts';
import type { Memories } from './memory-calls.ts';
import type { ProjectMemory } from './project-memory.ts';

interface DiscoveryParts {
  readonly projects: OpenProjects;
  /** Loaded on first use: a plain search does not need it. */
  readonly memories: () => Promise<Memories>;
  readonly search: (path: string, request: SearchRequest) => Promise<SearchAnswer>;
}

export class DiscoveryCalls {
  readonly #parts: DiscoveryParts;

  constructor(parts: DiscoveryParts) {
    this.#parts = parts;
  }

  async #opened(path: string) {
    const opened = await this.#parts.projects.around(path);
    return { opened, memories: await this.#parts.memories() };
  }

  async #memoryOf(path: string): Promise<ProjectMemory> {
    const { opened, memories } = await this.#opened(path);
    return memories.of(opened);
  }

  async remember(path: string, request: RememberRequest) {
    checkRequest(request, 'content');
    const { opened, memories } = await this.#opened(path);
    return memories.remember(opened, request);
  }

  async contextSearch(path: string, request: ContextRequest): Promise<ContextAnswer> {
    checkQuery(request);
    const { opened, memories } = await this.#opened(path);
    return memories.search(opened, request, (wanted) => this.#parts.search(path, wanted));
  }

  async list(path: string, filter: DiscoveryFilter = {}) {
    checkFields(filter, 'filter');
    const { opened, memories } = await this.#opened(path);
    return memories.list(opened, filter);
  }

  async find(path: string, id: string) {
    checkText(id, 'id');
    const { opened, memories } = await this.#opened(path);
    return memories.find(opened, id);
  }

  async edit(path: string, id: string, changes: DiscoveryChanges) {
    checkText(id, 'id');
    checkFields(changes, 'changes');
    const { opened, memories } = await this.#opened(path);
    return memories.edit(opened, id, changes);
  }

  async import(path: string, discoveries: readonly Discovery[]) {
    checkDiscoveries(discoveries);
    const { opened, memories } = await this.#opened(path);
    return memories.import(opened, discoveries);
  }

  async forget(path: string, id: string) {
    checkText(id, 'id');
    const { opened, memories } = await this.#opened(path);
    return memories.forget(opened, id);
  }

  async notices(path: string) {
    const { opened, memories } = await this.#opened(path);
    return memories.notices(opened);
  }

  async broken(path: string) {
    return (await this.#memoryOf(path)).notebook.broken();
  }

  async sessions(path: string) {
    return (await this.#memoryOf(path)).sessions.list();
  }

  async accesses(path: string) {
    return (await this.#memoryOf(path)).accesses.list(Date.now());
  }
}
