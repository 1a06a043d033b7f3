/**
 * The engine of a fleet node: a path names a repository below the node's folder, or a folder of several. Every call is
 * made on behalf of a subject; repositories that it may not see do not exist for it. The embedded engine answers about
 * one repository, from the hydrated store; about several, OpenSearch finds the files and the embedded ranking orders
 * them.
 */
import { join } from 'node:path';
import type { Engine, ProjectStatus, RememberRequest } from '../../engine/engine.ts';
import { type FolderMethod, ForwardingEngine, type GeneralMethod } from '../../engine/forwarding-engine.ts';
import { EngineError, toEngineError } from '../../model/records/engine-errors.ts';
import type { ImpactRequest } from '../../model/records/impact.ts';
import { parseScope } from '../../model/records/scope.ts';
import type { RepositoryRecord } from '../catalogue/repositories.ts';
import { describeSnapshots, mapWithSnapshots } from '../search/tell-snapshots.ts';
import type { SnapshotHead } from '../snapshots/published-snapshots.ts';
import type { AuditLog } from './audit-log.ts';
import type { CrossCalls } from './cross-calls.ts';
import type { RepositoryCache } from './repository-cache.ts';
import { currentSubject, type Subject } from './subjects.ts';
import { enclosing, listed, type TargetRepositories, targetRepositories } from './target-repositories.ts';
import type { TeamMemory } from './team-memory.ts';
import type { VisibleRepositories } from './visible-repositories.ts';

export interface FleetEngineParts {
  readonly engine: Engine;
  readonly folder: string;
  readonly cache: RepositoryCache;
  readonly visible: VisibleRepositories;
  readonly audit: AuditLog;
  readonly across: CrossCalls;
  readonly memory: TeamMemory;
}

/**
 * Questions about one repository that are answered from its snapshot. All other calls belong to workers or to a single
 * machine.
 */
const SNAPSHOT_CALLS: ReadonlySet<FolderMethod> = new Set<FolderMethod>([
  'project',
  'root',
  'status',
  'skipped',
  'search',
  'locate',
  'symbol',
  'research',
  'impact',
  'readFile',
  'grep',
  'findPaths',
  'map',
  'files',
  'indexedFile',
  'identifierLinks',
  'callNeighbours',
  'repositoryMap',
  'firstIndex',
  'members',
  'contextSearch',
  'discoveries',
  'discovery',
  'memoryNotices',
  'remember',
  'forget',
]);
/** Helper calls of a tool: the audit log records them only if they were refused. */
const HELPER_CALLS: ReadonlySet<FolderMethod> = new Set<FolderMethod>([
  'project',
  'root',
  'firstIndex',
  'members',
  'memoryNotices',
]);
/** Error codes of a repository that is missing from the cached list. */
const MISSING: ReadonlySet<string> = new Set(['not_served', 'repository_not_found']);
/** Calls whose answers have no freshness: an embedded engine answers them from the files on disk. */
const FILE_CALLS: ReadonlySet<FolderMethod> = new Set<FolderMethod>(['readFile', 'grep', 'contextSearch']);
/** Calls that need the team's memory, which is fetched first. */
const RECALLING: ReadonlySet<FolderMethod> = new Set<FolderMethod>(['contextSearch', 'discoveries', 'discovery']);

export class FleetEngine extends ForwardingEngine {
  readonly #parts: FleetEngineParts;

  constructor(parts: FleetEngineParts) {
    super(parts.engine);
    this.#parts = parts;
  }

  override get hasLocalFiles(): boolean {
    return false;
  }

  override async registeredRoots() {
    return (await this.#visible()).map(({ name }) => join(this.#parts.folder, name));
  }

  /** Lists repositories by name: a folder on the node's disk means nothing to a client. */
  override async knownProjects() {
    return (await this.#visible()).map(({ name }) => ({ root: name, name, mcpPath: '/mcp' }));
  }

  protected override general<T>(method: GeneralMethod, args: readonly unknown[]): Promise<T> {
    if (method === 'intentOf' || method === 'questionOf') return super.general(method, args);
    return Promise.reject(notHere(method));
  }

  protected override async about<T>(method: FolderMethod, path: string, args: readonly unknown[]): Promise<T> {
    if (!SNAPSHOT_CALLS.has(method)) throw notHere(method);
    const { audit } = this.#parts;
    const subject = requireSubject();
    let repositories: readonly string[] = [];
    const entry = () => ({ subject: subject.name, tool: method, repositories });
    try {
      const requested = await this.#targetOf(path);
      repositories = requested.kind === 'one' ? [requested.record.name] : [];
      const result = await this.#ask(requested, method, path, args.map(stateless));
      if (requested.kind === 'several') repositories = repositoriesIn(result, requested.records);
      if (!HELPER_CALLS.has(method)) audit.add({ ...entry(), results: countOf(result), outcome: 'ok' });
      return result as T;
    } catch (thrown) {
      const error = toEngineError(thrown);
      audit.add({ ...entry(), results: null, outcome: error.code });
      throw error;
    }
  }

  async #targetOf(path: string): Promise<TargetRepositories> {
    const { folder, visible } = this.#parts;
    try {
      return targetRepositories(folder, path, await this.#visible());
    } catch (error) {
      if (!(error instanceof EngineError) || !MISSING.has(error.code)) throw error;
      return targetRepositories(folder, path, await visible.missedBy(requireSubject()));
    }
  }

  #ask(target: TargetRepositories, method: FolderMethod, path: string, args: readonly unknown[]): Promise<unknown> {
    return target.kind === 'one'
      ? this.#askOne(target.record, method, path, args)
      : this.#askSeveral(target.records, method, path, args);
  }

  #askOne(record: RepositoryRecord, method: FolderMethod, path: string, args: readonly unknown[]): Promise<unknown> {
    const { cache, memory, folder } = this.#parts;
    const root = join(folder, record.name);
    return cache.using(record, async (head) => {
      if (method === 'members') return [{ name: record.name, root }];
      if (method === 'impact') requireTarget(args[0] as ImpactRequest | undefined);
      if (method === 'remember')
        return memory.remember(record.name, root, args[0] as RememberRequest, requireSubject());
      if (method === 'forget') return memory.forget(record.name, root, String(args[0]), requireSubject());
      if (RECALLING.has(method)) await memory.bring(record.name, root);
      if (method === 'map') {
        const options = args[0] as Parameters<Engine['map']>[1];
        return mapWithSnapshots([head], options, (fitted) => super.about('map', path, [fitted]));
      }
      const result = await super.about(method, path, args);
      if (method === 'status')
        return { ...withoutPlaces(result as ProjectStatus, record.name), ...describeSnapshots([head]) };
      return dated(method, result, head);
    });
  }

