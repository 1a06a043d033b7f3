/**
 * The engine as one session sees it: what is asked, read and recorded through it belongs to that session. Everything
 * else is the engine itself.
 */
import type { Engine } from '../engine.ts';

export function inSession(engine: Engine, session: string): Engine {
  const own: Partial<Engine> = {
    search: (path, request) => engine.search(path, { session, ...request }),
    locate: (path, request) => engine.locate(path, { session, ...request }),
    research: (path, request) => engine.research(path, { session, ...request }),
    readFile: (path, request) => engine.readFile(path, { session, ...request }),
    contextSearch: (path, request) => engine.contextSearch(path, { session, ...request }),
    remember: (path, request) => engine.remember(path, { session, ...request }),
  };
  return new Proxy(engine, {
    get(target, name) {
      const mine = own[name as keyof Engine];
      if (mine) return mine;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
