/**
 * The engine as a node of the fleet shows it: a path names a repository below the node's folder, or a folder of
 * several. Every call is made on behalf of a subject; a repository that it may not see is not there. About one
 * repository the embedded engine answers, on the hydrated store; about several, OpenSearch finds the files and the
 * embedded ranking orders them.
 */
import { join } from 'node:path';
import type { Engine } from '../../engine/engine.ts';
import { type FolderMethod, ForwardingEngine, type GeneralMethod } from '../../engine/forwarding-engine.ts';
import { EngineError, toEngineError } from '../../model/records/engine-errors.ts';
import { parseScope } from '../../model/records/scope.ts';
import type { RepositoryRecord } from '../catalogue/repositories.ts';
import { tellSnapshots } from '../search/tell-snapshots.ts';
import { type Asked, askedRepositories, listed } from './asked-repositories.ts';
import type { AuditLog } from './audit-log.ts';
import type { CrossCalls } from './cross-calls.ts';
import type { RepositoryCache } from './repository-cache.ts';
import { currentSubject, type Subject } from './subjects.ts';
import type { VisibleRepositories } from './visible-repositories.ts';

export interface FleetEngineParts {
  readonly engine: Engine;
  readonly folder: string;
  readonly cache: RepositoryCache;
  readonly visible: VisibleRepositories;
  readonly audit: AuditLog;
  readonly across: CrossCalls;
}

type Call = (path: string, more: readonly unknown[]) => Promise<unknown>;

/**
 * Questions about one repository, answered from its snapshot alone. Whatever else an engine does belongs to workers, or
 * to one machine.
 */
const ANSWERED: ReadonlySet<FolderMethod> = new Set<FolderMethod>([
  'project',
  'root',
  'status',
  'skipped',
  'search',
  'locate',
  'symbol',
  'research',
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
]);
/** About no repository. */
const ABOUT_NONE: ReadonlySet<GeneralMethod> = new Set<GeneralMethod>(['intentOf', 'questionOf']);

export class FleetEngine extends ForwardingEngine {
  readonly #parts: FleetEngineParts;

  constructor(parts: FleetEngineParts) {
    super(parts.engine);
    this.#parts = parts;
  }

  override async registeredRoots() {
    return (await this.knownProjects()).map(({ root }) => root);
  }

  override async knownProjects() {
    const { folder } = this.#parts;
    return (await visibleTo(this.#parts)).map(({ name }) => ({ root: join(folder, name), name }));
  }

  protected override async general<T>(method: GeneralMethod, args: readonly unknown[]): Promise<T> {
    if (!ABOUT_NONE.has(method)) throw notHere(method);
    return super.general(method, args);
  }

  protected override async about<T>(method: FolderMethod, path: string, args: readonly unknown[]): Promise<T> {
    if (!ANSWERED.has(method)) throw notHere(method);
    const call: Call = (folder, more) => super.about(method, folder, more);
    return answer(this.#parts, method, call, path, args) as Promise<T>;
  }
}

async function answer(parts: FleetEngineParts, tool: string, call: Call, path: string, more: readonly unknown[]) {
  const subject = requireSubject();
  let repositories: readonly string[] = [];
  try {
    const records = await visibleTo(parts);
    const asked = askedRepositories(parts.folder, path, records);
    repositories = asked.kind === 'one' ? [asked.record.name] : [];
    const result = await ask(parts, asked, tool, call, path, more.map(stateless));
    parts.audit.add({ subject: subject.name, tool, repositories, results: countOf(result), outcome: 'ok' });
    return result;
  } catch (thrown) {
    const error = toEngineError(thrown);
    parts.audit.add({ subject: subject.name, tool, repositories, results: null, outcome: error.code });
    throw error;
  }
}

async function ask(
  { cache, across, folder }: FleetEngineParts,
  asked: Asked,
  tool: string,
  call: Call,
  path: string,
  more: readonly unknown[],
): Promise<unknown> {
  if (asked.kind === 'one') return cache.using(asked.record, async (head) => dated(await call(path, more), head));
  const scoped: unknown = Reflect.get(across, tool, across);
  if (typeof scoped === 'function')
    return (scoped as typeof across.search).call(across, asked.records, path, more[0] as never);
  const where = parseScope(path)
    ? 'several repositories'
    : path === folder
      ? 'all repositories'
      : 'a folder of repositories';
  const reason = `it is asked of one repository at a time: pass its name as path, one of ${listed(asked.records)}.`;
  throw new EngineError('unsupported', { what: `${tool} of ${where}`, reason });
}

/** An answer says of which commit it is. */
function dated(result: unknown, head: Parameters<typeof tellSnapshots>[0][number]): unknown {
  if (result === null || typeof result !== 'object' || !('freshness' in result)) return result;
  const { freshness } = result as { readonly freshness: unknown };
  if (freshness === null || typeof freshness !== 'object') return result;
  return { ...result, freshness: { ...freshness, ...tellSnapshots([head]) } };
}

/** What one subject asks or reads must not change the answers of another: no session is recorded. */
function stateless(argument: unknown): unknown {
  if (argument === null || typeof argument !== 'object' || !('session' in argument)) return argument;
  const { session: _session, ...rest } = argument as Record<string, unknown>;
  return 'query' in rest ? { ...rest, stateless: true } : rest;
}

function countOf(result: unknown): number | null {
  const { hits, symbols, matches } = (result ?? {}) as Record<string, unknown>;
  const list = hits ?? symbols ?? matches;
  return Array.isArray(list) ? list.length : null;
}

function requireSubject(): Subject {
  const subject = currentSubject();
  if (!subject) throw new EngineError('not_served', { path: 'the fleet', reason: 'the call names no subject' });
  return subject;
}

function visibleTo({ visible }: FleetEngineParts): Promise<readonly RepositoryRecord[]> {
  return visible.of(requireSubject());
}

function notHere(what: string): EngineError {
  return new EngineError('unsupported', { what, reason: 'a node of the fleet answers questions only; workers index.' });
}
