/**
 * Leads a call whose path is a scope to the code that answers for several repositories; everything else is the engine
 * itself.
 */
import { EngineError } from '../../model/records/engine-errors.ts';
import { parseScope } from '../../model/records/scope.ts';
import type { Engine } from '../engine.ts';
import type { ScopedCalls } from './workspace-calls.ts';

type Call = (path: string, ...more: readonly unknown[]) => Promise<unknown>;

/** `guard` is what every answer passes through. */
export function withScopes(
  engine: Engine,
  calls: ScopedCalls,
  guard: <T>(work: () => Promise<T>) => Promise<T>,
): Engine {
  return new Proxy(engine, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const alone: Call = value.bind(target);
      const scoped: unknown = Reflect.get(calls, name, calls);
      return (path: string, ...more: readonly unknown[]) => {
        if (typeof path !== 'string' || parseScope(path) === null || TAKES_NO_PATH.has(name))
          return alone(path, ...more);
        if (typeof scoped !== 'function') return Promise.reject(oneAtATime(String(name), path));
        return guard(() => (scoped as Call).call(calls, path, ...more));
      };
    },
  });
}

/** Methods whose first argument is a text of another kind. */
const TAKES_NO_PATH: ReadonlySet<string | symbol> = new Set<keyof Engine>(['intentOf', 'questionOf']);

function oneAtATime(what: string, scope: string): EngineError {
  return new EngineError('unsupported', {
    what: `${what} of ${scope}`,
    reason: 'it is asked of one repository at a time; pass the folder of one',
  });
}
