/**
 * The engine as an HTTP server shows it: a client may ask about the served workspace and, on loopback, about registered
 * projects, and about no other folder of the machine. Everything else is the engine itself.
 */
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EngineError } from '../../model/records/engine-errors.ts';
import { parseScope } from '../../model/records/scope.ts';
import { isWithin } from '../../model/text/is-within.ts';
import type { Engine } from '../engine.ts';

/** Methods that take no path. */
const ABOUT_NO_FOLDER: ReadonlySet<string | symbol> = new Set<keyof Engine>([
  'intentOf',
  'questionOf',
  'close',
  'registeredRoots',
  'workspaces',
]);

const OTHERS = 'other machines are served one project only';

export interface ServedProjects {
  readonly workspace: string | null;
  /** Registered projects are served, too. Clients on other machines get the workspace only. */
  readonly registered: boolean;
}

async function refuseChange(name: string): Promise<never> {
  throw new EngineError('not_served', { path: name, reason: 'workspaces are changed in a terminal' });
}

type Call = (path: string, ...more: readonly unknown[]) => Promise<unknown>;

export function servedProjects(engine: Engine, { workspace, registered }: ServedProjects): Engine {
  const isServed = async (asked: string): Promise<boolean> => {
    if (workspace !== null && (await servedRoots(engine, workspace)).some((root) => isWithin(asked, root))) return true;
    return registered && (await engine.registeredRoots()).some((root) => isWithin(asked, root));
  };
  /** The real path. Throws not_served, whether the folder exists or not: a refusal tells nothing of the machine. */
  const check = async (path: string): Promise<string> => {
    if (parseScope(path)) return checkScope(path);
    const asked = await real(path);
    if (await isServed(asked)) return asked;
    const reason = registered ? 'it is no registered project' : OTHERS;
    throw new EngineError('not_served', { path, reason });
  };
  /** A scope is served where all of its repositories are. */
  const checkScope = async (scope: string): Promise<string> => {
    const isOther = parseScope(scope)!.workspace !== (workspace === null ? null : parseScope(workspace)?.workspace);
    if (isOther && !registered) throw new EngineError('not_served', { path: scope, reason: OTHERS });
    for (const { root } of await engine.members(scope)) await check(root);
    return scope;
  };
  return new Proxy(engine, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (ABOUT_NO_FOLDER.has(name)) return value.bind(target);
      // What belongs to a workspace is the user's to say, in a terminal.
      if (name === 'addToWorkspace' || name === 'removeFromWorkspace') return refuseChange;
      if (name === 'knownProjects') return () => onlyServed(target, isServed);
      const call: Call = value.bind(target);
      return async (path: string, ...more: readonly unknown[]) => call(await check(path), ...more);
    },
  });
}

async function servedRoots(engine: Engine, workspace: string): Promise<readonly string[]> {
  if (!parseScope(workspace)) return [await real(workspace)];
  return (await engine.members(workspace)).map(({ root }) => root);
}

async function onlyServed(engine: Engine, isServed: (root: string) => Promise<boolean>) {
  const known = await engine.knownProjects();
  const served = await Promise.all(known.map(({ root }) => isServed(root)));
  return known.filter((_, i) => served[i]);
}

/** The real path; a path that does not exist stays as it is written. */
function real(path: string): Promise<string> {
  const absolute = resolve(path);
  return realpath(absolute).catch(() => absolute);
}
