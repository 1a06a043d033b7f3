/**
 * The engine as an HTTP server shows it: a client may ask about the served workspace and, on loopback, about registered
 * projects, and about no other folder of the machine. Everything else is the engine itself.
 */
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EngineError } from '../../model/records/engine-errors.ts';
import { isWithin } from '../../model/text/is-within.ts';
import type { Engine } from '../engine.ts';

/** Methods that take no path. */
const ABOUT_NO_FOLDER: ReadonlySet<string | symbol> = new Set<keyof Engine>([
  'intentOf',
  'questionOf',
  'close',
  'registeredRoots',
]);

export interface ServedProjects {
  readonly workspace: string | null;
  /** Registered projects are served, too. Clients on other machines get the workspace only. */
  readonly registered: boolean;
}

type Call = (path: string, ...more: readonly unknown[]) => Promise<unknown>;

export function servedProjects(engine: Engine, { workspace, registered }: ServedProjects): Engine {
  const isServed = async (asked: string): Promise<boolean> => {
    if (workspace !== null && isWithin(asked, await real(workspace))) return true;
    return registered && (await engine.registeredRoots()).some((root) => isWithin(asked, root));
  };
  /** The real path. Throws not_served, whether the folder exists or not: a refusal tells nothing of the machine. */
  const check = async (path: string): Promise<string> => {
    const asked = await real(path);
    if (await isServed(asked)) return asked;
    const reason = registered ? 'it is no registered project' : 'other machines are served one project only';
    throw new EngineError('not_served', { path, reason });
  };
  return new Proxy(engine, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (ABOUT_NO_FOLDER.has(name)) return value.bind(target);
      if (name === 'knownProjects') return () => onlyServed(target, isServed);
      const call: Call = value.bind(target);
      return async (path: string, ...more: readonly unknown[]) => call(await check(path), ...more);
    },
  });
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