  async #askSeveral(
    records: readonly RepositoryRecord[],
    method: FolderMethod,
    path: string,
    args: readonly unknown[],
  ): Promise<unknown> {
    const { across, folder } = this.#parts;
    const scoped: unknown = Reflect.get(across, method, across);
    if (typeof scoped === 'function')
      return (scoped as (...all: unknown[]) => Promise<unknown>).call(across, records, path, ...args);
    const where = parseScope(path)
      ? 'several repositories'
      : path === folder
        ? 'all repositories'
        : 'a folder of repositories';
    const reason = `it is asked of one repository at a time: pass its name as path, one of ${listed(records)}.`;
    throw new EngineError('unsupported', { what: `${method} of ${where}`, reason });
  }

  #visible(): Promise<readonly RepositoryRecord[]> {
    return this.#parts.visible.of(requireSubject());
  }
}

/** A node has one commit of a repository and no git: it knows the dependents of a place, and no diffs. */
function requireTarget(request: ImpactRequest | undefined): void {
  if (request?.target !== undefined) return;
  const reason = 'a node of the fleet has no history: name a symbol or lines as target.';
  throw new EngineError('unsupported', { what: 'The impact of a diff', reason });
}

/** Replaces folders by the repository's name: a folder on the node's disk means nothing to a client. */
function withoutPlaces(status: ProjectStatus, name: string): ProjectStatus {
  return { ...status, project: { ...status.project, root: name, storeFolder: '' } };
}

/** Adds the commit and its age: to the freshness of an answer that has one. */
function dated(method: FolderMethod, result: unknown, head: SnapshotHead): unknown {
  const snapshot = describeSnapshots([head]);
  if (result === null || typeof result !== 'object') return result;
  const { freshness } = result as { readonly freshness?: unknown };
  if (freshness !== null && typeof freshness === 'object')
    return { ...result, freshness: { ...freshness, ...snapshot } };
  return FILE_CALLS.has(method) ? { ...result, ...snapshot } : result;
}

/** Removes the session: a subject's calls must not change the answers to another. */
function stateless(argument: unknown): unknown {
  if (argument === null || typeof argument !== 'object' || !('session' in argument)) return argument;
  const { session: _session, ...rest } = argument as Record<string, unknown>;
  return 'query' in rest ? { ...rest, stateless: true } : rest;
}

/** The repositories that occur in an answer about several. */
function repositoriesIn(result: unknown, records: readonly RepositoryRecord[]): readonly string[] {
  const { hits, symbols, matches, evidence, results, path } = (result ?? {}) as Record<string, unknown>;
  const lists = [hits, symbols, matches, evidence, results].flatMap((list) => (Array.isArray(list) ? list : []));
  const places = [...lists, { path }] as readonly { readonly path?: unknown; readonly module?: unknown }[];
  const names = places.flatMap((place) => {
    const at = place.path ?? place.module;
    return typeof at === 'string' ? (enclosing(at, records)?.name ?? []) : [];
  });
  return [...new Set(names)].sort();
}

function countOf(result: unknown): number | null {
  const { hits, symbols, matches, evidence, results } = (result ?? {}) as Record<string, unknown>;
  const list = hits ?? symbols ?? matches ?? evidence ?? results;
  return Array.isArray(list) ? list.length : null;
}

function requireSubject(): Subject {
  const subject = currentSubject();
  if (!subject) throw new EngineError('not_served', { path: 'the fleet', reason: 'the call names no subject' });
  return subject;
}

function notHere(what: string): EngineError {
  return new EngineError('unsupported', { what, reason: 'a node of the fleet answers questions only; workers index.' });
}
