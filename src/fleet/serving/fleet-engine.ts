/**
 * The engine as a node of the fleet shows it: a path names a repository below the node's folder, and perhaps a folder
 * inside it. Every call is made on behalf of a subject; a repository that it may not see is not there. What answers is
 * the embedded engine on the hydrated store.
 */
import { join, relative, resolve, sep } from 'node:path';
import type { Engine } from '../../engine/engine.ts';
import { EngineError, toEngineError } from '../../model/records/engine-errors.ts';
import type { RepositoryRecord } from '../catalogue/repositories.ts';
import type { AuditLog } from './audit-log.ts';
import type { RepositoryCache } from './repository-cache.ts';
import { currentSubject, type Subject } from './subjects.ts';
import type { VisibleRepositories } from './visible-repositories.ts';

export interface FleetEngineParts {
  readonly engine: Engine;
  readonly folder: string;
  readonly cache: RepositoryCache;
  readonly visible: VisibleRepositories;
  readonly audit: AuditLog;
}

type Call = (path: string, ...more: readonly unknown[]) => Promise<unknown>;

/**
 * Questions about one repository, answered from its snapshot alone. Whatever else an engine does belongs to workers, or
 * to one machine.
 */
const ANSWERED: ReadonlySet<string | symbol> = new Set<keyof Engine>([
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
]);
/** About no repository. */
const ABOUT_NONE: ReadonlySet<string | symbol> = new Set<keyof Engine>([
  'intentOf',
  'questionOf',
  'close',
  'languageModel',
]);
const LISTED = 20;

export function fleetEngine(parts: FleetEngineParts): Engine {
  const { engine } = parts;
  return new Proxy(engine, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (ABOUT_NONE.has(name)) return value.bind(target);
      if (name === 'registeredRoots')
        return async () => (await visibleTo(parts)).map((each) => join(parts.folder, each.name));
      if (name === 'knownProjects')
        return async () =>
          (await visibleTo(parts)).map((each) => ({ root: join(parts.folder, each.name), name: each.name }));
      if (!ANSWERED.has(name)) return () => Promise.reject(notHere(String(name)));
      const call: Call = value.bind(target);
      return (path: string, ...more: readonly unknown[]) => answer(parts, String(name), call, path, more);
    },
  });
}

async function answer(parts: FleetEngineParts, tool: string, call: Call, path: string, more: readonly unknown[]) {
  const subject = requireSubject();
  let repositories: readonly string[] = [];
  try {
    const record = await repositoryAt(parts, path);
    repositories = [record.name];
    const result = await parts.cache.using(record, () => call(path, ...more.map(stateless)));
    parts.audit.add({ subject: subject.name, tool, repositories, results: countOf(result), outcome: 'ok' });
    return result;
  } catch (thrown) {
    const error = toEngineError(thrown);
    parts.audit.add({ subject: subject.name, tool, repositories, results: null, outcome: error.code });
    throw error;
  }
}

/** What one subject asks or reads must not change what another is told: nothing is noted. */
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
  if (!subject) throw new EngineError('not_served', { path: 'the fleet', reason: 'nobody is known to have asked' });
  return subject;
}

function visibleTo({ visible }: FleetEngineParts): Promise<readonly RepositoryRecord[]> {
  return visible.of(requireSubject());
}

/** A repository that is hidden and one that is not there are told in the same words. */
async function repositoryAt(parts: FleetEngineParts, path: string): Promise<RepositoryRecord> {
  const asked = relative(parts.folder, resolve(path)).split(sep).join('/');
  const records = await visibleTo(parts);
  const found = records.filter(({ name }) => asked === name || asked.startsWith(`${name}/`));
  const [nearest] = found.sort((a, b) => b.name.length - a.name.length);
  if (nearest) return nearest;
  const names = records.slice(0, LISTED).map(({ name }) => name);
  const more = records.length > LISTED ? ` and ${records.length - LISTED} more` : '';
  if (asked === '')
    throw new EngineError('invalid_input', {
      reason: `Which repository? Pass its name as path: ${names.join(', ')}${more}.`,
    });
  throw new EngineError('not_served', { path: asked, reason: 'there is no such repository, or you may not see it' });
}

function notHere(what: string): EngineError {
  return new EngineError('unsupported', { what, reason: 'a node of the fleet answers questions only; workers index.' });
}
