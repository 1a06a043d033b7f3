/**
 * The engine for people on other machines: they may ask about the folder that is served to them and about nothing else on this one. Everything
 * else is the engine itself.
 */
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EngineError } from '../../model/records/engine-errors.ts';
import { isWithin } from '../../model/text/is-within.ts';
import type { Engine } from '../engine.ts';

/** What takes no path. */
const ABOUT_NO_FOLDER: ReadonlySet<string | symbol> = new Set<keyof Engine>(['intentOf', 'close']);

type Call = (path: string, ...more: readonly unknown[]) => Promise<unknown>;

export function withinFolder(engine: Engine, folder: string): Engine {
  const check = async (path: string): Promise<void> => {
    const [root, asked] = await Promise.all([real(folder), real(path)]);
    if (!isWithin(asked, root))
      throw new EngineError('path_forbidden', {
        path,
        reason: 'other machines may ask about the project that is served, and need no path for it',
      });
  };
  return new Proxy(engine, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (ABOUT_NO_FOLDER.has(name)) return value.bind(target);
      const call: Call = value.bind(target);
      return async (path: string, ...more: readonly unknown[]) => {
        await check(path);
        return call(path, ...more);
      };
    },
  });
}

/** As links lead; what is not there, as it is written: the engine says that it is not there. */
function real(path: string): Promise<string> {
  const absolute = resolve(path);
  return realpath(absolute).catch(() => absolute);
}
