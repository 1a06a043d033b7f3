/**
 * The engine that edges see: each call passes through `guard`, and a call whose path is a scope is answered for several
 * repositories by `ScopedCalls`.
 */
import { EngineError } from '../../model/records/engine-errors.ts';
import { parseScope } from '../../model/records/scope.ts';
import type { Engine } from '../engine.ts';
import { type FolderMethod, ForwardingEngine, type GeneralMethod } from '../forwarding-engine.ts';
import type { ScopedCalls } from './workspace-calls.ts';

type Call<T> = (path: string, ...args: readonly unknown[]) => Promise<T>;

export class ScopedEngine extends ForwardingEngine {
  readonly #calls: ScopedCalls;
  readonly #guard: <T>(work: () => Promise<T>) => Promise<T>;

  constructor(inner: Engine, calls: ScopedCalls, guard: <T>(work: () => Promise<T>) => Promise<T>) {
    super(inner);
    this.#calls = calls;
    this.#guard = guard;
  }

  protected override about<T>(method: FolderMethod, path: string, args: readonly unknown[]): Promise<T> {
    // A caller in plain JavaScript may pass anything; the inner engine rejects paths that are not text.
    if (typeof path !== 'string' || parseScope(path) === null)
      return this.#guard(() => super.about<T>(method, path, args));
    return this.#guard(async () => {
      const scoped: unknown = this.#calls[method as keyof ScopedCalls];
      if (typeof scoped !== 'function') throw unsupportedForScope(method, path);
      return (scoped as Call<T>).call(this.#calls, path, ...args);
    });
  }

  protected override general<T>(method: GeneralMethod, args: readonly unknown[]) {
    return this.#guard(() => super.general<T>(method, args));
  }
}

function unsupportedForScope(method: string, scope: string): EngineError {
  return new EngineError('unsupported', {
    what: `${method} of ${scope}`,
    reason: 'it is asked of one repository at a time; pass the folder of one',
  });
}
