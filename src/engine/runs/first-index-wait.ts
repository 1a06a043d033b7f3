/**
 * The engine for somebody whose server makes the first index by itself: questions that come before it is there wait for
 * it a little. Everything else is the engine itself.
 */
import { EngineError } from '../../model/records/engine-errors.ts';
import type { Engine } from '../engine.ts';

/**
 * Most first indexes are made in this time, and no client takes a call that lasts so long for dead. The context-tool
 * contract allows a search five seconds: the rest of them is for the answer.
 */
const LONGEST_WAIT_MS = 4_700;
const QUESTIONS: ReadonlySet<string | symbol> = new Set<keyof Engine>([
  'search',
  'locate',
  'symbol',
  'research',
  'contextSearch',
  'map',
  'findPaths',
]);

type Question = (path: string, ...more: readonly unknown[]) => Promise<unknown>;

export function afterFirstIndex(engine: Engine, signal: AbortSignal): Engine {
  return new Proxy(engine, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (!QUESTIONS.has(name)) return value.bind(target);
      const ask: Question = value.bind(target);
      return async (path: string, ...more: readonly unknown[]) => {
        try {
          return await ask(path, ...more);
        } catch (error) {
          if (!(error instanceof EngineError && error.code === 'not_indexed')) throw error;
          if (!(await engine.firstIndex(path, { timeoutMs: LONGEST_WAIT_MS, signal }))) throw error;
          return ask(path, ...more);
        }
      };
    },
  });
}
